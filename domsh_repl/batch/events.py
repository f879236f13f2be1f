"""What a batch file did, as values: its lines, its sections and how it ended.

``docs/library.md`` tells of them; reports are made of nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domsh_repl.nodes import View

__all__ = ["LineRun", "Problem", "Row", "RunResult", "Section", "Shown", "Tally"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What the last line of a run counts: conditions, or the file where it has none."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error that was told: its code, what it said, and the file and line."""

    code: str
    message: str
    hint: str
    where: str

    @property
    def told(self) -> Sequence[str]:
        """The lines that tell it: where and what, then the hint."""
        first = f"{self.where}: {self.message}" if self.where else self.message
        return (first, f"hint: {self.hint}") if self.hint else (first,)


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that was shown, as the user asked to see it."""

    value: object
    view: View


Row = Shown | Problem
"""One thing that a line showed."""


@dataclass(frozen=True, slots=True)
class LineRun:
    """One line that ran: its place, its text, its exit status and its ``seconds``.

    ``passed`` and ``failed`` count its conditions. ``forgiven`` says that it failed and may.
    ``deferred`` lines ran at the end.
    """

    file: str
    number: int
    text: str
    status: int = 0
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    forgiven: bool = False
    deferred: bool = False
    rows: tuple[Row, ...] = ()

    @property
    def where(self) -> str:
        """Return ``file:line``."""
        return f"{self.file}:{self.number}"

    @property
    def ok(self) -> bool:
        """Whether it worked, or may fail."""
        return not self.status or self.forgiven

    @property
    def values(self) -> tuple[object, ...]:
        """The values that it showed."""
        return tuple(row.value for row in self.rows if isinstance(row, Shown))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The errors that it told."""
        return tuple(row for row in self.rows if isinstance(row, Problem))


@dataclass(frozen=True, slots=True)
class Section:
    """The lines from one ``mark`` to the next; the first section has the ``label`` ""."""

    label: str
    lines: tuple[LineRun, ...] = ()
    artifacts: tuple[str, ...] = ()

    @property
    def attachments(self) -> str:
        """The artifacts as CI systems find them in the output of a test."""
        return "".join(f"[[ATTACHMENT|{name}]]\n" for name in self.artifacts)

    @property
    def failure(self) -> LineRun | None:
        """The first line that failed."""
        return next((line for line in self.lines if not line.ok), None)

    @property
    def seconds(self) -> float:
        """How long its lines took."""
        return sum(line.seconds for line in self.lines)


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a file ended: its exit status, what it counted, and its sections.

    ``stopped`` is the line that made the status, none where there is none; ``skipped`` the
    reason why the file ended itself, "" where it did not. ``unreached`` are the labels of
    sections that did not begin; ``problems`` are those of no line.
    """

    file: str
    status: int
    tally: Tally
    sections: tuple[Section, ...] = ()
    seconds: float = 0.0
    stopped: LineRun | None = None
    skipped: str = ""
    unreached: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.status

    @property
    def lines(self) -> Sequence[LineRun]:
        """All lines that ran, in their order."""
        return [line for section in self.sections for line in section.lines]
