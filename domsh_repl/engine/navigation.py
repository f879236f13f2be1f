"""Going places: open, history, reload, and waiting for the document (docs/design.md, 11)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from domsh_repl.engine.addresses import navigation_error
from domsh_repl.engine.cdp import CdpError, Pending
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.loading import NO_CONTENT, LoadMark
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import evaluate
from domsh_repl.errors import DialogOpen, DomshError, NavigationFailed, TabCrashed, TimedOut
from domsh_repl.safetext import one_line

__all__ = ["go", "reload", "settle", "walk_history"]

_ABORTED = "net::ERR_ABORTED"
_ERROR_PAGE_DEADLINE = 1.0
_DOWNLOAD_DEADLINE = 0.5
"""Seconds in which the browser tells of a download after the navigation to it has ended."""
_HANDLERS_DEADLINE = 0.5
"""Seconds that a task of the page may take: it may be busy."""
_ONE_TASK_LATER = "new Promise((done) => setTimeout(done, 0))"


async def go(page: Page, url: str, deadline: Deadline) -> None:
    """Navigate and wait for the document; raises ``NavigationFailed`` with the reason."""
    load, commits = page.load, page.load.commits
    reply = await _answered(page, page.leave("Page.navigate", url=url), url, deadline)
    failure, document = str(reply.get("errorText", "")), str(reply.get("loaderId", ""))
    if reply.get("isDownload") or failure == _ABORTED:
        await _loaded(page, lambda: not load.pending, deadline)
        if load.commits == commits and page.dialog is None:
            await _require_download(page, url, load.status_of(document))
            return
    elif failure:
        await page.until(lambda: load.commits > commits, _ERROR_PAGE_DEADLINE)
        raise page.guard.refusal(failure) or navigation_error(url, failure)
    await _loaded(page, lambda: load.commits > commits and not load.busy, deadline)
    await settle(page, load.mark(), deadline)  # a page may send elsewhere as soon as it is there


async def reload(page: Page, *, hard: bool, deadline: Deadline) -> None:
    """Reload the document, without the cache when ``hard`` (Page.reload)."""
    await _replaced(page, page.leave("Page.reload", ignoreCache=hard), deadline)


async def walk_history(page: Page, steps: int, deadline: Deadline) -> None:
    """Go back (negative) or forward in the tab's history; raises ``NavigationFailed``."""
    entry = await page.entry_at(steps)
    if entry is None:
        way, other = ("earlier", "forward") if steps < 0 else ("later", "back")
        raise NavigationFailed(
            f"there is no {way} page in the history of this tab", f"`{other}` goes the other way"
        )
    await _replaced(page, page.leave("Page.navigateToHistoryEntry", entryId=entry), deadline)


async def settle(page: Page, before: LoadMark, deadline: Deadline) -> None:
    """After an action: wait for the load that it began, if it began one."""
    try:
        # a task later: what a handler put off with a zero timeout has been asked for, too
        async with asyncio.timeout(min(deadline.left, _HANDLERS_DEADLINE)):
            await page.unless_left(evaluate(page.frames.main, _ONE_TASK_LATER, awaitPromise=True))
    except (CdpError, TimeoutError):
        pass  # the document went away under the call: that is a navigation
    except DialogOpen:
        return
    if page.load.requests == before.requests and not page.load.leaving:
        return  # a load that was under way before is nobody's business here
    load = page.load
    # a javascript: link asks for a load, too, and leads nowhere: what was there may never load
    await _loaded(
        page,
        lambda: not load.pending and (load.loaded or load.document == before.document),
        deadline,
    )
    if page.load.refused > before.refused:
        await _download_told(page)


async def _require_download(page: Page, url: str, status: int | None) -> None:
    """Raise ``NavigationFailed`` unless a download is why no document came."""
    if status in NO_CONTENT or not await _download_told(page):
        raise navigation_error(url, "", status)


async def _download_told(page: Page) -> bool:
    """Wait a moment for a download to be told, where a navigation led to no document."""
    return await page.until(lambda: bool(page.downloads), _DOWNLOAD_DEADLINE)


async def _replaced(page: Page, call: Pending, deadline: Deadline) -> None:
    load = page.load
    commits, ends = load.commits, load.ends
    await _answered(page, call, "the page", deadline)
    await _loaded(
        page,
        lambda: not load.busy and (load.commits > commits or load.ends > ends),
        deadline,
    )
    if load.failed_url:
        refusal = page.guard.refusal(load.failure)
        raise refusal or navigation_error(load.failed_url, load.failure)
    if page.dialog is None and not load.busy and load.commits == commits:
        raise NavigationFailed(
            "the server sent no page; the old one stays", "`open URL` goes somewhere else"
        )


async def _answered(page: Page, call: Pending, what: str, deadline: Deadline) -> dict[str, Any]:
    """Await a navigation; one that is given up does not go on behind the user's back."""
    try:
        async with asyncio.timeout(deadline.left):
            return await call
    except CdpError as error:
        raise NavigationFailed(f"{one_line(what)}: {error.message}", "is it a URL?") from error
    except TimeoutError as error:
        _stop(page)
        raise TimedOut(
            f"no answer from {one_line(what)} within {deadline.seconds:g} s",
            "--timeout gives it more",
        ) from error
    except asyncio.CancelledError:
        _stop(page)
        raise


def _stop(page: Page) -> None:
    with contextlib.suppress(DomshError):
        page.main.call("Page.stopLoading")


async def _loaded(page: Page, holds: Callable[[], bool], deadline: Deadline) -> None:
    """Wait for ``holds`` or what ends the waiting; a slow page is no error (``still loading``)."""
    await page.until(
        lambda: bool(holds() or page.dialog or page.load.crashed or page.gone), deadline.left
    )
    if page.load.crashed:
        raise TabCrashed(
            "the page crashed", "`reload` loads it again, `open URL` goes somewhere else"
        )
    if page.gone is not None:
        page.require_usable()
