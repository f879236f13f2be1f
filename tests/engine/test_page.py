from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from domsh_repl.errors import DialogOpen, DomshError
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show


def test_an_event_wakes_everybody_who_waits(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    page = lane.lane.page
    count = 0

    async def waiting() -> list[bool]:
        nonlocal count
        waiters = [
            asyncio.create_task(page.until(lambda goal=goal: count >= goal, 20))
            for goal in (1, 1, 2, 3, 3, 3)
        ]
        for _ in range(3):
            await page.main.call("Runtime.evaluate", expression="1")
            count += 1
            page.changed.set()
        return [bool(woken) for woken in await asyncio.gather(*waiters)]

    assert lane.run(waiting()) == [True] * 6


def test_a_wait_ends_at_its_deadline(lane: LaneRunner) -> None:
    assert lane.run(lane.lane.page.until(lambda: False, 0.05)) is False


def test_everybody_who_is_refused_gets_an_error_of_his_own(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    page = lane.lane.page

    async def refused() -> list[object]:
        calls = [
            page.main.call("Runtime.evaluate", expression="new Promise(()=>0)", awaitPromise=True)
        ]
        calls.append(page.main.call("Runtime.evaluate", expression="alert(1)"))
        results = await asyncio.gather(*calls, return_exceptions=True)
        page.main.call("Runtime.evaluate", expression="1")  # nobody has to await what was refused
        later = await asyncio.gather(
            *(page.main.call("Runtime.evaluate", expression="1") for _ in range(2)),
            return_exceptions=True,
        )
        await page.answer_dialog(accept=True, text=None)
        return [*results, *later]

    errors = lane.run(refused())
    assert all(isinstance(error, DialogOpen) for error in errors)
    assert len({id(error) for error in errors}) == len(errors)
    assert len({str(error) for error in errors}) == 1


def test_an_update_of_the_tree_ends_a_watching_wait(lane: LaneRunner, shown: Show) -> None:
    shown("<p id=p>x</p><button>b</button>")
    page = lane.lane.page
    lane.value("ls")
    assert lane.run(page.until(lambda: True, 1))

    async def changed() -> bool:
        store = lane.desk.tree.store
        before = store.updates
        await page.main.call(
            "Runtime.evaluate",
            expression="setTimeout(()=>document.querySelector('button').textContent='new',600)",
        )
        return bool(await page.until(lambda: store.updates > before, 20))

    assert lane.run(changed())


def test_frames_in_frames_of_other_processes_know_who_shows_them(
    served: tuple[Path, str], isolated_engine: EngineRunner
) -> None:
    folder, url = served
    foreign = url.replace("127.0.0.1", "localhost")
    (folder / "inner.html").write_text("<button onclick=\"document.title='hit'\">Deep</button>")
    (folder / "middle.html").write_text(f"<iframe title=in src={url}/inner.html></iframe>")
    (folder / "index.html").write_text(f"<iframe title=mid src={foreign}/middle.html></iframe>")
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {url}/index.html")
    frames = lane.lane.page.frames
    effect = lane.value("click mid/in/deep_btn")
    assert effect.path == "/mid/in/deep_btn"
    owners = [frames.owner(session) for session in frames.by_frame.values()]
    assert frames.owner(lane.lane.page.main) is None
    assert any(owner is not None and owner[0] is lane.lane.page.main for owner in owners)
    lane.close()


def test_a_frame_s_process_that_crashes_takes_no_command_with_it(
    served: tuple[Path, str], isolated_engine: EngineRunner
) -> None:
    folder, url = served
    (folder / "in.html").write_text("<button>In</button>")
    (folder / "index.html").write_text(
        f"<button>Out</button><iframe title=f src={url.replace('127.0.0.1', 'localhost')}/in.html>"
    )
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {url}/index.html")
    assert lane.value("ls f").entries[0].name == "in_btn"
    page = lane.lane.page

    async def crashed() -> bool:
        (inner,) = page.frames.by_frame.values()
        inner.call("Page.crash")
        return bool(await page.until(lambda: not page.frames.by_frame, 20))

    assert lane.run(crashed())
    assert lane.value("ls --timeout 5").entries[0].name == "out_btn"
    lane.value("click --timeout 5 out_btn")
    with pytest.raises(DomshError):
        lane.value("click --timeout 5 f/in_btn")
    lane.close()
