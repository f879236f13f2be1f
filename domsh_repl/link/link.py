"""The link as the commands see it: ask, and get a value and the page as it is now."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from domsh_repl.errors import DomshError, LaneFailed, TimedOut
from domsh_repl.link.asks import Ask, close_lane
from domsh_repl.link.owner import Owner
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

V = TypeVar("V")
_TOOL = "domshell_execute"
_SLACK = 8.0
"""Seconds that a caller waits beyond a request's own deadline: the owner is done before."""
_numbers = itertools.count(1)


class Link:
    """One lane on one server, over the one MCP session. All methods are for the main thread."""

    def __init__(self, source: ServerSource) -> None:
        self._owner = Owner(source)
        self.server = source.name
        self.lane = ""

    def start(self) -> None:
        """Begin to start the server; returns at once."""
        self._owner.start()

    @property
    def is_ready(self) -> bool:
        """True when asking would not have to wait for the server's start."""
        return self._owner.is_ready

    def ask(self, ask: Ask[V], *, document: str = "", deadline: float = 30.0) -> Answer[V]:
        """Send a request and wait for its answer, ``deadline`` seconds at most.

        Raises ``Interrupted`` on Ctrl-C, which cancels this request only; ``TimedOut``,
        ``Lost``, ``NotConnected``, ``LaneFailed``. What the server refuses is in the answer.
        """
        future = self.ask_soon(ask, document=document, deadline=deadline)
        return self._owner.result(future, deadline + _SLACK, "no answer")

    def ask_soon(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0
    ) -> Future[Answer[V]]:
        """Send a request and return the future of its answer."""
        line = write_line(ask, document=document, deadline=deadline)
        return self._call(line, deadline, lambda reply: read_reply(ask, reply))

    def raw(self, line: str, *, deadline: float = 30.0) -> str:
        """Send a line as it is and return the reply's text without the marker."""
        future = self._call(write_raw(line), deadline, lambda reply: split_marker(reply)[0])
        return self._owner.result(future, deadline + _SLACK, "no answer")

    def close(self) -> None:
        """Close the lane and leave the server."""
        if self.lane and self._owner.is_ready:
            try:
                self.ask(close_lane(), deadline=2)
            except DomshError:
                pass  # the server goes away with all its lanes
        self._owner.close()

    def _call(self, line: str, deadline: float, read: Callable[[str], Any]) -> Future[Any]:
        arguments = {"command": line, "group_id": self._lane_id()}
        return self._owner.call(_TOOL, arguments, deadline, read)

    def _lane_id(self) -> str:
        """Return the lane, made with the first request; without one nothing is sent."""
        if self.lane:
            return self.lane
        arguments = {
            "command": "pwd",
            "group_id": "new",
            "group_name": f"domsh-{os.getpid()}-{next(_numbers)}",
        }
        future = self._owner.call(_TOOL, arguments, 30, lambda reply: reply)
        try:
            reply = self._owner.result(future, 40, "no lane")
        except TimedOut as error:
            raise LaneFailed("the server made no lane in time") from error
        lane = read_lane(reply)
        if not lane:
            raise LaneFailed(
                "the server gave no lane, so nothing was sent to it",
                "is it a DOMShell server that can open tabs?",
            )
        self.lane = lane
        return lane
