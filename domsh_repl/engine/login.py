"""Keeps and brings back what makes a lane logged in: its cookies and what its origins stored.

Cookies are the context's own (CDP Storage domain), HttpOnly ones too. Storage belongs to an
origin and can only be reached from a document of it: where none is open, a tab of ours shows an
empty one that is answered here (CDP Fetch domain), so nothing is asked of any server.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from domsh_repl.engine.cdp import CdpError, Params, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import run_in
from domsh_repl.errors import DomshError, Failed, TabGone, Unsupported, UsageError
from domsh_repl.jsonform import decode
from domsh_repl.logins import Cookie, Item, Kept, Login, Stored

__all__ = ["state"]

_SEEN = 10.0
"""Seconds in which an empty document of ours must be there."""
_WEB = ("http", "https")
_LOCAL, _SESSION = "localStorage", "sessionStorage"
_EMPTY_PAGE = base64.b64encode(b"<!doctype html><title></title>").decode()
_HTML = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
_BACK = """(() => {{
  if (location.origin !== {origin}) return;
  for (const [key, value] of {pairs})
    if (sessionStorage.getItem(key) === null) sessionStorage.setItem(key, value);
}})()"""


async def state(browser: Browser, lane: Lane, line: CommandLine) -> Login | Kept:
    """Return the lane's login (``save``), or bring one back (``load``, with its JSON).

    Only domsh's own clients are told the cookies: raises ``Unsupported`` for others.
    """
    if not line.envelope:
        raise Unsupported("cookies are not told to other programs", "`domsh` has state save|load")
    if lane.current in lane.pages:
        lane.page.require_usable()
    if line.operand(0) == "save":
        return await _saved(browser, lane)
    if line.operand(0) == "load":
        try:
            login = decode(Login, json.loads(line.operand(1)))
        except (ValueError, TypeError, KeyError) as error:
            raise UsageError("usage: state save | state load JSON") from error
        return await _loaded(browser, lane, login)
    raise UsageError("usage: state save | state load JSON")


async def _saved(browser: Browser, lane: Lane) -> Login:
    cookies = await _cookies(browser, lane)
    local: dict[str, tuple[Item, ...]] = {}
    session: dict[str, tuple[Item, ...]] = {}
    current = lane.pages.get(lane.current)
    pages = [page for page in lane.pages.values() if page is not current]
    for page in [*pages, *filter(None, [current])]:  # of two tabs of an origin the current counts
        origin = await _origin_of(page)
        if origin:
            with contextlib.suppress(CdpError, DomshError):  # it waits for a dialog, or crashed
                frame = page.frames.main
                local[origin] = await _stored(frame, _LOCAL)
                session[origin] = await _stored(frame, _SESSION)
    others = [origin for origin in lane.origins if origin not in local]
    if others:
        async with _own_tab(browser, lane) as tab:
            for origin in others:
                local[origin] = await _stored(await tab.show(origin), _LOCAL)
    found = [
        Stored(origin, items, session.get(origin, ()))
        for origin, items in sorted(local.items())
        if items or session.get(origin)
    ]
    return Login(cookies, tuple(found))


async def _origin_of(page: Page) -> str:
    parts = urlsplit((await page.info(fresh=False)).url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in _WEB else ""


async def _stored(frame: Frame, area: str) -> tuple[Item, ...]:
    told = (await run_in(frame, "stored", area)).get("value")
    pairs = json.loads(told) if isinstance(told, str) else []
    return tuple(Item(str(key), str(value)) for key, value in sorted(pairs))


async def _cookies(browser: Browser, lane: Lane) -> tuple[Cookie, ...]:
    reply = await browser.connection.browser.call(
        "Storage.getCookies", browserContextId=lane.context_id
    )
    found = map(_cookie, reply["cookies"])
    return tuple(sorted(found, key=lambda one: [part or "" for part in one.identity]))


def _cookie(told: Mapping[str, Any]) -> Cookie:
    partition = told.get("partitionKey") or {}
    expires = float(told.get("expires", -1))
    return Cookie(
        name=str(told["name"]),
        domain=str(told["domain"]),
        path=str(told.get("path", "/")),
        value=str(told["value"]),
        expires=expires if expires > 0 else None,
        http_only=bool(told.get("httpOnly")),
        secure=bool(told.get("secure")),
        same_site=str(told.get("sameSite", "")),
        priority=str(told.get("priority", "Medium")),
        source_scheme=str(told.get("sourceScheme", "Unset")),
        source_port=int(told.get("sourcePort", -1)),
        partition_site=partition.get("topLevelSite"),
        partition_cross_site=bool(partition.get("hasCrossSiteAncestor")),
    )


def _written(cookie: Cookie) -> dict[str, Any]:
    """Return a cookie as the browser takes it (CDP Network.CookieParam).

    One of a host alone is given by an address of that host: a domain would be for those below.
    """
    written: dict[str, Any] = {
        "name": cookie.name, "value": cookie.value, "path": cookie.path, "secure": cookie.secure,
        "httpOnly": cookie.http_only, "priority": cookie.priority,
        "sourceScheme": cookie.source_scheme, "sourcePort": cookie.source_port,
    }  # fmt: skip
    if cookie.domain.startswith("."):
        written["domain"] = cookie.domain
    else:
        secure = cookie.secure or cookie.source_scheme == "Secure"
        written["url"] = f"{'https' if secure else 'http'}://{cookie.domain}{cookie.path}"
    if cookie.expires is not None:
        written["expires"] = cookie.expires
    if cookie.same_site:
        written["sameSite"] = cookie.same_site
    if cookie.partition_site is not None:
        written["partitionKey"] = {
            "topLevelSite": cookie.partition_site,
            "hasCrossSiteAncestor": cookie.partition_cross_site,
        }
    return written


async def _loaded(browser: Browser, lane: Lane, login: Login) -> Kept:
    problems: list[str] = []
    await asyncio.gather(*(_set(browser, lane, one) for one in login.cookies))
    there = {cookie.identity for cookie in await _cookies(browser, lane)}
    taken = [one for one in login.cookies if one.identity in there]
    lost = len(login.cookies) - len(taken)
    if lost:
        problems.append(f"{lost} of {len(login.cookies)} cookies are no longer valid")
    origins = [one for one in login.origins if urlsplit(one.origin).scheme in _WEB]
    if origins:
        async with _own_tab(browser, lane) as tab:
            for one in origins:
                problem = await _store(tab, one)
                if problem:
                    problems.append(problem)
    for one in origins:
        if one.session_storage:
            await _give_session(lane, one)
    return Kept(len(taken), len(origins), tuple(problems))


async def _set(browser: Browser, lane: Lane, cookie: Cookie) -> None:
    with contextlib.suppress(CdpError):  # that it is not there tells it
        await browser.connection.browser.call(
            "Storage.setCookies", cookies=[_written(cookie)], browserContextId=lane.context_id
        )


async def _store(tab: _OwnTab, stored: Stored) -> str:
    """Put back what an origin keeps for good; return what went wrong."""
    if not stored.local_storage:
        return ""
    frame = await tab.show(stored.origin)
    failure = (await run_in(frame, "store", _LOCAL, _pairs(stored.local_storage))).get("value")
    return f"the storage of {stored.origin} was not taken: {failure}" if failure else ""


def _pairs(items: Sequence[Item]) -> list[tuple[str, str]]:
    return [(item.key, item.value) for item in items]


async def _give_session(lane: Lane, stored: Stored) -> None:
    """Put what an origin keeps for a tab into the current one: now, or when it comes there."""
    page = lane.page
    if await _origin_of(page) == stored.origin:
        await run_in(page.frames.main, "store", _SESSION, _pairs(stored.session_storage))
        return
    source = _BACK.format(
        origin=json.dumps(stored.origin), pairs=json.dumps(_pairs(stored.session_storage))
    )
    added = await page.main.call(
        "Page.addScriptToEvaluateOnNewDocument", source=source, worldName="domsh"
    )
    given = str(added["identifier"])
    page.main.on("Page.frameNavigated", partial(_given, page.main, given, stored.origin))


def _given(session: Session, script: str, origin: str, event: Params) -> None:
    """Give a tab its storage once: what a page takes out of it stays out."""
    frame = event["frame"]
    if not frame.get("parentId") and frame.get("securityOrigin") == origin:
        session.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


class _OwnTab:
    """A tab that shows empty documents of origins, each answered here."""

    def __init__(self, page: Page, session: Session) -> None:
        self._page = page
        self._session = session
        session.on("Fetch.requestPaused", self._answer)

    async def show(self, origin: str) -> Frame:
        """Show an empty document of an origin; raises ``Failed`` where that does not work."""
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def navigated(event: Params) -> None:
            frame = event["frame"]
            if not shown.done() and str(frame.get("securityOrigin")) == origin:
                shown.set_result(None)

        self._session.on("Page.frameNavigated", navigated)
        try:
            async with asyncio.timeout(_SEEN):
                reply = await self._session.call("Page.navigate", url=f"{origin}/")
                if reply.get("errorText"):
                    raise Failed(f"{origin} cannot be shown: {reply['errorText']}")
                await shown
        except TimeoutError as error:
            raise Failed(f"{origin} cannot be shown") from error
        return Frame(self._page.main, self._page.target_id)

    def _answer(self, event: Params) -> None:
        self._session.call(
            "Fetch.fulfillRequest",
            requestId=event["requestId"],
            responseCode=200,
            responseHeaders=_HTML,
            body=_EMPTY_PAGE,
        )


@contextlib.asynccontextmanager
async def _own_tab(browser: Browser, lane: Lane) -> AsyncIterator[_OwnTab]:
    """Give a tab of ours for a while; the current one stays so, and nothing tells of it."""
    current = lane.current
    page = await browser.new_tab(lane)
    lane.current = current
    try:
        session = await page.frames.another_session(page.target_id)
        await session.call("Page.enable")
        await session.call("Network.enable")
        await session.call("Network.setBypassServiceWorker", bypass=True)
        await session.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        yield _OwnTab(page, session)
    finally:
        with contextlib.suppress(CdpError, TabGone, TimeoutError):
            await browser.close_tab(lane, page)
        lane.logs.forget(page.tab)
