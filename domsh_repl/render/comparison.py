"""How the differences between a page and a snapshot look: a line each, gone, come, changed.

Pure. What the page says comes through the canvas, on one line.
"""

from __future__ import annotations

from collections.abc import Iterator

from domsh_repl.nodes import View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.plainnodes import plain_line
from domsh_repl.render.theme import DIM, ERROR, GOOD, WARNING
from domsh_repl.reports import Comparison, Difference, SavedFile

__all__ = ["draw_comparison", "draw_saved_file", "plain_comparison"]

_ARROW_TELLS = frozenset({"renamed", "moved", "states", "level"})


def draw_saved_file(saved: SavedFile, _view: View, canvas: Canvas) -> Picture:
    """Return the file; what is in it is a remark."""
    return Picture([(Span(canvas.text(saved.file)),)], (canvas.text(saved.text),))


def draw_comparison(comparison: Comparison, _view: View, canvas: Canvas) -> Picture:
    """Return a line for each difference, with a sign before it."""
    changes = comparison.changes
    groups = (("-", changes.removed, ERROR), ("+", changes.added, GOOD), ("~", changes.changed, ""))
    lines = [
        _line(sign, style or WARNING, one, canvas) for sign, group, style in groups for one in group
    ]
    return Picture(lines, _notes(comparison))


def _line(sign: str, style: str, one: Difference, canvas: Canvas) -> Line:
    return (
        Span(f"{sign} ", style),
        Span(_node(one, canvas), style),
        Span("".join(f" {part}" for part in _more(one, canvas))),
        Span(f"  {_where(one, canvas)}", DIM),
    )


def _node(one: Difference, canvas: Canvas) -> str:
    label = f" {canvas.quoted(one.label)}" if one.label else ""
    return f"{canvas.text(one.role)}{label}"


def _more(one: Difference, canvas: Canvas) -> Iterator[str]:
    if one.what in _ARROW_TELLS:
        yield f"{one.what}: {canvas.text(one.was) or 'none'} to {canvas.text(one.now) or 'none'}"
    if one.inside:
        yield f"and {one.inside} inside"


def _where(one: Difference, canvas: Canvas) -> str:
    return canvas.text(one.path if one.path is not None else f"in {one.place}")


def plain_comparison(comparison: Comparison, _view: View, canvas: Canvas) -> Picture:
    """Return a line of words for each difference."""
    changes = comparison.changes
    every = (*changes.removed, *changes.added, *changes.changed)
    lines = [
        plain_line(
            f"{'' if one.what in _ARROW_TELLS else one.what + ' '}{_node(one, canvas)}",
            *_more(one, canvas),
            _where(one, canvas),
        )
        for one in every
    ]
    return Picture(lines, _notes(comparison))


def _notes(comparison: Comparison) -> tuple[str, ...]:
    changes = comparison.changes
    counts = (
        (len(changes.removed), "removed"), (len(changes.added), "added"),
        (len(changes.changed), "changed"),
    )  # fmt: skip
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    return (told or "the same as the snapshot", *filter(None, [comparison.cut]))
