"""Puts the built-in engine behind the link: the one place where both meet, used by ``cli``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from domsh_repl.engine.options import BrowserOptions
from domsh_repl.link.servers import ServerSource

if TYPE_CHECKING:
    from domsh_repl.engine.engine import Engine

__all__ = ["BrowserOptions", "BuiltinSource"]


class BuiltinSource(ServerSource):
    """The engine of this process, reached in memory; it is imported when it is started."""

    name = "builtin"
    closes_lanes = True

    def __init__(self, options: BrowserOptions) -> None:
        self._options = options
        self._engine: Engine | None = None

    def prepare(self) -> None:
        """Spawn the browser: it starts while mcp is being imported."""
        self._made().spawn()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Start the engine and give its MCP server object."""
        import asyncio  # noqa: PLC0415  (the prompt is first)

        engine = self._made()
        importing = asyncio.create_task(asyncio.to_thread(_server_maker))
        try:
            await engine.start()
            yield (await importing)(engine)
        finally:
            if not importing.done():
                await asyncio.wait([importing])
            self._engine = None
            await engine.close()

    def _made(self) -> Engine:
        from domsh_repl.engine.engine import Engine  # noqa: PLC0415  (0.1 s; the prompt is first)

        if self._engine is None:
            self._engine = Engine(self._options)
        return self._engine


def _server_maker() -> Any:
    from domsh_repl.engine.server import make_server  # noqa: PLC0415  (imports mcp: 1 s)

    return make_server
