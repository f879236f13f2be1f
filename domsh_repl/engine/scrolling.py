"""Scrolling the page by views, and how far that came."""

from __future__ import annotations

from domsh_repl.engine.effects import Outcome
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import call_on, document_of
from domsh_repl.errors import UsageError

__all__ = ["WAYS", "scrolled"]

WAYS = ("up", "down", "top", "bottom")


async def scrolled(page: Page, way: str) -> Outcome:
    """Scroll and tell where the page then stands; ``seen`` is whether it moved."""
    if way not in WAYS:
        raise UsageError(f"{way!r} is no way to scroll", f"scroll {' | '.join(WAYS)} | PATH")
    frame = page.frames.main
    told = await call_on(frame.session, await document_of(frame), "scroll", way, by_value=True)
    moved, share, has_room = told["value"]
    if not has_room:
        return Outcome("nothing to scroll")
    place = {0.0: "the top", 1.0: "the bottom"}.get(round(float(share), 3), f"{share:.0%}")
    return Outcome(place, seen=bool(moved))
