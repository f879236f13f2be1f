"""How ``ls`` looks: names in columns, one a line, or the long table.

Pure. Columns run down and then across, as those of the system's ``ls`` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domsh_repl.nodes import Kind, Listing, Node, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span, cells, line_cells, padded
from domsh_repl.render.table import table_lines
from domsh_repl.render.theme import DIM, role_style
from domsh_repl.render.wording import state_words

__all__ = ["draw_listing", "listing_notes"]

_GAP = 2
_KIND_LETTERS = {Kind.DIRECTORY: "d", Kind.INTERACTIVE: "x", Kind.STATIC: "-"}
_NAME_COLUMN = 3
_STATE_ROOM = 24
"""Cells of a terminal that states and value share; a value is cut, a state never."""
_LEAST_VALUE = 8
_LABEL_ROOM = 16
"""Cells that are kept for labels; names that reach into them push their own label on."""


def draw_listing(listing: Listing, view: View, canvas: Canvas) -> Picture:
    """Return the entries as ``ls`` prints them, with remarks on what is not shown."""
    if view.long:
        lines = _long(listing, canvas)
    elif view.single or canvas.width is None:
        lines = (canvas.name(node, listing.path) for node in listing.entries)
    else:
        lines = _columns(_signed_names(listing, canvas), canvas.width)
    return Picture(lines, tuple(listing_notes(listing)))


def listing_notes(listing: Listing) -> Iterator[str]:
    """Yield remarks on what of a directory is not shown."""
    end = listing.offset + len(listing.entries)
    if not listing.total:
        yield "(empty)"
    elif not listing.entries:
        yield f"nothing at offset {listing.offset} of {listing.total}"
    elif end < listing.total:
        yield f"{listing.offset + 1}-{end} of {listing.total}; for the next: --offset {end}"
    elif listing.offset:
        yield f"{listing.offset + 1}-{end} of {listing.total}"


def _signed_names(listing: Listing, canvas: Canvas) -> list[Line]:
    """Return the names; where some can be acted on, those have a sign and the rest a blank."""
    names = [canvas.name(node, listing.path) for node in listing.entries]
    acting = [node.kind is Kind.INTERACTIVE for node in listing.entries]
    if not any(acting):
        return names
    sign = canvas.signs.interactive
    signs = [Span(f"{sign} ", DIM) if acts else Span("  ") for acts in acting]
    return [(mark, *name) for mark, name in zip(signs, names, strict=True)]


def _columns(names: Sequence[Line], width: int) -> Iterator[Line]:
    measures = [line_cells(name) for name in names]
    height, widths = _fit(measures, width)
    for row in range(height):
        cells_of_row = range(row, len(names), height)
        spans: list[Span] = []
        for column, index in enumerate(cells_of_row):
            last = index + height >= len(names)
            spans += names[index] if last else padded(names[index], widths[column])
        yield tuple(spans)


def _fit(measures: Sequence[int], width: int) -> tuple[int, list[int]]:
    """Return the rows that the most columns that fit need, and the columns' widths in cells."""
    count = len(measures)
    for columns in range(min(count, width // (1 + _GAP)), 1, -1):
        height = -(-count // columns)
        widths = [max(measures[start : start + height]) + _GAP for start in range(0, count, height)]
        if sum(widths) - _GAP <= width:
            return height, widths
    return count, [max(measures, default=0)]


def _long(listing: Listing, canvas: Canvas) -> Iterator[Line]:
    rows = [_long_row(node, listing.path, canvas) for node in listing.entries]
    if canvas.width is None:
        return table_lines(rows, canvas)
    before = (
        sum(max(line_cells(row[n]) for row in rows) + _GAP for n in range(_NAME_COLUMN))
        if rows
        else 0
    )
    room = max(canvas.width - before - _GAP - _LABEL_ROOM, _GAP)
    return table_lines(rows, canvas, caps={_NAME_COLUMN: room})


def _long_row(node: Node, base: str, canvas: Canvas) -> tuple[Line, ...]:
    label = canvas.text(node.label)
    return (
        (Span(_KIND_LETTERS[node.kind], DIM),),
        (Span(canvas.text(node.role), DIM),),
        _states_and_value(node, canvas),
        canvas.name(node, base),
        (Span(label),) if label else (),
    )


def _states_and_value(node: Node, canvas: Canvas) -> Line:
    """Return the states and the value, text in quotes; in a pipe ``-`` where there is neither.

    A terminal gets the states in words, a pipe those that ``--state`` takes.
    """
    in_words = canvas.width is not None
    states = canvas.text(", ".join(state_words(node)) if in_words else ",".join(node.states))
    value = ""
    if isinstance(node.value, str):
        value = canvas.quoted(node.value, max(_STATE_ROOM - cells(states), _LEAST_VALUE))
    elif node.value is not None:
        value = str(node.value)
    shown = " ".join(filter(None, (states, value)))
    if shown:
        return (Span(shown, role_style(node.role)),)
    return (Span("-"),) if canvas.width is None else ()
