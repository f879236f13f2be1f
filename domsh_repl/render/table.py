"""Rows in aligned columns, and facts as a key and its lines: the two shapes of tabular text.

Pure. On a terminal the last column is cut to the width; in a pipe nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Span, cells, cut_line, line_cells, padded, wrapped
from domsh_repl.render.theme import DIM

__all__ = ["Fact", "fact_lines", "table_lines"]

_GAP = 2
_LEAST_LAST = 16
"""Cells that the last column keeps where the others leave it less; the terminal wraps then."""
_LEAST_TEXT = 20
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Fact:
    """A key and its lines, which are safe text already (``Canvas.text`` or ``Canvas.block``)."""

    key: str
    lines: Sequence[str]


def table_lines(
    rows: Sequence[Sequence[Line]],
    canvas: Canvas,
    *,
    caps: Mapping[int, int] | None = None,
    is_last_spare: bool = False,
) -> Iterator[Line]:
    """Yield the rows with aligned columns, two blanks apart.

    ``caps`` bounds the cells to which a column is padded; what is longer pushes its row on.
    Columns that are empty everywhere are left out. A spare last column is left out of the rows
    that have no room for it, which would be broken in two and would not show it either.
    """
    if not rows:
        return
    limits = caps or {}
    used = [n for n in range(len(rows[0])) if any(row[n] for row in rows)]
    widths = {n: max(line_cells(row[n]) for row in rows) for n in used}
    for column, cap in limits.items():
        widths[column] = min(widths.get(column, 0), cap)
    for row in rows:
        made = _row(row, used, widths, canvas)
        is_too_long = canvas.width is not None and line_cells(made) > canvas.width
        if is_last_spare and is_too_long and any(row[:-1]):
            made = _row([*row[:-1], ()], used, widths, canvas)
        yield made


def _row(row: Sequence[Line], used: list[int], widths: Mapping[int, int], canvas: Canvas) -> Line:
    spans: list[Span] = []
    filled = [n for n in used if row[n]]
    last = filled[-1] if filled else -1
    for column in used:
        if column == last:
            return (*spans, *_last_cell(row[column], column == len(row) - 1, spans, canvas))
        spans += (*padded(row[column], widths[column]), Span(" " * _GAP))
    return tuple(spans)


def _last_cell(cell: Line, may_be_cut: bool, before: list[Span], canvas: Canvas) -> Line:
    if canvas.width is None or not may_be_cut:
        return cell
    room = max(canvas.width - line_cells(tuple(before)), _LEAST_LAST)
    return cut_line(cell, room, canvas.signs.ellipsis)


def fact_lines(facts: Sequence[Fact], canvas: Canvas, *, indent: str = _INDENT) -> Iterator[Line]:
    """Yield aligned keys with their lines; in a pipe ``key: line``, further lines indented.

    No line of a value ever starts where a key could stand.
    """
    width = max((cells(fact.key) for fact in facts), default=0) + _GAP
    for fact in facts:
        if canvas.width is None:
            yield from _plain_fact(fact)
        else:
            yield from _aligned_fact(fact, width, indent, canvas.width)


def _plain_fact(fact: Fact) -> Iterator[Line]:
    first, *others = fact.lines or ("",)
    yield (Span(f"{fact.key}:"), Span(f" {first}" if first else ""))
    for line in others:
        yield (Span(f"{_INDENT}{line}" if line else ""),)


def _aligned_fact(fact: Fact, width: int, indent: str, terminal: int) -> Iterator[Line]:
    room = max(terminal - width - len(indent), _LEAST_TEXT)
    lines = [part for line in fact.lines for part in wrapped(line, room)]
    for number, line in enumerate(lines or [""]):
        key = (Span(indent), Span("" if number else fact.key, DIM))
        yield (*padded(key, width + len(indent)), Span(line)) if line else key
