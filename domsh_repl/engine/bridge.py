"""The engine in the place of DOMShell's browser extension, behind a real DOMShell server.

The server listens for its extension on a WebSocket of this machine and sends one EXECUTE for
each command line; a RESULT answers it. Lanes are DOMShell's groups. Commands run at once, so
that a slow page holds up nobody but its own lane. What is told to the user goes to ``note``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from domsh_repl.engine.engine import Engine, Reply
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import is_number
from domsh_repl.engine.policy import Policy
from domsh_repl.errors import DomshError, Lost, NotConnected
from domsh_repl.safetext import one_line

__all__ = ["Bridge", "Place", "Runner", "first_lane_number"]

_EXTENSION = "1.3.5"
"""The version of DOMShell's extension whose protocol this is."""
_ENVELOPES = "+domsh.1"
"""Says that lines with ``--envelope`` are understood (docs/design.md, 7)."""
_BAD_TOKEN = 4001
_NORMAL = (1000, 1005)
_ALIVE_EVERY = 20.0
_CONNECT_DEADLINE = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_LARGEST = 4_000_000
"""Characters of one message of the server, whose own requests are of 100 kB at most."""
_LANES_FROM = 900_000_000

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server waits for its extension, the token that it wants, and our patience.

    ``patience`` is the seconds in which a server may still come that does not listen yet.
    """

    port: int
    token: str
    patience: float = 60.0
    host: str = "127.0.0.1"

    @property
    def shown(self) -> str:
        """The address without the token."""
        return f"ws://{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The address with the token."""
        return f"{self.shown}?token={quote(self.token, safe='')}"


class Runner(Protocol):
    """Runs one line in a lane: the engine itself, or its DOMShell of text only."""

    async def answer(self, command: str, lane: Lane, policy: Policy) -> Reply:
        """Return the reply without a marker."""


def first_lane_number() -> int:
    """Return where lanes may be numbered from, so that no other run's are met again."""
    return 1 + secrets.randbelow(_LANES_FROM)


class Bridge:
    """Connects an engine that was started with a server, and connects again when that is lost."""

    def __init__(
        self, engine: Engine, place: Place, note: Note, *, runner: Runner, policy: Policy
    ) -> None:
        self._engine = engine
        self._place = place
        self._note = note
        self._runner = runner
        self._plain = runner is not engine
        self._policy = policy
        self._socket: ClientConnection | None = None
        self._told_waiting = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._shared: dict[str, asyncio.Task[Lane]] = {}

    async def run(self) -> None:
        """Serve until cancelled; raises ``NotConnected`` when there never was a connection.

        Raises ``Lost`` when the browser is gone or another extension took the place.
        """
        serving = asyncio.create_task(self._serve())
        losing = asyncio.create_task(self._engine.wait_lost())
        try:
            await asyncio.wait((serving, losing), return_when=asyncio.FIRST_COMPLETED)
            if not serving.done():
                raise Lost("the browser is gone", "start the bridge again")
            serving.result()
        finally:
            tasks = {serving, losing, *self._tasks}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self) -> None:
        pause = _FIRST_PAUSE
        connected = False
        until = time.monotonic() + self._place.patience
        while True:
            try:
                async with self._connection() as socket:
                    await self._greet(socket)
                    self._note(f"connected to DOMShell at {self._place.shown}")
                    connected, pause = True, _FIRST_PAUSE
                    await self._listen(socket)
            except _Unreachable as error:
                if not connected:
                    pause = self._pause_for(error, until)
            except ConnectionClosed as error:
                reason = _final(error, self._place)
                if reason is not None:
                    raise reason from error
                self._note(f"DOMShell at {self._place.shown} is gone; trying again")
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _pause_for(self, error: _Unreachable, until: float) -> float:
        """Return the seconds after which a first connection is tried again, or raise."""
        if not isinstance(error, _Nobody) or time.monotonic() >= until:
            raise NotConnected(error.message, error.hint) from error
        if not self._told_waiting:
            self._told_waiting = True
            self._note(f"waiting for a DOMShell server at {self._place.shown}")
        return _FIRST_PAUSE / 2

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[ClientConnection]:
        try:
            socket = await connect(
                self._place.url, proxy=None, open_timeout=_CONNECT_DEADLINE, max_size=_LARGEST
            )
        except (InvalidHandshake, InvalidMessage, EOFError) as error:
            raise _Unreachable(
                f"what listens at {self._place.shown} is no DOMShell server",
                "--port names the server's WebSocket port (its own --port, 9876)",
            ) from error
        except (OSError, TimeoutError) as error:
            raise _Nobody(
                f"no DOMShell server listens at {self._place.shown}",
                "`npx -y @apireno/domshell --allow-write` starts one; --port names another port",
            ) from error
        async with socket:
            self._socket = socket
            try:
                yield socket
            finally:
                self._socket = None

    async def _greet(self, socket: ClientConnection) -> None:
        version = _EXTENSION if self._plain else f"{_EXTENSION}{_ENVELOPES}"
        await _send(socket, {"type": "HELLO", "version": version, "capabilities": ["grouping"]})
        # a server that refuses the token closes first and answers no ping
        try:
            async with asyncio.timeout(_CONNECT_DEADLINE):
                await (await socket.ping())
        except TimeoutError as error:
            raise _Unreachable(f"the server at {self._place.shown} does not answer") from error

    async def _listen(self, socket: ClientConnection) -> None:
        alive = asyncio.create_task(_keep_alive(socket))
        try:
            while True:
                self._received(await socket.recv())
        finally:
            alive.cancel()
            await asyncio.gather(alive, return_exceptions=True)

    def _received(self, text: str | bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            return
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "EXECUTE":
            self._begin(self._execute(message))
        elif kind == "SESSION_END":
            self._begin(self._end_session(str(message.get("sessionId"))))

    def _begin(self, work: Awaitable[None]) -> None:
        async def done() -> None:
            await work

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _execute(self, message: Mapping[str, Any]) -> None:
        result, group_id = await self._result(message)
        answer = {"type": "RESULT", "id": message.get("id"), "result": result, "groupId": group_id}
        # without a connection there is nobody who waits; a new one still takes the answer
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await _send(self._socket, answer)

    async def _result(self, message: Mapping[str, Any]) -> tuple[str, str | None]:
        """Return the text of the reply, and the lane that it was made in if that still is."""
        try:
            policy = self._policy_of(message)
            lane = await self._lane(message)
        except DomshError as error:
            return f"Error: {error.message} — {error.hint}".removesuffix(" — "), None
        failed = await self._prepared(message, lane, policy)
        if failed:
            await self._browser.close_lane(lane)
            return failed, None
        reply = await self._runner.answer(str(message.get("command", "")), lane, policy)
        return reply.text, str(lane.id) if lane.id in self._browser.lanes else None

    @property
    def _browser(self) -> Any:
        return self._engine.vocabulary.browser

    def _policy_of(self, message: Mapping[str, Any]) -> Policy:
        named = message.get("allowedDomains")
        if not isinstance(named, list) or not named:
            return self._policy
        return Policy(self._policy.read_only, tuple(str(one).lower() for one in named))

    async def _lane(self, message: Mapping[str, Any]) -> Lane:
        group_id = message.get("groupId")
        if group_id is None or group_id == "":
            return await self._shared_lane(str(message.get("sessionId")))
        if group_id == "new":
            lane = await self._engine.lane("new")
            lane.name = one_line(str(message.get("groupName") or ""), 80)
            return lane
        number = str(group_id)
        there: Lane | None = self._browser.lanes.get(int(number)) if is_number(number) else None
        if there is not None and self._plain and not there.pages:
            await self._browser.close_lane(there)  # DOMShell's end with their last tab
            there = None
        if there is None:
            raise NotConnected(
                f"no lane '{one_line(number, 40)}'",
                "pass \"new\" for a fresh lane, or run 'group list' to see active ones.",
            )
        return there

    async def _shared_lane(self, session: str) -> Lane:
        """Return the lane of a session whose client names none, made when it is first used."""
        task = self._shared.get(session)
        if task is None or (task.done() and self._is_gone(task)):
            task = self._shared[session] = asyncio.create_task(self._engine.lane("new"))
        return await asyncio.shield(task)

    def _is_gone(self, task: asyncio.Task[Lane]) -> bool:
        failed = task.cancelled() or task.exception() is not None
        return failed or task.result().id not in self._browser.lanes

    async def _end_session(self, session: str) -> None:
        task = self._shared.pop(session, None)
        if task is not None:
            with contextlib.suppress(DomshError):
                await self._browser.close_lane(await task)

    async def _prepared(self, message: Mapping[str, Any], lane: Lane, policy: Policy) -> str:
        """Load the first URL of a new lane; return why not, "" when that is done."""
        url = message.get("initialUrl")
        if message.get("groupId") != "new" or not isinstance(url, str) or not url:
            return ""
        line = f"navigate --escaped {quote(url, safe='')}"
        opened = await self._engine.answer(line, lane, policy)
        return opened.text if opened.failed else ""


class _Unreachable(NotConnected):
    """Nothing is there that a connection could be made to."""


class _Nobody(_Unreachable):
    """Nobody listens, yet."""


async def _send(socket: ClientConnection, message: Mapping[str, Any]) -> None:
    await socket.send(json.dumps(message))


async def _keep_alive(socket: ClientConnection) -> None:
    while True:
        await asyncio.sleep(_ALIVE_EVERY)
        await _send(socket, {"type": "pong"})


def _final(error: ConnectionClosed, place: Place) -> DomshError | None:
    """Return why a connection that was closed must not be made again, if so."""
    code = error.rcvd.code if error.rcvd is not None else None
    if code == _BAD_TOKEN:
        return NotConnected(
            f"the DOMShell server at {place.shown} refuses the token",
            "the server prints its token when it starts; DOMSHELL_TOKEN holds it",
        )
    if code in _NORMAL:
        return Lost(
            f"another extension took our place at {place.shown}",
            "disconnect it in its side panel, then start the bridge again",
        )
    return None
