"""The engine's door for other MCP clients on standard input and output.

It ends when its standard input does, and the browser with it.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from domsh_repl.engine.engine import BrowserOptions, Engine
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.errors import DomshError
from domsh_repl.safetext import escape

__all__ = ["main", "serve"]


async def serve(engine: Engine, policy: Policy = FREE) -> None:
    """Serve an engine on standard input and output until the input ends."""
    engine.spawn()  # before mcp is imported, which takes longer than a browser's start
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    from domsh_repl.engine.server import make_server  # noqa: PLC0415

    try:
        await engine.start()
        server = make_server(engine, policy)
        async with stdio_server() as (requests, replies):
            await server.run(requests, replies, server.create_initialization_options())
    finally:
        await engine.close()


def main(options: BrowserOptions | None = None, policy: Policy = FREE) -> int:
    """Run the server with a browser of its own and return the exit status."""
    # a signal ends us at once, and the closed pipe the browser: there is nothing to tidy up
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        asyncio.run(serve(Engine(options or BrowserOptions()), policy))
    except DomshError as error:
        hint = f"\n{escape(error.hint)}" if error.hint else ""
        sys.stderr.write(f"domsh: {escape(error.message)}{hint}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
