"""Checks of a server: reachable, token accepted, extension connected, a lane made and closed.

The session is the link's own (``link.owner``), with the same transports, so what works here
works there. The one thing that is made is a lane, and it is closed again in every case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from domsh_repl.doctor.chain import Chain, Clock
from domsh_repl.errors import DomshError, LaneFailed, Lost, NotConnected, TimedOut, TokenRefused
from domsh_repl.link.domshell.lines import CLOSE_LANE
from domsh_repl.link.domshell.refusals import refusal_of
from domsh_repl.link.greeting import About, ask_about, require_extension
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.lanes import Lane
from domsh_repl.link.owner import Deadlines, Owner, Session
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.wire import split_marker
from domsh_repl.safetext import one_line

__all__ = ["NAMES", "ServerCheck"]

R = TypeVar("R")
NAMES = ("server", "token", "extension", "lane")
_ABOUT_SECONDS = 5.0
_LANE_SECONDS = 4.0
_CLOSE_LANE_SECONDS = 2.0
_CLOSE_SECONDS = 6.0
_ENDING = 0.5
"""Seconds that are left to tell why there is no session."""


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """A server to look at: how it is reached, whether a token goes with that, and what helps.

    One that was not ``asked`` for may be anything: it fails only where it is a DOMShell and a
    token for it was given.
    """

    source: ServerSource
    has_token: bool
    asked: bool
    advice: str

    async def run(self, chain: Chain, seconds: float) -> None:
        """Look at it in ``seconds``, and some more to leave it; raises what is wrong with it."""
        clock = Clock(seconds - _ENDING)
        deadlines = Deadlines(start=clock.left(seconds), close=_CLOSE_SECONDS, grace=0.0)
        owner = Owner(self.source, deadlines, _greet_nobody)
        chain.ending.push_async_callback(asyncio.to_thread, owner.close)
        try:
            await self._look(chain, owner, clock)
        except DomshError as error:
            raise self._advised(error) from error

    async def _look(self, chain: Chain, owner: Owner, clock: Clock) -> None:
        try:
            about = await self._greeted(owner, clock)
        except TokenRefused as error:
            chain.ok(f"{self.source.name} answers")
            if self.asked or self.has_token:
                raise
            chain.skip("none was given, and the server wants one", error.hint)
            return
        except DomshError as error:
            if self.asked:
                raise
            chain.skip(f"no DOMShell server: {error.message}")
            return
        kind = "DOMShell" if about.needs_extension else "domsh"
        chain.ok(f"{kind} {one_line(about.version, 40)}, {self.source.name}")
        self._tell_token(chain)
        _tell_extension(chain, about)
        await _try_lane(chain, owner, clock.left(_LANE_SECONDS))

    async def _greeted(self, owner: Owner, clock: Clock) -> About:
        """Shake hands and ask what it is, which is the first call of a tool."""
        owner.start()
        await asyncio.to_thread(owner.wait_ready, _drop)
        seconds = clock.left(_ABOUT_SECONDS)
        try:
            asked = owner.run(lambda session: ask_about(session, seconds), _drop)
            return await _outcome(asyncio.wrap_future(asked))
        except TimedOut as error:
            raise NotConnected(
                f"{self.source.name} connects, and then answers no call within {seconds:.0f} s",
                "start that server again",
            ) from error

    def _tell_token(self, chain: Chain) -> None:
        if not isinstance(self.source, HttpSource):
            chain.skip("a command sees to that itself")
        else:
            chain.ok("accepted" if self.has_token else "none is needed")

    def _advised(self, error: DomshError) -> DomshError:
        """Replace a hint that is none here: only the shell can `reconnect`."""
        if error.hint and "`reconnect`" not in error.hint:
            return error
        return type(error)(error.message, self.advice)


def _tell_extension(chain: Chain, about: About) -> None:
    if not about.needs_extension:
        chain.skip("that server has a browser of its own")
        return
    require_extension(about)
    chain.ok(f"connected, version {one_line(about.extension, 40)}")


async def _try_lane(chain: Chain, owner: Owner, seconds: float) -> None:
    """Make a lane and close it.

    Once begun that is brought to an end, also when nobody waits for it any more: a lane that
    is left behind would stay in the user's browser.
    """
    asked = owner.run(lambda session: _tried_lane(session, seconds), _drop)
    trying = asyncio.wrap_future(asked)
    trying.add_done_callback(lambda done: done.cancelled() or done.exception())
    longest = seconds + _CLOSE_LANE_SECONDS
    chain.ending.push_async_callback(asyncio.wait, [trying], timeout=longest)
    number = await _outcome(asyncio.shield(trying))
    chain.ok(f"{number} was made and closed")


async def _tried_lane(session: Session, seconds: float) -> str:
    """Make a lane with a ``pwd`` in it, close it, and return its number."""
    lane = Lane("new", seconds)
    number = await lane.entered(session)
    try:
        reply = await lane.send(session, CLOSE_LANE, _CLOSE_LANE_SECONDS)
    except DomshError as error:
        raise _not_closed(number, error.message) from error
    refusal = refusal_of("group", split_marker(reply.text)[0])
    if reply.failed or refusal is not None:
        raise _not_closed(number, one_line(reply.text))
    return number


def _not_closed(number: str, why: str) -> LaneFailed:
    return LaneFailed(
        f"the lane {number} was made, and not closed: {why}", "close its tabs in the browser"
    )


async def _outcome(asked: Awaitable[R]) -> R:
    """Return what a request of the owner gave; raises ``Lost`` where the owner ended under it."""
    try:
        return await asked
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise Lost("the server is gone", "`reconnect`") from None


async def _greet_nobody(_session: Session) -> None:
    """Let the handshake be enough."""


def _drop(_remark: str) -> None:
    """Say nothing while the server starts."""
