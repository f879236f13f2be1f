from __future__ import annotations

from typing import Any

from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import asked, foreign

IDLE = "js new Promise((done) => setTimeout(done, 100))"


def messages(lane: LaneRunner, line: str = "console -n 0") -> list[tuple[str, str]]:
    return [(one.level, one.text.split("\n")[0]) for one in lane.value(line).console]


def requests(lane: LaneRunner, line: str = "requests -n 0") -> list[Any]:
    return list(lane.value(line).requests)


def test_messages_and_uncaught_exceptions_are_kept_in_order(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<script>console.log('one', 1); console.warn('two'); console.error('three');"
        "console.info('four'); console.debug('five'); console.assert(false, 'six');"
        "console.group('seven'); console.groupEnd(); console.clear();"
        "Promise.reject(new Error('eight')); setTimeout(() => { throw new TypeError('nine') })"
        "</script>"
    )
    lane.value(IDLE)
    found = messages(lane)
    assert found[:7] == [
        ("log", "one 1"), ("warning", "two"), ("error", "three"), ("info", "four"),
        ("debug", "five"), ("error", "Assertion failed: six"), ("log", "seven"),
    ]  # fmt: skip
    assert set(found[7:]) == {
        ("exception", "Uncaught (in promise) Error: eight"),
        ("exception", "Uncaught TypeError: nine"),
    }
    first = lane.value("console").console[0]
    assert first.url.endswith("/index.html")
    assert (first.line, first.tab) == (1, lane.lane.current)
    assert first.time > 1_700_000_000


def test_the_last_ones_are_told_and_how_many_are_kept(lane: LaneRunner, shown: Show) -> None:
    shown("<script>for (let n = 0; n < 1200; n++) console.log(n)</script>")
    told = lane.value("console -n 2")
    assert ([one.text for one in told.console], told.total) == (["1198", "1199"], 1000)
    assert len(lane.value("console").console) == 100
    assert len(lane.value("console -n 0").console) == 1000


def test_messages_outlive_their_document_and_their_tab(
    lane: LaneRunner, shown: Show, pages: str
) -> None:
    first = lane.lane.current
    shown("<script>console.log('before')</script>")
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(f"open --envelope {pages}/beta.html")
    second = lane.lane.current
    lane.value("js console.log('in another')")
    lane.value(f"close {second}")
    assert [(one.text, one.tab) for one in lane.value("console").console] == [
        ("before", first), ("in another", second),
    ]  # fmt: skip


def test_frames_of_other_sites_log_too(isolated_engine: EngineRunner, pages: str) -> None:
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(
        "js new Promise((done) => { const f = document.createElement('iframe'); f.onload = done;"
        f" f.src = '{foreign(pages)}/logs.html'; document.body.append(f) }})"
    )
    assert ("log", "from a frame") in messages(lane)
    asked_for = [one.url for one in requests(lane)]
    assert f"{foreign(pages)}/nosuch.json" in asked_for
    assert asked_for.count(f"{foreign(pages)}/logs.html") == 1
    lane.close()


def test_what_the_browser_complains_of_is_told(lane: LaneRunner, shown: Show) -> None:
    shown("<img src=/nosuch.png>")
    assert any(
        level == "error" and "404" in text and one.url.endswith("/nosuch.png")
        for one in lane.value("console").console
        for level, text in [(one.level, one.text)]
    )


def test_the_console_answers_while_a_dialog_is_open(lane: LaneRunner, shown: Show) -> None:
    shown("<button onclick=\"console.log('asked'); alert('wait')\">Ask</button>")
    lane.value("click /ask_btn")
    assert messages(lane) == [("log", "asked")]
    assert requests(lane)
    lane.value("dialog accept")


def test_requests_tell_method_status_type_and_time(lane: LaneRunner, shown: Show) -> None:
    url = shown("<img src='/nosuch.png'>")
    lane.value("js fetch('/index.html?token=secret').then((r) => r.text())")
    lane.value("js fetch('http://127.0.0.1:1/').catch(() => 0)")
    lane.value(IDLE)
    found = {one.url: one for one in requests(lane)}
    page, image = found[f"{url}/index.html"], found[f"{url}/nosuch.png"]
    assert (page.method, page.type, page.status, page.error) == ("GET", "Document", 200, "")
    assert (image.type, image.status) == ("Image", 404)
    assert found[f"{url}/index.html?token=secret"].type == "Fetch"
    assert all(
        one.ms is not None and one.ms >= 0 and one.time > 1_700_000_000 for one in found.values()
    )
    failed = {one.url: one.error for one in requests(lane, "requests --failed")}
    assert set(failed) == {f"{url}/nosuch.png", "http://127.0.0.1:1/"}
    assert failed["http://127.0.0.1:1/"] == "net::ERR_UNSAFE_PORT"


def test_a_redirection_is_a_request_of_its_own(lane: LaneRunner, odd: str) -> None:
    lane.value(f"navigate {odd}/redirect")
    found = [(one.url.removeprefix(odd), one.status) for one in requests(lane)]
    assert found[0] == ("/redirect", 302)
    assert found[1][1] == 200


def test_a_request_that_goes_on_has_no_end(lane: LaneRunner, shown: Show, odd: str) -> None:
    shown("<p>x</p>")
    lane.value(f"js (new Image()).src = '{odd}/hang'")
    (last,) = lane.value("requests -n 1").requests
    assert (last.status, last.ms, last.error) == (None, None, "")
    assert requests(lane, "requests --failed") == []


def test_a_flood_of_requests_is_bounded(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    lane.value("js Promise.all(Array.from({length: 1100}, (_, n) => fetch('data:,' + n)))")
    told = lane.value("requests")
    assert (len(told.requests), told.total) == (100, 1000)
    assert len(lane.lane.logs._open) <= 1000


def test_a_long_address_of_data_is_cut(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    asked(lane, "fetch('data:,' + 'x'.repeat(100000)).then(() => 1)")
    (last,) = lane.value("requests -n 1").requests
    assert len(last.url) == 200
