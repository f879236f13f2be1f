"""Lines on their way from one part of a pipeline to the next. Knows no command and no screen.

What a command prints is pushed on as it comes. Who needs no more lines raises ``Enough``, which
ends the command that makes them; that is no failure (docs/language.md §3).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from domsh_repl.errors import DomshError
from domsh_repl.nodes import Lines, View

__all__ = ["Collected", "Enough", "LineFilter", "LineStream", "Outcome", "Shown", "Stage"]

Outcome = int | DomshError
"""How a part of a pipeline ended: its exit status, or what went wrong."""
_LINES_AT_ONCE = 500


class Enough(BrokenPipeError):  # noqa: N818  (no error: the reader has what it wants)
    """Nobody reads the lines that would follow."""


class Stage(Protocol):
    """A part of a pipeline that takes lines."""

    def put(self, line: str) -> None:
        """Take a line without its end; raises ``Enough``."""

    def flush(self) -> None:
        """Hand on what was taken so far."""

    def end(self) -> tuple[Outcome, ...]:
        """Take the end of the lines; return how this part and those after it ended."""

    def abort(self) -> None:
        """Let go of everything: what makes the lines has been interrupted."""


class _Showing(Protocol):
    def show(self, value: object, view: View = ..., *, status: int = 0) -> None:
        """Show a value."""


class LineFilter:
    """A stage that hands lines on; the filters override what they do otherwise."""

    def __init__(self, following: Stage) -> None:
        self.following = following

    def put(self, line: str) -> None:
        """Hand the line on."""
        self.following.put(line)

    def flush(self) -> None:
        """Hand the wish on."""
        self.following.flush()

    def last(self) -> Iterable[str]:
        """Return the lines that come when there are no more."""
        return ()

    def status(self) -> int:
        """Return the exit status."""
        return 0

    def end(self) -> tuple[Outcome, ...]:
        """Hand on the last lines and the end."""
        with suppress(Enough):
            for line in self.last():
                self.following.put(line)
        return (self.status(), *self.following.end())

    def abort(self) -> None:
        """Hand the news on."""
        self.following.abort()


class Shown:
    """The end of a pipeline on a screen: lines as they come, or all ``at_once`` as one value."""

    def __init__(self, screen: _Showing, *, at_once: bool) -> None:
        self._screen = screen
        self._at_once = at_once
        self._lines: list[str] = []

    def put(self, line: str) -> None:
        """Take a line."""
        self._lines.append(line)
        if len(self._lines) >= _LINES_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Show what came, unless all of it is shown in one."""
        if self._lines and not self._at_once:
            self._show()

    def end(self) -> tuple[Outcome, ...]:
        """Show the rest."""
        if self._lines or self._at_once:
            self._show()
        return ()

    def abort(self) -> None:
        """Show what came before it."""
        self.flush()

    def _show(self) -> None:
        lines, self._lines = tuple(self._lines), []
        self._screen.show(Lines(lines))


class Collected:
    """The end of ``$(…)``: the lines as one text."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()

    @property
    def text(self) -> str:
        """The lines, without the end of the last one."""
        return "\n".join(self._lines)

    def put(self, line: str) -> None:
        """Take a line."""
        self._lines.append(line)

    def flush(self) -> None:
        """Nothing waits here."""

    def end(self) -> tuple[Outcome, ...]:
        """Nothing is left to do."""
        return ()

    def abort(self) -> None:
        """Nothing is left to do."""


class LineStream:
    """A stage as a stream to write to: what is printed on it is cut into lines."""

    encoding = "utf-8"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._begun = ""

    def isatty(self) -> bool:
        """Tell that this is no terminal."""
        return False

    def write(self, text: str) -> int:
        """Push the lines on that are whole; raises ``Enough``."""
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._stage.put(line)
        return len(text)

    def flush(self) -> None:
        """Let what came be seen."""
        self._stage.flush()
