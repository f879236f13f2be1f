"""argv → which mode; puts the parts together. Imports what a mode needs when it is chosen."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from domsh_repl import __version__
from domsh_repl.errors import DomshError, Interrupted, UsageError
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.language import Line
    from domsh_repl.link.servers import ServerSource
    from domsh_repl.options import Options
    from domsh_repl.render import Renderer

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run domsh and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["--version"]:
        print(f"domsh {__version__}")  # noqa: T201  (the answer)
        return 0
    try:
        _prepare_streams()
        status = _run(words)
        sys.stdout.flush()
    except DomshError as error:
        return _tell(error, as_json="--json" in words)
    except KeyboardInterrupt:
        return _tell(Interrupted("interrupted"), as_json="--json" in words)
    except BrokenPipeError:
        # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if "--debug" in words:
            raise
        print(  # noqa: T201
            f"domsh: a defect: {type(error).__name__}: {escape(str(error))} (--debug shows where)",
            file=sys.stderr,
        )
        return 1
    return status


def _prepare_streams() -> None:
    """Make streams that were closed harmless, and no character one that cannot be written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def _run(words: Sequence[str]) -> int:
    if words[:1] in (["serve"], ["bridge"]):
        from domsh_repl.doors import run_door  # noqa: PLC0415

        return run_door(words[0], words[1:])
    from domsh_repl.options import Mode, parse_options  # noqa: PLC0415

    options = parse_options(words)
    if options.mode == Mode.VERSION:
        print(f"domsh {__version__}")  # noqa: T201
        return 0
    if options.mode == Mode.HELP:
        print(options.help_text)  # noqa: T201
        return 0
    with ExitStack() as stack:
        if options.mode == Mode.SHELL and sys.stdin.isatty() and sys.stdout.isatty():
            return _shell(options, stack)
        return _batch(options, stack)


def _tell(error: DomshError, *, as_json: bool) -> int:
    """Print an error that came before anything could be shown by a renderer."""
    from domsh_repl.language import ScriptErrors  # noqa: PLC0415
    from domsh_repl.render import Renderer  # noqa: PLC0415

    if isinstance(error, ScriptErrors) and not as_json:
        print(error.render(), file=sys.stderr)  # noqa: T201
    else:
        Renderer(sys.stdout, sys.stderr, json=as_json).error(error)
    return error.exit_status


def _renderer(options: Options, *, json: bool) -> Renderer:
    from domsh_repl.render import ColorMode, Renderer  # noqa: PLC0415

    color = ColorMode(options.color)
    return Renderer(sys.stdout, sys.stderr, json=json, color=color, quiet=options.quiet)


@contextmanager
def _session(options: Options, *, start: bool) -> Iterator[Session]:
    """Make the session of a run; the browser starts at once when ``start``, else when needed."""
    from domsh_repl.link.link import Link, Manners  # noqa: PLC0415

    link = Link(_source(options), manners=Manners(options.lane, options.read_only))
    if start:
        link.start()
    from domsh_repl.commands.session import Session, Settings  # noqa: PLC0415

    settings = Settings(options.timeout, options.allow_file, options.debug)
    session = Session(link, settings)
    link.note = lambda text: session.note(text)  # noqa: PLW0108  (the shell sets another note)
    session.variables["@"] = options.arguments
    try:
        yield session
    finally:
        link.close()


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


def _executor(options: Options, stack: ExitStack, screen: Renderer, *, start: bool) -> Executor:
    """Put the parts of a run together; the stack takes them apart again."""
    site = ""
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        site = stack.enter_context(serve_folder(options.site))
    session = stack.enter_context(_session(options, start=start))
    if site:
        session.variables["site"] = site
    from domsh_repl.commands.executor import Executor  # noqa: PLC0415

    session.note = screen.note
    json_screen = screen if options.json else _renderer(options, json=True)
    return Executor(session, screen, json_screen, options.json)


def _first_line(options: Options) -> str:
    """Return the line that opens the URL of the command line, or the site's front page."""
    from domsh_repl.language import quote_word  # noqa: PLC0415

    if options.url is not None:
        try:
            return f"open {quote_word(options.url)}"
        except ValueError as error:
            raise UsageError("a URL holds no line break") from error
    return "open $site/" if options.site is not None else ""


def _batch(options: Options, stack: ExitStack) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.RUN:
        return _script(options, stack)
    line = runner.parse_command(options.line) if options.mode == Mode.LINE else None
    # a line that says itself where to begin needs no front page first
    begins = line is not None and options.url is None and runner.begins_with_open(line)
    opening = runner.parse_command("" if begins else _first_line(options))
    planned = [opening] if line is None else [opening, line]
    screen = _renderer(options, json=options.json)
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
    from domsh_repl.render import ColorMode, Renderer  # noqa: PLC0415

    aside = Renderer(sys.stderr, sys.stderr, color=ColorMode(options.color), quiet=options.quiet)
    told = runner.Aside(aside, executor.screen, quiet=options.quiet)
    return replace(executor, screen=told, json_screen=told).run(opening)


def _script(options: Options, stack: ExitStack) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.language import print_line  # noqa: PLC0415

    script = runner.load_script(options.file, sys.stdin.buffer)
    screen = _renderer(options, json=options.json)
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
    from domsh_repl.shell.app import run_shell  # noqa: PLC0415

    screen = _renderer(options, json=options.json)
    return run_shell(_executor(options, stack, screen, start=False), _first_line(options))
