"""Runs a checked batch file: its lines, its sections, what was deferred, and counts (§6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from domsh_repl.batch.events import LineRun, Problem, Row, RunResult, Section, Shown, Tally
from domsh_repl.batch.failing import PageWatch
from domsh_repl.commands.executor import FORGIVEN, Executor, Screen
from domsh_repl.commands.hiding import hidden
from domsh_repl.commands.screens import Diverted
from domsh_repl.commands.scripting import Deferred, Scripting, time_is_over
from domsh_repl.commands.spec import Quit
from domsh_repl.errors import DomshError, Interrupted, NotConnected, Skipped
from domsh_repl.language import Line, Piece, Script, Step, print_line
from domsh_repl.nodes import View

__all__ = ["Following", "run_script"]

_PLAIN_VIEW = View()
_FATAL = frozenset({NotConnected.exit_status, Interrupted.exit_status})
"""Exit statuses after which a file ends whatever `set on-error` says."""
_MOST_ROWS = 500
"""Values of one line that are kept."""
_DEFERRED_SECONDS = 30.0
"""Seconds that all deferred lines together have when the file has no time left."""


@dataclass(frozen=True, slots=True)
class Following:
    """Who wants to know how a file goes: each is called in the thread that runs it.

    ``before`` is told of each line before it runs; ``after`` when it has run. ``at`` is told of
    each place, file and number, those of sourced files among them.
    ``failed`` is told of a line that made the file fail and returns names of files about it.
    With ``keeps_values`` the result has all that the lines showed, else their errors only.
    """

    before: Callable[[Line], None] = lambda _line: None
    at: Callable[[str, int], None] = lambda _file, _number: None
    after: Callable[[LineRun], None] = lambda _line: None
    failed: Callable[[LineRun], tuple[str, ...]] = lambda _line: ()
    keeps_values: bool = False


def run_script(
    executor: Executor,
    script: Script,
    following: Following | None = None,
    *,
    deadline: float | None = None,
    bounded: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> RunResult:
    """Run a file to its end, its first failure or its ``deadline`` in seconds; returns how it went.

    What one of its lines raises is told on the screens of the executor. ``bounded`` holds while
    the lines run, but those that are deferred: it may interrupt what does not look at the clock.
    """
    return _Run(executor, script, following or Following(), deadline, bounded).run()


class Recorder(Diverted):
    """Everything goes to the screen, and what it was into rows."""

    def __init__(self, screen: Screen, rows: list[Row], *, keeps_values: bool) -> None:
        super().__init__(screen, screen)
        self._rows = rows
        self._keeps_values = keeps_values

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        if self._keeps_values and len(self._rows) < _MOST_ROWS:
            self._rows.append(Shown(value, view))
        super().show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        self._rows.append(Problem(error.code, error.message, error.hint, where))
        super().error(error, where=where)


@dataclass(slots=True)
class _OpenSection:
    """A section while its lines run."""

    label: str
    lines: list[LineRun] = field(default_factory=list)
    artifacts: list[str] = field(default_factory=list)

    def closed(self) -> Section:
        return Section(self.label, tuple(self.lines), tuple(self.artifacts))


@dataclass(slots=True)
class _Run:
    executor: Executor
    script: Script
    following: Following
    deadline: float | None
    bounded: Callable[[], AbstractContextManager[None]]
    _sections: list[_OpenSection] = field(default_factory=lambda: [_OpenSection("")], init=False)
    _rows: list[Row] = field(default_factory=list, init=False)
    _status: int = field(default=0, init=False)
    _stopped: LineRun | None = field(default=None, init=False)
    _skipped: str = field(default="", init=False)
    _watch: PageWatch | None = field(default=None, init=False)

    def run(self) -> RunResult:
        session, started = self.executor.session, time.monotonic()
        self.executor = self._recording()
        session.sources = (Path(self.script.name),)
        session.script = scripting = Scripting(self._begin_section, self.following.at)
        if self.deadline is not None:
            session.until = started + self.deadline
        try:
            with self.bounded():
                self._run_lines()
        except Quit:
            pass
        except Skipped as skipped:
            self._skipped = skipped.reason
        except KeyboardInterrupt:  # between two lines
            error = time_is_over() if session.left <= 0 else Interrupted("interrupted")
            self.executor.show_error(error, where=self.script.name)
            self._status = self._status or error.exit_status
        finally:
            self._run_deferred(scripting)
            session.script, session.until = None, float("inf")
        return self._result(time.monotonic() - started)

    def _recording(self) -> Executor:
        old = self.executor
        keeps = self.following.keeps_values
        screen = Recorder(old.screen, self._rows, keeps_values=keeps)
        json_screen = Recorder(old.json_screen, self._rows, keeps_values=keeps)
        return replace(old, screen=screen, json_screen=json_screen)

    def _begin_section(self, label: str) -> None:
        label = str(hidden(label, self.executor.session.secrets))
        if not self._sections[-1].lines and not self._sections[-1].label:
            self._sections.pop()  # nothing ran before it
        self._sections.append(_OpenSection(label))

    def _run_lines(self) -> None:
        for line in self.script.lines:
            for part in line.parts:
                if self._ends_at(self._part(part, line)):
                    return

    def _ends_at(self, ran: LineRun) -> bool:
        """Take note of a line that ran; tell whether the file ends with it."""
        if ran.ok:
            return False
        if not self._status:
            self._status, self._stopped = ran.status, ran
        self._sections[-1].artifacts += self.following.failed(ran)
        if ran.status in _FATAL or self.executor.session.left <= 0:
            return True
        return self.executor.session.settings.on_error != "continue"

    def _part(self, part: tuple[Step, ...], line: Line, *, deferred: str = "") -> LineRun:
        """Run a part of a line and keep what it was; ``deferred`` is where it was written."""
        session = self.executor.session
        where = deferred or f"{self.script.name}:{line.number}"
        alone = Line(part, line.number, line.text)
        self._rows.clear()
        before, started = self.executor.verdicts, time.monotonic()
        forgiving = part[0].command.forgiving
        self.following.at(self.script.name, line.number)
        self.following.before(alone)
        status, skipped = 0, None
        try:
            if session.left <= 0 and not deferred:
                raise time_is_over()
            with session.kept(line.text):
                status = self.executor.run(alone, where=where)
            status = status or self._seen_on_page(where)
        except (Skipped, Quit) as leaving:
            skipped = leaving
        except DomshError as error:
            self.executor.show_error(error, where=where)
            status = error.exit_status
        after = self.executor.verdicts
        ran = LineRun(
            self.script.name,
            line.number,
            str(hidden(print_line(alone), session.secrets)),
            status,
            time.monotonic() - started,
            0 if forgiving else after.met - before.met,
            # one that failed before a || that worked was a question, not an expectation
            after.unmet - before.unmet if status and not forgiving else 0,
            forgiven=forgiving and status in FORGIVEN,
            deferred=bool(deferred),
            rows=tuple(self._rows),
        )
        self._sections[-1].lines.append(ran)
        self.following.after(ran)
        if skipped is not None:
            raise skipped
        return ran

    def _seen_on_page(self, where: str) -> int:
        """Fail a line that worked for what the page did meanwhile, as `set fail-on` says."""
        session = self.executor.session
        if not session.settings.fail_on:
            self._watch = None
            return 0
        if self._watch is None:
            self._watch = PageWatch(session)  # what was there before it was set does not count
            return 0
        error = self._watch.failure(session.settings.fail_on)
        if error is None:
            return 0
        self.executor.show_error(error, where=where)
        return error.exit_status

    def _run_deferred(self, scripting: Scripting) -> None:
        """Run the deferred lines, last first; none of them keeps the others from running."""
        session = self.executor.session
        until = time.monotonic() + _DEFERRED_SECONDS
        session.until = max(session.until, until)
        while scripting.deferred and session.left > 0:
            kept: Deferred = scripting.deferred.pop()
            for part in kept.line.parts:
                try:
                    ran = self._part(part, kept.line, deferred=kept.where)
                except (Quit, Skipped):
                    break
                except KeyboardInterrupt:
                    self._status = self._status or Interrupted.exit_status
                    break
                if not ran.ok and not self._status:
                    self._status, self._stopped = ran.status, ran

    def _result(self, seconds: float) -> RunResult:
        lines = [line for section in self._sections for line in section.lines]
        passed = sum(line.passed for line in lines)
        failed = sum(line.failed for line in lines)
        skipped = int(bool(self._skipped) and not self._status)
        if self._status and not failed:
            failed += 1
        elif not passed + failed + skipped:
            passed = 1
        sections = tuple(section.closed() for section in self._sections)
        return RunResult(
            self.script.name,
            self._status,
            Tally(passed, failed, skipped),
            sections,
            seconds,
            self._stopped,
            self._skipped,
            tuple(self._unreached()),
        )

    def _unreached(self) -> Iterator[str]:
        """Yield the labels of sections that the file has and that did not begin."""
        begun = [section.label for section in self._sections]
        for line in self.script.lines:
            for step in line.steps:
                label = _label_of(step)
                if label in begun:
                    begun.remove(label)
                elif label:
                    yield label


def _label_of(step: Step) -> str:
    """Return the label of a ``mark`` whose words are known before it runs."""
    words = step.command.words
    if step.command.names[:1] != ("mark",) or len(words) != len(("mark", "LABEL")):
        return ""
    pieces = words[1].pieces
    return (
        "".join(one.text for one in pieces if isinstance(one, Piece))
        if all(isinstance(one, Piece) for one in pieces)
        else ""
    )
