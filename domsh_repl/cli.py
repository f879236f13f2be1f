"""argv → which mode; puts the parts together. Imports what a mode needs when it is chosen."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from domsh_repl import __version__
from domsh_repl.assembly import (
    Daemon,
    executor_of,
    first_line,
    link_of,
    remote_executor,
    renderer_of,
    session_of,
    source_of,
)
from domsh_repl.errors import CannotWrite, DomshError, Interrupted
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.daemon.client import Connection
    from domsh_repl.daemon.place import Refusal
    from domsh_repl.language import Line
    from domsh_repl.options import Options

__all__ = ["main", "run_for_client", "run_line_for_client"]


def main(
    argv: Sequence[str] | None = None, forwarded: int | Connection | Refusal | None = None
) -> int:
    """Run domsh and return the exit status.

    ``forwarded`` is what the thin client has come to with the words, if it was asked.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return _ended(words, lambda: _run(words, forwarded))


def run_for_client(words: Sequence[str], session: Session, offer_shell: Callable[[], int]) -> int:
    """Run a command line in a session that is lent to it, and return the exit status.

    Standard streams are the client's. Where a shell is asked for, the client is to be that.
    """

    def run() -> int:
        from domsh_repl.options import parse_options  # noqa: PLC0415

        options = parse_options(words)
        if _is_shell(options):
            return offer_shell()
        with ExitStack() as stack:
            return _batch(options, stack, session)

    return _ended(words, run)


def run_line_for_client(words: Sequence[str], session: Session, text: str) -> tuple[int, bool]:
    """Run a line of a shell that was begun with the words, in a session that is lent to it.

    Return its status, and whether it was to leave the shell.
    """
    left = False

    def run() -> int:
        from domsh_repl.batch.runner import run_shell_line  # noqa: PLC0415
        from domsh_repl.commands.spec import Quit  # noqa: PLC0415
        from domsh_repl.options import parse_options  # noqa: PLC0415

        nonlocal left
        options = replace(parse_options(words), site=None)  # the client serves that itself
        with ExitStack() as stack:
            screen = renderer_of(options, json=options.json)
            try:
                return run_shell_line(executor_of(options, stack, screen, lent=session), text)
            except Quit:
                left = True
                return 0

    return _ended(words, run), left


def _ended(words: Sequence[str], run: Callable[[], int]) -> int:
    try:
        return _written(words, run)
    finally:
        _let_go_of_errors()


def _written(words: Sequence[str], run: Callable[[], int]) -> int:
    try:
        _prepare_streams()
        return _written_out(_told(words, run))
    except BrokenPipeError:
        return _drop_output()  # whoever read our output has seen enough
    except CannotWrite as error:
        _drop_output()
        return _complain(f"cannot write: {error}")


def _told(words: Sequence[str], run: Callable[[], int]) -> int:
    """Run, and tell what went wrong; raises ``CannotWrite`` and ``BrokenPipeError``."""
    as_json = "--json" in words
    try:
        return run()
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
        descriptor = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


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


def _run(words: Sequence[str], forwarded: int | Connection | Refusal | None) -> int:
    if words == ["--version"]:
        _answer(f"domsh {__version__}")
        return 0
    if words[:1] in (["serve"], ["bridge"]):
        from domsh_repl.doors import run_door  # noqa: PLC0415

        return run_door(words[0], words[1:])
    from domsh_repl.options import Mode, parse_options  # noqa: PLC0415

    options = parse_options(words)
    if options.mode in (Mode.VERSION, Mode.HELP):
        _answer(f"domsh {__version__}" if options.mode == Mode.VERSION else options.help_text)
        return 0
    if options.server != "builtin":
        source_of(options)  # what is wrong with it is told before anything runs
    return _chosen(options, words, forwarded)


def _chosen(
    options: Options, words: Sequence[str], forwarded: int | Connection | Refusal | None
) -> int:
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.DOCTOR:
        from domsh_repl.doctor.examination import run_doctor  # noqa: PLC0415

        return run_doctor(options, renderer_of(options, json=options.json))
    if options.mode == Mode.DAEMON:
        return _daemon(options)
    from domsh_repl.ending import in_good_order  # noqa: PLC0415

    is_shell = _is_shell(options)
    interruptible = not (is_shell or options.daemon)  # those take Ctrl-C themselves
    with in_good_order(interruptible=interruptible), ExitStack() as stack:
        if options.daemon:
            return _forwarded(words, forwarded, options, stack)
        if is_shell:
            return _shell(options, stack)
        return _batch(options, stack)


def _is_shell(options: Options) -> bool:
    from domsh_repl.options import Mode  # noqa: PLC0415

    return options.mode == Mode.SHELL and sys.stdin.isatty() and sys.stdout.isatty()


def _forwarded(
    words: Sequence[str],
    outcome: int | Connection | Refusal | None,
    options: Options,
    stack: ExitStack,
) -> int:
    """Do what is left to do here of a command line that runs in the daemon."""
    from domsh_repl.daemon.client import forward  # noqa: PLC0415
    from domsh_repl.daemon.messages import error_of  # noqa: PLC0415
    from domsh_repl.daemon.place import Refusal  # noqa: PLC0415

    if outcome is None:
        outcome = forward(list(words))
    if isinstance(outcome, int):
        return outcome
    if isinstance(outcome, Refusal):
        raise error_of(outcome)
    connection = outcome
    return _shell(options, stack, lambda: remote_executor(options, words, connection, stack))


def _daemon(options: Options) -> int:
    """Start or stop the daemon, tell how it is, or be it."""
    if options.verb == "hold":
        from domsh_repl.daemon.hold import Host, hold  # noqa: PLC0415

        link = link_of(options)
        host = Host(run_for_client, run_line_for_client, _warm)
        return hold(link, session_of(options, link), host)
    screen = renderer_of(options, json=options.json)
    if options.verb == "status":
        from domsh_repl.daemon.control import daemon_status  # noqa: PLC0415

        message, status = daemon_status()
        screen.show(message, status=status)
        return status
    daemon = Daemon(options)
    screen.show(daemon.start(screen.note) if options.verb == "start" else daemon.stop())
    return 0


def _warm() -> None:
    """Import what commands need, so that the first one finds it."""
    import rich.console  # noqa: PLC0415
    import rich.text  # noqa: F401, PLC0415

    from domsh_repl.batch import runner  # noqa: F401, PLC0415
    from domsh_repl.commands.registry import names  # noqa: PLC0415
    from domsh_repl.options import parse_options  # noqa: PLC0415
    from domsh_repl.render import renderer  # noqa: F401, PLC0415

    names()
    parse_options(["-c", ""])


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


def _batch(options: Options, stack: ExitStack, lent: Session | None = None) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.RUN:
        return _script(options, stack, lent)
    line = runner.parse_command(options.line) if options.mode == Mode.LINE else None
    # a line that says itself where to begin needs no front page first
    begins = line is not None and options.url is None and runner.begins_with_open(line)
    opening = runner.parse_command("" if begins else first_line(options))
    planned = [opening] if line is None else [opening, line]
    screen = renderer_of(options, json=options.json)
    start = any(map(runner.needs_page, planned))
    executor = executor_of(options, stack, screen, start=start, lent=lent)
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

    aside = Renderer(sys.stderr, sys.stderr, color=ColorMode(options.color), quiet=options.quiet)
    told = runner.Aside(aside, executor.screen, quiet=options.quiet)
    return replace(executor, screen=told, json_screen=told).run(opening)


def _script(options: Options, stack: ExitStack, lent: Session | None) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.language import print_line  # noqa: PLC0415

    script = runner.load_script(options.file, sys.stdin.buffer)
    screen = renderer_of(options, json=options.json)
    start = any(map(runner.needs_page, script.lines))
    executor = executor_of(options, stack, screen, start=start, lent=lent)

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


def _shell(options: Options, stack: ExitStack, remote: Callable[[], Executor] | None = None) -> int:
    from domsh_repl.render.color import ColorMode, is_colored  # noqa: PLC0415
    from domsh_repl.shell.app import Look, run_shell  # noqa: PLC0415

    def make() -> Executor:
        return executor_of(options, stack, renderer_of(options, json=options.json))

    colored = is_colored(sys.stdout, ColorMode(options.color), os.environ)
    look = Look(colored, options.quiet, options.debug, goes_on=remote is not None)
    return run_shell(remote or make, look, first_line(options))
