"""argv → which mode; puts the parts together. Imports what a mode needs when it is chosen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

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
from domsh_repl.errors import UsageError
from domsh_repl.outcome import answer, ended
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.daemon.client import Connection
    from domsh_repl.daemon.messages import LineWanted, OwnSettings, Ran
    from domsh_repl.daemon.place import Refusal
    from domsh_repl.foreground import Terminal
    from domsh_repl.language import Line
    from domsh_repl.options import Options
    from domsh_repl.shell.app import Look

__all__ = ["main", "run_for_client", "run_line_for_client"]


def main(
    argv: Sequence[str] | None = None, forwarded: int | Connection | Refusal | None = None
) -> int:
    """Run domsh and return the exit status.

    ``forwarded`` is what the thin client has come to with the words, if it was asked.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return ended(words, lambda: _run(words, forwarded))


def run_for_client(words: Sequence[str], session: Session, offer_shell: Callable[[], int]) -> int:
    """Run a command line in a session that is lent to it, and return the exit status.

    Standard streams are the client's. Where a shell is asked for, the client is to be that.
    """

    def run() -> int:
        from domsh_repl.options import parse_options  # noqa: PLC0415

        options = parse_options(words, os.environ)
        _require_read_only(options, session)
        if _is_shell(options):
            return offer_shell()  # the client tells the warnings
        _warn(options)
        with ExitStack() as stack:
            return _batch(options, stack, session)

    return ended(words, run)


def _require_read_only(options: Options, session: Session) -> None:
    """Refuse to act for a client whose settings say that nothing may act."""
    asked = options.settings.by_place["read_only"]
    if asked.value and not session.link.is_read_only:
        raise UsageError(
            f"{asked.name} is on, and the daemon may change pages",
            "`domsh daemon stop`, then `domsh daemon start` makes one that may not",
        )


def run_line_for_client(
    words: Sequence[str], session: Session, line: LineWanted, terminal: Terminal
) -> Ran:
    """Run a line of a shell that was begun with the words, in a session that is lent to it.

    The terminal is the shell's, for programs and the pager.
    """
    from domsh_repl.daemon.messages import OwnSettings, Ran  # noqa: PLC0415

    own, left = line.own, False

    def run() -> int:
        from domsh_repl.batch.runner import run_shell_line  # noqa: PLC0415
        from domsh_repl.commands.spec import Quit  # noqa: PLC0415

        nonlocal own, left
        with ExitStack() as stack:
            executor = _lent_shell(words, session, own, terminal, stack)
            try:
                return run_shell_line(executor, line.text)
            except Quit:
                left = True
                return 0
            finally:
                own = OwnSettings.of(session, json=executor.json)

    said = [word for word in words if word == "--debug"]
    status = ended([*said, "--json"] if own.json else said, run)
    return Ran(status, own, left)


def _lent_shell(
    words: Sequence[str],
    session: Session,
    own: OwnSettings,
    terminal: Terminal,
    stack: ExitStack,
) -> Executor:
    """Return what runs a line of a shell that has its own settings and terminal elsewhere."""
    from domsh_repl.options import parse_options  # noqa: PLC0415
    from domsh_repl.render.pager import Pager  # noqa: PLC0415

    options = replace(
        parse_options(words, os.environ),
        site=None,  # the client serves that
        json=own.json,
        color=own.settings.color,
        plain=own.settings.plain,
    )
    pager = Pager(terminal=terminal)
    pager.switch(own.settings.pager)
    screen = renderer_of(options, json=own.json, pager=pager)
    executor = executor_of(options, stack, screen, lent=session)
    executor.terminal = terminal
    own.put(session)
    return executor


def _run(words: Sequence[str], forwarded: int | Connection | Refusal | None) -> int:
    if words[:1] in (["serve"], ["bridge"]):
        from domsh_repl.doors import run_door  # noqa: PLC0415

        return run_door(words[0], words[1:])
    from domsh_repl.options import Mode, parse_options  # noqa: PLC0415

    options = parse_options(words, os.environ)
    if options.mode in (Mode.VERSION, Mode.HELP):
        answer(f"domsh {__version__}" if options.mode == Mode.VERSION else options.help_text)
        return 0
    _warn(options)
    if options.server != "builtin" and options.mode not in (Mode.CONFIG, Mode.DAEMON):
        source_of(options)  # what is wrong with it is told before anything runs
    return _chosen(options, words, forwarded)


def _chosen(
    options: Options, words: Sequence[str], forwarded: int | Connection | Refusal | None
) -> int:
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.CONFIG:
        from domsh_repl.configuration import shown_settings  # noqa: PLC0415

        screen = renderer_of(options, json=options.json)
        screen.show(shown_settings(options.settings, os.environ))
        return 0
    if options.mode == Mode.DOCTOR:
        from domsh_repl.doctor.examination import run_doctor  # noqa: PLC0415

        return run_doctor(options, renderer_of(options, json=options.json))
    if options.mode == Mode.CHECK:
        from domsh_repl.batchmode import check_files  # noqa: PLC0415

        return check_files(options)
    return _daemon(options) if options.mode == Mode.DAEMON else _session(options, words, forwarded)


def _session(
    options: Options, words: Sequence[str], forwarded: int | Connection | Refusal | None
) -> int:
    """Do what a session is needed for: a shell, lines or a file, here or in the daemon."""
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


def _warn(options: Options) -> None:
    """Tell what the configuration says that there is not."""
    for warning in options.settings.warnings:
        with suppress(OSError):  # there is nobody left to tell
            print(f"domsh: {escape(warning)}", file=sys.stderr, flush=True)  # noqa: T201


def _batch(options: Options, stack: ExitStack, lent: Session | None = None) -> int:
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.options import Mode  # noqa: PLC0415

    if options.mode == Mode.RUN:
        from domsh_repl.batchmode import run_file  # noqa: PLC0415

        return run_file(options, stack, lent, partial(_look, options))
    line = None
    if options.mode == Mode.LINE:
        line = runner.parse_command(options.line, allow_shell=options.allow_shell)
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
    from domsh_repl.render.theme import theme_of  # noqa: PLC0415

    aside = Renderer(
        sys.stderr,
        sys.stderr,
        color=ColorMode(options.color),
        quiet=options.quiet,
        theme=theme_of(options.theme, options.colors),
        plain=options.plain,
    )
    shown = executor.json_screen if executor.json else executor.screen
    told = runner.Aside(aside, shown, quiet=options.quiet)
    return replace(executor, screen=told, json_screen=told).run(opening)


def _look(options: Options, *, goes_on: bool) -> Look:
    """Return how a shell looks; ``goes_on`` where its page is there already."""
    from domsh_repl.commands.bearing import Bearing  # noqa: PLC0415
    from domsh_repl.render.color import ColorMode, is_colored  # noqa: PLC0415
    from domsh_repl.render.theme import theme_of  # noqa: PLC0415
    from domsh_repl.shell.app import Look  # noqa: PLC0415

    return Look(
        is_colored(sys.stdout, ColorMode(options.color), os.environ),
        options.quiet,
        options.debug,
        goes_on=goes_on,
        bearing=Bearing(options.prompt, options.toolbar, options.editing),
        is_plain=options.plain,
        theme=theme_of(options.theme, options.colors),
    )


def _shell(options: Options, stack: ExitStack, remote: Callable[[], Executor] | None = None) -> int:
    from domsh_repl.shell.app import run_shell  # noqa: PLC0415

    def make() -> Executor:
        from domsh_repl.render.pager import Pager  # noqa: PLC0415

        return executor_of(options, stack, renderer_of(options, json=options.json, pager=Pager()))

    look = _look(options, goes_on=remote is not None)
    return run_shell(remote or make, look, first_line(options))
