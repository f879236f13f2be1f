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

    def __init__(self, options: BrowserOptions, *, read_only: bool = False) -> None:
        self._options = options
        self._read_only = read_only
        self._engine: Engine | None = None

    def prepare(self) -> None:
        """Spawn the browser: it starts while mcp is being imported."""
        self._made().spawn()

    def abandon(self) -> None:
        """Kill the browser that nothing else will end."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.kill()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Start the engine and give its MCP server object."""
        import asyncio  # noqa: PLC0415  (the prompt is first)

        import anyio  # noqa: PLC0415  (the same)

        engine = self._made()
        importing = asyncio.create_task(asyncio.to_thread(_server_maker))
        try:
            await engine.start()
            yield (await importing)(engine, read_only=self._read_only)
        finally:
            with anyio.CancelScope(shield=True):  # a start that is given up must end its browser
                await engine.close()
                if self._engine is engine:
                    self._engine = None
                if not importing.done():
                    await asyncio.wait([importing])

    def _made(self) -> Engine:
        from domsh_repl.engine.engine import Engine  # noqa: PLC0415  (0.1 s; the prompt is first)

        if self._engine is None:
            self._engine = Engine(self._options)
        return self._engine


def _server_maker() -> Any:
    from domsh_repl.engine.policy import Policy  # noqa: PLC0415  (the prompt is first)
    from domsh_repl.engine.server import make_server  # noqa: PLC0415  (imports mcp: 1 s)

    def make(engine: Engine, *, read_only: bool) -> Any:
        return make_server(engine, Policy(read_only))

    return make
