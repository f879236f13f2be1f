"""``domsh bridge`` at servers that misbehave: each is a WebSocket of the test's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from domsh_repl.engine.bridge import Bridge, Place
from domsh_repl.engine.engine import Reply
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.plain.shell import PlainShell
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.errors import NotConnected
from tests.conftest import EngineRunner

Talk = Callable[["Peer"], Awaitable[None]]


class Peer:
    """The server's side of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def tell(self, **message: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def ask(self, command: str, session: str = "s", **more: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        await self.tell(type="EXECUTE", id=command, command=command, sessionId=session, **more)
        while True:
            answer: dict[str, Any] = json.loads(await self.socket.recv())
            if answer["type"] == "RESULT" and answer["id"] == command:
                return answer


class Broken:
    """A runner with a defect."""

    async def answer(self, command: str, lane: Lane, policy: Policy) -> Reply:
        """Fail."""
        raise ZeroDivisionError(command + str(lane.id) + str(policy))


def bridged(engine: EngineRunner, *talks: Talk, runner: Any = None) -> None:
    """Have a bridge connect as often as there are talks, and hold each of them."""

    async def work() -> None:
        waiting = list(talks)
        over = asyncio.Event()
        failures: list[BaseException] = []

        async def hold(socket: ServerConnection) -> None:
            try:
                await waiting.pop(0)(Peer(socket))
            except BaseException as failure:
                failures.append(failure)
                raise
            finally:
                if failures or not waiting:
                    over.set()
            await socket.close(1011)

        async with serve(hold, "127.0.0.1", 0) as server:
            place = Place(server.sockets[0].getsockname()[1], "t")
            shell = runner or PlainShell(engine.engine)
            bridge = Bridge(engine.engine, place, _say_nothing, runner=shell, policy=FREE)
            running = asyncio.create_task(bridge.run())
            ending = asyncio.create_task(over.wait())
            await asyncio.wait((running, ending), return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
            running.cancel()
            await asyncio.gather(running, ending, return_exceptions=True)
        assert not failures, failures

    engine.run(work(), 15)


def _say_nothing(_text: str) -> None:
    """Drop a remark."""


def test_every_request_is_answered_whatever_goes_wrong(engine: EngineRunner) -> None:
    async def talk(peer: Peer) -> None:
        answer = await peer.ask("ls")
        assert answer["result"].startswith("Error: internal error: ZeroDivisionError: ls")
        answer = await peer.ask("pwd", groupId="nosuch")
        assert answer["result"].startswith("Error: no lane 'nosuch'")

    bridged(engine, talk, runner=Broken())


def test_a_pipe_that_counts_in_other_digits_is_answered(engine: EngineRunner) -> None:
    async def talk(peer: Peer) -> None:
        assert "tabs" in (await peer.ask("ls | head -n ²"))["result"]

    bridged(engine, talk)


def test_a_session_that_has_ended_gets_no_new_lane(engine: EngineRunner) -> None:
    async def talk(peer: Peer) -> None:
        lane = int((await peer.ask("pwd"))["groupId"])
        await peer.tell(type="SESSION_END", sessionId="s")
        late = await peer.ask("ls")
        assert late["groupId"] is None
        assert "the session has ended" in late["result"]
        assert (await peer.ask("pwd", groupId=str(lane)))["groupId"] is None

    before = set(engine.engine.vocabulary.browser.lanes)
    bridged(engine, talk)
    assert set(engine.engine.vocabulary.browser.lanes) == before


def test_a_new_connection_begins_without_the_lanes_of_old_sessions(engine: EngineRunner) -> None:
    lanes: list[str] = []

    async def first(peer: Peer) -> None:
        lanes.append((await peer.ask("pwd"))["groupId"])

    async def second(peer: Peer) -> None:
        lanes.append((await peer.ask("pwd"))["groupId"])
        assert int(lanes[0]) not in engine.engine.vocabulary.browser.lanes
        await peer.tell(type="SESSION_END", sessionId="s")

    bridged(engine, first, second)
    assert lanes[0] != lanes[1]


def test_no_lane_is_left_of_a_first_page_that_cannot_be_opened(engine: EngineRunner) -> None:
    async def talk(peer: Peer) -> None:
        answer = await peer.ask("ls", groupId="new", initialUrl="file:///etc/passwd")
        assert answer["groupId"] is None
        assert answer["result"].startswith("Error: file: URLs are not opened")

    before = set(engine.engine.vocabulary.browser.lanes)
    bridged(engine, talk)
    assert set(engine.engine.vocabulary.browser.lanes) == before


@pytest.mark.parametrize("code", [1000, 1005, 1008, 1011, 4000])
def test_a_peer_that_hangs_up_before_it_was_greeted_is_no_server(
    engine: EngineRunner, code: int
) -> None:
    async def work() -> None:
        async def hang_up(socket: ServerConnection) -> None:
            if code == 1005:
                await socket.close()
            else:
                await socket.close(code)

        async with serve(hang_up, "127.0.0.1", 0) as server:
            place = Place(server.sockets[0].getsockname()[1], "t")
            bridge = Bridge(engine.engine, place, _say_nothing, runner=engine.engine, policy=FREE)
            with pytest.raises(NotConnected, match="no DOMShell server"):
                await bridge.run()

    engine.run(work(), 15)
