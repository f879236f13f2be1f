"""argv → which mode; puts the parts together. Imports what a mode needs when it is chosen."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from domsh_repl import __version__
from domsh_repl.errors import DomshError, Interrupted
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
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
        return _run(words)
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


def _run(words: Sequence[str]) -> int:
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
def _session(options: Options, stack: ExitStack, *, start: bool) -> Iterator[Session]:
    """Make the session of a run; the browser starts at once when ``start``."""
    from domsh_repl.builtin import BrowserOptions, BuiltinSource  # noqa: PLC0415
    from domsh_repl.link.link import Link  # noqa: PLC0415

    browser = BrowserOptions(
        browser=options.browser,
        cdp=options.cdp,
        headed=options.headed,
        profile=options.profile,
        proxy=options.proxy,
        insecure=options.insecure,
        allow_file=options.allow_file,
    )
    link = Link(BuiltinSource(browser))
    if start:
        link.start()
    from domsh_repl.commands.session import Session, Settings  # noqa: PLC0415

    settings = Settings(options.timeout, options.allow_file, options.debug)
    session = Session(link, settings)
    session.variables["@"] = options.arguments
    if options.site is not None:
        from domsh_repl.batch.site import serve_folder  # noqa: PLC0415

        session.variables["site"] = stack.enter_context(serve_folder(options.site))
    try:
        yield session
    finally:
        link.close()


def _executor(options: Options, session: Session) -> Executor:
    from domsh_repl.commands.executor import Executor  # noqa: PLC0415

    screen = _renderer(options, json=options.json)
    session.note = screen.note
    json_screen = screen if options.json else _renderer(options, json=True)
    return Executor(session, screen, json_screen, options.json)


def _first_line(options: Options) -> str:
    """Return the line that opens the URL of the command line, or the site's front page."""
    from domsh_repl.language import quote_word  # noqa: PLC0415

    if options.url is not None:
        return f"open {quote_word(options.url)}"
    return "open $site/" if options.site is not None else ""


def _batch(options: Options, stack: ExitStack) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.language import Line  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415

    line = Line(())
    if options.mode == Mode.RUN:
        script = runner.load_script(options.file, sys.stdin)
    elif options.mode == Mode.LINE:
        line = runner.parse_command(options.line)
    session = stack.enter_context(_session(options, stack, start=options.mode != Mode.SHELL))
    executor = _executor(options, session)
    if options.mode == Mode.RUN:
        echo = _echo if options.echo else None
        status, tally = runner.run_script(executor, script, echo)
        if not options.quiet:
            sys.stdout.flush()
            print(tally, file=sys.stderr)  # noqa: T201
        return status
    first = _first_line(options)
    if first:
        status = runner.run_line(executor, runner.parse_command(first))
        if status:
            return status
    if options.mode == Mode.LINE:
        return runner.run_line(executor, line)
    session.link.start()
    return runner.run_lines(executor, sys.stdin)


def _echo(line: str) -> None:
    sys.stdout.flush()
    print(f"\n› {escape(line)}", file=sys.stderr, flush=True)  # noqa: RUF001, T201


def _shell(options: Options, stack: ExitStack) -> int:
    from domsh_repl.shell.app import run_shell  # noqa: PLC0415

    session = stack.enter_context(_session(options, stack, start=False))
    return run_shell(_executor(options, session), _first_line(options))
