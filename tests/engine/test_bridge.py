from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.program import DOMSH, domsh, gone
from tests.real_domshell import (
    Caller,
    RealServer,
    as_client,
    bridged,
    free_port,
    lane_of,
    real_server,
    wait_for,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a DOMShell server with ``domsh bridge`` behind it."""
    folder = tmp_path_factory.mktemp("domshell")
    with real_server(folder, "--allow-write") as started, bridged(started, folder / "bridge.log"):
        yield started


def test_the_server_is_told_that_we_have_envelopes(server: RealServer) -> None:
    about = json.loads(as_client(server.url, server.token, Caller.about))
    assert about["extension_bridged"] is True
    assert about["extension_version"] == "1.3.5+domsh.1"
    assert about["extension_grouping"] is True


def test_a_lane_is_made_with_its_first_page_and_used_and_closed(
    server: RealServer, pages: str
) -> None:
    async def work(call: Caller) -> None:
        first = await call("ls", initial_url=f"{pages}/form.html", group_name="shop")
        lane = lane_of(first)
        assert first.startswith("banner_1/\r\nmain_area/\n\n")
        assert await call("cd main_area", lane) == f"\n\n[lane: {lane}]"
        assert (await call("pwd", lane)).split("\n")[0].endswith("/main_area")
        assert "Load late" in await call("cat load_late_btn", lane)
        assert (await call("click load_late_btn", lane)).startswith("✓")
        closed = await call("group close", lane)
        assert "[lane:" not in closed
        assert "no lane" in await call("pwd", lane)

    as_client(server.url, server.token, work)


def test_envelopes_come_through_whole(server: RealServer, pages: str) -> None:
    async def work(call: Caller) -> None:
        lane = await call.lane()
        url = f"{pages}/form.html".replace("/", "%2F").replace(":", "%3A")
        opened = await call(f"navigate --envelope --escaped {url}", lane)
        body, _, marker = opened.rpartition("\n\n")
        assert json.loads(body)["page"]["title"] == "Form page"
        assert marker == f"[lane: {lane}]"
        failed = await call("click --envelope --escaped /nosuch", lane)
        assert json.loads(failed.rpartition("\n\n")[0])["error"]["code"] == "not_found"
        await call("group close", lane)

    as_client(server.url, server.token, work)


def test_lanes_are_numbers_joined_by_other_sessions_and_unknown_ones_are_refused(
    server: RealServer, pages: str
) -> None:
    lane = as_client(server.url, server.token, lambda call: call.lane(f"{pages}/form.html"))
    assert len(lane) > 3, "a small number would mean another run's lane, too"

    async def work(call: Caller) -> None:
        assert "main_area/" in await call("ls", lane)
        for wrong in ("999", "abc", "New", "-1", "0", "9" * 30):
            reply = await call("pwd", wrong)
            assert reply.startswith(f"Error: no lane '{wrong[:40]}"), reply
            assert "[lane:" not in reply
        await call("group close", lane)

    as_client(server.url, server.token, work)


def test_a_session_that_names_no_lane_has_one_of_its_own(server: RealServer, pages: str) -> None:
    async def work(call: Caller) -> str:
        await call(f"open {pages}/form.html", "shared")
        assert "main_area/" in await call("ls", "shared")
        assert "main_area/" in await call("ls", None)
        return lane_of(await call("pwd", ""))

    first, second = (as_client(server.url, server.token, work) for _ in range(2))
    assert first != second
    # the sessions have ended, and their lanes with them

    async def look(call: Caller) -> tuple[str, str]:
        return await call("pwd", first), await call("pwd", second)

    for reply in as_client(server.url, server.token, look):
        assert "no lane" in reply


def test_a_slow_lane_holds_up_no_other(server: RealServer, pages: str) -> None:
    async def work(call: Caller) -> None:
        slow, quick = await call.lane(f"{pages}/form.html"), await call.lane(f"{pages}/form.html")
        await call("eval window.held = new Promise(done => window.free = done), 1", slow)
        held = asyncio.create_task(call("eval held.then(() => 'freed')", slow))
        for _ in range(3):
            assert "main_area/" in await call("ls", quick)
        assert not held.done()
        await asyncio.gather(call("group close", slow), call("group close", quick))
        await held

    as_client(server.url, server.token, work)


def test_an_address_that_cannot_be_opened_makes_no_lane(server: RealServer) -> None:
    async def work(call: Caller) -> tuple[str, str]:
        return await call("pwd", initial_url="file:///etc/passwd"), await call(
            "group list", "shared"
        )

    refused, listed = as_client(server.url, server.token, work)
    assert "lane mint failed" in refused
    assert "file: URLs are not opened" in refused
    assert len(listed.splitlines()[0].split()) <= 2, listed


def test_the_servers_domains_bind_what_is_opened_and_what_is_acted_on(
    tmp_path: Path, pages: str
) -> None:
    other = pages.replace("127.0.0.1", "localhost")

    async def work(call: Caller) -> None:
        assert "allowed list" in await call("pwd", initial_url=f"{other}/form.html")
        lane = await call.lane(f"{pages}/form.html")
        assert "allowed list" in await call(f"open {other}/form.html", lane)
        await call(f"eval location.href='{other}/alpha.html'; await new Promise(()=>0)", lane)
        for line in ("ls", "eval document.title", "click main_area", "text"):
            assert "allowed list" in await call(line, lane), line
        assert "allowed list" not in await call("pwd", lane)
        assert "✓" in await call(f"open {pages}/alpha.html", lane)
        assert "allowed list" not in await call("ls", lane)

    options = ("--allow-write", "--domains", "127.0.0.1")
    with real_server(tmp_path, *options) as server, bridged(server, tmp_path / "bridge.log"):
        as_client(server.url, server.token, work)


def test_a_bridge_that_only_reads_refuses_what_the_server_lets_pass(
    tmp_path: Path, pages: str
) -> None:
    async def work(call: Caller) -> None:
        lane = await call.lane(f"{pages}/form.html")
        assert "main_area/" in await call("ls", lane)
        for line in ("click main_area/load_late_btn", "fill x y", "eval 1", "check x"):
            assert "only reads" in await call(line, lane), line

    with (
        real_server(tmp_path, "--allow-write") as server,
        bridged(server, tmp_path / "bridge.log", "--read-only"),
    ):
        as_client(server.url, server.token, work)


def test_a_plain_bridge_is_an_extension_of_text(tmp_path: Path, pages: str) -> None:
    async def work(call: Caller) -> None:
        assert json.loads(await call.about())["extension_version"] == "1.3.5"
        assert (await call("pwd")).startswith("~/tabs\n\n[lane: ")
        lane = await call.lane(f"{pages}/form.html")
        assert re.match(r"~/tabs/\d+\n\n\[lane: ", await call("pwd", lane))
        assert re.match(r"banner_\d+/\r\nmain_area/\n\n", await call("ls", lane))
        assert await call("cd main_area", lane) == f"\n\n[lane: {lane}]"
        assert (await call("click load_late_btn", lane)).startswith("✓ Clicked: load_late_btn (bu")
        number = (await call("cd ~", lane), await call("ls --json", lane))[1].partition('"id":')[2]
        closed = await call(f"close {number.partition(',')[0]}", lane)
        assert closed == "✓ Closed: Form page", "the lane ends with its last tab, so no marker"
        assert (await call("pwd", lane)).startswith(f"Error: no lane '{lane}'")

    with (
        real_server(tmp_path, "--allow-write") as server,
        bridged(server, tmp_path / "bridge.log", "--plain"),
    ):
        as_client(server.url, server.token, work)


def test_a_wrong_token_is_told_in_one_line_and_status_3(server: RealServer) -> None:
    run = domsh(
        "bridge", "--port", str(server.socket_port), environment={"DOMSHELL_TOKEN": "wrong"}
    )
    assert run.status == 3
    assert run.err.splitlines()[0].endswith("refuses the token")
    assert "wrong" not in run.err


def test_nothing_that_listens_in_time_is_told_with_status_3() -> None:
    port = str(free_port())
    named = ("--token-env", "T", "--wait", "300ms")
    run = domsh("bridge", "--port", port, *named, environment={"T": "secret"})
    assert run.status == 3
    assert f"waiting for a DOMShell server at ws://127.0.0.1:{port}" in run.err
    assert f"no DOMShell server listens at ws://127.0.0.1:{port}" in run.err
    assert "secret" not in run.err


def test_something_else_that_listens_is_told(pages: str) -> None:
    port = pages.rpartition(":")[2]
    run = domsh("bridge", "--port", port, environment={"DOMSHELL_TOKEN": "x"})
    assert run.status == 3
    assert "is no DOMShell server" in run.err


def test_without_a_token_there_is_nothing_to_try() -> None:
    run = domsh("bridge", environment={"DOMSHELL_TOKEN": ""})
    assert run.status == 2
    assert "DOMSHELL_TOKEN" in run.err


def test_it_connects_again_to_a_server_that_was_restarted(tmp_path: Path, pages: str) -> None:
    log = tmp_path / "bridge.log"
    with real_server(tmp_path, "--allow-write") as first, bridged(first, log) as bridge:
        lane = as_client(first.url, first.token, lambda call: call.lane(f"{pages}/form.html"))
        first.process.kill()
        first.process.wait()
        wait_for(log, "trying again", bridge)
        ports = (first.socket_port, first.http_port)
        with real_server(tmp_path, "--allow-write", token=first.token, ports=ports) as second:
            wait_for(log, "connected to DOMShell", bridge, times=2)
            reply = as_client(second.url, second.token, lambda call: call("ls", lane))
            assert "main_area/" in reply, "the lane outlives the server"


def test_a_server_that_comes_later_is_waited_for(tmp_path: Path) -> None:
    log, ports, token = tmp_path / "bridge.log", (free_port(), free_port()), "t" * 32
    with log.open("wb") as errors:
        bridge = subprocess.Popen(
            [*DOMSH, "bridge", "--port", str(ports[0])], stdin=subprocess.DEVNULL, stderr=errors,
            env={**os.environ, "DOMSHELL_TOKEN": token},
        )  # fmt: skip
    try:
        wait_for(log, "waiting for a DOMShell server", bridge)
        with real_server(tmp_path, token=token, ports=ports) as server:
            wait_for(log, "connected to DOMShell", bridge)
            assert "+domsh" in as_client(server.url, token, Caller.about)
    finally:
        bridge.terminate()
        bridge.wait(20)


def test_another_extension_in_its_place_ends_it(tmp_path: Path) -> None:
    with (
        real_server(tmp_path, "--allow-write") as server,
        bridged(server, tmp_path / "first.log") as first,
        bridged(server, tmp_path / "second.log") as second,
    ):
        assert first.wait(20) == 3
        assert "another extension took our place" in (tmp_path / "first.log").read_text()
        assert second.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_silence_and_its_browser_with_it(
    tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "bridge.log"
    with real_server(tmp_path, "--allow-write") as server, bridged(server, log) as bridge:
        as_client(server.url, server.token, Caller.lane)
        browser = psutil.Process(bridge.pid).children(recursive=True)
        assert browser
        bridge.send_signal(number)
        assert bridge.wait(20) == 0
        assert len(log.read_text().splitlines()) == 1
    assert gone(browser)


def test_a_browser_that_dies_ends_it_with_a_sentence(tmp_path: Path) -> None:
    log = tmp_path / "bridge.log"
    with real_server(tmp_path, "--allow-write") as server, bridged(server, log) as bridge:
        for process in psutil.Process(bridge.pid).children(recursive=True):
            process.kill()
        assert bridge.wait(20) == 3
        assert "the browser is gone" in log.read_text()
