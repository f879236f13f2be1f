from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from domsh_repl.engine.browser_paths import find_browser
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.engine import BrowserOptions, Engine
from domsh_repl.engine.line import parse_command_line
from domsh_repl.errors import LaneFailed, Lost, NotConnected, TabGone
from tests.engine.conftest import Show

DEADLINE = 60


@contextlib.asynccontextmanager
async def running(**options: Any) -> AsyncIterator[Engine]:
    engine = Engine(BrowserOptions(**options))
    try:
        await engine.start()
        yield engine
    finally:
        await engine.close()


def run(work: Any) -> Any:
    """Run to the end in a loop of its own; what a task left unretrieved is a failure."""
    left: list[dict[str, Any]] = []

    async def watched() -> Any:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: left.append(context))
        async with asyncio.timeout(DEADLINE):
            result = await work
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others
        gc.collect()
        return result

    result = asyncio.run(watched())
    assert not left
    return result


async def value(engine: Engine, line: str, lane: Any) -> Any:
    return (await engine.vocabulary.run(lane, parse_command_line(line))).value


def processes(engine: Engine) -> list[psutil.Process]:
    process = engine._process
    assert process is not None
    top = psutil.Process(process.pid)
    return [top, *top.children(recursive=True)]


def gone(found: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(found, 10)
    return not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize(
    "line",
    [
        "ls",
        "js alert(1)",
        "js setTimeout(()=>{for(;;);},0)",
        "js --envelope --timeout 0.2 for(;;);",
    ],
)
def test_closing_leaves_nothing_whatever_the_page_does(line: str) -> None:
    async def work() -> list[psutil.Process]:
        async with running() as engine:
            lane = await engine.lane("new")
            await engine.execute("navigate about:blank", str(lane.id))
            await engine.execute(line, str(lane.id))
            return processes(engine)

    assert gone(run(work()))


def test_closing_ends_what_is_under_way() -> None:
    async def work() -> object:
        async with running() as engine:
            lane = await engine.lane("new")
            script = asyncio.create_task(value(engine, "js new Promise(() => 0)", lane))
            watching = asyncio.create_task(value(engine, "wait nothing --timeout 50", lane))
            await value(engine, "tabs", lane)
        return await asyncio.gather(script, watching, return_exceptions=True)

    results = run(work())
    # the browser may tell that the tab is gone before its pipe ends
    assert all(isinstance(result, (Lost, TabGone)) for result in results), results
    assert results[0] is not results[1]


def test_an_engine_can_be_closed_before_it_is_used_and_more_than_once() -> None:
    async def work() -> None:
        engine = Engine(BrowserOptions())
        await engine.close()
        async with running() as engine:
            pass
        await engine.close()
        with pytest.raises(LaneFailed):
            await Engine(BrowserOptions()).lane("new")

    run(work())


def test_a_browser_that_is_killed_is_known_at_once() -> None:
    async def work() -> tuple[float, list[object]]:
        async with running() as engine:
            lane = await engine.lane("new")
            await value(engine, "navigate about:blank", lane)
            pending = asyncio.create_task(value(engine, "js new Promise(() => 0)", lane))
            await value(engine, "tabs", lane)
            for process in processes(engine):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.send_signal(signal.SIGKILL)
            started = time.monotonic()
            results: list[object] = []
            results += await asyncio.gather(
                pending, value(engine, "ls", lane), engine.lane("new"), return_exceptions=True
            )
            for line in ("pwd", "tabs", "click x", "navigate about:blank", "close", "wait x"):
                more = await asyncio.gather(value(engine, line, lane), return_exceptions=True)
                results += more
            reply = await engine.execute("ls --envelope", str(lane.id))
            assert '"code":"lost"' in reply.text
            return time.monotonic() - started, results

    seconds, results = run(work())
    assert [type(result) for result in results] == [Lost] * len(results)
    assert len({id(result) for result in results}) == len(results)
    assert all(result.hint for result in results if isinstance(result, Lost))
    assert seconds < 5


def test_two_engines_do_not_touch_each_other(pages: str) -> None:
    async def work() -> None:
        async with running() as one:
            first = await one.lane("new")
            for _ in range(3):
                async with running() as two:
                    second = await two.lane("new")
                    both = (
                        value(one, f"navigate {pages}/alpha.html", first),
                        value(two, f"navigate {pages}/beta.html", second),
                    )
                    assert [effect.title for effect in await asyncio.gather(*both)] == [
                        "Alpha",
                        "Beta",
                    ]
            # what the other one closed had descriptors, whose numbers are free again
            assert (await value(one, "ls", first)).total == 2
            assert (await value(one, f"navigate {pages}/beta.html", first)).title == "Beta"

    run(work())


def test_a_cancelled_command_leaves_the_lane_usable(pages: str) -> None:
    async def work() -> None:
        async with running() as engine:
            lane = await engine.lane("new")
            await value(engine, f"navigate {pages}/form.html", lane)
            for line in ("js new Promise(()=>0)", "wait x --timeout 50", "tree -L 9", "click save"):
                task = asyncio.create_task(value(engine, line, lane))
                await asyncio.wait([task], timeout=0.02)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            assert (await value(engine, "ls", lane)).total == 2

    run(work())


def test_whoever_stops_waiting_for_a_lane_loses_none() -> None:
    async def work() -> int:
        async with running() as engine:
            for _ in range(3):
                asking = asyncio.create_task(engine.lane("new"))
                await asyncio.wait([asking], timeout=0)
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            lane = await engine.lane("new")
            await value(engine, "navigate about:blank", lane)
            pages = await engine.vocabulary.browser.connection.browser.call("Target.getTargets")
            lanes = {one.context_id for one in engine.vocabulary.browser.lanes.values()}
            owned = [t for t in pages["targetInfos"] if t.get("browserContextId") in lanes]
            assert len(lanes) == 1
            return len(owned)

    assert run(work()) == 1


def test_many_lanes_and_tabs_leave_no_sessions(pages: str) -> None:
    async def work() -> None:
        async with running() as engine:
            keeper = await engine.lane("new")
            await value(engine, f"navigate {pages}/alpha.html", keeper)
            connection = engine._connection
            assert connection is not None
            before = len(connection._sessions)
            for _ in range(4):
                lane = await engine.lane("new")
                await value(engine, f"navigate {pages}/frame.html", lane)
                await value(engine, f"open {pages}/alpha.html", lane)
                await value(engine, "ls", lane)
                await value(engine, "group close", lane)
            await value(engine, "ls", keeper)
            async with asyncio.timeout(10):
                while len(connection._sessions) > before:
                    await value(engine, "js 1", keeper)
            assert len(engine.vocabulary._desks) <= 3

    run(work())


# guests


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a browser that is somebody else's, and give its address."""
    program = find_browser(None, headed=False).path
    flags = ["--remote-debugging-port=0", "--no-sandbox", f"--user-data-dir={tmp_path}/profile"]
    process = subprocess.Popen(
        [program, "--headless", *flags, "about:blank"],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    address = ""
    for line in process.stderr:
        if b"DevTools listening on" in line:
            address = line.split()[-1].decode()
            break
    yield process, address
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    process.stderr.close()
    process.wait(20)


@pytest.mark.parametrize("scheme", ["ws", "http"])
def test_a_guest_works_and_closes_only_what_is_its_own(
    theirs: tuple[subprocess.Popen[bytes], str], pages: str, scheme: str
) -> None:
    process, address = theirs
    if scheme == "http":
        address = "http://" + address.removeprefix("ws://").partition("/")[0]

    async def targets(engine: Engine) -> set[str]:
        assert engine._connection is not None
        found = await engine._connection.browser.call("Target.getTargets")
        return {target["targetId"] for target in found["targetInfos"]}

    async def work() -> None:
        async with running(cdp=address) as host, running(cdp=address) as guest:
            lane = await guest.lane("new")
            guest_tab = lane.page.target_id
            before = await targets(host)
            await value(guest, f"navigate {pages}/opens_tabs.html", lane)
            effect = await value(guest, "click new_tab_link", lane)
            assert [tab.title for tab in effect.opened_tabs] == ["Beta"]
            await value(guest, f"cd ~/tabs/{effect.opened_tabs[0].id}", lane)
            assert [node.name for node in (await value(guest, "ls", lane)).entries] == ["beta_btn"]
            assert await targets(host) > before
            await guest.close()
            async with asyncio.timeout(10):
                while await targets(host) - before:
                    pass
            assert before - await targets(host) <= {guest_tab}

    run(work())
    assert process.poll() is None


def test_a_guest_knows_at_once_that_its_host_is_gone(
    theirs: tuple[subprocess.Popen[bytes], str],
) -> None:
    process, address = theirs

    async def work() -> object:
        async with running(cdp=address) as engine:
            lane = await engine.lane("new")
            await value(engine, "navigate about:blank", lane)
            pending = asyncio.create_task(value(engine, "js new Promise(() => 0)", lane))
            await value(engine, "tabs", lane)
            process.kill()
            return (await asyncio.gather(pending, return_exceptions=True))[0]

    assert isinstance(run(work()), Lost)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1", "ws://127.0.0.1:1/x", "nonsense", "http://"]
)
def test_an_address_where_no_browser_is_says_how_to_start_one(address: str) -> None:
    async def work() -> None:
        async with running(cdp=address):
            pass

    with pytest.raises(NotConnected) as caught:
        run(work())
    assert "remote-debugging-port" in caught.value.hint


def test_a_huge_page_leaves_the_browser_s_buffers_small(
    shown: Show, served: tuple[Path, str], lane: Any
) -> None:
    (served[0] / "big.txt").write_bytes(b"x" * 3_000_000)
    shown("<p>x</p>")
    page = lane.lane.page

    async def kept() -> str:
        seen: list[str] = []
        page.main.on("Network.responseReceived", lambda event: seen.append(event["requestId"]))
        fetching = "fetch('/big.txt').then(r => r.text()).then(t => t.length)"
        await page.main.call("Runtime.evaluate", expression=fetching, awaitPromise=True)
        with pytest.raises(CdpError) as caught:
            await page.main.call("Network.getResponseBody", requestId=seen[-1])
        return caught.value.message

    assert "evicted" in lane.run(kept())
