"""The engine's door for other MCP clients over streamable HTTP, behind ``gate``.

Importing this loads mcp and uvicorn, which takes over a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from domsh_repl.engine.engine import Engine
from domsh_repl.engine.gate import Gate
from domsh_repl.engine.policy import Policy
from domsh_repl.engine.server import make_server
from domsh_repl.errors import Lost, NotConnected
from domsh_repl.safetext import one_line

__all__ = ["PATH", "HttpPlace", "serve_http"]

PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class HttpPlace:
    """Where to listen (port 0: a free one), and the token that every request must have."""

    host: str
    port: int
    token: str


async def serve_http(
    engine: Engine, place: HttpPlace, policy: Policy, ready: Callable[[str], None]
) -> None:
    """Serve an engine that was started until cancelled; ``ready`` is called with the URL.

    Raises ``NotConnected`` when the port cannot be had, ``Lost`` when the browser is gone.
    """
    with _listening(place) as listener:
        port = listener.getsockname()[1]
        server = _quiet_server(engine, place, policy)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        losing = asyncio.create_task(engine.wait_lost())
        try:
            shown = f"[{place.host}]" if ":" in place.host else place.host
            ready(f"http://{shown}:{port}{PATH}")
            await asyncio.wait((serving, losing), return_when=asyncio.FIRST_COMPLETED)
            if losing.done():
                raise Lost("the browser is gone", "start the server again")
        finally:
            losing.cancel()
            server.should_exit = server.force_exit = True
            await asyncio.gather(serving, losing, return_exceptions=True)


@contextlib.contextmanager
def _listening(place: HttpPlace) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        listener = socket.create_server((place.host, place.port), family=family)
    except (OSError, OverflowError) as error:
        raise NotConnected(
            f"cannot listen at {one_line(place.host, 80)} port {place.port}"
            f" ({one_line(getattr(error, 'strerror', None) or str(error))})",
            "another port: --http 127.0.0.1:0 takes a free one",
        ) from error
    with listener:
        yield listener


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs us."""
        yield


def _quiet_server(engine: Engine, place: HttpPlace, policy: Policy) -> _Server:
    app = make_server(engine, policy).streamable_http_app(
        streamable_http_path=PATH,
        # a shell may stand idle for long, and is not asked to begin anew for it
        session_idle_timeout=None,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    gate = Gate(app, place.token, place.host)
    return _Server(
        uvicorn.Config(gate, log_config=None, log_level="critical", lifespan="on", ws="none")
    )
