"""One request's conversation with a real DOMShell: lines out, values in, within one deadline."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from domsh_repl.errors import Failed, Lost, TimedOut
from domsh_repl.link.domshell import lines, scripts
from domsh_repl.link.domshell.refusals import unanswered, unreadable
from domsh_repl.link.domshell.replies import read_reply
from domsh_repl.link.domshell.scripts import Check
from domsh_repl.link.domshell.told import Done, Script

__all__ = ["Talk"]

T = TypeVar("T")
_SCRIPT_SECONDS = 5.0
"""A script of ours answers at once; one that does not never will, and holds up the lane."""
_CHECK_SECONDS = 2.0
_MUTE, _LEAVING = 5.0, 2.0
"""Seconds in which a page that goes away may leave questions unanswered, or refuse them."""
_PAUSE = 0.05
_WENT_AWAY = "navigated or closed"
"""What Chromium says, and DOMShell passes on, of a call whose document went away."""


class _Said(Protocol):
    @property
    def text(self) -> str:
        """The text of the reply."""


class Talk:
    """Says lines and reads what comes back; every wait ends with the request's deadline.

    ``dialogs`` are those that the page raised, type and message; ``notices`` what the user has
    to know of the answer.
    """

    def __init__(self, exchange: Callable[[str, float], Awaitable[_Said]], deadline: float) -> None:
        self.exchange = exchange
        self._deadline = deadline
        self._until = time.monotonic() + deadline
        self.lane = ""
        self.dialogs: list[tuple[str, str]] = []
        self.notices: list[str] = []

    @property
    def left(self) -> float:
        """Seconds that are left; raises ``TimedOut`` when there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise self._late()
        return left

    def _late(self) -> TimedOut:
        return TimedOut(f"no answer within {self._deadline:g} s", "--timeout gives more")

    async def say(self, line: str, kind: type[T], *, seconds: float = 0.0) -> T:
        """Send a line and return its value, which must be of a kind.

        Raises the error that DOMShell's refusal stands for, ``Lost`` for another reply.
        """
        limit = min(seconds, self.left) if seconds else self.left
        try:
            reply = await self.exchange(line, limit)
        except TimedOut as error:
            if seconds:
                raise
            raise self._late() from error
        reading = read_reply(line, reply.text)
        self.lane = reading.lane or self.lane
        value = reading.get()
        if not isinstance(value, kind):
            raise unreadable(reply.text).error
        return value

    async def script(self, line: str, *, seconds: float = _SCRIPT_SECONDS) -> str:
        """Send a script of ours and return what it gave."""
        try:
            return (await self.say(line, Script, seconds=seconds)).text
        except TimedOut as error:
            raise unanswered("eval").error from error

    async def push(self, line: str) -> None:
        """Send a script that leads the page away: it may go before its answer does."""
        try:
            await self.script(line, seconds=_CHECK_SECONDS)
        except (TimedOut, Failed):
            _ = self.left  # raises when there is no time to see where it went

    async def refresh(self) -> None:
        """Let DOMShell read the tree anew; again when the page went away under the reading."""
        began = time.monotonic()
        while True:
            try:
                await self.say(lines.REFRESH, Done)
            except Failed as error:
                if _WENT_AWAY not in error.message or time.monotonic() - began >= _LEAVING:
                    raise
                await self.pause(_PAUSE)
            else:
                return

    async def check(self) -> Check:
        """Ask which document is shown, again when the page went away under the question."""
        began = time.monotonic()
        while True:
            try:
                said = await self.script(scripts.CHECK, seconds=_CHECK_SECONDS)
            except (TimedOut, Failed) as error:
                limit = _MUTE if isinstance(error, TimedOut) else _LEAVING
                if time.monotonic() - began >= limit:
                    raise
                await self.pause(_PAUSE)
            else:
                return await self._read(said)

    async def _read(self, said: str) -> Check:
        try:
            check = scripts.read_check(said)
        except Lost:  # what a page does to the language's own functions stays its own affair
            bare = await self.script(scripts.BARE_CHECK, seconds=_CHECK_SECONDS)
            return scripts.read_bare_check(bare)
        self.dialogs += check.dialogs
        return check

    async def pause(self, seconds: float) -> None:
        """Let some time pass."""
        import anyio  # noqa: PLC0415  (it imports asyncio)

        await anyio.sleep(min(seconds, self.left))
