"""How ``find`` and ``grep`` look: a line each with path, role, label and value.

Pure. What a pattern matched is marked in the last name and in the label, unless that takes long.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from domsh_repl.errors import TimedOut, UsageError
from domsh_repl.nodes import Matches, Node, View
from domsh_repl.patterns import Pattern, compile_pattern
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.table import table_lines
from domsh_repl.render.theme import DIM, MATCH, role_style

__all__ = ["draw_matches", "match_notes"]

_PATH_SHARE = 5 / 8
"""The part of a terminal's width that paths are padded to; longer ones push their row on."""
_VALUE_ROOM = 24


def draw_matches(matches: Matches, view: View, canvas: Canvas) -> Picture:
    """Return a line for each match, or only how many there are."""
    if view.count_only:
        return Picture([(Span(str(matches.total)),)])
    marked = _marker(view.highlight, canvas)
    rows = [_row(node, canvas, marked) for node in matches.matches]
    if view.numbered:
        rows = [
            ((Span(f"{number}:", DIM), *path), *others)
            for number, (path, *others) in enumerate(rows, 1)
        ]
    if canvas.width is None:
        return Picture((_separated(row) for row in rows), tuple(match_notes(matches)))
    caps = {0: int(canvas.width * _PATH_SHARE)}
    return Picture(table_lines(rows, canvas, caps=caps), tuple(match_notes(matches)))


def match_notes(matches: Matches) -> Iterator[str]:
    """Yield remarks on what of the matches is not shown."""
    shown = len(matches.matches)
    if not matches.total:
        yield "no match"
    elif shown < matches.total:
        yield f"{shown} of {matches.total} shown; for more: -n {matches.total}"


def _row(node: Node, canvas: Canvas, marked: Callable[[str, str], Line]) -> tuple[Line, ...]:
    parent, _, last = node.path.rpartition("/")
    slash = (Span("/"),) if node.enterable and last else ()
    path = (Span(canvas.text(f"{parent}/"), DIM), *marked(last, role_style(node.role)), *slash)
    label: Line = ()
    if node.label:
        label = (Span('"'), *marked(node.label.replace('"', '\\"'), ""), Span('"'))
    value = _value(node, canvas)
    between = (Span(" "),) if label and value else ()
    return path, (Span(canvas.text(node.role), DIM),), (*label, *between, *value)


def _value(node: Node, canvas: Canvas) -> Line:
    if node.value is None or node.value == "":
        return ()
    shown = canvas.quoted(node.value, _VALUE_ROOM) if isinstance(node.value, str) else node.value
    return (Span("= ", DIM), Span(str(shown)))


def _separated(row: tuple[Line, ...]) -> Line:
    spans: list[Span] = []
    for cell in row:
        if cell:
            spans += [Span("  "), *cell] if spans else cell
    return tuple(spans)


def _marker(highlight: str | None, canvas: Canvas) -> Callable[[str, str], Line]:
    """Return what makes safe spans of page text, matched parts marked (matched before escaping)."""
    pattern = _compiled(highlight)

    def marked(raw: str, style: str) -> Line:
        spans: list[Span] = []
        end = 0
        with contextlib.suppress(TimedOut):
            for start, stop in pattern.spans(raw) if pattern else ():
                before, matched = raw[end:start], raw[start:stop]
                spans += [Span(canvas.text(before), style), Span(canvas.text(matched), MATCH)]
                end = stop
        return (*spans, Span(canvas.text(raw[end:]), style))

    return marked


def _compiled(highlight: str | None) -> Pattern | None:
    try:
        return compile_pattern(highlight) if highlight else None
    except UsageError:  # a page's own dialect found it; there is nothing to mark
        return None
