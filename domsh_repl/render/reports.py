"""How links, outlines, differences, logs, pictures and lanes look: a line an entry.

Pure. Text of a page comes through the canvas, on one line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from domsh_repl.aria import LANDMARKS
from domsh_repl.nodes import (
    CheckedLink,
    CheckedLinks,
    Diff,
    Link,
    Links,
    Outline,
    OutlineEntry,
    TextListing,
    View,
)
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.listing import listing_notes
from domsh_repl.render.table import table_lines
from domsh_repl.render.theme import DIM, ERROR, GOOD, HEAD, WARNING, role_style
from domsh_repl.render.wording import role_words, state_words
from domsh_repl.reports import (
    Console,
    ConsoleEntry,
    Lane,
    Lanes,
    Request,
    Requests,
    SavedPicture,
)

__all__ = [
    "clock",
    "draw_checked_links",
    "draw_console",
    "draw_diff",
    "draw_lane",
    "draw_lanes",
    "draw_links",
    "draw_outline",
    "draw_picture",
    "draw_requests",
    "draw_text_listing",
    "remaining",
    "told_of_links",
]

_LABEL_ROOM = 36
_PATH_SHARE = 0.5
_INDENT = "  "
_FIRST_ERROR = 400


def draw_links(links: Links, _view: View, canvas: Canvas) -> Picture:
    """Return label, address and path of each link."""
    rows = [_link_row(link, canvas) for link in links.links]
    lines = table_lines(rows, canvas, caps={0: _LABEL_ROOM}, is_last_spare=True)
    return Picture(lines, _if_none(rows, "no links"))


def draw_checked_links(links: CheckedLinks, _view: View, canvas: Canvas) -> Picture:
    """Return the same with what came of asking, and how many are broken as a remark."""
    rows = [(_verdict(link, canvas), *_link_row(link, canvas)) for link in links.links]
    caps = {0: _LABEL_ROOM, 1: _LABEL_ROOM}
    lines = table_lines(rows, canvas, caps=caps, is_last_spare=True)
    return Picture(lines, (told_of_links(links),))


def told_of_links(links: CheckedLinks) -> str:
    """Return how many links there are, and how many are broken or not known."""
    broken = sum(link.ok is False for link in links.links)
    unknown = sum(link.ok is None for link in links.links)
    told = f"{len(links.links)} links, {broken} broken"
    return (told + (f", {unknown} not known" if unknown else "")) if links.links else "no links"


def _link_row(link: Link, canvas: Canvas) -> tuple[Line, ...]:
    return (
        (Span(_label(link.label, canvas, _LABEL_ROOM)),),
        (Span(canvas.text(link.url) if link.url else "(no address)"),),
        (Span(canvas.text(link.path), DIM),),
    )


def _verdict(link: CheckedLink, canvas: Canvas) -> Line:
    word, style = {True: ("ok", GOOD), False: ("broken", ERROR), None: ("?", WARNING)}[link.ok]
    said = " ".join(filter(None, [str(link.http or ""), canvas.text(link.problem)]))
    return (Span(word, style), *([Span(f" {said}")] if said and link.ok is not True else []))


def _label(label: str, canvas: Canvas, room: int | None = None) -> str:
    """Return a label in quotes; what has none says so, which is a finding by itself."""
    return canvas.quoted(label, room) if label.strip() else "(no label)"


def draw_outline(outline: Outline, _view: View, canvas: Canvas) -> Picture:
    """Return each entry indented by its level: what a screen reader says of it, and its path."""
    rows = [_outline_row(entry, canvas) for entry in outline.outline]
    return Picture(table_lines(rows, canvas), _if_none(rows, "nothing of that kind"))


def _outline_row(entry: OutlineEntry, canvas: Canvas) -> tuple[Line, ...]:
    role = canvas.text(role_words(entry, entry.level))
    said = "" if _needs_no_label(entry) else _label(entry.label, canvas)
    states = canvas.text(", ".join(state_words(entry)))
    value = canvas.quoted(entry.value, _LABEL_ROOM) if isinstance(entry.value, str) else entry.value
    more = " ".join(filter(None, [states, "" if value in (None, '""') else f"= {value}"]))
    return (
        (
            Span(_INDENT * (entry.level - 1)),
            Span(role, role_style(entry.role)),
            Span(f" {said}" if said else ""),
        ),
        (Span(more),) if more else (),
        (Span(canvas.text(entry.path), DIM),),
    )


def _needs_no_label(entry: OutlineEntry) -> bool:
    return entry.role in LANDMARKS and not entry.label.strip()


def draw_diff(diff: Diff, _view: View, canvas: Canvas) -> Picture:
    """Return a line for each path that came, went or changed."""
    changes = diff.changes
    if changes is None:
        return Picture([], ("the page is another document since, or changed too much to compare",))
    groups = (("+", changes.added, GOOD), ("-", changes.removed, ERROR), ("~", changes.changed, ""))
    lines = [
        (Span(f"{sign} ", style), Span(canvas.text(path)))
        for sign, paths, style in groups
        for path in paths
    ]
    return Picture(lines, () if lines else ("no change in what had been read",))


def draw_console(console: Console, _view: View, canvas: Canvas) -> Picture:
    """Return time, level, text and place of each message."""
    several = len({entry.tab for entry in console.console}) > 1
    rows = [_console_row(entry, canvas, tab=several) for entry in console.console]
    notes = remaining(len(rows), console.total, "no messages")
    return Picture((_separated(row) for row in rows), notes)


def _console_row(entry: ConsoleEntry, canvas: Canvas, *, tab: bool) -> tuple[Line, ...]:
    style = {"error": ERROR, "exception": ERROR, "warning": WARNING}.get(entry.level, DIM)
    first = entry.text.split("\n", 1)[0] if entry.level == "exception" else entry.text
    place = "" if not entry.url else f"{entry.url}:{entry.line}" if entry.line else entry.url
    return (
        (Span(clock(entry.time), DIM),),
        (Span(f"tab {entry.tab}"),) if tab else (),
        (Span(f"{entry.level:<9}", style),),
        (Span(canvas.text(first)),),
        (Span(canvas.text(f"({place})"), DIM),) if place else (),
    )


def draw_requests(requests: Requests, _view: View, canvas: Canvas) -> Picture:
    """Return method, status, type, time and address of each request."""
    several = len({one.tab for one in requests.requests}) > 1
    rows = [_request_row(one, canvas, tab=several) for one in requests.requests]
    notes = remaining(len(rows), requests.total, "no requests")
    return Picture((_separated(row) for row in _padded(rows)), notes)


def _request_row(request: Request, canvas: Canvas, *, tab: bool) -> tuple[Line, ...]:
    status = "failed" if request.error else str(request.status or "...")
    bad = request.error or (request.status or 0) >= _FIRST_ERROR
    spent = "..." if request.ms is None else f"{request.ms} ms"
    return (
        (Span(f"tab {request.tab}"),) if tab else (),
        (Span(canvas.text(request.method)),),
        (Span(status, ERROR if bad else GOOD),),
        (Span(canvas.text(request.type), DIM),),
        (Span(f"{spent:>8}", DIM),),
        (Span(canvas.text(request.url)),),
        (Span(canvas.text(f"({request.error})"), ERROR),) if request.error else (),
    )


def _padded(rows: list[tuple[Line, ...]]) -> Iterator[tuple[Line, ...]]:
    """Align the columns before the address, which is never cut."""
    if not rows:
        return
    fixed = range(len(rows[0]) - 2)
    widths = {at: max(sum(len(span.text) for span in row[at]) for row in rows) for at in fixed}
    for row in rows:
        spread = [
            (*row[at], Span(" " * (widths[at] - sum(len(span.text) for span in row[at]))))
            if widths[at]
            else ()
            for at in fixed
        ]
        yield (*spread, *row[-2:])


def _separated(row: tuple[Line, ...]) -> Line:
    spans: list[Span] = []
    for cell in row:
        if cell:
            spans += [Span(_INDENT), *cell] if spans else cell
    return tuple(spans)


def clock(seconds: float) -> str:
    """Return the local time of day of seconds since 1970."""
    return time.strftime("%H:%M:%S", time.localtime(seconds))


def remaining(shown: int, total: int, none: str) -> tuple[str, ...]:
    """Return a remark on what is not shown, or that there is none."""
    if not total:
        return (none,)
    return (f"the last {shown} of {total}; for more: -n {total}",) if shown < total else ()


def _if_none(rows: object, note: str) -> tuple[str, ...]:
    return () if rows else (note,)


def draw_picture(picture: SavedPicture, _view: View, canvas: Canvas) -> Picture:
    """Return the file; its measures are a remark."""
    return Picture(
        [(Span(canvas.text(picture.file)),)], (f"{picture.width} x {picture.height} pixels",)
    )


def draw_lanes(lanes: Lanes, _view: View, canvas: Canvas) -> Picture:
    """Return a row for each lane, the current one marked."""
    rows = [_lane_row(lane, canvas) for lane in lanes.lanes]
    return Picture(table_lines(rows, canvas))


def draw_lane(lane: Lane, _view: View, canvas: Canvas) -> Picture:
    """Return the lane that one is in now."""
    return Picture([(Span("lane "), Span(canvas.text(lane.name), HEAD))])


def _lane_row(lane: Lane, canvas: Canvas) -> tuple[Line, ...]:
    other = " " if canvas.width else "-"
    return (
        (Span(canvas.signs.current if lane.current else other, GOOD),),
        (Span(canvas.text(lane.name), HEAD if lane.current else ""),),
        (Span(f"id {canvas.text(lane.id)}" if lane.id else "not used yet", DIM),),
    )


def draw_text_listing(listing: TextListing, view: View, canvas: Canvas) -> Picture:
    """Return each entry's name and the beginning of its text."""
    rows = [
        (
            *(((Span(canvas.text(entry.role), DIM),),) if view.long else ()),
            canvas.name(entry, listing.path),
            (Span(canvas.text(entry.text)),) if entry.text else (),
        )
        for entry in listing.entries
    ]
    room = 0 if canvas.width is None else int(canvas.width * _PATH_SHARE)
    caps = {len(rows[0]) - 2: room} if rows and room else None
    return Picture(table_lines(rows, canvas, caps=caps), tuple(listing_notes(listing)))
