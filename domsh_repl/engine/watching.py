"""Watches a page: for its next change, and for the moment when nothing happens in it any more.

The page's own events are followed: navigations, dialogs, downloads, messages, changes of the
tree that was read, and mutations of the document. What gives no event at all, such as a style
that moves something away, is seen because whoever waits looks again after a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import evaluate, script_source
from domsh_repl.errors import DomshError
from domsh_repl.nodes import Message

__all__ = ["next_change", "settled"]

_QUIET = 0.25
"""Seconds without any change of the document after which it is quiet (docs/language.md §5)."""


async def next_change(lane: Lane, page: Page, updates: Callable[[], int], limit: float) -> None:
    """Return at the page's next event or after ``limit`` seconds.

    ``updates`` counts what the browser told of the nodes that were read.
    """
    seen = _state(lane, page), updates()

    def moved_on() -> bool:
        return (_state(lane, page), updates()) != seen or bool(page.gone)

    if page.dialog is not None or page.load.leaving:  # the document answers nothing meanwhile
        await page.until(moved_on, limit)
        return
    mutated = asyncio.ensure_future(_mutated(page, limit))
    mutated.add_done_callback(lambda _done: page.changed.set())
    try:
        await page.until(lambda: _saw(mutated) or moved_on(), limit)
    finally:
        mutated.cancel()


async def settled(lane: Lane, page: Page, limit: float) -> Message:
    """Tell whether the page comes to rest within ``limit`` seconds, and what is still going on.

    At rest is what does not load, waits for no answer to a request that the last action
    started, and has not changed its document for 250 ms.
    """
    until = time.monotonic() + limit
    while True:
        reason = _unrest(lane, page)
        left = until - time.monotonic()
        if not reason:
            if not await _mutated(page, _QUIET) and not _unrest(lane, page):
                return Message("settled", {"settled": True, "reason": "nothing happens"})
            reason = "the page keeps changing"
        if left <= 0:
            return Message(reason, {"settled": False, "reason": reason})
        if reason != "the page keeps changing":
            seen = _state(lane, page), reason
            await page.until(lambda seen=seen: _moved_on(lane, page, seen), min(left, _QUIET))  # type: ignore[misc]


def _moved_on(lane: Lane, page: Page, seen: object) -> bool:
    return (_state(lane, page), _unrest(lane, page)) != seen or bool(page.gone)


def _unrest(lane: Lane, page: Page) -> str:
    if page.dialog is not None:
        return f"its {page.dialog.type} dialog is open"
    if page.load.busy:
        return "the page is loading"
    asked = lane.logs.awaited(lane.acted, page.tab)
    return f"it waits for {asked}" if asked else ""


def _state(lane: Lane, page: Page) -> object:
    load = page.load
    return load.commits, load.busy, page.dialog, page.has_notices, lane.logs.told


def _saw(mutated: asyncio.Future[bool]) -> bool:
    return mutated.done() and not mutated.cancelled() and mutated.result()


async def _mutated(page: Page, seconds: float) -> bool:
    """Tell whether the document changes within some seconds; one that gives no answer does.

    Frames are not looked into: what changes in one is seen by whoever looks again.
    """
    expression = f"({script_source('mutated')}).call(document, {round(seconds * 1000)})"
    call = evaluate(page.frames.main, expression, awaitPromise=True, returnByValue=True)
    with contextlib.suppress(CdpError, DomshError, TimeoutError):
        async with asyncio.timeout(seconds + _QUIET):
            return (await call).get("value") is True
    return True
