"""Puts the built-in engine behind the link: the one place where both meet, used by ``cli``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from domsh_repl.engine.options import BrowserOptions
from domsh_repl.link.client import Reply, ToolClient, connection_lost, said_by
from domsh_repl.link.servers import ServerSource

if TYPE_CHECKING:
    import asyncio

    from domsh_repl.engine.browser import BrowserProcess
    from domsh_repl.engine.engine import Engine
    from domsh_repl.errors import DomshError

__all__ = ["BrowserOptions", "BuiltinSource"]


class BuiltinSource(ServerSource):
    """The engine of this process, reached in memory; it is imported when it is started."""

    name = "builtin"
    closes_lanes = True

    def __init__(self, options: BrowserOptions, *, read_only: bool = False) -> None:
        self._options = options
        self._read_only = read_only
        self._engine: Engine | None = None
        self._process: BrowserProcess | None = None

    def prepare(self) -> None:
        """Spawn the browser: it starts while the rest of domsh is being imported."""
        from domsh_repl.engine.spawning import spawn_browser  # noqa: PLC0415  (the prompt is first)

        if self._engine is None and self._process is None:
            self._process = spawn_browser(self._options)

    def abandon(self) -> None:
        """Kill the browser that nothing else will end."""
        engine, self._engine = self._engine, None
        process, self._process = self._process, None
        if engine is not None:
            engine.kill()
        elif process is not None:
            process.kill()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Start the engine and give it."""
        import anyio  # noqa: PLC0415  (the prompt is first)

        engine = self._made()
        try:
            await engine.start()
            yield engine
        finally:
            with anyio.CancelScope(shield=True):  # a start that is given up must end its browser
                await engine.close()
                if self._engine is engine:
                    self._engine = None

    @asynccontextmanager
    async def client(self, target: Engine) -> AsyncIterator[ToolClient]:
        """Give a client that calls the engine's tools without a protocol in between.

        What other clients get by MCP is the same, byte for byte; its import alone takes longer
        than the start of a browser.
        """
        client = _Client(target, read_only=self._read_only)
        try:
            yield client
        finally:
            client.end()

    def _made(self) -> Engine:
        from domsh_repl.engine.engine import Engine  # noqa: PLC0415  (0.1 s; the prompt is first)

        if self._engine is None:
            self._engine, self._process = Engine(self._options, self._process), None
        return self._engine


class _Client:
    """Calls the tools of an engine of this process.

    As over MCP, a call that is given up is cancelled, and nobody waits for how it ends.
    """

    def __init__(self, engine: Engine, *, read_only: bool) -> None:
        from domsh_repl.engine.policy import Policy  # noqa: PLC0415  (the prompt is first)
        from domsh_repl.engine.tools import call_tool  # noqa: PLC0415  (the same)

        self._call = partial(call_tool, engine, Policy(read_only))
        self._running: set[asyncio.Task[Any]] = set()

    async def call(self, tool: str, arguments: dict[str, Any], limit: float) -> Reply:
        """Call a tool; the caller keeps to the ``limit``."""
        del limit
        import asyncio  # noqa: PLC0415  (the prompt is first)

        task = asyncio.create_task(self._call(tool, arguments))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            told = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.cancel()
            raise
        return Reply(told.text, told.failed)

    async def tools(self) -> list[str]:
        """Return the names of the tools."""
        from domsh_repl.engine.tools import ABOUT, EXECUTE  # noqa: PLC0415  (the prompt is first)

        return [EXECUTE, ABOUT]

    def failure(self, error: Exception) -> DomshError:
        """Return what an error of a call means: the engine tells of its own in replies."""
        return connection_lost(said_by(error))

    def end(self) -> None:
        """Give up what still runs."""
        for task in tuple(self._running):
            task.cancel()
