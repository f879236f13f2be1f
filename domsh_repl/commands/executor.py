"""Runs parsed lines: steps and their conditions, each command's values to the screen, a status.

The screens are given in, so that a line's output can go anywhere; errors come out as one line.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.checks import call_of, check_line, needs_page
from domsh_repl.commands.helptext import help_for
from domsh_repl.commands.hiding import hidden, hidden_error
from domsh_repl.commands.patience import tried
from domsh_repl.commands.pipeline import Collected, Enough, LineStream, Outcome
from domsh_repl.commands.plumbing import Plumbing
from domsh_repl.commands.registry import filters, names
from domsh_repl.commands.said import Remembering
from domsh_repl.commands.screens import Diverted, Hearing
from domsh_repl.commands.scripting import time_is_over
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Result
from domsh_repl.errors import DomshError, Failed, Interrupted, TimedOut
from domsh_repl.foreground import Terminal
from domsh_repl.language import Command as CommandWords
from domsh_repl.language import Condition, Line, ScriptErrors, Step, expand_command
from domsh_repl.language.syntax import bare_text
from domsh_repl.nodes import Message, Verdict, View

__all__ = ["FORGIVEN", "Draw", "Executor", "Screen", "Verdicts", "check_line", "needs_page"]

FORGIVEN = frozenset({1, 4})
"""Exit statuses that a `-` before a line of a file forgives."""


class Screen(Protocol):
    """Where values and errors go."""

    def show(self, value: object, view: View = ..., *, status: int = 0) -> None:
        """Show a value; ``status`` is what its command makes of it."""

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error; ``where`` is the file and line."""

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""

    def lent(self) -> AbstractContextManager[None]:
        """Let somebody else write where this screen does meanwhile."""


Draw = Callable[[Any, bool], Screen]
"""Makes a screen that draws on a text stream, with JSON or without."""


def _draw_nothing(_stream: object, _json: bool) -> Screen:
    raise Failed("nothing is drawn here but on the screen")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How many conditions of ``wait`` and ``expect`` held, and how many did not."""

    met: int = 0
    unmet: int = 0


@dataclass(slots=True)
class Executor:
    """Runs lines of one session on screens: ``json_screen`` for commands with ``--json``.

    ``draw`` makes the screens whose text goes through a pipe, into a file or a variable. Programs
    have this process's terminal, unless there is a ``terminal`` elsewhere for them.
    """

    session: Session
    screen: Screen
    json_screen: Screen
    json: bool = False
    draw: Draw = _draw_nothing
    verdicts: Verdicts = field(default_factory=Verdicts)
    terminal: Terminal | None = None
    _is_heard: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Let conditions ask what was printed."""
        self.session.output = self._output

    def _output(self) -> str:
        """Return what the last command printed, as text."""
        return self.session.said.text(self._drawn)

    def _drawn(self, value: object, view: View) -> str:
        kept = Collected()
        self.draw(LineStream(kept), False).show(hidden(value, self.session.secrets), view)  # noqa: FBT003
        return kept.text

    def run(self, line: Line, *, where: str = "") -> int:
        """Run a line and return the status of the last command that ran.

        Raises ``Quit`` when the user leaves. Ctrl-C ends the line with an error and a status of
        its own, whenever it comes; only one more while that is told is a ``KeyboardInterrupt``.
        """
        try:
            return self._run_steps(line, where)
        except KeyboardInterrupt:
            return self._ended(self._interrupted(json=self.json, where=where))

    def _run_steps(self, line: Line, where: str) -> int:
        status = 0
        for step in line.steps:
            if step.condition is Condition.IF_OK and status:
                continue
            if step.condition is Condition.IF_FAILED and not status:
                continue
            status = self._ended(self._step(step, where))
            if status == Interrupted.exit_status:
                break  # Ctrl-C means the line, not one command of it
        return status

    def run_part(self, steps: Sequence[Step], line: Line, *, where: str) -> int:
        """Run a part of a batch line; a forgiving one turns the statuses 1 and 4 into 0."""
        part = Line(tuple(steps), line.number, line.text)
        status = self.run(part, where=where)
        if steps and steps[0].command.forgiving and status in FORGIVEN:
            return 0
        return status

    def captured(self, line: Line, *, where: str) -> tuple[int, str]:
        """Run a line; return its status and what it prints as text, one result a line."""
        kept = Collected()
        with self.session.said.deaf(), self._diverted(LineStream(kept), as_text=True):
            status = self.run(line, where=where)
        return status, kept.text

    def heard(self, line: Line, *, where: str) -> tuple[int, object]:
        """Run a line and return its status and what it showed, to be compared."""
        screens, was_heard = (self.screen, self.json_screen), self._is_heard
        heard: list[object] = []
        self.screen, self.json_screen = (Hearing(one, heard) for one in screens)
        self._is_heard = True
        try:
            return self.run(line, where=where), heard
        finally:
            self.screen, self.json_screen = screens
            self._is_heard = was_heard

    def _ended(self, status: int) -> int:
        self.session.status = status
        self.session.variables["status"] = str(status)
        return status

    def _interrupted(self, *, json: bool, where: str) -> int:
        error = self._ending(Interrupted("interrupted"))
        self._error(error, json=json, where=where)
        return error.exit_status

    def _ending(self, error: DomshError) -> DomshError:
        """Return the error, or what it is where the time of the whole file was over."""
        if isinstance(error, Interrupted) and self.session.left <= 0:
            return time_is_over()
        return error

    def _step(self, step: Step, where: str) -> int:
        if step.filters or step.redirect is not None or step.command.program:
            return self._piped(step, where)
        return self._command(step.command, where)

    def _command(self, command: CommandWords, where: str) -> int:
        json = self.json or _asks_for_json(command)
        self.session.said.begin(command.names[0])
        with self._told(json=json, where=where) as told:
            words = expand_command(command, self.session.variables)
            told.append(self._show(call_of(command, words), json=json, where=where))
        return told[-1]

    def _piped(self, step: Step, where: str) -> int:
        """Run a pipeline; its status is that of its first part that fails."""
        json = self.json or _asks_for_json(step.commands[-1])
        asked = next(filter(_asks_for_help, step.filters), None)
        if asked is not None:
            self.show_value(Message(help_for(asked.names[0])), json=json)
            return 0
        with self._told(json=json, where=where) as told:
            screen = self.json_screen if json else self.screen
            self.session.said.begin(step.command.names[0])
            plumbing = Plumbing(
                step,
                self.session.variables,
                Remembering(screen, self.session.said),
                self.draw,
                json=json,
                lends=not (json or self._is_heard),
                terminal=self.terminal,
            )
            with self.session.unpaged(), plumbing as pipes:
                told.append(self._poured(step, pipes, where))
                outcomes = pipes.ended(told[-1])
            told.extend(self._status_of(one, json=json, where=where) for one in outcomes)
        return next(filter(None, told), 0)

    def _poured(self, step: Step, pipes: Plumbing, where: str) -> int:
        """Run the first part of a pipeline; who needs no more of it may end it."""
        try:
            if step.command.program:
                return pipes.run_first()
            in_parts, self.session.in_parts = self.session.in_parts, pipes.may_stop
            try:
                diverted = self._diverted(pipes.stream, as_text=bool(step.filters))
                with self.session.said.piped(), diverted:
                    return self._command(step.command, where)
            finally:
                self.session.in_parts = in_parts
        except Enough:
            return 0

    def _status_of(self, outcome: Outcome, *, json: bool, where: str) -> int:
        if isinstance(outcome, int):
            return outcome
        self._error(outcome, json=json, where=where)
        return outcome.exit_status

    @contextmanager
    def _told(self, *, json: bool, where: str) -> Iterator[list[int]]:
        """Give a list for statuses; what is raised meanwhile is told and its status added."""
        statuses: list[int] = []
        try:
            yield statuses
        except KeyboardInterrupt:
            statuses.append(self._interrupted(json=json, where=where))
        except ScriptErrors as errors:
            for one in errors.errors:
                self._error(one.error, json=json, where=one.place(errors.name))
            statuses.append(errors.exit_status)
        except DomshError as raised:
            error = self._ending(raised)
            self._error(error, json=json, where=where)
            statuses.append(error.exit_status)

    @contextmanager
    def _diverted(self, stream: object, *, as_text: bool) -> Iterator[None]:
        """Let answers go to a stream meanwhile; errors and remarks go where they always go."""
        screen, json_screen, json = kept = (self.screen, self.json_screen, self.json)
        was_heard = self._is_heard
        self.screen = Diverted(self.draw(stream, False), json_screen if json else screen)  # noqa: FBT003
        self.json_screen = Diverted(self.draw(stream, True), json_screen)  # noqa: FBT003
        self.json = json and not as_text
        self._is_heard = True
        try:
            yield
        finally:
            self.screen, self.json_screen, self.json = kept
            self._is_heard = was_heard

    def _show(self, call: Call, *, json: bool, where: str) -> int:
        if call.has("--help"):
            self.show_value(Message(help_for(call.command.name)), json=json)
            return 0
        if call.command.control is not None:
            return call.command.control(self, call, where)
        status = 0
        with closing(_results(self.session, call)) as results:
            for result in results:
                status = max(status, result.status)
                self._show_result(result, json=json, where=where)
        return status

    def _show_result(self, result: Result, *, json: bool, where: str) -> None:
        failed = isinstance(result.value, Verdict) and not result.value.ok
        if isinstance(result.value, Verdict):
            self._count(result.value)
        if failed and not json:
            self._error(_unmet(result), json=False, where=where)
        else:
            self.show_value(result.value, result.view, json=json, status=result.status)

    def show_value(
        self, value: object, view: View | None = None, *, json: bool = False, status: int = 0
    ) -> None:
        """Show a value without the secrets in it."""
        self.session.said.add(value, view or View())
        screen = self.json_screen if json or self.json else self.screen
        screen.show(hidden(value, self.session.secrets), view or View(), status=status)

    def _count(self, verdict: Verdict) -> None:
        met, unmet = self.verdicts.met, self.verdicts.unmet
        self.verdicts = Verdicts(met + verdict.ok, unmet + (not verdict.ok))

    def show_error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error of a line that could not be run."""
        self._error(error, json=self.json, where=where)

    def _error(self, error: DomshError, *, json: bool, where: str) -> None:
        screen = self.json_screen if json else self.screen
        screen.error(hidden_error(error, self.session.secrets), where=where)


def _results(session: Session, call: Call) -> Generator[Result, None, None]:
    if call.command.changes_page and session.settings.patience:
        yield from tried(session, lambda: call.command.run(session, call))
    else:
        yield from call.command.run(session, call)


def _asks_for_help(command: CommandWords) -> bool:
    words = (bare_text(word.pieces) for word in command.words[1:])
    return command.names[0] in filters() and "--help" in words


def _asks_for_json(command: CommandWords) -> bool:
    """Tell whether a command asks for JSON, also one that is wrong in another way."""
    texts = [bare_text(word.pieces) for word in command.words[1:]]
    found = names().get(command.names[0])
    if command.program:
        return False
    if found is not None and found.flags_first:
        operands = (n for n, text in enumerate(texts) if not text.startswith("-"))
        texts = texts[: next(operands, len(texts))]
    return "--json" in texts


def _unmet(result: Result) -> DomshError:
    verdict = result.value
    assert isinstance(verdict, Verdict)
    text = f"expected {verdict.expected}, but saw {verdict.actual!r}"
    if result.status == TimedOut.exit_status:
        return TimedOut(f"{text} for {verdict.seconds:.1f} s", result.hint)
    return Failed(text, result.hint)
