"""The engine in the place of DOMShell's browser extension, behind a real DOMShell server.

The server listens for its extension on a WebSocket of this machine and sends one EXECUTE for
each command line; a RESULT answers it. Lanes are DOMShell's groups. Commands run at once, so
that a slow page holds up nobody but its own lane. What is told to the user goes to ``note``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from domsh_repl.engine.engine import Engine, Reply
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import is_number
from domsh_repl.engine.memory import remember
from domsh_repl.engine.policy import Policy, normal_domain
from domsh_repl.errors import DomshError, Lost, NotConnected
from domsh_repl.protocol import ENVELOPES, TOKEN_VARIABLE
from domsh_repl.safetext import one_line

__all__ = ["Bridge", "Place", "Runner"]

_EXTENSION = "1.3.5"
"""The version of DOMShell's extension whose protocol this is."""
_BAD_TOKEN = 4001
_NORMAL = (1000, 1005)
_ALIVE_EVERY = 20.0
_CONNECT_DEADLINE = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_ENDED_KEPT = 10_000
"""Sessions of which it is remembered that they have ended: commands of theirs come late."""
_LARGEST = 4_000_000
"""Characters of one message of the server, whose own requests are of 100 kB at most."""

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server waits for its extension, the token that it wants, and our patience.

    ``patience`` is the seconds in which a server may still come that does not listen yet.
    """

    port: int
    token: str = field(repr=False)
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
        self._sessions = _Sessions(engine)

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
                    await self._sessions.forget_all()
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
        version = _EXTENSION if self._plain else f"{_EXTENSION}{ENVELOPES}"
        hello = {"type": "HELLO", "version": version, "capabilities": ["grouping"]}
        # a server that refuses the token closes first and answers no ping
        try:
            await _send(socket, hello)
            async with asyncio.timeout(_CONNECT_DEADLINE):
                await (await socket.ping())
        except TimeoutError as error:
            raise _Unreachable(f"the server at {self._place.shown} does not answer") from error
        except ConnectionClosed as error:
            if _code_of(error) == _BAD_TOKEN:
                raise
            raise _Unreachable(
                f"what listens at {self._place.shown} hangs up at once: it is no DOMShell server",
                "--port names the server's WebSocket port (its own --port, 9876)",
            ) from error

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
            self._begin(self._sessions.end(str(message.get("sessionId"))))

    def _begin(self, work: Awaitable[None]) -> None:
        async def done() -> None:
            await work

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _execute(self, message: Mapping[str, Any]) -> None:
        try:
            result, group_id = await self._result(message)
        except DomshError as error:
            hint = f" — {error.hint}" if error.hint else ""
            result, group_id = f"Error: {error.message}{hint}", None
        except Exception as error:  # noqa: BLE001  (without an answer the client would wait)
            said = one_line(f"{type(error).__name__}: {error}", 200)
            result, group_id = f"Error: internal error: {said}", None
        answer = {"type": "RESULT", "id": message.get("id"), "result": result, "groupId": group_id}
        # without a connection there is nobody who waits; a new one still takes the answer
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await _send(self._socket, answer)

    async def _result(self, message: Mapping[str, Any]) -> tuple[str, str | None]:
        """Return the text of the reply, and the lane that it was made in if that still is."""
        policy = self._policy_of(message)
        lane = await self._lane(message, policy)
        reply = await self._runner.answer(str(message.get("command", "")), lane, policy)
        return reply.text, str(lane.id) if lane.id in self._browser.lanes else None

    @property
    def _browser(self) -> Any:
        return self._engine.vocabulary.browser

    def _policy_of(self, message: Mapping[str, Any]) -> Policy:
        named = message.get("allowedDomains")
        if not isinstance(named, list) or not named:
            return self._policy
        return Policy(self._policy.read_only, tuple(normal_domain(str(one)) for one in named))

    async def _lane(self, message: Mapping[str, Any], policy: Policy) -> Lane:
        group_id = message.get("groupId")
        if group_id is None or group_id == "":
            return await self._sessions.lane(str(message.get("sessionId")))
        if group_id == "new":
            url = message.get("initialUrl")
            lane = await self._engine.lane_at(url if isinstance(url, str) else "", policy)
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


class _Sessions:
    """The lanes of sessions whose clients name none: each is made when it is first used."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lanes: dict[str, asyncio.Task[Lane]] = {}
        self._ended: dict[str, None] = {}

    async def lane(self, session: str) -> Lane:
        """Return the lane of a session; raises ``NotConnected`` when that has ended."""
        if session in self._ended:
            raise NotConnected("the session has ended", "connect to the server again")
        task = self._lanes.get(session)
        if task is None or (task.done() and self._is_gone(task)):
            task = self._lanes[session] = asyncio.create_task(self._engine.lane("new"))
        return await asyncio.shield(task)

    async def end(self, session: str) -> None:
        """Close the lane of a session, which gets no other one."""
        remember(self._ended, session, None, _ENDED_KEPT)
        task = self._lanes.pop(session, None)
        if task is not None:
            with contextlib.suppress(DomshError):
                await self._engine.vocabulary.browser.close_lane(await task)

    async def forget_all(self) -> None:
        """Close the lanes of all sessions: they were those of a connection that is gone."""
        await asyncio.gather(*map(self.end, tuple(self._lanes)), return_exceptions=True)
        self._ended.clear()

    def _is_gone(self, task: asyncio.Task[Lane]) -> bool:
        failed = task.cancelled() or task.exception() is not None
        return failed or task.result().id not in self._engine.vocabulary.browser.lanes


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


def _code_of(error: ConnectionClosed) -> int | None:
    return error.rcvd.code if error.rcvd is not None else None


def _final(error: ConnectionClosed, place: Place) -> DomshError | None:
    """Return why a connection that was closed must not be made again, if so."""
    code = _code_of(error)
    if code == _BAD_TOKEN:
        return NotConnected(
            f"the DOMShell server at {place.shown} refuses the token",
            f"the server prints its token when it starts; {TOKEN_VARIABLE} holds it",
        )
    if code in _NORMAL:
        return Lost(
            f"another extension took our place at {place.shown}",
            "end that bridge, or disconnect the extension in its side panel; then start this again",
        )
    return None
