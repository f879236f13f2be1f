from __future__ import annotations

import asyncio

import pytest

from domsh_repl.errors import (
    DialogOpen,
    TimedOut,
)
from tests.conftest import LaneRunner


def names(lane: LaneRunner) -> list[str]:
    return [node.name for node in lane.value("ls").entries]


def url(lane: LaneRunner) -> str:
    return str(lane.value("pwd").url)


@pytest.fixture
def asking(lane: LaneRunner, pages: str) -> LaneRunner:
    """Show a page that asks before it is left, which browsers allow after a click only."""
    lane.value(f"navigate {pages}/leave_question.html")
    lane.value("click use_btn")
    return lane


@pytest.mark.parametrize("line", ["navigate PAGES/beta.html", "reload", "back", "click leave_link"])
def test_a_page_that_asks_before_it_is_left_is_told(
    lane: LaneRunner, pages: str, line: str
) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(f"navigate {pages}/leave_question.html")
    lane.value("click use_btn")
    effect = lane.value(line.replace("PAGES", pages))
    assert effect.dialog is not None
    assert effect.dialog.type == "beforeunload"
    assert (effect.navigated, effect.url) == (False, f"{pages}/leave_question.html")
    with pytest.raises(DialogOpen):
        lane.value("ls")
    effect = lane.value("dialog dismiss")
    assert (effect.url, effect.dialog, effect.loading) == (
        f"{pages}/leave_question.html",
        None,
        False,
    )
    assert names(lane)[0] == "use_btn"


@pytest.mark.parametrize("line", ["navigate PAGES/beta.html", "click leave_link"])
def test_accepting_the_question_goes_on(asking: LaneRunner, pages: str, line: str) -> None:
    asking.value(line.replace("PAGES", pages))
    effect = asking.value("dialog accept")
    assert (effect.title, effect.navigated, effect.loading) == ("Beta", True, False)
    assert names(asking) == ["beta_btn"]


def test_a_page_that_asks_can_be_reloaded(asking: LaneRunner, pages: str) -> None:
    assert asking.value("reload").dialog is not None
    effect = asking.value("dialog accept")
    assert (effect.url, effect.navigated) == (f"{pages}/leave_question.html", True)
    assert asking.value("js t.textContent").value == ""


def test_a_page_in_an_endless_loop_can_be_left(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/ok")
    lane.value("js setTimeout(() => { for (;;); }, 0)")
    with pytest.raises(TimedOut, match="busy") as caught:
        lane.value("ls --timeout 0.3")
    assert "open" in caught.value.hint
    assert url(lane) == f"{odd}/ok"
    assert len(lane.value("tabs").tabs) == 1
    assert lane.value(f"navigate --timeout 20 {odd}/links").title == "Links"


def test_a_navigation_that_is_given_up_does_not_go_on(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/ok")
    page = lane.lane.page

    async def given_up() -> bool:
        line = f"navigate {odd}/hang"
        going = asyncio.create_task(lane.engine.engine.execute(line, str(lane.lane.id)))
        assert await page.until(lambda: page.load.leaving, 20)
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        return bool(await page.until(lambda: not page.load.busy, 20))

    assert lane.run(given_up())
    assert names(lane) == ["fine_btn"]
