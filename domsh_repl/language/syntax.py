"""The values that a parsed line is made of: pieces, words, commands, steps, lines. Nothing else.

Positions are character offsets into the line's text. They take no part in comparisons: two
lines are equal when they mean the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "AnyPiece",
    "Command",
    "Condition",
    "Line",
    "Piece",
    "Redirect",
    "Script",
    "Step",
    "VariablePiece",
    "Word",
    "bare_text",
]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word whose text is known; ``quoted`` also where a backslash escaped it."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class VariablePiece:
    """``$name`` in a word; ``name`` is an identifier, digits, ``#`` or ``@``."""

    name: str
    quoted: bool = False


AnyPiece = Piece | VariablePiece


def bare_text(pieces: tuple[AnyPiece, ...]) -> str:
    """Return the text of pieces that hold neither quotes nor variables, else an empty text."""
    if len(pieces) == 1 and isinstance(pieces[0], Piece) and not pieces[0].quoted:
        return pieces[0].text
    return ""


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was written; neighbouring pieces of one kind are joined."""

    pieces: tuple[AnyPiece, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command's words, its name first.

    ``forgiving`` stands on the first command of a part of a batch line that begins with ``-``
    and forgives that whole part. A ``program`` is one of the system, written with ``!``.
    ``nested`` is the line in ``$(…)``, or the one that is the command's last operand.
    """

    words: tuple[Word, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    forgiving: bool = False
    program: bool = False
    nested: Line | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The first two words as far as they are plain: they can name the command."""
        if self.program:
            return ("",)
        return tuple(bare_text(word.pieces) for word in self.words[:2])


@dataclass(frozen=True, slots=True)
class Redirect:
    """``> FILE``, or with ``append`` ``>> FILE``; it stands from ``start`` to ``end``."""

    target: Word
    append: bool = False
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


class Condition(StrEnum):
    """When a step runs, seen from the step before it; the value is how it is written."""

    ALWAYS = ";"
    IF_OK = "&&"
    IF_FAILED = "||"


@dataclass(frozen=True, slots=True)
class Step:
    """A command and when it runs; ``filters`` read what it prints, one after the other."""

    command: Command
    condition: Condition = Condition.ALWAYS
    filters: tuple[Command, ...] = ()
    redirect: Redirect | None = None

    @property
    def commands(self) -> tuple[Command, ...]:
        """All parts of the pipeline."""
        return (self.command, *self.filters)


@dataclass(frozen=True, slots=True)
class Line:
    """A line: no steps when it is empty or a comment; ``number`` is its first line, from 1."""

    steps: tuple[Step, ...]
    number: int = 1
    text: str = field(default="", compare=False)

    @property
    def parts(self) -> tuple[tuple[Step, ...], ...]:
        """The steps between ``;``, each of which counts as a line of its own in a batch file."""
        parts: list[list[Step]] = []
        for step in self.steps:
            if step.condition is Condition.ALWAYS:
                parts.append([])
            parts[-1].append(step)
        return tuple(tuple(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Script:
    """The lines of a batch file that hold commands."""

    name: str
    lines: tuple[Line, ...]
