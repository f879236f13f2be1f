"""argv → which mode; puts the parts together. Imports what a mode needs when it is chosen."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TextIO

from domsh_repl import __version__
from domsh_repl.errors import CannotWrite, DomshError, Interrupted, UsageError
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from pathlib import Path

    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.language import Line
    from domsh_repl.link.link import Link
    from domsh_repl.link.servers import ServerSource
    from domsh_repl.options import Options
    from domsh_repl.render.pager import Pager
    from domsh_repl.render.renderer import Renderer

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run domsh and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _ended(words)
    finally:
        _let_go_of_errors()


def _ended(words: Sequence[str]) -> int:
    try:
        _prepare_streams()
        return _written_out(_told(words))
    except BrokenPipeError:
        return _drop_output()  # whoever read our output has seen enough
    except CannotWrite as error:
        _drop_output()
        return _complain(f"cannot write: {error}")


def _told(words: Sequence[str]) -> int:
    """Run, and tell what went wrong; raises ``CannotWrite`` and ``BrokenPipeError``."""
    as_json = "--json" in words
    try:
        return _run(words)
    except DomshError as error:
        return _tell(error, as_json=as_json)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: no trace of a second one
        return _tell(Interrupted("interrupted"), as_json=as_json)
    except (BrokenPipeError, CannotWrite):
        raise
    except Exception as error:
        if "--debug" in words:
            raise
        return _complain(f"a defect: {type(error).__name__}: {error} (--debug shows where)")


def _written_out(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.strerror or type(error).__name__) from error
    return status


def _drop_output() -> int:
    """Let nothing more be written: what is still kept back would fail again at the exit."""
    _discard(sys.stdout)
    return 1


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _let_go_of_errors() -> None:
    """Flush stderr: the interpreter gives a status of its own for what nobody can be told."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def _complain(text: str) -> int:
    with suppress(OSError):  # there is nobody left to tell
        print(f"domsh: {escape(text)}", file=sys.stderr, flush=True)  # noqa: T201
    return 1


def _prepare_streams() -> None:
    """Make streams that were closed harmless, and no character one that cannot be written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def _answer(text: str) -> None:
    try:
        print(text)  # noqa: T201  (nothing that paints is imported for it)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.strerror or type(error).__name__) from error


def _run(words: Sequence[str]) -> int:
    if words == ["--version"]:
        _answer(f"domsh {__version__}")
        return 0
    if words[:1] in (["serve"], ["bridge"]):
        from domsh_repl.doors import run_door  # noqa: PLC0415

        return run_door(words[0], words[1:])
    from domsh_repl.options import Mode, parse_options  # noqa: PLC0415

    options = parse_options(words, os.environ)
    if options.mode in (Mode.VERSION, Mode.HELP):
        _answer(f"domsh {__version__}" if options.mode == Mode.VERSION else options.help_text)
        return 0
    _warn(options)
    if options.mode == Mode.CONFIG:
        from domsh_repl.configuration import shown_settings  # noqa: PLC0415
        from domsh_repl.looks import renderer_of  # noqa: PLC0415

        renderer_of(options, json=options.json).show(shown_settings(options.settings, os.environ))
        return 0
    if options.server != "builtin":
        _source(options)  # what is wrong with it is told before anything runs
    with ExitStack() as stack:
        if options.mode == Mode.SHELL and sys.stdin.isatty() and sys.stdout.isatty():
            return _shell(options, stack)
        return _batch(options, stack)


def _warn(options: Options) -> None:
    """Tell what the configuration says that there is not."""
    for warning in options.settings.warnings:
        with suppress(OSError):  # there is nobody left to tell
            print(f"domsh: {escape(warning)}", file=sys.stderr, flush=True)  # noqa: T201


def _tell(error: DomshError, *, as_json: bool) -> int:
    """Print an error that came before anything could be shown by a renderer."""
    from domsh_repl.language import ScriptErrors  # noqa: PLC0415
    from domsh_repl.render.renderer import Renderer  # noqa: PLC0415

    with suppress(*(() if as_json else (OSError, CannotWrite))):  # nobody is left to tell
        if isinstance(error, ScriptErrors) and not as_json:
            print(error.render(), file=sys.stderr)  # noqa: T201
        else:
            Renderer(sys.stdout, sys.stderr, json=as_json).error(error)
    return error.exit_status


@contextmanager
def _session(options: Options, *, start: bool) -> Iterator[Session]:
    """Make the session of a run; the browser starts at once when ``start``, else when needed."""
    early = _link(options) if start else None
    if early is not None:
        early.start()
    from domsh_repl.commands.session import Session, Settings  # noqa: PLC0415

    def connect() -> Link:
        link = early or _link(options)
        link.note = lambda text: session.note(text)  # noqa: PLW0108  (the shell sets another)
        return link

    settings = Settings(options.timeout, options.allow_file, options.allow_shell, options.color)
    session = Session(connect, settings)
    session.variables["@"] = options.arguments
    try:
        yield session
    finally:
        session.close()
        if early is not None:
            early.close()


def _link(options: Options) -> Link:
    """Make the link; the server starts when it is told to, or with the first request."""
    from domsh_repl.link.link import Link, Manners  # noqa: PLC0415

    return Link(_source(options), manners=Manners(options.lane, options.read_only))


def _source(options: Options) -> ServerSource:
    """Return the way to the server that was asked for."""
    if options.server != "builtin":
        from domsh_repl.link.sources import source_of  # noqa: PLC0415

        return source_of(
            options.server,
            os.environ,
            token_name=options.token_env,
            read_only=options.read_only,
        )
    from domsh_repl.builtin import BrowserOptions, BuiltinSource  # noqa: PLC0415

    browser = BrowserOptions(
        browser=options.browser,
        cdp=options.cdp,
        headed=options.headed,
        profile=options.profile,
        proxy=options.proxy,
        insecure=options.insecure,
        allow_file=options.allow_file,
    )
    return BuiltinSource(browser)


def _executor(
    options: Options,
    stack: ExitStack,
    screen: Renderer,
    *,
    start: bool,
    pager: Pager | None = None,
) -> Executor:
    """Put the parts of a run together; the stack takes them apart again."""
    site = ""
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        site = stack.enter_context(serve_folder(options.site))
    session = stack.enter_context(_session(options, start=start))
    if site:
        session.variables["site"] = site
    from domsh_repl.commands.executor import Executor  # noqa: PLC0415
    from domsh_repl.looks import drawn, recolored, renderer_of  # noqa: PLC0415

    session.note = screen.note
    other = renderer_of(options, json=not options.json, pager=pager)
    text, json = (other, screen) if options.json else (screen, other)
    session.recolor = partial(recolored, (text, json))
    session.page = None if pager is None else pager.switch
    session.bookmarks.file = _bookmarks_file(options)
    return Executor(session, text, json, options.json, draw=partial(drawn, options))


def _bookmarks_file(options: Options) -> Path | None:
    """Return where bookmarks are kept; a batch file's own last as long as it runs."""
    from pathlib import Path  # noqa: PLC0415

    from domsh_repl.options import Mode  # noqa: PLC0415
    from domsh_repl.userfiles import state_file  # noqa: PLC0415

    own = options.mode == Mode.RUN
    return None if own else Path(state_file("bookmarks.json", os.environ))


def _first_line(options: Options) -> str:
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


def _batch(options: Options, stack: ExitStack) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.looks import renderer_of  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.RUN:
        return _script(options, stack)
    line = runner.parse_command(options.line) if options.mode == Mode.LINE else None
    # a line that says itself where to begin needs no front page first
    begins = line is not None and options.url is None and runner.begins_with_open(line)
    opening = runner.parse_command("" if begins else _first_line(options))
    planned = [opening] if line is None else [opening, line]
    screen = renderer_of(options, json=options.json)
    start = any(map(runner.needs_page, planned))
    executor = _executor(options, stack, screen, start=start)
    status = _open(options, executor, opening)
    if status:
        return status
    if line is not None:
        return runner.run_line(executor, line)
    return runner.run_lines(executor, sys.stdin.buffer)


def _open(options: Options, executor: Executor, opening: Line) -> int:
    """Open the page that the command line names; that is told beside the data."""
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.render.color import ColorMode  # noqa: PLC0415
    from domsh_repl.render.renderer import Renderer  # noqa: PLC0415
    from domsh_repl.render.theme import theme_of  # noqa: PLC0415

    aside = Renderer(
        sys.stderr,
        sys.stderr,
        color=ColorMode(options.color),
        quiet=options.quiet,
        theme=theme_of(options.theme, options.colors),
    )
    shown = executor.json_screen if executor.json else executor.screen
    told = runner.Aside(aside, shown, quiet=options.quiet)
    return replace(executor, screen=told, json_screen=told).run(opening)


def _script(options: Options, stack: ExitStack) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.language import print_line  # noqa: PLC0415
    from domsh_repl.looks import renderer_of  # noqa: PLC0415

    script = runner.load_script(options.file, sys.stdin.buffer, may_shell=options.allow_shell)
    screen = renderer_of(options, json=options.json)
    start = any(map(runner.needs_page, script.lines))
    executor = _executor(options, stack, screen, start=start)

    def before(line: Line) -> None:
        if options.json:
            screen.place = {"file": script.name, "line": line.number}
        if options.echo:
            _echo(print_line(line))

    outcome = runner.run_script(executor, script, before)
    counts = (outcome.tally.passed, outcome.tally.failed, outcome.tally.skipped)
    screen.run_ended(*counts, stopped=outcome.stopped)
    return outcome.status


def _echo(line: str) -> None:
    sys.stdout.flush()
    print(f"\n› {escape(line)}", file=sys.stderr, flush=True)  # noqa: RUF001, T201


def _shell(options: Options, stack: ExitStack) -> int:
    from domsh_repl.render.color import ColorMode, is_colored  # noqa: PLC0415
    from domsh_repl.render.theme import theme_of  # noqa: PLC0415
    from domsh_repl.shell.app import Look, run_shell  # noqa: PLC0415

    def make() -> Executor:
        from domsh_repl.looks import renderer_of  # noqa: PLC0415
        from domsh_repl.render.pager import Pager  # noqa: PLC0415

        pager = Pager()
        screen = renderer_of(options, json=options.json, pager=pager)
        return _executor(options, stack, screen, start=False, pager=pager)

    colored = is_colored(sys.stdout, ColorMode(options.color), os.environ)
    look = Look(
        colored,
        options.quiet,
        options.debug,
        options.editing == "vi",
        theme_of(options.theme, options.colors),
    )
    return run_shell(make, look, _first_line(options))
