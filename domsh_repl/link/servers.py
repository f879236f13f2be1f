"""What a link needs of a server: something to start early, then a client of its tools.

The built-in server's source is made by ``cli``, which alone knows the engine; those of other
servers stand in ``http_server``, ``stdio_server`` and ``npm_server``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from domsh_repl.errors import DomshError
from domsh_repl.link.client import ToolClient

__all__ = ["Remarks", "ServerSource", "leaves_of"]


class ServerSource:
    """A server that can be started and reached, and again after it was lost.

    ``name`` is what the user calls it, ``mode`` the handshake of ``mcp.Client``,
    ``start_seconds`` how long a start may take and ``extension_seconds`` how much of that is
    meant for a user who has to let a browser's extension connect. The end of ``opened`` closes
    the lanes, too, where ``closes_lanes``. A long start ``is_told``.
    """

    name = ""
    mode = "auto"
    start_seconds = 60.0
    extension_seconds = 0.0
    closes_lanes = False
    is_told = False

    def prepare(self) -> None:
        """Begin what takes long and needs no event loop; raises ``NotConnected``."""

    def abandon(self) -> None:
        """End at once what ``prepare`` began and no exit of ``opened`` has ended.

        Called in the worker when it ends, and from another thread when it does not in time.
        """

    def opened(self) -> AbstractAsyncContextManager[Any]:
        """Start the server and give what ``client`` takes; its exit stops the server."""
        raise NotImplementedError

    def client(self, target: Any) -> AbstractAsyncContextManager[ToolClient]:
        """Return a client of what ``opened`` gave; here that is what ``mcp.Client`` takes."""
        from domsh_repl.link.mcp_client import mcp_client  # noqa: PLC0415  (MCP only)

        return mcp_client(target, self.mode, self.skipped)

    def asked(self) -> None:
        """Hear that a request begins."""

    def explained(self, error: BaseException, *, started: bool) -> DomshError | None:
        """Return what a failure means that this server alone can explain."""
        del error, started
        return None

    def progress(self) -> str:
        """Return what is being done while it starts, in one line."""
        return "starting the browser"

    def remarks(self) -> list[str]:
        """Return what the user has to be told and was not yet."""
        return []

    def skipped(self, text: str) -> None:
        """Hear of something that the server sent and that is no message: it is skipped."""

    def ask_for_extension(self) -> None:
        """Tell the user how to let the browser's extension connect."""


class Remarks:
    """Sentences from the worker thread that wait for the thread that may print them."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()

    def add(self, text: str) -> None:
        """Keep a sentence."""
        self._waiting.append(text)

    def taken(self) -> list[str]:
        """Return what was kept, once."""
        return [self._waiting.popleft() for _ in range(len(self._waiting))]


def leaves_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors inside an error: of groups, and what caused it."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves_of(inner)
    if error.__cause__ is not None:
        yield from leaves_of(error.__cause__)
