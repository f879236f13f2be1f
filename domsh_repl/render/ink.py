"""Lines of styled text and their measures in terminal cells, before anybody paints them.

Pure. A ``Line`` is what a drawer makes and a ``Screen`` paints. Cells are those of wcwidth,
which is imported only when a text is not ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

__all__ = [
    "Line",
    "Picture",
    "Span",
    "cells",
    "cut",
    "cut_line",
    "folded",
    "line_cells",
    "padded",
    "wrapped",
]

_LONGEST_CLUSTER = 8
"""Characters that one cell is allowed to have when text is cut: stacked marks end there."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one style: names of a theme, or a style such as ``bold blue``."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What a value looks like: lines for stdout and dim remarks for stderr."""

    lines: Iterable[Line] = ()
    notes: tuple[str, ...] = ()


def cells(text: str) -> int:
    """Return how many terminal cells the text takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # noqa: PLC0415  (most text is ASCII and needs no tables)

    width = wcswidth(text)
    return width if width >= 0 else len(text)


def line_cells(line: Line) -> int:
    """Return how many terminal cells the line takes."""
    return sum(cells(span.text) for span in line)


def cut(text: str, room: int, mark: str) -> str:
    """Return the text in at most ``room`` cells; where something was cut it ends in ``mark``."""
    if len(text) <= room * _LONGEST_CLUSTER and cells(text) <= room:
        return text
    kept = text[: room * _LONGEST_CLUSTER]
    room = max(room - cells(mark), 0)
    if kept.isascii():
        return kept[:room] + mark
    end = 0
    while end < len(kept) and cells(kept[: end + 1]) <= room:
        end += 1
    return kept[:end] + mark


def cut_line(line: Line, room: int, mark: str) -> Line:
    """Return the line in at most ``room`` cells; where something was cut it ends in ``mark``."""
    if line_cells(line) <= room:
        return line
    kept: list[Span] = []
    for number, span in enumerate(line):
        rest = line_cells(line[number + 1 :])
        width = cells(span.text)
        if width <= room and (not rest or width + cells(mark) <= room):
            kept.append(span)
            room -= width
            continue
        followed = span.text + mark * bool(rest)  # what follows makes it too long
        return (*kept, Span(cut(followed, room, mark), span.style))
    return tuple(kept)


def padded(line: Line, width: int) -> Line:
    """Return the line followed by the blanks that it lacks to ``width`` cells."""
    missing = width - line_cells(line)
    return (*line, Span(" " * missing)) if missing > 0 else line


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the text in lines of at most ``width`` cells, broken at blanks only."""
    line = ""
    for word in re.findall(r"\s*\S+", text):
        if line.strip() and cells(line + word) > width:
            yield line
            line = word.lstrip()
        else:
            line += word
    yield line


def folded(line: str, width: int) -> Iterator[str]:
    """Yield a line in lines of at most ``width`` cells, what goes on below where its text began.

    Its text begins after the first gap of two blanks or more, if that is in the left half.
    """
    if cells(line) <= width:
        yield line
        return
    gap = re.match(r"\s*\S+(?: \S+)* {2,}(?=\S)", line)
    begins = gap.end() if gap is not None and gap.end() <= width // 2 else 0
    before = line[:begins] or line[: len(line) - len(line.lstrip())]
    below = " " * len(before)
    for text in wrapped(line[len(before) :], max(width - len(below), 1)):
        yield before + text
        before = below


def joined(parts: Sequence[Line], separator: Span) -> Line:
    """Return the parts that are not empty as one line, with the separator between them."""
    spans: list[Span] = []
    for part in parts:
        if part:
            spans += [separator, *part] if spans else part
    return tuple(spans)
