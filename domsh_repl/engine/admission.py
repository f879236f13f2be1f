"""Whether a line may run on the page that a lane shows now, asked before each of them."""

from __future__ import annotations

import asyncio
import time

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.page import Page
from domsh_repl.engine.policy import Policy
from domsh_repl.engine.worlds import evaluate
from domsh_repl.errors import Denied, DialogOpen

__all__ = ["admit"]

_INHERITING = ("about:", "blob:")
"""Documents whose origin is that of who made them, and does not stand in their URL."""
_OPAQUE = "null"
_LOOK_EVERY = 0.02
_ON_ITS_WAY = 2.0
"""Seconds in which a page that is on its way may arrive before it is judged."""


async def admit(lane: Lane, page: Page | None, line: CommandLine, policy: Policy) -> None:
    """Hold the lane to the policy's hosts; raises ``Denied`` for a line that is not allowed.

    ``page`` is what the line would work on.
    """
    lane.guard.hold(policy.domains)
    if policy.concerns_target(line):
        current = "" if page is None else await _url(page)
        policy.require_target(line, current)
    if page is not None and policy.concerns_page(line):
        await _require_allowed(lane, page, line, policy)


async def _require_allowed(lane: Lane, page: Page, line: CommandLine, policy: Policy) -> None:
    """Judge by the URL, by the origin where that says nothing, and by what the guard saw."""
    # a load that was refused is an error page in a moment: it is that which is judged
    load = page.load
    await page.until(lambda: page.dialog is not None or not load.pending, _ON_ITS_WAY)
    if lane.guard.awaits_error(page.target_id):
        await page.until(lambda: page.dialog is not None or bool(load.failed_url), _ON_ITS_WAY)
    url = await _url(page)
    inherits = not url or url.startswith(_INHERITING)
    if not inherits:
        policy.require_page(url)
    if inherits or not page.load.document:
        origin = await _origin(page, line)
        if origin != _OPAQUE:
            policy.require_page(origin)
    elif not lane.guard.known(page.load.document):
        raise Denied(
            "the page was loaded before it was said which hosts are allowed",
            "`reload` loads it anew",
        )


async def _url(page: Page) -> str:
    """Return the URL of the page; the browser knows none in the moment of an exchange."""
    until = time.monotonic() + _ON_ITS_WAY
    while True:
        try:
            return (await page.info(fresh=False)).url
        except CdpError:
            if time.monotonic() >= until:
                raise
            await asyncio.sleep(_LOOK_EVERY)


async def _origin(page: Page, line: CommandLine) -> str:
    """Return the origin of the document (HTML, 7.2.2: ``origin``), which a blank one inherits."""
    try:
        return str((await evaluate(page.frames.main, "self.origin")).get("value"))
    except DialogOpen:
        if line.verb != "dialog":
            raise
        return _OPAQUE  # nothing can be asked now, and an answer to the dialog reads nothing
