"""The link as the commands see it: ask, and get a value and the page as it is now."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from domsh_repl.errors import DomshError, LaneFailed, ServerRefused, TimedOut
from domsh_repl.link.asks import Ask, close_lane
from domsh_repl.link.owner import Deadlines, Owner, Reply
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.wire import (
    Answer,
    read_lane,
    read_reply,
    split_marker,
    write_line,
    write_raw,
)

__all__ = ["Link"]

R = TypeVar("R")
V = TypeVar("V")
_TOOL = "domshell_execute"
_CLOSE_LANE_SECONDS = 1.0
_DEADLINES = Deadlines()
_numbers = itertools.count(1)


class Link:
    """One lane on one server, over the one MCP session. All methods are for the main thread."""

    def __init__(self, source: ServerSource, deadlines: Deadlines = _DEADLINES) -> None:
        self._deadlines = deadlines
        self._owner = Owner(source, deadlines)
        self._closes_lanes = source.closes_lanes
        self.server = source.name
        self.lane = ""

    def start(self) -> None:
        """Begin to start the server; returns at once."""
        self._owner.start()

    @property
    def is_ready(self) -> bool:
        """True when asking would not have to wait for the server's start."""
        return self._owner.is_ready

    def ask(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0, exact: bool = False
    ) -> Answer[V]:
        """Send a request and wait for its answer, ``deadline`` seconds at most.

        The server has a moment more to tell itself what took so long, unless that is ``exact``.

        Raises ``Interrupted`` on Ctrl-C, which cancels this request only; ``TimedOut``,
        ``Lost``, ``NotConnected``, ``LaneFailed``. What the server refuses is in the answer.
        """
        future = self.ask_soon(ask, document=document, deadline=deadline, exact=exact)
        return self._owner.result(future, deadline)

    def ask_soon(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0, exact: bool = False
    ) -> Future[Answer[V]]:
        """Send a request and return the future of its answer."""
        line = write_line(ask, document=document, deadline=deadline)
        return self._call(line, deadline, lambda reply: read_reply(ask, reply.text), exact=exact)

    def raw(self, line: str, *, deadline: float = 30.0) -> str:
        """Send a line as it is and return the reply's text without the marker.

        Raises ``ServerRefused`` with the text where the server calls it an error.
        """
        return self._owner.result(self._call(write_raw(line), deadline, _raw_text), deadline)

    def leave_lane(self) -> None:
        """Forget the lane, which is gone: the next request gets a new one."""
        self.lane = ""

    def close(self) -> None:
        """Leave the server; the lane is closed first where the server does not do so itself."""
        if self.lane and self._owner.is_ready and not self._closes_lanes:
            with contextlib.suppress(DomshError):  # the server goes away with all its lanes
                self.ask(close_lane(), deadline=_CLOSE_LANE_SECONDS)
        self._owner.close()

    def _call(
        self, line: str, deadline: float, read: Callable[[Reply], R], *, exact: bool = False
    ) -> Future[R]:
        arguments = {"command": line, "group_id": self._lane_id()}
        return self._owner.call(_TOOL, arguments, deadline, read, exact=exact)

    def _lane_id(self) -> str:
        """Return the lane, made with the first request; without one nothing is sent."""
        if self.lane:
            return self.lane
        arguments = {
            "command": "pwd",
            "group_id": "new",
            "group_name": f"domsh-{os.getpid()}-{next(_numbers)}",
        }
        deadline = self._deadlines.lane
        future = self._owner.call(_TOOL, arguments, deadline, lambda reply: reply.text)
        try:
            self.lane = read_lane(self._owner.result(future, deadline))
        except TimedOut as error:
            raise LaneFailed("the server made no lane in time") from error
        if not self.lane:
            raise LaneFailed(
                "the server gave no lane, so nothing was sent to it",
                "is it a DOMShell server that can open tabs?",
            )
        return self.lane


def _raw_text(reply: Reply) -> str:
    text = split_marker(reply.text)[0].replace("\r\n", "\n")
    if reply.failed:
        raise ServerRefused(text or "the server calls it an error and says nothing more")
    return text
