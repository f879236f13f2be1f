"""The plain look of everything else: tabs, links, logs, tables, verdicts, what the shell says.

Pure. An entry is one line of words; what domsh aligns elsewhere is parted by commas here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from domsh_repl.checks import Check, Diagnosis, Result
from domsh_repl.nodes import (
    CheckedLink,
    CheckedLinks,
    Diff,
    Link,
    Links,
    Message,
    Tab,
    Table,
    Tabs,
    Verdict,
    View,
)
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.datatable import draw_table
from domsh_repl.render.diagnosis import summary
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.plainnodes import plain_line
from domsh_repl.render.reports import clock, remaining, told_of_links
from domsh_repl.reports import Console, ConsoleEntry, Lane, Lanes, Request, Requests

__all__ = [
    "plain_checked_links",
    "plain_console",
    "plain_diagnosis",
    "plain_diff",
    "plain_lanes",
    "plain_links",
    "plain_message",
    "plain_requests",
    "plain_table",
    "plain_tabs",
    "plain_verdict",
]

_CONTINUED = 10
"""Blanks before a line that goes on with the one above it, as in the columns of ``help``."""
_QUOTED_OR_GAP = re.compile(r'"(?:[^"\\]|\\.)*"|  +(?=[=#])|  +')
_SIGNS = {"…": "...", "←": "Left", "→": "Right", "↑": "Up", "↓": "Down"}
_CURRENT = "→ "
"""What stands before the one of several lines that one is at."""
_RESULTS = {Result.OK: "ok", Result.FAIL: "failed", Result.NOT_APPLICABLE: "not applicable"}


def plain_tabs(tabs: Tabs, _view: View, canvas: Canvas) -> Picture:
    """Return number, title and address of each tab."""
    lines = [_tab_line(tab, canvas) for tab in tabs.tabs]
    return Picture(lines, () if lines else ("no tabs",))


def _tab_line(tab: Tab, canvas: Canvas) -> Line:
    title = canvas.quoted(tab.title) if tab.title else "no title"
    current = "current" if tab.current else ""
    return plain_line(f"tab {tab.id}", current, title, canvas.text(tab.url))


def plain_links(links: Links, _view: View, canvas: Canvas) -> Picture:
    """Return label, address and path of each link."""
    lines = [plain_line(*_link_parts(link, canvas)) for link in links.links]
    return Picture(lines, () if lines else ("no links",))


def plain_checked_links(links: CheckedLinks, _view: View, canvas: Canvas) -> Picture:
    """Return the same after what came of asking."""
    lines = [plain_line(_outcome(link, canvas), *_link_parts(link, canvas)) for link in links.links]
    return Picture(lines, (told_of_links(links),))


def _link_parts(link: Link, canvas: Canvas) -> tuple[str, ...]:
    label = canvas.quoted(link.label) if link.label.strip() else "no label"
    return label, canvas.text(link.url) if link.url else "no address", canvas.text(link.path)


def _outcome(link: CheckedLink, canvas: Canvas) -> str:
    word = {True: "ok", False: "broken", None: "not known"}[link.ok]
    said = () if link.ok else (str(link.http or ""), canvas.text(link.problem))
    return " ".join(filter(None, (word, *said)))


def plain_diff(diff: Diff, _view: View, canvas: Canvas) -> Picture:
    """Return a line for each path that came, went or changed."""
    changes = diff.changes
    if changes is None:
        return Picture([], ("the page is another document since, or changed too much to compare",))
    groups = (("added", changes.added), ("gone", changes.removed), ("changed", changes.changed))
    lines = [plain_line(f"{word} {canvas.text(path)}") for word, paths in groups for path in paths]
    return Picture(lines, () if lines else ("no change in what had been read",))


def plain_console(console: Console, _view: View, canvas: Canvas) -> Picture:
    """Return level, text, place and time of each message."""
    lines = [_console_line(entry, canvas) for entry in console.console]
    return Picture(lines, remaining(len(lines), console.total, "no messages"))


def _console_line(entry: ConsoleEntry, canvas: Canvas) -> Line:
    first = entry.text.split("\n", 1)[0] if entry.level == "exception" else entry.text
    line = f" line {entry.line}" if entry.line else ""
    place = f"at {canvas.text(entry.url)}{line}" if entry.url else ""
    said = f"{canvas.text(entry.level)}: {canvas.text(first)}"
    return plain_line(said, place, f"tab {entry.tab}", clock(entry.time))


def plain_requests(requests: Requests, _view: View, canvas: Canvas) -> Picture:
    """Return method, status, address, type and time of each request."""
    lines = [_request_line(one, canvas) for one in requests.requests]
    return Picture(lines, remaining(len(lines), requests.total, "no requests"))


def _request_line(request: Request, canvas: Canvas) -> Line:
    failed = f"failed: {canvas.text(request.error)}" if request.error else ""
    status = "" if failed else f"status {request.status}" if request.status else "no answer yet"
    return plain_line(
        canvas.text(f"{request.method} {request.url}"),
        failed or status,
        canvas.text(request.type),
        "" if request.ms is None else f"{request.ms} milliseconds",
        f"tab {request.tab}",
    )


def plain_lanes(lanes: Lanes, _view: View, canvas: Canvas) -> Picture:
    """Return name and number of each lane."""
    return Picture([_lane_line(lane, canvas) for lane in lanes.lanes])


def _lane_line(lane: Lane, canvas: Canvas) -> Line:
    known = f"id {canvas.text(lane.id)}" if lane.id else "not used yet"
    return plain_line(f"lane {canvas.text(lane.name)}", "current" if lane.current else "", known)


def plain_table(table: Table, view: View, canvas: Canvas) -> Picture:
    """Return a line a row, each cell after its column's header; a format as it was asked for."""
    if view.format:
        return draw_table(table, view, canvas)
    rows = (_row(number, row, table.header, canvas) for number, row in enumerate(table.rows, 1))
    notes = () if table.rows or table.header else ("the table is empty",)
    return Picture(rows, notes)


def _row(number: int, row: Sequence[str], header: Sequence[str], canvas: Canvas) -> Line:
    shown = [canvas.text(" ".join(cell.split())) or "blank" for cell in row]
    heads = [canvas.text(" ".join(head.split())) for head in header] or [""] * len(shown)
    cells = [f"{head} {cell}".strip() for head, cell in zip(heads, shown, strict=True)]
    return plain_line(f"row {number}", *cells)


def plain_verdict(verdict: Verdict, _view: View, canvas: Canvas) -> Picture:
    """Return whether the condition held, or what was expected and what there is."""
    word = "ok" if verdict.ok else "failed"
    lines = [plain_line(word, canvas.text(verdict.condition), f"{verdict.seconds:.1f} seconds")]
    if not verdict.ok:
        lines.append(plain_line(f"expected {canvas.quoted(verdict.expected)}"))
        lines.append(plain_line(f"actual {canvas.quoted(verdict.actual)}"))
    return Picture(lines)


def plain_diagnosis(diagnosis: Diagnosis, _view: View, canvas: Canvas) -> Picture:
    """Return result, name and finding of each check, and its hint on a line of its own."""
    lines = (line for check in diagnosis.checks for line in _check_lines(check, canvas))
    return Picture(lines, (summary(diagnosis),))


def _check_lines(check: Check, canvas: Canvas) -> Iterator[Line]:
    yield plain_line(_RESULTS[check.result], check.name, canvas.text(check.found))
    if check.hint:
        yield plain_line(f"hint: {canvas.text(check.hint)}")


def plain_message(message: Message, _view: View, canvas: Canvas) -> Picture:
    """Return what the shell says without the blanks that align it, an entry a line."""
    if not message.text:
        return Picture()
    return Picture(
        (Span(line),) for line in _unaligned(canvas.block(message.text.removesuffix("\n")))
    )


def _unaligned(lines: Sequence[str]) -> Iterator[str]:
    begun = ""
    for line in lines:
        bare = line.lstrip(" ")
        goes_on = bool(bare and begun) and len(line) - len(bare) >= _CONTINUED
        if not goes_on and begun:
            yield begun
        if not (goes_on or bare):
            yield ""
        text = _worded(bare)
        begun = f"{begun} {text}" if goes_on else text
    if begun:
        yield begun


def _worded(line: str) -> str:
    """Return a line with commas for gaps outside of quotes and words for signs."""
    if line.startswith(_CURRENT):
        line = f"current, {line.removeprefix(_CURRENT)}"
    for sign, word in _SIGNS.items():
        line = line.replace(sign, word)
    return _QUOTED_OR_GAP.sub(_part, line)


def _part(match: re.Match[str]) -> str:
    found = match.group()
    if found.startswith('"'):
        return found
    return " " if match.string[match.end() : match.end() + 1] in ("=", "#") else ", "
