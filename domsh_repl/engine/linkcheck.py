"""Asks addresses through the browser's own network, several at a time and each within bounds.

So a proxy and the rules for certificates count as they do for pages (CDP
Network.loadNetworkResource). Cookies are not sent: a link that logs out or deletes must not do
so because it was checked. Each worker has a session of its own, and when an answer takes too
long that session is left, which ends the download.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.errors import DomshError

__all__ = ["Answered", "ask_all"]

_WORKERS = 6
_SECONDS_A_LINK = 8.0
_SHORTEST = 0.05
_ASKED_SCHEMES = frozenset({"http", "https"})
_FIRST_ERROR = 400
_SAYS_NOTHING = frozenset({401, 403, 405, 407, 429})
"""Statuses of a page that may well be there, for those who have cookies or come seldom."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of asking; the fields are those of ``CheckedLink``."""

    ok: bool | None = None
    http: int | None = None
    problem: str = ""


async def ask_all(page: Page, urls: Sequence[str], seconds: float) -> dict[str, Answered]:
    """Ask each address once and return the answers; what ``seconds`` do not suffice for is told."""
    until = time.monotonic() + seconds
    waiting = list(reversed(urls))
    answers: dict[str, Answered] = {}

    async def work() -> None:
        session = _OwnSession(page)
        try:
            while waiting:
                url = waiting.pop()
                answers[url] = await _asked(session, page, url, until)
        finally:
            session.leave()

    count = min(_WORKERS, len(urls))
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(work())
    return answers


async def _asked(session: _OwnSession, page: Page, url: str, until: float) -> Answered:
    if urlsplit(url).scheme.lower() not in _ASKED_SCHEMES:
        return Answered(problem="only http and https are asked")
    left = until - time.monotonic()
    if left <= _SHORTEST:
        return Answered(problem="not asked: the time was over")
    limit = min(left, _SECONDS_A_LINK)
    try:
        async with asyncio.timeout(limit):
            reply = await (await session.entered()).call(
                "Network.loadNetworkResource",
                frameId=page.target_id,
                url=url,
                options={"disableCache": True, "includeCredentials": False},
            )
    except TimeoutError:
        session.leave()
        late = limit < _SECONDS_A_LINK
        return Answered(ok=None if late else False, problem=f"no answer within {limit:.0f} s")
    except (CdpError, DomshError) as error:
        session.leave()
        return Answered(problem=f"it could not be asked: {error.message}")
    resource = reply["resource"]
    await session.drop(str(resource.get("stream", "")))
    return _answer(resource)


def _answer(resource: dict[str, Any]) -> Answered:
    status = int(resource.get("httpStatusCode") or 0) or None
    if resource.get("success"):
        return Answered(ok=True, http=status)
    if status is None:
        return Answered(ok=False, problem=str(resource.get("netErrorName") or "no answer"))
    if status < _FIRST_ERROR:
        return Answered(http=status, problem=str(resource.get("netErrorName") or ""))
    if status in _SAYS_NOTHING:
        return Answered(http=status, problem="it does not answer to everyone")
    return Answered(ok=False, http=status)


class _OwnSession:
    """A session of a page beside the one that commands use; leaving it ends what it loads."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: Session | None = None

    async def entered(self) -> Session:
        if self._session is None:
            self._session = await self._page.frames.another_session(self._page.target_id)
        return self._session

    async def drop(self, stream: str) -> None:
        """Let the browser forget a body that nobody reads."""
        if stream and self._session is not None:
            with contextlib.suppress(CdpError, DomshError):
                await self._session.call("IO.close", handle=stream)

    def leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            self._page.frames.leave_session(session)
