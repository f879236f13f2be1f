"""How ``table`` looks: aligned on a terminal, CSV in a pipe, or Markdown or JSON as asked.

Pure. CSV is RFC 4180 with line feeds; in Markdown a cell is one line, its breaks are ``<br>``.
Whatever a terminal could obey is escaped in each of them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from domsh_repl import jsonform, safetext
from domsh_repl.nodes import Table, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.table import table_lines
from domsh_repl.render.theme import DIM, HEAD

__all__ = ["draw_table"]

_CELL_ROOM = 40
_MARKDOWN = {"\\": "\\\\", "|": "\\|", "<": "\\<", "\n": "<br>"}


def draw_table(table: Table, view: View, canvas: Canvas) -> Picture:
    """Return the table in the format of the view, "" for what fits the canvas."""
    notes = () if table.rows or table.header else ("the table is empty",)
    wanted = view.format or ("csv" if canvas.width is None else "")
    text = _FORMATS.get(wanted)
    if text is None:
        return Picture(_aligned(table, canvas), notes)
    written = text(table).removesuffix("\n")
    lines = canvas.block(written) if written else []
    return Picture([(Span(line),) for line in lines], notes)


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if table.header:
        writer.writerow(table.header)
    writer.writerows(table.rows)
    return out.getvalue()


def _markdown(table: Table) -> str:
    width = len(table.header or next(iter(table.rows), ()))
    if not width:
        return ""
    header = table.header or ("",) * width
    rule = ("---",) * width
    return "\n".join(map(_markdown_row, (header, rule, *table.rows)))


def _markdown_row(cells: Sequence[str]) -> str:
    written = ("".join(_MARKDOWN.get(one, one) for one in cell) for cell in cells)
    return f"| {' | '.join(written)} |"


def _json(table: Table) -> str:
    return safetext.json_text(jsonform.encode(table))


_FORMATS: dict[str, Callable[[Table], str]] = {"csv": _csv, "md": _markdown, "json": _json}


def _aligned(table: Table, canvas: Canvas) -> Iterator[Line]:
    rows = [_cells(row, canvas, "") for row in table.rows]
    if table.header:
        rows.insert(0, _cells(table.header, canvas, HEAD))
    lines = list(table_lines(rows, canvas))
    for number, line in enumerate(lines):
        yield line
        if not number and table.header:
            widest = max(sum(len(span.text) for span in one) for one in lines)
            yield (Span(canvas.signs.dash[:1] * min(widest, canvas.width or widest), DIM),)


def _cells(row: Sequence[str], canvas: Canvas, style: str) -> tuple[Line, ...]:
    """Return cells of one line each; an empty one keeps its place."""
    return tuple(
        (Span(canvas.text(" ".join(cell.split()), _CELL_ROOM) or " ", style),) for cell in row
    )
