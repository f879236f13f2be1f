"""Puts a pipeline together: the file at its end, its filters and programs, and takes it apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from domsh_repl.commands.arguments import check_call
from domsh_repl.commands.checks import filter_call
from domsh_repl.commands.files import Target, file_of
from domsh_repl.commands.pipeline import LineStream, Outcome, Shown, Stage
from domsh_repl.commands.programs import (
    GuestStage,
    ProgramStage,
    program_arguments,
    run_elsewhere,
    run_program,
)
from domsh_repl.errors import Interrupted, UsageError
from domsh_repl.foreground import Terminal
from domsh_repl.language import (
    Command,
    ExpandedWord,
    Redirect,
    Step,
    Variables,
    expand,
    expand_command,
)

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Draw, Screen

__all__ = ["Plumbing"]


class Plumbing:
    """One pipeline's parts behind its first; everything is checked before anything starts.

    What comes last is shown on ``screen`` unless there is a file. A program that ``lends`` its
    place gets the terminal for itself: this process's own, unless there is a ``terminal``
    elsewhere. Making one raises ``UsageError`` and what opening raises.
    """

    def __init__(  # noqa: PLR0913  (what a pipeline touches)
        self,
        step: Step,
        variables: Variables,
        screen: Screen,
        draw: Draw,
        *,
        json: bool,
        lends: bool,
        terminal: Terminal | None = None,
    ) -> None:
        self._step = step
        self._screen = screen
        self._json = json
        self._terminal = terminal
        self._is_lent = lends and step.redirect is None and step.commands[-1].program
        self._words = [expand_command(part, variables) for part in step.commands]
        for place, part in enumerate(step.commands):
            _check(part, self._words[place], is_filter=place > 0)
        self._target = None if step.redirect is None else _opened(step.redirect, variables)
        shown = screen if self._target is None else draw(self._target, json)
        self._last = Shown(shown, at_once=json)
        self._first: Stage = self._last
        self._stack = ExitStack()
        self._is_over = False

    @property
    def may_stop(self) -> bool:
        """True when a part behind the first one may need no more lines."""
        return any(part.program or part.names[0] == "head" for part in self._step.filters)

    @property
    def _takes_lines(self) -> bool:
        """True when what the first part prints comes through here as lines."""
        return bool(self._step.filters) or self._step.command.program

    @property
    def stream(self) -> object:
        """Where the first part writes."""
        if self._target is not None and not self._takes_lines:
            return self._target
        return LineStream(self._first)

    def __enter__(self) -> Self:
        """Start what reads, the last part first."""
        if self._is_lent:
            self._stack.enter_context(self._screen.lent())
        try:
            for part, words in reversed(self._parts()):
                self._first = self._stage(part, words)
        except BaseException:
            self._let_go()
            raise
        return self

    def _parts(self) -> list[tuple[Command, Sequence[ExpandedWord]]]:
        return list(zip(self._step.filters, self._words[1:], strict=True))

    def _stage(self, part: Command, words: Sequence[ExpandedWord]) -> Stage:
        if part.program:
            if self._terminal is not None and self._has_place(part):
                return GuestStage(program_arguments(words), self._terminal)
            out = self._out(part)
            following = None if out is not None or self._has_place(part) else self._first
            return ProgramStage(program_arguments(words), following, out)
        call = filter_call(part, words)
        assert call.command.filter is not None
        return call.command.filter(call, self._first)

    def _has_place(self, part: Command) -> bool:
        """Tell whether a program writes where this process does."""
        return self._is_lent and part is self._step.commands[-1]

    def _out(self, part: Command) -> IO[bytes] | None:
        """Return the file that a program writes into by itself."""
        is_last = part is self._step.commands[-1] and not self._json
        return self._target.file if self._target is not None and is_last else None

    def run_first(self) -> int:
        """Run the first part, which is a program; raises as ``run_program``."""
        part = self._step.command
        if self._terminal is not None and self._has_place(part):
            return run_elsewhere(program_arguments(self._words[0]), self._terminal)
        out = self._out(part)
        following = None if out is not None or self._has_place(part) else self._first
        return run_program(program_arguments(self._words[0]), following, out)

    def ended(self, status: int) -> tuple[Outcome, ...]:
        """Take the end of the first part's lines; return how the other parts ended."""
        if status == Interrupted.exit_status:
            return ()
        outcomes = self._first.end() if self._takes_lines else ()
        self._is_over = True
        if self._target is not None and not (status or any(outcomes)):
            self._target.finish()
        return outcomes

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of what is still there."""
        self._let_go()

    def _let_go(self) -> None:
        try:
            if not self._is_over:
                self._is_over = True
                self._first.abort()
        finally:
            if self._target is not None:
                self._target.close()
            self._stack.close()


def _check(part: Command, words: Sequence[ExpandedWord], *, is_filter: bool) -> None:
    """Raise for what is wrong with a filter or a program, before anything runs."""
    if part.program:
        program_arguments(words)
    elif is_filter:
        check_call(filter_call(part, words))


def _opened(redirect: Redirect, variables: Variables) -> Target:
    words = expand(redirect.target, variables)
    if len(words) != 1:
        raise UsageError("> takes one file", "ls > names.txt")
    return Target(file_of(words[0]), append=redirect.append)
