"""Pictures of a page as PNG (CDP Page.captureScreenshot): what it shows, all of it, or one element.

An element in a frame stands somewhere in the frames around it, of which each shows a part.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.geometry import Point, Viewport
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.page import Page
from domsh_repl.engine.pointer import bring_into_view
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import call_on, document_of, evaluate
from domsh_repl.errors import Failed, Hidden, UsageError
from domsh_repl.paths import Path
from domsh_repl.reports import Screenshot
from domsh_repl.roles import FRAMES

__all__ = ["screenshot"]

_SETTLING = 1.0
"""Seconds in which a page in several processes is painted as it was scrolled."""
_NEXT_PAINT = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_LONGEST_SIDE = 16_384
"""Pixels that Chromium paints in one direction; what lies beyond would come out blank."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of a view, in CSS pixels from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, points: Sequence[Point]) -> _Box:
        across, down = [point.x for point in points], [point.y for point in points]
        return cls(min(across), min(down), max(across), max(down))

    def inside(self, other: _Box) -> _Box:
        return _Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    @property
    def corners(self) -> tuple[Point, ...]:
        return (
            Point(self.left, self.top), Point(self.right, self.top),
            Point(self.right, self.bottom), Point(self.left, self.bottom),
        )  # fmt: skip

    @property
    def is_empty(self) -> bool:
        return self.right - self.left < 1 or self.bottom - self.top < 1


async def screenshot(desk: Desk, line: CommandLine, path: Path) -> Screenshot:
    """Take a picture of the view; ``--full`` of the whole page, with a path of one element.

    Raises ``Hidden`` for an element without a place, ``Failed`` for what is too large.
    """
    full, page = line.has("--full"), desk.page
    if not line.operand(0):
        await page.main.call("Page.bringToFront")
        clip = _whole(await page.main.call("Page.getLayoutMetrics")) if full else {}
        return _picture(await _captured(page.main, clip), "")
    if full:
        raise UsageError("--full is of the page, not of an element", "screenshot PATH | --full")
    spot = await desk.resolver.one(path)
    await page.main.call("Page.bringToFront")
    if spot.is_root:
        return _picture(await _captured(page.main, {}), spot.path)
    await bring_into_view(spot)
    if spot.session is not page.main:
        await _settled(desk, spot)
    box, view = await _shown_box(desk, spot)
    if spot.session is page.main:
        return _picture(await _captured(page.main, _clip(box, view)), spot.path)
    return _picture(await _cut_out(page, box, view), spot.path)


async def _settled(desk: Desk, spot: Spot) -> None:
    """Wait until a frame in another process is painted and the pages around have scrolled to it."""
    frames = (desk.page.frames.main, spot.frame)
    before: _Box | None = None
    with contextlib.suppress(TimeoutError, Hidden):
        async with asyncio.timeout(_SETTLING):
            while True:
                paints = (evaluate(frame, _NEXT_PAINT, awaitPromise=True) for frame in frames)
                await asyncio.gather(*paints)
                now = (await _shown_box(desk, spot))[0]
                if now == before:
                    return
                before = now


async def _cut_out(page: Page, box: _Box, view: Viewport) -> str:
    """Return a part of a picture of the whole view.

    With a clip Chromium leaves out what frames in other processes show.
    """
    whole = await _captured(page.main, {})
    document = await document_of(page.frames.main)
    measures = (box.left, box.top, box.right - box.left, box.bottom - box.top, view.width)
    cut = await call_on(page.main, document, "crop", whole, *measures, by_value=True, awaited=True)
    return str(cut["value"])


async def _shown_box(desk: Desk, spot: Spot) -> tuple[_Box, Viewport]:
    """Return where the tab shows an element, in its own view, and that view."""
    session = spot.session
    quads = (await session.call("DOM.getContentQuads", backendNodeId=spot.node.backend))["quads"]
    box = _Box.around([point for quad in quads for point in _corners(quad)])
    depths = (depth for depth in range(len(spot.entries) - 1, 0, -1))
    for depth in depths:
        frame = Spot(spot.document, spot.root, spot.entries[:depth])
        if frame.node.role in FRAMES:
            box = await _seen_through(frame, box, session)
            session = frame.session
    metrics = await desk.page.main.call("Page.getLayoutMetrics")
    if box.is_empty:
        raise Hidden(f"{spot.path} is outside of what its frame shows", "`scroll PATH` moves it")
    return box, Viewport.of(metrics)


async def _seen_through(frame: Spot, box: _Box, session: Session) -> _Box:
    """Return the part of a box in a frame's document that the frame shows, seen from outside."""
    shown, inside = await asyncio.gather(
        frame.session.call("DOM.getBoxModel", backendNodeId=frame.node.backend),
        session.call("Page.getLayoutMetrics"),
    )
    quad = shown["model"]["content"]
    if session is not frame.session:  # a frame in another process measures from its own corner
        box = _Box.around([Viewport.of(inside).mapped(point, quad) for point in box.corners])
    return box.inside(_Box.around(_corners(quad)))


def _corners(quad: Sequence[float]) -> list[Point]:
    return [Point(quad[at], quad[at + 1]) for at in range(0, len(quad), 2)]


def _clip(box: _Box, view: Viewport) -> dict[str, Any]:
    """Return what to capture: a box in document coordinates, beyond the view where it must be."""
    beyond = not (
        box.left >= 0 and box.top >= 0 and box.right <= view.width and box.bottom <= view.height
    )
    return _region(
        box.left + view.left, box.top + view.top, box.right - box.left, box.bottom - box.top,
        beyond=beyond,
    )  # fmt: skip


def _whole(metrics: dict[str, Any]) -> dict[str, Any]:
    size = metrics["cssContentSize"]
    return _region(0, 0, float(size["width"]), float(size["height"]), beyond=True)


def _region(
    left: float, top: float, width: float, height: float, *, beyond: bool
) -> dict[str, Any]:
    if max(width, height) > _LONGEST_SIDE:
        raise Failed(
            f"{width:.0f} by {height:.0f} pixels are too many for one picture,"
            f" {_LONGEST_SIDE} is the longest side",
            "`screenshot PATH` takes a part of the page",
        )
    clip = {"x": left, "y": top, "width": width, "height": height, "scale": 1}
    return {"clip": clip, "captureBeyondViewport": beyond}


async def _captured(session: Session, what: dict[str, Any]) -> str:
    try:
        reply = await session.call("Page.captureScreenshot", format="png", **what)
    except CdpError as error:
        raise Failed(f"the browser takes no picture: {error.message}", "try again") from error
    return str(reply["data"])


def _picture(png: str, path: str) -> Screenshot:
    """Return a picture with its measures, which stand in its header (PNG, 11.2.1 IHDR)."""
    width, height = struct.unpack(">II", base64.b64decode(png[:32])[16:24])
    return Screenshot(png, width, height, path)
