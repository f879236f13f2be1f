"""What the link asks a server through: its tools, called by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from domsh_repl.errors import DomshError, Lost
from domsh_repl.safetext import one_line

__all__ = ["RECONNECT", "Reply", "ToolClient", "connection_lost", "said_by"]

RECONNECT = "`reconnect` makes a new connection"
"""The hint where there is no server any more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a tool's answer, and whether the server calls it an error."""

    text: str
    failed: bool = False


class ToolClient(Protocol):
    """Somebody who reaches a server's tools; its calls can be cancelled."""

    async def call(self, tool: str, arguments: dict[str, Any], limit: float) -> Reply:
        """Call a tool; nobody waits for it longer than ``limit`` seconds."""

    async def tools(self) -> list[str]:
        """Return the names of the tools."""

    def failure(self, error: Exception) -> DomshError:
        """Return what an error of ``call`` or ``tools`` means to the user."""


def connection_lost(reason: str = "") -> Lost:
    """Return the error for a server that is not there any more."""
    return Lost(f"the server is gone{f' ({reason})' if reason else ''}", RECONNECT)


def said_by(error: BaseException) -> str:
    """Return what an error says, in one line, with the name of its kind."""
    return one_line(f"{type(error).__name__}: {error}".removesuffix(": "))
