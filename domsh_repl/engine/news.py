"""Waits for what happens in a lane by itself: a navigation, a dialog, a tab, a download.

What the browser tells anyway is all that is looked at, so that waiting wakes no page.
"""

from __future__ import annotations

import asyncio

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.page import Page

__all__ = ["news_came"]


async def news_came(browser: Browser, lane: Lane, told: str, limit: float) -> bool:
    """Wait until the current tab is another than ``told``, the ``PageInfo.mark`` of a reply.

    False after ``limit`` seconds. Raises ``TabGone``, and ``Lost`` when the browser is gone.
    """
    closed = browser.connection.closed
    try:
        async with asyncio.timeout(limit):
            while True:
                page = lane.page
                seen = _seen(page)
                if page.has_notices or await _is_elsewhere(page, told):
                    return True
                await _moved(page, seen, closed)
    except TimeoutError:
        return False


async def _is_elsewhere(page: Page, told: str) -> bool:
    try:
        return (await page.info(fresh=False)).mark != told
    except CdpError:
        return False  # it is just being exchanged for another document, of which is told


async def _moved(page: Page, seen: object, closed: asyncio.Event) -> None:
    """Wait for an event after which the tab may be another one, or the connection's end."""
    ending = asyncio.ensure_future(closed.wait())
    ending.add_done_callback(lambda _done: page.changed.set())
    try:
        while _seen(page) == seen and not closed.is_set():
            page.changed.clear()
            await page.changed.wait()
    finally:
        ending.cancel()


def _seen(page: Page) -> object:
    load = page.load
    return load.commits, load.busy, page.dialog, page.gone, page.has_notices
