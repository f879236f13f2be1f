"""Whose lanes are whose over HTTP, and which of them nobody will use any more.

A lane belongs to the MCP session that used it last. It is closed when that session has ended
and none took it over within a minute, or when nobody used it for eight hours: an HTTP client
may go away without a word.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from domsh_repl.engine.gate import App, Receive, Scope, Send
from domsh_repl.engine.lanes import Browser

__all__ = ["IDLE_SECONDS", "SESSION_HEADER", "Keeper"]

SESSION_HEADER = "mcp-session-id"
IDLE_SECONDS = 8 * 3600.0
_GRACE_SECONDS = 60.0
"""Seconds in which a client that connects anew finds its lane again."""
_LOOK_EVERY = 15.0


@dataclass(slots=True)
class _Use:
    session: str
    ends: float


class Keeper:
    """Keeps note of who uses the lanes of a browser. ``now`` is a clock in seconds."""

    def __init__(
        self,
        browser: Browser,
        *,
        grace: float = _GRACE_SECONDS,
        idle: float = IDLE_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._browser = browser
        self._grace = grace
        self._idle = idle
        self._now = now
        self._uses: dict[int, _Use] = {}

    def used(self, lane: int, session: str) -> None:
        """Note that a session used a lane just now."""
        self._uses[lane] = _Use(session, self._now() + self._idle)

    def left(self, session: str) -> None:
        """Note that a session has ended."""
        for use in self._uses.values():
            if session and use.session == session:
                use.ends = min(use.ends, self._now() + self._grace)

    async def close_left(self) -> None:
        """Close the lanes that nobody uses any more."""
        lanes, now = self._browser.lanes, self._now()
        # one that was made for a call which was given up has no user yet
        self._uses = {lane: self._uses.get(lane) or _Use("", now + self._idle) for lane in lanes}
        for number in [lane for lane, use in self._uses.items() if use.ends <= now]:
            lane = lanes[number]
            if not lane.lock.locked():  # a command that runs for long is a use of it
                await self._browser.close_lane(lane)

    async def keep(self) -> None:
        """Close from time to time what nobody uses, until cancelled."""
        while True:
            await asyncio.sleep(min(_LOOK_EVERY, self._grace))
            await self.close_left()

    def watching(self, app: App) -> App:
        """Return an ASGI application that tells of sessions which their clients end."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            if scope["type"] == "http" and scope["method"] == "DELETE":
                for name, value in scope["headers"]:
                    if name == SESSION_HEADER.encode():
                        self.left(value.decode("latin-1"))

        return watched
