"""How the findings of the accessibility rules look: by rule, what fails first.

Pure. What the page says comes through the canvas, on one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from domsh_repl.nodes import View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.plainnodes import plain_line
from domsh_repl.render.table import table_lines
from domsh_repl.render.theme import DIM, ERROR, HEAD, WARNING
from domsh_repl.reports import Finding, Findings

__all__ = ["draw_findings", "plain_findings"]

_STYLES = {"fail": ERROR, "practice": WARNING, "review": DIM}
_INDENT = "  "


def draw_findings(findings: Findings, _view: View, canvas: Canvas) -> Picture:
    """Return the findings below their rules, in a pipe a line each with all of it.

    The last line says what is not checked.
    """
    told = _rows(findings, canvas) if canvas.width is None else _groups(findings, canvas)
    return Picture([*told, (Span(_unchecked(findings), DIM),)], _notes(findings))


def _rows(findings: Findings, canvas: Canvas) -> Iterator[Line]:
    rows = [
        (
            (Span(canvas.text(one.level), _STYLES.get(one.level, "")),),
            (Span(canvas.text(one.rule)),),
            (Span(canvas.text(one.wcag or "-"), DIM),),
            (Span(canvas.text(one.path)),),
            (Span(canvas.text(one.message)),),
        )
        for one in findings.findings
    ]
    return table_lines(rows, canvas)


def _groups(findings: Findings, canvas: Canvas) -> Iterator[Line]:
    for (level, rule, wcag), group in groupby(findings.findings, _rule_of):
        same = list(group)
        number = f" WCAG {wcag}" if wcag else ""
        count = f" ({len(same)})" if len(same) > 1 else ""
        yield (
            Span(canvas.text(level), _STYLES.get(level, "")),
            Span(f" {canvas.text(rule)}", HEAD),
            Span(f"{canvas.text(number)}{count}", DIM),
        )
        for one in same:
            label = f" {canvas.quoted(one.label)}" if one.label else ""
            yield (
                Span(_INDENT),
                Span(canvas.text(one.path)),
                Span(label, DIM),
                Span(f"  {canvas.text(one.message)}"),
            )


def _rule_of(finding: Finding) -> tuple[str, str, str]:
    return finding.level, finding.rule, finding.wcag or ""


def plain_findings(findings: Findings, _view: View, canvas: Canvas) -> Picture:
    """Return a line for each finding, which says all of it."""
    lines = [_plain(one, canvas) for one in findings.findings]
    return Picture([*lines, plain_line(_unchecked(findings))], _notes(findings))


def _plain(one: Finding, canvas: Canvas) -> Line:
    return plain_line(
        f"{canvas.text(one.level)} {canvas.text(one.rule)}",
        f"WCAG {canvas.text(one.wcag)}" if one.wcag else "",
        canvas.text(one.path),
        canvas.quoted(one.label) if one.label else "",
        canvas.text(one.message),
    )


def _unchecked(findings: Findings) -> str:
    return f"not checked: {', '.join(findings.not_checked)}"


def _notes(findings: Findings) -> tuple[str, ...]:
    """Return how many there are of each level, what the baseline has, and what is missing."""
    levels = [one.level for one in findings.findings]
    counts = [f"{levels.count(level)} {level}" for level in _STYLES if level in levels]
    told = ", ".join(counts) or ("nothing new" if findings.old else "nothing found")
    old = f"; {findings.old} in the baseline" if findings.old else ""
    return (f"{told}{old}", *filter(None, [findings.cut]))
