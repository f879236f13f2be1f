from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest

from domsh_repl.engine.engine import BrowserOptions
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.news import news_came
from domsh_repl.errors import Lost
from domsh_repl.nodes import PageInfo
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show


class Reader:
    """Asks for news of a lane, as a client does that goes on from the last reply."""

    def __init__(self, lane: LaneRunner) -> None:
        self._lane = lane
        self.page = self._asked(CommandLine("pwd", envelope=True))

    def _asked(self, line: CommandLine) -> PageInfo:
        vocabulary = self._lane.engine.engine.vocabulary
        page: PageInfo = self._lane.run(vocabulary.run(self._lane.lane, line)).page
        return page

    def next(self, seconds: float = 20) -> PageInfo:
        """Return the page as the next news tells it."""
        options = {"--news": self.page.mark, "--timeout": f"{seconds:g}"}
        self.page = self._asked(CommandLine("wait", (), options, envelope=True))
        return self.page


@pytest.fixture
def reader(lane: LaneRunner, shown: Show) -> Reader:
    shown("<p>there</p>", "beta.html")
    shown("<p>here</p>")
    return Reader(lane)


def script(lane: LaneRunner, text: str) -> None:
    """Let the page do something a moment later, as if by itself."""
    lane.value(f"js setTimeout(() => {{ {text} }}, 100)")


def test_a_page_that_moves_within_its_document_is_news(lane: LaneRunner, reader: Reader) -> None:
    script(lane, "history.pushState({}, '', '#there')")
    assert reader.next().url.endswith("#there")


def test_a_navigation_is_news_until_it_has_loaded(lane: LaneRunner, reader: Reader) -> None:
    before = reader.page.document
    script(lane, "location = '/beta.html'")
    seen = [reader.next()]
    while seen[-1].loading or seen[-1].document == before:
        seen.append(reader.next())
    assert seen[-1].url.endswith("/beta.html")
    assert len(seen) < 6


def test_a_dialog_is_news_when_it_comes_and_when_it_goes(lane: LaneRunner, reader: Reader) -> None:
    script(lane, "alert('now')")
    dialog = reader.next().dialog
    assert dialog is not None
    assert dialog.message == "now"
    lane.run(lane.lane.page.answer_dialog(accept=True, text=None))
    assert reader.next().dialog is None


def test_a_tab_that_nobody_clicked_for_is_told_once(lane: LaneRunner, reader: Reader) -> None:
    script(lane, "window.open('/beta.html')")
    (notice,) = reader.next().notices
    assert notice.startswith("the page opened tab ")
    assert reader.next(0.3).notices == ()


def test_a_tab_that_a_click_opened_is_told_by_the_click_alone(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<button onclick=\"window.open('/')\">Open</button>")
    assert len(lane.value("click open_btn").opened_tabs) == 1
    assert Reader(lane).page.notices == ()


def test_what_happened_before_anybody_asked_is_news_at_once(
    lane: LaneRunner, reader: Reader
) -> None:
    lane.value("js history.pushState({}, '', '#early')")
    assert reader.next().url.endswith("#early")


def test_a_quiet_page_is_left_alone(lane: LaneRunner, reader: Reader) -> None:
    asked: list[str] = []
    main = lane.lane.page.main
    call = main.call

    def noted(method: str, **params: Any) -> Any:
        asked.append(method)
        return call(method, **params)

    main.call = noted
    lane.value("js setInterval(() => document.body.append('x'), 10)")
    asked.clear()
    assert reader.next(0.5).notices == ()
    assert asked == []


def test_a_browser_that_is_gone_is_news() -> None:
    own_engine = EngineRunner(BrowserOptions())

    async def scene() -> None:
        engine = own_engine.engine
        lane = await engine.lane("new")
        browser = engine.vocabulary.browser
        told = (await engine.vocabulary.page_info(lane)).mark
        waiting = asyncio.create_task(news_came(browser, lane, told, 20))
        await asyncio.sleep(0)
        assert engine._process is not None
        os.kill(engine._process.pid, signal.SIGKILL)
        await waiting

    try:
        with pytest.raises(Lost):
            own_engine.run(scene())
    finally:
        own_engine.close()


def test_the_number_of_elements_comes_with_the_page(lane: LaneRunner, shown: Show) -> None:
    shown("<p>a</p><p>b</p>")
    lane.value("ls")
    info: PageInfo = lane.run(lane.lane.page.info())
    assert info.elements == lane.value("js document.querySelectorAll('*').length").value
