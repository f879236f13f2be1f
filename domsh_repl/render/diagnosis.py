"""How the rows of ``domsh doctor`` look: result, name and what was found, in columns.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from domsh_repl.checks import Check, Diagnosis, Result
from domsh_repl.nodes import View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span, cells, padded, wrapped
from domsh_repl.render.theme import DIM, ERROR, GOOD

__all__ = ["draw_diagnosis", "summary"]

_STYLES = {Result.OK: GOOD, Result.FAIL: ERROR, Result.NOT_APPLICABLE: DIM}
_GAP = 2
_RESULT_WIDTH = max(map(len, Result)) + _GAP
_LEAST_ROOM = 24
_HINT = "hint: "


def draw_diagnosis(diagnosis: Diagnosis, _view: View, canvas: Canvas) -> Picture:
    """Return a row for each check, and below it the hint; on a terminal long ones are wrapped."""
    width = max((cells(check.name) for check in diagnosis.checks), default=0) + _GAP
    lines = (line for check in diagnosis.checks for line in _lines(check, width, canvas))
    return Picture(lines, (summary(diagnosis),))


def _lines(check: Check, width: int, canvas: Canvas) -> Iterator[Line]:
    left = _RESULT_WIDTH + width
    result = Span(check.result.value, _STYLES[check.result])
    head: Line = (*padded((result,), _RESULT_WIDTH), Span(check.name))
    first, *more = _parts(check.found, left, canvas)
    yield (*padded(head, left), Span(first)) if first else head
    for part in more:
        yield (Span(" " * left + part),)
    if not check.hint:
        return
    first, *more = _parts(check.hint, left + len(_HINT), canvas)
    yield (Span(" " * left), Span(_HINT.rstrip(), DIM), Span(f" {first}"))
    for part in more:
        yield (Span(" " * (left + len(_HINT)) + part),)


def _parts(text: str, left: int, canvas: Canvas) -> list[str]:
    safe = canvas.text(text)
    if canvas.width is None:
        return [safe]
    return list(wrapped(safe, max(canvas.width - left, _LEAST_ROOM)))


def summary(diagnosis: Diagnosis) -> str:
    """Return how many checks failed."""
    failed = sum(check.result is Result.FAIL for check in diagnosis.checks)
    if not failed:
        return "nothing failed"
    return f"{failed} of {len(diagnosis.checks)} checks failed"
