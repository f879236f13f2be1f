"""Puts the built-in engine behind the link: the one place where both meet, used by ``cli``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from domsh_repl.engine.engine import BrowserOptions, Engine

__all__ = ["BrowserOptions", "BuiltinSource"]


class BuiltinSource:
    """The engine of this process, reached in memory."""

    name = "builtin"

    def __init__(self, options: BrowserOptions) -> None:
        self._engine = Engine(options)

    def prepare(self) -> None:
        """Spawn the browser: it starts while mcp is being imported."""
        self._engine.spawn()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Start the engine and give its MCP server object."""
        importing = asyncio.create_task(asyncio.to_thread(_server_maker))
        try:
            await self._engine.start()
            yield (await importing)(self._engine)
        finally:
            if not importing.done():
                await asyncio.wait([importing])
            await self._engine.close()


def _server_maker() -> Any:
    from domsh_repl.engine.server import make_server  # noqa: PLC0415  (imports mcp: 1 s)

    return make_server
