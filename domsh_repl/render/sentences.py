"""How the small values look: tabs, where one is, texts, script values, verdicts, messages.

Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from domsh_repl.nodes import (
    Lines,
    Message,
    Output,
    ScriptValue,
    Tab,
    Tabs,
    Text,
    Verdict,
    View,
    Where,
)
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span, folded
from domsh_repl.render.table import Fact, fact_lines, table_lines
from domsh_repl.render.theme import DIM, ERROR, GOOD, HEAD

__all__ = [
    "draw_lines",
    "draw_message",
    "draw_output",
    "draw_script_value",
    "draw_tabs",
    "draw_text",
    "draw_verdict",
    "draw_where",
]

_TITLE_COLUMN = 36


def draw_tabs(tabs: Tabs, _view: View, canvas: Canvas) -> Picture:
    """Return a row for each tab, the current one marked."""
    rows = [_tab_row(tab, canvas) for tab in tabs.tabs]
    notes = () if rows else ("no tabs",)
    return Picture(table_lines(rows, canvas, caps={2: _TITLE_COLUMN}), notes)


def _tab_row(tab: Tab, canvas: Canvas) -> tuple[Line, ...]:
    other = " " if canvas.width else "-"
    mark = canvas.signs.current if tab.current else other
    title = canvas.text(tab.title, _TITLE_COLUMN) or "-"
    return (
        (Span(mark, GOOD),),
        (Span(str(tab.id), HEAD if tab.current else ""),),
        (Span(title, HEAD if tab.current else ""),),
        (Span(canvas.text(tab.url), DIM),),
    )


def draw_where(where: Where, view: View, canvas: Canvas) -> Picture:
    """Return the working directory, or all facts on the page."""
    if view.brief:
        return Picture([(Span(canvas.text(where.path)),)])
    return Picture(fact_lines(list(_whereabouts(where, canvas)), canvas, indent=""))


def _whereabouts(where: Where, canvas: Canvas) -> Iterator[Fact]:
    yield Fact("url", [canvas.text(where.url)])
    yield Fact("title", [canvas.text(where.title)])
    if where.http is not None:
        yield Fact("http", [str(where.http)])
    yield Fact("loading", ["yes" if where.loading else "no"])
    yield Fact("path", [canvas.text(where.path)])
    yield Fact("tab", [str(where.tab)])
    yield Fact("lane", [canvas.text(where.lane)])
    if where.elements is not None:
        yield Fact("elements", [str(where.elements)])


def draw_text(text: Text, _view: View, canvas: Canvas) -> Picture:
    """Return rendered text with its own lines; nothing where there is none."""
    return Picture(_block(text.text, canvas))


def draw_output(output: Output, _view: View, canvas: Canvas) -> Picture:
    """Return a foreign command's text with its own lines."""
    return Picture(_block(output.output, canvas))


def draw_lines(lines: Lines, _view: View, canvas: Canvas) -> Picture:
    """Return the lines."""
    return Picture((Span(canvas.text(line)),) for line in lines.lines)


def draw_message(message: Message, _view: View, canvas: Canvas) -> Picture:
    """Return the sentence; the facts are the JSON's."""
    lines = _block(message.text, canvas)
    return Picture(lines if canvas.width is None else _folded(lines, canvas.width))


def _folded(lines: Iterable[Line], width: int) -> Iterator[Line]:
    for line in lines:
        yield from ((Span(one),) for one in folded("".join(span.text for span in line), width))


def draw_script_value(script: ScriptValue, _view: View, canvas: Canvas) -> Picture:
    """Return text raw, anything else as indented JSON."""
    if isinstance(script.value, str):
        return Picture(_block(script.value, canvas) if script.value else [(Span(""),)])
    return Picture(_block(json.dumps(script.value, ensure_ascii=False, indent=2), canvas))


def _block(text: str, canvas: Canvas) -> Iterator[Line]:
    shown = text.removesuffix("\n").removesuffix("\r")
    return ((Span(line),) for line in canvas.block(shown)) if text else iter(())


def draw_verdict(verdict: Verdict, _view: View, canvas: Canvas) -> Picture:
    """Return ``ok`` and the condition, or what was expected and what there is."""
    return Picture(_verdict_lines(verdict, canvas))


def _verdict_lines(verdict: Verdict, canvas: Canvas) -> Iterator[Line]:
    word = Span("ok", GOOD) if verdict.ok else Span("failed", ERROR)
    seconds = Span(f"({verdict.seconds:.1f} s)", DIM)
    yield (word, Span("  "), Span(canvas.text(verdict.condition)), Span(" "), seconds)
    if not verdict.ok:
        facts = [
            Fact("expected", canvas.block(verdict.expected)),
            Fact("actual", canvas.block(verdict.actual)),
        ]
        yield from fact_lines(facts, canvas)
