"""What a link needs of a server: something to start early, then a target for an MCP client.

The built-in server's source is made by ``cli``, which alone knows the engine.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

__all__ = ["ServerSource"]


class ServerSource(Protocol):
    """A server that can be started and reached."""

    @property
    def name(self) -> str:
        """What the user calls it."""

    @property
    def closes_lanes(self) -> bool:
        """Whether the end of ``opened`` closes the lanes, too."""

    def prepare(self) -> None:
        """Begin what takes long and needs no event loop; raises ``NotConnected``."""

    def opened(self) -> AbstractAsyncContextManager[Any]:
        """Start the server and give what ``mcp.Client`` takes; its exit stops the server."""
