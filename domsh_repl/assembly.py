"""Puts the parts of a run together for ``cli``: the link, the session, the screens.

Imports each when it is made.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from domsh_repl.errors import UsageError

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.daemon.client import Connection
    from domsh_repl.link.link import Link
    from domsh_repl.link.servers import ServerSource
    from domsh_repl.nodes import Message
    from domsh_repl.options import Options
    from domsh_repl.render.renderer import Renderer

__all__ = [
    "Daemon",
    "executor_of",
    "first_line",
    "link_of",
    "remote_executor",
    "renderer_of",
    "session_of",
    "source_of",
]


def renderer_of(options: Options, *, json: bool) -> Renderer:
    """Make what shows values on standard output and remarks on standard error."""
    from domsh_repl.render.color import ColorMode  # noqa: PLC0415
    from domsh_repl.render.renderer import Renderer  # noqa: PLC0415

    color = ColorMode(options.color)
    return Renderer(sys.stdout, sys.stderr, json=json, color=color, quiet=options.quiet)


@contextmanager
def _session(options: Options, *, start: bool) -> Iterator[Session]:
    """Make the session of a run; the browser starts at once when ``start``, else when needed."""
    early = link_of(options) if start else None
    if early is not None:
        early.start()
    session = session_of(options, early)
    session.variables["@"] = options.arguments
    try:
        yield session
    finally:
        session.close()
        if early is not None:
            early.close()


def session_of(options: Options, link: Link | None = None) -> Session:
    """Make a session on a link, or one that makes its link when it is needed first."""
    from domsh_repl.commands.session import Session, Settings  # noqa: PLC0415

    def connect() -> Link:
        made = link or link_of(options)
        made.note = lambda text: session.note(text)  # noqa: PLW0108  (the shell sets another)
        return made

    session = Session(connect, Settings(options.timeout, options.allow_file))
    session.daemon = Daemon(options)
    return session


@contextmanager
def _lent(session: Session, options: Options) -> Iterator[Session]:
    """Lend a session that lives longer to one run, with that run's own settings."""
    session.settings = replace(session.settings, timeout=options.timeout)
    session.variables["@"] = options.arguments
    try:
        yield session
    finally:
        session.variables.pop("site", None)


class Daemon:
    """Starts and stops the daemon, which is made of what the options say of the server."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def start(self, note: Callable[[str], None]) -> Message:
        """Start it unless it runs; raises what keeps it from that."""
        from domsh_repl.daemon.control import start  # noqa: PLC0415

        seconds = source_of(self._options).start_seconds
        return start(_server_words(self._options), seconds, note)

    def stop(self) -> Message:
        """Stop it if it runs."""
        from domsh_repl.daemon.control import stop  # noqa: PLC0415

        return stop()


def _server_words(options: Options) -> list[str]:
    """Return the options that say what a daemon is made of; its directory changes."""
    named = [
        (f"--{name}", getattr(options, name)) for name in ("browser", "cdp", "profile", "proxy")
    ]
    if options.server != "builtin":
        named.append(("--server", options.server))
    if options.lane != "new":
        named.append(("--lane", options.lane))
    named.append(("--token-env", options.token_env))
    words = [f"{name}={_steady(name, value)}" for name, value in named if value]
    flags = ("headed", "insecure", "allow_file", "read_only")
    return [*words, *(f"--{name.replace('_', '-')}" for name in flags if getattr(options, name))]


def _steady(option: str, value: str) -> str:
    """Return a path as it is from everywhere; a browser can be a name, too."""
    if option == "--profile" or (option == "--browser" and os.sep in value):
        return os.path.abspath(value)  # noqa: PTH100  (pathlib would cost its import)
    return value


def link_of(options: Options) -> Link:
    """Make the link; the server starts when it is told to, or with the first request."""
    from domsh_repl.link.link import Link, Manners  # noqa: PLC0415

    return Link(source_of(options), manners=Manners(options.lane, options.read_only))


def source_of(options: Options) -> ServerSource:
    """Return the way to the server that was asked for."""
    if options.server != "builtin":
        from domsh_repl.link import sources  # noqa: PLC0415

        return sources.source_of(
            options.server,
            os.environ,
            token_name=options.token_env,
            read_only=options.read_only,
        )
    from domsh_repl.builtin import BrowserOptions, BuiltinSource  # noqa: PLC0415

    return BuiltinSource(BrowserOptions.of(options), read_only=options.read_only)


def executor_of(
    options: Options,
    stack: ExitStack,
    screen: Renderer,
    *,
    start: bool = False,
    lent: Session | None = None,
) -> Executor:
    """Put the parts of a run together; the stack takes them apart again.

    A session that is ``lent`` stays; ``start`` lets the browser of a new one start at once.
    """
    site = ""
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        site = stack.enter_context(serve_folder(options.site))
    session = stack.enter_context(
        _session(options, start=start) if lent is None else _lent(lent, options)
    )
    if site:
        session.variables["site"] = site
    from domsh_repl.commands.executor import Executor  # noqa: PLC0415

    session.note = screen.note
    json_screen = screen if options.json else renderer_of(options, json=True)
    return Executor(session, screen, json_screen, options.json)


def remote_executor(
    options: Options, words: Sequence[str], connection: Connection, stack: ExitStack
) -> Executor:
    """Return what runs a shell's lines in the daemon; the words are its command line."""
    from domsh_repl.daemon.shell import shell_executor  # noqa: PLC0415

    stack.callback(connection.close)
    screens = renderer_of(options, json=options.json), renderer_of(options, json=True)
    executor = shell_executor(words, connection, screens, json=options.json)
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        executor.session.variables["site"] = stack.enter_context(serve_folder(options.site))
    return executor


def first_line(options: Options) -> str:
    """Return the line that opens the URL of the command line, or the site's front page."""
    from domsh_repl.language import quote_word  # noqa: PLC0415

    if options.url is not None and options.site is not None and options.url.startswith("/"):
        return f"open $site{quote_word(options.url, force=True)}"
    if options.url is not None:
        _refuse_file(options.url)
        try:
            return f"open {quote_word(options.url)}"
        except ValueError as error:
            raise UsageError("a URL holds no line break") from error
    return "open $site/" if options.site is not None else ""


def _refuse_file(url: str) -> None:
    """Tell somebody who named a file or a folder where a URL stands how to use it."""
    if "://" in url or not os.path.exists(url):  # noqa: PTH110  (pathlib would cost its import)
        return
    if os.path.isdir(url):  # noqa: PTH112
        raise UsageError(f"{url} is a folder, not a URL", f"domsh --site {url}")
    if url.endswith((".html", ".htm")):
        folder = os.path.dirname(url) or "."  # noqa: PTH120
        raise UsageError(
            f"{url} is a file, not a URL", f"domsh --site {folder} /{url.rpartition('/')[2]}"
        )
    raise UsageError(f"{url} is a file, not a URL", f"domsh run {url}")
