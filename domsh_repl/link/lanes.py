"""The lane: the tabs of ours on a server that others may use, too.

Nothing is sent without a lane that has a number, and only a lane that was made here is closed
here. ``shared`` and the number of another's lane are taken by explicit choice only.
"""

from __future__ import annotations

import itertools
import os

from domsh_repl.errors import LaneFailed, Lost, TimedOut
from domsh_repl.link.client import Reply
from domsh_repl.link.domshell.refusals import refusal_of
from domsh_repl.link.owner import Session
from domsh_repl.link.wire import read_lane, split_marker

__all__ = ["NEW_LANE", "Lane"]

_TOOL = "domshell_execute"
NEW_LANE = "new"
SHARED = "shared"
_numbers = itertools.count(1)


class Lane:
    """One lane; ``chosen`` is ``new``, ``shared`` or a number."""

    def __init__(self, chosen: str, deadline: float) -> None:
        self.id = "" if chosen == NEW_LANE else chosen
        self.is_own = chosen == NEW_LANE
        self._deadline = deadline
        self._lock: object = None

    async def entered(self, session: Session) -> str:
        """Return the lane's id, made with the first request.

        Raises ``LaneFailed`` where the server gave none: then nothing may be sent.
        """
        import anyio  # noqa: PLC0415  (it imports asyncio)

        if not isinstance(self._lock, anyio.Lock):
            self._lock = anyio.Lock()
        async with self._lock:
            if not self.id:
                self.id = await self._made(session)
            return self.id

    async def send(
        self, session: Session, line: str, deadline: float, *, exact: bool = False
    ) -> Reply:
        """Send one line in the lane; an ``exact`` deadline has no grace."""
        arguments = {"command": line, "group_id": await self.entered(session)}
        return await session.call(_TOOL, arguments, deadline, exact=exact)

    async def is_alive(self, session: Session) -> bool:
        """Tell whether the lane is still there, after the session was lost."""
        if not self.id:
            return False
        arguments = {"command": "pwd", "group_id": self.id}
        reply = await session.call(_TOOL, arguments, self._deadline)
        return not reply.failed and split_marker(reply.text)[1] == self.id

    def forget(self) -> None:
        """Give up a lane that is gone: the next request makes another one."""
        self.id = ""
        self.is_own = True

    async def _made(self, session: Session) -> str:
        arguments = {
            "command": "pwd",
            "group_id": NEW_LANE,
            "group_name": f"domsh-{os.getpid()}-{next(_numbers)}",
        }
        try:
            reply = await session.call(_TOOL, arguments, self._deadline)
        except TimedOut as error:
            raise LaneFailed("the server made no lane in time") from error
        lane = read_lane(reply.text)
        if lane:
            return lane
        refusal = refusal_of("pwd", split_marker(reply.text)[0])
        if refusal is not None and isinstance(refusal.error, (LaneFailed, Lost)):
            raise refusal.error
        raise LaneFailed(
            "the server gave no lane, so nothing was sent to it",
            "is it a DOMShell server that can open tabs?",
        )
