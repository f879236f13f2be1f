"""What ``domsh run`` and ``domsh check`` do, with their options. Imports each part when needed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from domsh_repl import __version__
from domsh_repl.assembly import executor_of, renderer_of
from domsh_repl.batch.events import LineRun, Problem, RunResult, Tally
from domsh_repl.ending import send_interrupt
from domsh_repl.errors import DomshError, UsageError
from domsh_repl.safetext import escape

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.session import Session
    from domsh_repl.language import Line, Script
    from domsh_repl.options import Options
    from domsh_repl.render.renderer import Renderer
    from domsh_repl.shell.app import Look

__all__ = ["check_files", "run_file"]

_TOLD_SECONDS = 0.1
"""Seconds from which it is told how long a line that failed took."""
_AFTER_CLOCK_SECONDS = 0.05
"""Seconds by which the interruption comes after the session's clock, which tells why."""


class _LookMaker(Protocol):
    def __call__(self, *, goes_on: bool) -> Look:
        """Return how a shell looks."""


def check_files(options: Options) -> int:
    """Tell every mistake in files and return the exit status."""
    from domsh_repl.batch.runner import load_script  # noqa: PLC0415
    from domsh_repl.language import ScriptErrors  # noqa: PLC0415

    screen = renderer_of(options, json=options.json)
    status = 0
    for name in options.files:
        try:
            load_script(name, sys.stdin.buffer, may_shell=options.allow_shell)
        except ScriptErrors as errors:
            status = errors.exit_status
            if not options.json:
                print(errors.render())  # noqa: T201  (escaped already)
                continue
            for one in errors.errors:
                place = {"file": one.file or errors.name, "line": one.line}
                screen.place = {**place, "column": one.column + 1}
                screen.error(one.error)
        except DomshError as error:
            status = error.exit_status
            screen.place = {"file": name, "line": 0} if options.json else {}
            screen.error(error)
    return status


def run_file(options: Options, stack: ExitStack, lent: Session | None, look: _LookMaker) -> int:
    """Run a batch file as the options say and return its exit status."""
    _require_terminal(options, lent)
    if options.state is not None and lent is not None:
        raise UsageError("--state needs a lane of its own", "leave --daemon out")
    from domsh_repl.batch import runner  # noqa: PLC0415
    from domsh_repl.commands.login import bring_back, read_login  # noqa: PLC0415

    report = _Report(options)
    try:
        script = runner.load_script(options.file, sys.stdin.buffer, may_shell=options.allow_shell)
    except DomshError as error:
        report.write(_unread(options.file, error))
        raise
    login = None if options.state is None else read_login(options.state)
    screen = renderer_of(options, json=options.json)
    start = any(map(runner.needs_page, script.lines))
    executor = executor_of(options, stack, screen, start=start, lent=lent)
    executor.session.variables.update(options.variables)
    if login is not None and start:
        for problem in bring_back(executor.session, login).problems:
            screen.note(problem, warning=True)
    return _FileRun(options, executor, screen, report, look).run(script, in_daemon=lent is not None)


def _require_terminal(options: Options, lent: Session | None) -> None:
    wanted = "--step" if options.step else "--shell-on-failure" if options.shell_on_failure else ""
    if not wanted:
        return
    if lent is not None:
        raise UsageError(f"{wanted} needs the terminal for itself", "leave --daemon out")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"{wanted} needs a terminal", "leave it out where nobody is")


def _unread(file: str, error: DomshError) -> RunResult:
    """Return the result of a file of which nothing ran."""
    from domsh_repl.language import ScriptErrors  # noqa: PLC0415

    if isinstance(error, ScriptErrors):
        problems = tuple(
            Problem(one.error.code, one.error.message, one.error.hint, one.place(file))
            for one in error.errors
        )
    else:
        problems = (Problem(error.code, error.message, error.hint, ""),)
    return RunResult(file, error.exit_status, Tally(failed=1), problems=problems)


class _FileRun:
    """One run of a file from the command line."""

    def __init__(
        self,
        options: Options,
        executor: Executor,
        screen: Renderer,
        report: _Report,
        look: _LookMaker,
    ) -> None:
        self._options = options
        self._executor = executor
        self._screen = screen
        self._report = report
        self._look = look
        self._is_stepping = options.step

    def run(self, script: Script, *, in_daemon: bool) -> int:
        from domsh_repl.batch.scripts import Following, run_script  # noqa: PLC0415

        following = Following(
            before=self._before,
            at=self._at,
            after=self._after,
            failed=self._failed,
            keeps_values=self._report.is_wanted,
        )
        deadline = self._options.deadline
        seconds = None if in_daemon else deadline
        result = run_script(
            self._executor,
            script,
            following,
            deadline=deadline,
            bounded=lambda: _ended_after(seconds),
        )
        try:
            self._report.write(result, self._executor)
        finally:
            if result.skipped:
                self._screen.note(f"skipped: {result.skipped}")
            tally = result.tally
            self._screen.run_ended(tally.passed, tally.failed, tally.skipped)
        return result.status

    def _at(self, file: str, number: int) -> None:
        if self._options.json:
            self._screen.place = {"file": file, "line": number}

    def _before(self, line: Line) -> None:
        from domsh_repl.language import print_line  # noqa: PLC0415

        if self._is_stepping:
            self._step(print_line(line))
        elif self._options.echo:
            _echo(print_line(line), "" if self._options.plain else "› ")  # noqa: RUF001

    def _step(self, text: str) -> None:
        from domsh_repl.shell.stepping import Wish, asked  # noqa: PLC0415

        while True:
            wish = asked(escape(text))
            if wish is Wish.SHELL:
                self._give_shell()
                continue
            self._is_stepping = wish is Wish.RUN
            return

    def _after(self, ran: LineRun) -> None:
        if ran.ok:
            return
        took = f", {ran.seconds:.1f} s" if ran.seconds >= _TOLD_SECONDS else ""
        self._screen.line_failed(f"{ran.where}: {ran.text} (exit status {ran.status}{took})")

    def _failed(self, ran: LineRun) -> tuple[str, ...]:
        saved = self._saved(ran)
        if self._options.shell_on_failure:
            self._screen.note("a line failed: this is the page as it is; Ctrl-D goes on")
            self._give_shell()
        return saved

    def _saved(self, ran: LineRun) -> tuple[str, ...]:
        if self._options.artifacts is None:
            return ()
        from domsh_repl.batch.artifacts import Artifacts  # noqa: PLC0415

        folder = Path(self._options.artifacts)
        try:
            saved = Artifacts(folder, self._report.draw).save(self._executor.session, ran)
        except DomshError as error:
            self._executor.show_error(error)
            return ()
        self._screen.note(f"saved {os.path.dirname(saved[0])}")  # noqa: PTH120  (told as it is)
        return saved

    def _give_shell(self) -> None:
        """Give a prompt on the page; patience is the file's own."""
        from domsh_repl.shell.app import run_shell  # noqa: PLC0415

        session = self._executor.session
        settings, until = session.settings, session.until
        session.settings, session.until = replace(settings, patience=0.0), float("inf")
        try:
            run_shell(lambda: self._executor, self._look(goes_on=True), "")
        finally:
            session.settings, session.until = settings, until
            session.note = self._screen.note


def _echo(line: str, sign: str) -> None:
    sys.stdout.flush()
    print(f"\n{sign}{escape(line)}", file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def _ended_after(seconds: float | None) -> Iterator[None]:
    """Interrupt what still runs when the time is over; the session's own clock says why."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds + _AFTER_CLOCK_SECONDS, send_interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _Report:
    """The report that ``--junit`` asks for, if it does."""

    def __init__(self, options: Options) -> None:
        self._options = options

    @property
    def is_wanted(self) -> bool:
        return self._options.junit is not None

    def draw(self, value: object) -> str:
        """Return the text of a value."""
        from domsh_repl.looks import text_of  # noqa: PLC0415

        return text_of(self._options, value)

    def write(self, result: RunResult, executor: Executor | None = None) -> None:
        """Write it, if it is wanted; raises ``UsageError`` where that is not possible."""
        if self._options.junit is None:
            return
        from domsh_repl.batch.junit import junit_xml  # noqa: PLC0415
        from domsh_repl.looks import text_of  # noqa: PLC0415

        text = junit_xml(
            [result],
            lambda value, view: text_of(self._options, value, view),
            _versions(executor),
        )
        path = Path(self._options.junit)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"--junit: {path} cannot be written: {reason}") from error


def _versions(executor: Executor | None) -> dict[str, str]:
    versions = {"domsh": __version__, "python": sys.version.split()[0]}
    if executor is None or not executor.session.is_connected:
        return versions
    about = executor.session.link.about
    named = {"server": executor.session.link.server, "browser": about.browser}
    return {**versions, **{name: value for name, value in named.items() if value}}
