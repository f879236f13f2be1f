"""The engine's door for other MCP clients over streamable HTTP, behind ``gate``.

Importing this loads mcp and uvicorn, which takes over a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from domsh_repl.engine.engine import Engine
from domsh_repl.engine.gate import App, Gate
from domsh_repl.engine.keeper import IDLE_SECONDS, Keeper
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
    token: str = field(repr=False)


async def serve_http(
    engine: Engine,
    place: HttpPlace,
    policy: Policy,
    ready: Callable[[str], None],
    keeper: Keeper | None = None,
) -> None:
    """Serve an engine that was started until cancelled; ``ready`` is called with the URL.

    Raises ``NotConnected`` when the port cannot be had or nothing can be served at it, ``Lost``
    when the browser is gone.
    """
    keeper = keeper or Keeper(engine.vocabulary.browser)
    with _listening(place) as listener:
        shown = f"[{place.host}]" if ":" in place.host else place.host
        url = f"http://{shown}:{listener.getsockname()[1]}{PATH}"
        app = _application(engine, place, policy, keeper)
        server = _Server(_quiet(app), lambda: ready(url))
        serving = asyncio.create_task(_served(server, listener))
        others = (asyncio.create_task(_lost(engine)), asyncio.create_task(keeper.keep()))
        try:
            await asyncio.wait((serving, *others), return_when=asyncio.FIRST_COMPLETED)
            for task in (*others, serving):
                if task.done():
                    task.result()
        finally:
            for task in others:
                task.cancel()
            server.should_exit = server.force_exit = True
            await asyncio.gather(serving, *others, return_exceptions=True)


async def _lost(engine: Engine) -> None:
    await engine.wait_lost()
    raise Lost("the browser is gone", "start the server again")


async def _served(server: _Server, listener: socket.socket) -> None:
    """Serve until told to end; raises ``NotConnected`` where it ends by itself."""
    hint = "that is a defect of domsh: what happened before is worth a report"
    try:
        await server.serve(sockets=[listener])
    except Exception as error:
        said = one_line(f"{type(error).__name__}: {error}", 200)
        raise NotConnected(f"the HTTP server failed: {said}", hint) from error
    if not server.should_exit or not server.started:
        raise NotConnected("the HTTP server did not start", hint)


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
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so when that has worked."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs us."""
        yield


def _application(engine: Engine, place: HttpPlace, policy: Policy, keeper: Keeper) -> App:
    app = make_server(engine, policy, keeper).streamable_http_app(
        streamable_http_path=PATH,
        session_idle_timeout=IDLE_SECONDS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Gate(keeper.watching(app), place.token, place.host)


def _quiet(app: App) -> uvicorn.Config:
    return uvicorn.Config(app, log_config=None, log_level="critical", lifespan="on", ws="none")
