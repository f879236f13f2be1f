"""A client of a server that speaks MCP: what every server does but the engine of this process."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from domsh_repl.errors import DomshError, Failed
from domsh_repl.link.client import Reply, connection_lost, said_by
from domsh_repl.safetext import one_line

__all__ = ["McpClient", "mcp_client"]


@asynccontextmanager
async def mcp_client(
    target: Any, mode: str, skipped: Callable[[str], None]
) -> AsyncIterator[McpClient]:
    """Give a client of what ``mcp.Client`` takes, with its handshake's ``mode``.

    ``skipped`` is told what came between the answers and is no message.
    """
    import anyio  # noqa: PLC0415  (it imports asyncio)

    async def hear(message: object) -> None:
        if isinstance(message, Exception):
            skipped(_unread(message))

    client_type = await anyio.to_thread.run_sync(_client_type)
    async with client_type(target, mode=mode, message_handler=hear) as client:
        yield McpClient(client)


class McpClient:
    """Calls the tools of a server through a client of the SDK, which has its session."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def call(self, tool: str, arguments: dict[str, Any], limit: float) -> Reply:
        """Call a tool; the SDK's own limit is kept beyond the caller's."""
        result = await self._client.call_tool(tool, arguments, read_timeout_seconds=2 * limit)
        text = "".join(getattr(part, "text", "") for part in result.content)
        return Reply(text, bool(result.is_error))

    async def tools(self) -> list[str]:
        """Return the names of the server's tools."""
        return [tool.name for tool in (await self._client.list_tools()).tools]

    def failure(self, error: Exception) -> DomshError:
        """Return what a failed call means: it was refused, or there is no server any more."""
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415  (loaded with the client)
        from mcp_types import CONNECTION_CLOSED  # noqa: PLC0415  (the same)

        if isinstance(error, MCPError) and error.code != CONNECTION_CLOSED:
            return Failed(f"the server refused the call: {one_line(error.message)}")
        return connection_lost(said_by(error))


def _client_type() -> Any:
    """Import mcp, which takes more than a second: in a thread of its own."""
    from mcp.client import Client  # noqa: PLC0415  (more than a second)

    # without any handler, logging writes warnings into the terminal
    logging.getLogger().addHandler(logging.NullHandler())

    return Client


def _unread(error: Exception) -> str:
    """Return the text that was to be a message; the SDK keeps it in its own error's details."""
    details = error.errors() if hasattr(error, "errors") else [{}]
    found = details[0].get("input") if details else None
    return one_line(found if isinstance(found, str) else said_by(error), 100)
