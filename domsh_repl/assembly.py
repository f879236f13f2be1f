"""Puts the parts of a run together for ``cli``: the link, the session, the screens.

Imports each when it is made.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from domsh_repl.errors import UsageError

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.marks import Bookmarks
    from domsh_repl.commands.session import Session, Settings
    from domsh_repl.daemon.client import Connection
    from domsh_repl.link.link import Link
    from domsh_repl.link.servers import ServerSource
    from domsh_repl.nodes import Message
    from domsh_repl.options import Options
    from domsh_repl.render.pager import Pager
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

_PATIENCE = 5.0
"""Seconds that a batch file has patience for unless it says otherwise (docs/language.md §5)."""


def renderer_of(options: Options, *, json: bool, pager: Pager | None = None) -> Renderer:
    """Make what shows values on standard output and remarks on standard error."""
    from domsh_repl import looks  # noqa: PLC0415

    return looks.renderer_of(options, json=json, pager=pager)


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
    from domsh_repl.commands.session import Session  # noqa: PLC0415

    def connect() -> Link:
        made = link or link_of(options)
        made.note = lambda text: session.note(text)  # noqa: PLW0108  (the shell sets another)
        return made

    session = Session(connect, _settings(options))
    session.daemon = Daemon(options)
    return session


def _settings(options: Options) -> Settings:
    from domsh_repl.commands.session import Settings  # noqa: PLC0415

    return Settings(
        timeout=options.timeout,
        patience=_PATIENCE if options.mode == "run" else 0.0,
        allow_file=options.allow_file,
        allow_shell=options.allow_shell,
        color=options.color,
        plain=options.plain,
    )


@contextmanager
def _lent(session: Session, options: Options) -> Iterator[Session]:
    """Lend a session that lives longer to one run, with that run's own settings and nothing else.

    Its page, its variables, its history and its lanes are those that the run before left.
    """
    session.settings = replace(_settings(options), allow_file=session.settings.allow_file)
    session.variables["@"] = options.arguments
    session.sources, session.in_parts, session.aliases, session.bearing = (), False, None, None
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
    """Return the options that say what a daemon is made of; its directory changes.

    They are all there is: it reads no configuration file, which could say something else.
    """
    words = [f"--config={os.devnull}", f"--server={options.server}", f"--lane={options.lane}"]
    named = [
        (f"--{name}", getattr(options, name)) for name in ("browser", "cdp", "profile", "proxy")
    ]
    named.append(("--token-env", options.token_env))
    words += [f"{name}={_steady(name, value)}" for name, value in named if value]
    flags = ("headed", "insecure", "allow_file", "read_only")
    return [*words, *(_flag(name, is_on=getattr(options, name)) for name in flags)]


def _flag(name: str, *, is_on: bool) -> str:
    return f"--{'' if is_on else 'no-'}{name.replace('_', '-')}"


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
    from domsh_repl.looks import drawn, recolored, simplified  # noqa: PLC0415

    session.note = screen.note
    other = renderer_of(options, json=not options.json, pager=screen.pager)
    text, json = (other, screen) if options.json else (screen, other)
    session.recolor = partial(recolored, (text, json))
    session.simplify = partial(simplified, (text, json))
    session.page = None if screen.pager is None else screen.pager.switch
    session.bookmarks = bookmarks_of(options)
    return Executor(session, text, json, options.json, draw=partial(drawn, options))


def bookmarks_of(options: Options) -> Bookmarks:
    """Return the user's bookmarks; a batch file's own last as long as it runs."""
    from pathlib import Path  # noqa: PLC0415

    from domsh_repl.commands.marks import Bookmarks  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415
    from domsh_repl.userfiles import state_file  # noqa: PLC0415

    own = options.mode == Mode.RUN
    return Bookmarks(None if own else Path(state_file("bookmarks.json", os.environ)))


def remote_executor(
    options: Options, words: Sequence[str], connection: Connection, stack: ExitStack
) -> Executor:
    """Return what runs a shell's lines in the daemon; the words are its command line."""
    from domsh_repl.daemon.shell import shell_executor  # noqa: PLC0415
    from domsh_repl.looks import recolored, simplified  # noqa: PLC0415

    stack.callback(connection.close)
    screens = renderer_of(options, json=False), renderer_of(options, json=True)
    executor = shell_executor(words, connection, screens, _settings(options), json=options.json)
    executor.session.recolor = partial(recolored, screens)
    executor.session.simplify = partial(simplified, screens)
    executor.session.bookmarks = bookmarks_of(options)  # completion knows them
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        executor.session.variables["site"] = stack.enter_context(serve_folder(options.site))
    return executor


def first_line(options: Options) -> str:
    """Return the line that opens the URL of the command line, or the site's front page."""
    if options.url is None:
        return "open $site/" if options.site is not None else ""
    from domsh_repl.language import quote_word  # noqa: PLC0415

    if options.site is not None and options.url.startswith("/"):
        return f"open $site{quote_word(options.url, force=True)}"
    _refuse_file(options.url)
    try:
        return f"open {quote_word(options.url)}"
    except ValueError as error:
        raise UsageError("a URL holds no line break") from error


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
