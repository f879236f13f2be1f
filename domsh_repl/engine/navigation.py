"""Going places: open, history, reload, and waiting until the document is there (DESIGN 11)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.page import Page
from domsh_repl.errors import (
    BlockedUrl,
    DialogOpen,
    DomshError,
    NavigationFailed,
    TabCrashed,
    TimedOut,
)
from domsh_repl.safetext import one_line

__all__ = ["allowed_url", "go", "reload", "settle", "walk_history"]

_ABORTED = "net::ERR_ABORTED"
_SCHEMES = frozenset({"http", "https"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_REASONS = {
    "net::ERR_NAME_NOT_RESOLVED": "the host name is not known",
    "net::ERR_CONNECTION_REFUSED": "nothing listens there (connection refused)",
    "net::ERR_CONNECTION_RESET": "the connection was reset",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_UNSAFE_PORT": "the browser refuses that port",
    "net::ERR_FILE_NOT_FOUND": "there is no such file",
    "net::ERR_EMPTY_RESPONSE": "the server sent nothing",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects for ever",
    "net::ERR_SSL_PROTOCOL_ERROR": "the server does not speak TLS",
}


def allowed_url(url: str, *, allow_file: bool) -> str:
    """Return the URL if its scheme may be opened; raises ``BlockedUrl`` naming the scheme."""
    cleaned = url.strip()
    if cleaned.lower() == "about:blank":
        return cleaned
    if not _SCHEME.match(cleaned):
        cleaned = f"https://{cleaned}"
    scheme = urlsplit(cleaned).scheme.lower()
    if scheme in _SCHEMES or (scheme == "file" and allow_file):
        return cleaned
    hint = "--allow-file permits it" if scheme == "file" else "http, https and about:blank are opened"
    raise BlockedUrl(f"{scheme}: URLs are not opened", hint)


async def go(page: Page, url: str, deadline: float) -> None:
    """Navigate and wait for the document; raises ``NavigationFailed`` with the reason."""
    page.revive()
    commits = page.load.commits
    try:
        async with asyncio.timeout(deadline):
            reply = await page.main.call("Page.navigate", url=url)
    except TimeoutError as error:
        raise TimedOut(f"no answer from {one_line(url)} within {deadline:g} s") from error
    except CdpError as error:
        raise NavigationFailed(f"{one_line(url)}: {error.message}") from error
    failure = str(reply.get("errorText", ""))
    if failure and failure != _ABORTED:
        await page.until(lambda: page.load.commits > commits, 1)
        raise navigation_error(url, failure)
    if reply.get("isDownload"):
        page.notices.append(f"{one_line(url)} is a download; the page stays")
        return
    if failure:
        if page.dialog is None:
            raise NavigationFailed(f"{one_line(url)}: the page did not change")
        return
    document = str(reply.get("loaderId", ""))
    if document:
        await _loaded(page, lambda: page.load.has_loaded(document), deadline)


async def reload(page: Page, *, hard: bool, deadline: float) -> None:
    """Reload the document, without the cache when ``hard`` (Page.reload)."""
    page.revive()
    before = page.load.commits
    await page.main.call("Page.reload", ignoreCache=hard)
    await _arrived(page, before, deadline)


async def walk_history(page: Page, steps: int, deadline: float) -> None:
    """Go back (negative) or forward in the tab's history; raises ``NavigationFailed``."""
    entry = await page.entry_at(steps)
    if entry is None:
        way = "earlier" if steps < 0 else "later"
        raise NavigationFailed(f"there is no {way} page in the history of this tab")
    page.revive()
    before = page.load.commits
    await page.main.call("Page.navigateToHistoryEntry", entryId=entry)
    await _arrived(page, before, deadline)


async def settle(page: Page, requests: int, deadline: float) -> None:
    """After an action: wait for the load that it began, if it began one."""
    try:
        # a task later: what a handler put off with a zero timeout has been asked for, too
        await page.main.call(
            "Runtime.evaluate",
            expression="new Promise((done) => setTimeout(done, 0))",
            awaitPromise=True,
        )
    except CdpError:
        pass  # the document went away under the call: that is a navigation
    except DialogOpen:
        return
    if page.load.requests > requests or page.load.busy:
        await _loaded(page, lambda: not page.load.busy, deadline)


async def _arrived(page: Page, commits: int, deadline: float) -> None:
    await _loaded(page, lambda: page.load.commits > commits and not page.load.busy, deadline)
    if page.load.failed_url:
        raise navigation_error(page.load.failed_url, "")


async def _loaded(page: Page, holds: Callable[[], bool], deadline: float) -> None:
    """Wait for ``holds`` or what ends the waiting; a slow page is no error (``still loading``)."""
    await page.until(
        lambda: bool(holds() or page.dialog or page.load.crashed or page.gone), deadline
    )
    if page.load.crashed:
        raise TabCrashed("the page crashed", "`reload` loads it again")
    if isinstance(page.gone, DomshError):
        raise page.gone


def navigation_error(url: str, failure: str) -> NavigationFailed:
    """Word a failure of the network for the user."""
    reason = _REASONS.get(failure)
    if reason is None and "CERT" in failure:
        reason = f"its certificate is not trusted ({failure})"
    shown = one_line(url, 120)
    hint = "is the address right, and does the server run?"
    return NavigationFailed(f"cannot open {shown}: {reason or failure or 'it failed to load'}", hint)
