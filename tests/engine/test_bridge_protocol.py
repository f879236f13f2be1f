"""What ``domsh bridge`` says to a DOMShell server without being asked, and how it comes again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from domsh_repl.engine import bridge as bridge_module
from domsh_repl.engine.bridge import Bridge, Place
from domsh_repl.engine.policy import FREE
from tests.conftest import EngineRunner
from tests.engine.test_bridge_at_odd_servers import Peer, bridged


async def heard(peer: Peer) -> dict[str, Any]:
    """Return the next message of the bridge."""
    message: dict[str, Any] = json.loads(await peer.socket.recv())
    return message


@pytest.mark.parametrize(("has_envelopes", "version"), [(True, "1.3.5+domsh.1"), (False, "1.3.5")])
def test_it_says_first_what_it_is_and_then_that_it_lives(
    engine: EngineRunner, monkeypatch: pytest.MonkeyPatch, version: str, *, has_envelopes: bool
) -> None:
    monkeypatch.setattr(bridge_module, "_ALIVE_EVERY", 0.05)

    async def talk(peer: Peer) -> None:
        hello = {"type": "HELLO", "version": version, "capabilities": ["grouping"]}
        assert await heard(peer) == hello
        for _ in range(3):
            assert await heard(peer) == {"type": "pong"}

    bridged(engine, talk, runner=engine.engine if has_envelopes else None)


def test_a_request_is_answered_by_its_number_in_the_lane_that_it_made(
    engine: EngineRunner, pages: str
) -> None:
    async def talk(peer: Peer) -> None:
        await peer.tell(type="SESSION_START", sessionId="s")
        made = await peer.ask(
            "pwd", groupId="new", groupName="shop", initialUrl=f"{pages}/form.html", windowId=None
        )
        assert made["type"] == "RESULT"
        assert made["result"].startswith("~/tabs/")
        lane = made["groupId"]
        assert lane.isdigit()
        assert "shop" in (await peer.ask("group", groupId=lane))["result"]
        assert "main_area/" in (await peer.ask("ls", groupId=lane))["result"]
        outside = await peer.ask("ls", groupId=lane, allowedDomains=["example.com"])
        assert "not in the allowed list: example.com" in outside["result"]
        unknown = await peer.ask("ls", groupId="999")
        assert unknown["result"].startswith("Error: no lane '999'")
        assert unknown["groupId"] is None
        await peer.tell(type="SESSION_END", sessionId="s")
        assert "main_area/" in (await peer.ask("ls", groupId=lane))["result"], "a lane has a number"

    bridged(engine, talk)


class _Clock:
    """The module ``asyncio`` with a ``sleep`` that takes no time; the pauses are kept."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.enough = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        """Keep a pause and go on at once."""
        self.pauses.append(seconds)
        if len(self.pauses) >= 9:
            self.enough.set()
        await asyncio.sleep(0)


def test_a_server_that_went_is_tried_again_less_and_less_often(
    engine: EngineRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang_up(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.close(1011)

    async def work() -> list[float]:
        clock = _Clock()
        async with serve(hang_up, "127.0.0.1", 0) as server:
            place = Place(server.sockets[0].getsockname()[1], "t")
            connected = asyncio.Event()
            bridge = Bridge(
                engine.engine, place, lambda _text: connected.set(),
                runner=engine.engine, policy=FREE,
            )  # fmt: skip
            running = asyncio.create_task(bridge.run())
            await connected.wait()
        monkeypatch.setattr(bridge_module, "asyncio", clock)
        await clock.enough.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return clock.pauses

    pauses = engine.run(work(), 20)
    growing = pauses[-7:]
    assert growing == sorted(growing)
    assert pauses[-1] == 30.0
    assert pauses[0] <= 1.0
