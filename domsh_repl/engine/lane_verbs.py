"""The verbs about a lane rather than a page: ``tabs pwd info close group console requests``."""

from __future__ import annotations

import asyncio
import contextlib

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine, is_number
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import evaluate
from domsh_repl.errors import NotFound, TabCrashed, Unsupported, UsageError
from domsh_repl.nodes import Effect, EffectKind, Message, Tabs, Where
from domsh_repl.reports import Console, Downloads, Requests
from domsh_repl.safetext import escape

__all__ = [
    "at_browser", "close", "console", "downloads", "group", "info", "pwd", "requests", "tabs",
]  # fmt: skip

_TABS_PREFIX = "~/tabs/"
_BROWSER_PATHS = frozenset({"~", "~/", "~/tabs", "~/tabs/"})
_COUNT_ELEMENTS = "Document.prototype.getElementsByTagName.call(document, '*').length"
_LOGGED = 100
"""Messages and requests that are told unless more are wanted."""
_COUNT_DEADLINE = 0.25
"""Seconds that a busy page may keep a mere description of it waiting for a number."""


async def tabs(browser: Browser, lane: Lane, line: CommandLine) -> Tabs:
    """List the tabs of the lane."""
    del line
    return Tabs(await browser.tabs(lane))


async def pwd(browser: Browser, lane: Lane, line: CommandLine) -> Where:
    """Tell where the lane is."""
    del browser, line
    return await _where(lane, None)


async def info(browser: Browser, lane: Lane, line: CommandLine) -> Where:
    """Tell where the lane is, and how many elements the page has."""
    del browser, line
    return await _where(lane, await _counted(lane.page))


async def close(browser: Browser, lane: Lane, line: CommandLine) -> Message:
    """Close a tab."""
    operand = line.operand(0, str(lane.current))
    if not is_number(operand):
        raise UsageError("usage: close [TAB]")
    await browser.close_tab(lane, lane.tab(int(operand)))
    return Message(f"closed tab {operand}", {"closed": int(operand)})


async def group(browser: Browser, lane: Lane, line: CommandLine) -> Message:
    """List the lanes, or close this one."""
    wanted = line.operand(0, "list")
    if wanted == "close":
        await browser.close_lane(lane)
        return Message(f"closed lane {lane.id}", {"closed": lane.id})
    if wanted == "list":
        return Message(
            "lanes: " + " ".join(map(str, browser.lanes)), {"lanes": list(browser.lanes)}
        )
    raise Unsupported(f"group {escape(wanted)} is not offered", "group list, group close")


async def console(browser: Browser, lane: Lane, line: CommandLine) -> Console:
    """Tell what the lane's tabs logged."""
    del browser
    return lane.logs.console(line.number("-n", _LOGGED))


async def requests(browser: Browser, lane: Lane, line: CommandLine) -> Requests:
    """Tell what the lane's tabs asked for."""
    del browser
    return lane.logs.requests(line.number("-n", _LOGGED), failed=line.has("--failed"))


async def downloads(browser: Browser, lane: Lane, line: CommandLine) -> Downloads:
    """Tell which files the lane's tabs offered."""
    del browser, line
    return lane.logs.downloads()


async def at_browser(browser: Browser, lane: Lane, line: CommandLine, operand: str) -> object:
    """List the tabs at ``~``, or switch to one of them; raises ``NotFound`` for other places."""
    if line.verb == "ls" and operand in _BROWSER_PATHS:
        return await tabs(browser, lane, line)
    number = operand.removeprefix(_TABS_PREFIX)
    if line.verb == "cd" and operand.startswith(_TABS_PREFIX) and is_number(number):
        page = lane.tab(int(number))
        lane.current = page.tab
        shown = await page.info()
        return Effect(
            "tab", "/", EffectKind.SEEN, shown.url, shown.title, shown.loading, value=number
        )
    raise NotFound(f"{escape(operand)} is no place", "`ls ~` lists the tabs of this lane")


async def _where(lane: Lane, elements: int | None) -> Where:
    shown = await lane.page.info()
    return Where(
        shown.url, shown.title, lane.directory, shown.tab, str(lane.id), shown.loading,
        shown.http, elements,
    )  # fmt: skip


async def _counted(page: Page) -> int | None:
    if page.dialog is not None:
        return None
    with contextlib.suppress(CdpError, TabCrashed, TimeoutError):
        async with asyncio.timeout(_COUNT_DEADLINE):
            found = await evaluate(page.frames.main, _COUNT_ELEMENTS)
        return int(found.get("value", 0))
    return None
