"""Runs parsed lines: steps and their conditions, each command's values to the screen, a status.

The screen is given in, so that a line's output can go anywhere; errors come out as one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from domsh_repl.commands.arguments import Call, check_call, parse_arguments
from domsh_repl.commands.helptext import help_for
from domsh_repl.commands.registry import find_command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Command, Result
from domsh_repl.errors import (
    DomshError,
    Failed,
    Interrupted,
    Misused,
    ParseError,
    TimedOut,
    UsageError,
)
from domsh_repl.language import (
    Command as CommandWords,
)
from domsh_repl.language import (
    Condition,
    ExpandedWord,
    Line,
    Piece,
    Step,
    Word,
    expand_command,
)
from domsh_repl.language.syntax import bare_text
from domsh_repl.nodes import Message, Verdict, View

__all__ = ["Executor", "Screen", "Verdicts", "check_line", "needs_page"]

_FORGIVEN = frozenset({1, 4})


class Screen(Protocol):
    """Where values and errors go."""

    def show(self, value: object, view: View = ..., *, status: int = 0) -> None:
        """Show a value; ``status`` is what its command makes of it."""

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error; ``where`` is the file and line."""

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How many conditions of ``wait`` and ``expect`` held, and how many did not."""

    met: int = 0
    unmet: int = 0


@dataclass(slots=True)
class Executor:
    """Runs lines of one session on screens: ``json_screen`` for commands with ``--json``."""

    session: Session
    screen: Screen
    json_screen: Screen
    json: bool = False
    verdicts: Verdicts = field(default_factory=Verdicts)

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
        if steps and steps[0].command.forgiving and status in _FORGIVEN:
            return 0
        return status

    def _ended(self, status: int) -> int:
        self.session.status = status
        self.session.variables["status"] = str(status)
        return status

    def _interrupted(self, *, json: bool, where: str) -> int:
        self._error(Interrupted("interrupted"), json=json, where=where)
        return Interrupted.exit_status

    def _step(self, step: Step, where: str) -> int:
        json = self.json or _asks_for_json(step.command)
        try:
            words = expand_command(step.command, self.session.variables)
            found, rest = _named(words)
            return self._show(parse_arguments(found, rest), json=json, where=where)
        except KeyboardInterrupt:
            return self._interrupted(json=json, where=where)
        except DomshError as error:
            self._error(error, json=json, where=where)
            return error.exit_status

    def _show(self, call: Call, *, json: bool, where: str) -> int:
        screen = self.json_screen if json else self.screen
        if call.has("--help"):
            screen.show(Message(help_for(call.command.name)))
            return 0
        status = 0
        for result in call.command.run(self.session, call):
            status = max(status, result.status)
            failed = isinstance(result.value, Verdict) and not result.value.ok
            if isinstance(result.value, Verdict):
                self._count(result.value)
            if failed and not json:
                screen.error(_unmet(result), where=where)
            else:
                screen.show(result.value, result.view, status=result.status)
        return status

    def _count(self, verdict: Verdict) -> None:
        met, unmet = self.verdicts.met, self.verdicts.unmet
        self.verdicts = Verdicts(met + verdict.ok, unmet + (not verdict.ok))

    def show_error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error of a line that could not be run."""
        self._error(error, json=self.json, where=where)

    def _error(self, error: DomshError, *, json: bool, where: str) -> None:
        (self.json_screen if json else self.screen).error(error, where=where)


def _asks_for_json(command: CommandWords) -> bool:
    """Tell whether a command asks for JSON, also one that is wrong in another way."""
    texts = [bare_text(word.pieces) for word in command.words]
    return "--json" in texts[1:]


def _unmet(result: Result) -> DomshError:
    verdict = result.value
    assert isinstance(verdict, Verdict)
    text = f"expected {verdict.expected}, but saw {verdict.actual!r}"
    if result.status == TimedOut.exit_status:
        return TimedOut(f"{text} for {verdict.seconds:.1f} s")
    return Failed(text)


def _named(words: Sequence[ExpandedWord]) -> tuple[Command, Sequence[ExpandedWord]]:
    """Return the command that the words name, and its other words."""
    second = words[1].text if len(words) > 1 and words[1].bare else None
    found, taken = find_command(words[0].text, second)
    return found, words[taken:]


def check_line(line: Line) -> Iterator[ParseError]:
    """Yield what is wrong with a line before anything runs: commands, flags, operands.

    What depends on variables is left to the run.
    """
    for step in line.steps:
        words = [_placeholder(word) for word in step.command.words]
        try:
            found, rest = _named(words)
            unknown = any(not _is_known(word) for word in step.command.words)
            call = parse_arguments(found, rest, partial=unknown)
            if not unknown and not call.has("--help"):
                check_call(call)
        except UsageError as error:
            blamed = _blamed(step.command, error.word)
            yield Misused(
                error.message, error.hint, column=blamed.start, length=blamed.end - blamed.start
            )
        except DomshError:
            continue  # what this version lacks fails when it is reached


def _blamed(command: CommandWords, text: str) -> Word:
    """Return the word that is wrong; the command's name where it is not a single one."""
    texts = [_placeholder(word).text for word in command.words]
    if text and text in texts:
        return command.words[texts.index(text)]
    holding = (n for n, one in enumerate(texts) if text and one.startswith("-") and text in one)
    return command.words[next(holding, 0)]


def needs_page(line: Line) -> bool:
    """Tell whether a checked line has a command that asks the server for something."""
    for step in line.steps:
        words = [_placeholder(word) for word in step.command.words]
        try:
            if not _named(words)[0].offline:
                return True
        except DomshError:
            continue  # it will fail by itself
    return False


def _is_known(word: Word) -> bool:
    return all(isinstance(piece, Piece) for piece in word.pieces)


def _placeholder(word: Word) -> ExpandedWord:
    """Stand in for a word whose variables have no value yet."""
    pieces = [
        (piece.text, piece.quoted) if isinstance(piece, Piece) else ("value", True)
        for piece in word.pieces
    ]
    return ExpandedWord(tuple(pieces))
