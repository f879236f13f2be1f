from __future__ import annotations

from collections.abc import Iterator

import pytest

from domsh_repl.errors import DomshError, NotFound, TabCrashed, TabGone, Unsupported, UsageError
from domsh_repl.nodes import EffectKind
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show


@pytest.fixture
def opener(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/opens_tabs.html")
    return lane


def urls(lane: LaneRunner) -> list[str]:
    return [tab.url for tab in lane.value("tabs").tabs]


@pytest.mark.parametrize("path", ["new_tab_link", "window_btn", "no_opener_link"])
def test_a_tab_that_a_click_opens_is_told(opener: LaneRunner, pages: str, path: str) -> None:
    effect = opener.value(f"click --timeout 20 {path}")
    (tab,) = effect.opened_tabs
    assert (tab.url, tab.title, tab.current) == (f"{pages}/beta.html", "Beta", False)
    assert effect.effect is EffectKind.SEEN
    assert opener.value("pwd").url == f"{pages}/opens_tabs.html"
    switched = opener.value(f"cd ~/tabs/{tab.id}")
    assert (switched.action, switched.url) == ("tab", f"{pages}/beta.html")
    assert [node.name for node in opener.value("ls").entries] == ["beta_btn"]


@pytest.mark.parametrize(
    ("script", "url"),
    [
        ("window.open('/beta.html')", "SITE/beta.html"),
        ("setTimeout(()=>window.open('/beta.html'),0)", "SITE/beta.html"),
        ("window.open('')", "about:blank"),
        ("window.open('about:blank','_blank','noopener')", "about:blank"),
        ("window.open('').document.write('<title>Written</title>')", "about:blank"),
        ("window.open('/beta.html','a');window.open('/beta.html','b')", "SITE/beta.html"),
    ],
)
def test_windows_of_every_kind_are_told_soon(
    lane: LaneRunner, shown: Show, script: str, url: str
) -> None:
    site = shown(f'<button onclick="{script}">Open</button>')
    effect = lane.value("click --timeout 4 open_btn")
    found = {tab.url for tab in effect.opened_tabs}
    assert found <= {url.replace("SITE", site), "about:blank"} or site in next(iter(found))
    assert len(effect.opened_tabs) == script.count("open(")


def test_a_window_that_closes_at_once_keeps_nobody_waiting(lane: LaneRunner, shown: Show) -> None:
    shown("<button onclick=\"window.open('').close()\">Blink</button>")
    for _ in range(5):
        lane.value("click --timeout 4 blink_btn")
        assert len(lane.value("tabs").tabs) == 1


def test_a_named_window_is_opened_once(lane: LaneRunner, shown: Show) -> None:
    site = shown(
        "<button onclick=\"window.open('/a','w')\">One</button><a target=w href=/b>Two</a>"
    )
    assert len(lane.value("click --timeout 4 one_btn").opened_tabs) == 1
    assert lane.value("click --timeout 4 one_btn").opened_tabs == ()
    assert lane.value("click --timeout 4 two_link").opened_tabs == ()
    page = lane.lane.pages[max(lane.lane.pages)]
    assert lane.run(page.until(lambda: page.load.commits > 2 and page.load.loaded, 10))
    assert urls(lane) == [f"{site}/index.html", f"{site}/b"]


def test_a_tab_that_a_page_opens_by_itself_is_listed(lane: LaneRunner, shown: Show) -> None:
    shown("<button onclick=\"setTimeout(()=>window.open('/x'),50)\">Later</button>")
    lane.value("click later_btn")
    page = lane.lane.page
    assert lane.run(page.until(lambda: page.load.windows_adopted == 1, 10))
    assert len(lane.value("tabs").tabs) == 2


def test_tabs_are_switched_and_closed(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    first = lane.value("tabs").tabs[0].id
    lane.value(f"open {pages}/beta.html")
    assert [(tab.title, tab.current) for tab in lane.value("tabs").tabs] == [
        ("Alpha", False),
        ("Beta", True),
    ]
    lane.value(f"cd ~/tabs/{first}")
    assert lane.value("pwd").title == "Alpha"
    closed = lane.value("close")
    assert closed.facts == {"closed": first}
    assert lane.value("pwd").title == "Beta"
    assert len(lane.value("tabs").tabs) == 1
    with pytest.raises(NotFound) as caught:
        lane.value(f"close {first}")
    assert caught.value.hint


def test_another_tab_is_closed_by_its_id(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(f"open {pages}/beta.html")
    lane.value(f"close {lane.value('tabs').tabs[0].id}")
    assert urls(lane) == [f"{pages}/beta.html"]
    assert lane.value("pwd").title == "Beta"


def test_without_a_tab_commands_say_how_to_get_one(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/alpha.html")
    lane.value("close")
    assert lane.value("tabs").tabs == ()
    for line in ("ls", "pwd", "click x", "back", "reload", "js 1", "close"):
        with pytest.raises((TabGone, NotFound)) as caught:
            lane.value(line)
        if isinstance(caught.value, TabGone):
            assert "open URL" in caught.value.hint
    assert lane.value(f"open {pages}/beta.html").title == "Beta"
    assert [node.name for node in lane.value("ls").entries] == ["beta_btn"]


@pytest.mark.parametrize("operand", ["x", "-1", "²", "1" * 5000, "~/tabs/²", "1.0"])
def test_a_tab_id_is_a_number(lane: LaneRunner, operand: str) -> None:
    with pytest.raises(DomshError):
        lane.value(f"close '{operand}'")
    with pytest.raises(NotFound):
        lane.value(f"cd '~/tabs/{operand}'")


def test_places_beside_the_tabs_are_not_there(lane: LaneRunner) -> None:
    for line in ("cd ~/windows/1", "ls ~/nosuch", "cat ~", "cd ~root"):
        with pytest.raises(NotFound) as caught:
            lane.value(line)
        assert "ls ~" in caught.value.hint


def test_a_tab_that_closes_itself_is_no_failure(opener: LaneRunner, pages: str) -> None:
    (tab,) = opener.value("click window_btn").opened_tabs
    opener.value(f"cd ~/tabs/{tab.id}")
    opener.value(f"navigate {pages}/opens_tabs.html")
    told = opener.reply("click --envelope --timeout 10 close_me_btn").text
    assert '"action":"click","path":"/close_me_btn"' in told
    page = opener.lane.pages.get(tab.id)
    if page is not None:
        assert opener.run(page.until(lambda: page.gone is not None, 10))
    reply = opener.reply("pwd --envelope").text
    assert len(opener.value("tabs").tabs) == 1
    assert f"tab {tab.id} was closed" in told + reply
    assert f"{pages}/opens_tabs.html" in reply


def test_a_click_that_closes_the_tab_at_once_is_no_failure(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<button onclick=\"window.open('/index.html')\">Open</button>"
        "<button onclick=window.close()>Bye</button>"
    )
    (tab,) = lane.value("click open_btn").opened_tabs
    lane.value(f"cd ~/tabs/{tab.id}")
    effect = lane.value("click --timeout 10 bye_btn")
    assert (effect.effect, effect.path) == (EffectKind.SEEN, "/bye_btn")
    assert len(lane.value("tabs").tabs) == 1


# crashes


def crash(lane: LaneRunner) -> None:
    """Crash the tab's renderer (Page.crash never answers) and wait until that is known."""
    page = lane.lane.page

    async def crashed() -> bool:
        page.main.call("Page.crash")
        return bool(await page.until(lambda: page.load.crashed, 20))

    assert lane.run(crashed())


@pytest.fixture
def crashed(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/alpha.html")
    crash(lane)
    return lane


@pytest.mark.parametrize("line", ["ls", "click alpha_btn", "js 1", "text", "refresh", "key a"])
def test_a_crashed_tab_says_so_at_once(crashed: LaneRunner, line: str) -> None:
    with pytest.raises(TabCrashed) as caught:
        crashed.value(line)
    assert "reload" in caught.value.hint


def test_a_crashed_tab_is_still_listed(crashed: LaneRunner, pages: str) -> None:
    assert urls(crashed) == [f"{pages}/alpha.html"]
    assert crashed.value("pwd").url == f"{pages}/alpha.html"


@pytest.mark.parametrize(
    ("line", "entry"), [("reload", "alpha_btn"), ("navigate PAGES/beta.html", "beta_btn")]
)
def test_a_crashed_tab_lives_again_with_another_document(
    crashed: LaneRunner, pages: str, line: str, entry: str
) -> None:
    effect = crashed.value(line.replace("PAGES", pages))
    assert (effect.navigated, effect.loading) == (True, False)
    assert crashed.value("ls").entries[0].name == entry
    crashed.value(f"click {entry}")
    crash(crashed)
    with pytest.raises(TabCrashed):
        crashed.value("ls")


def test_a_crashed_tab_that_cannot_go_elsewhere_stays_crashed(
    crashed: LaneRunner, odd: str
) -> None:
    with pytest.raises(DomshError):
        crashed.value(f"navigate --timeout 0.5 {odd}/hang")
    with pytest.raises(TabCrashed):
        crashed.value("ls --timeout 1")
    assert crashed.value(f"navigate {odd}/ok").title == "Fine"


def test_a_crash_under_a_command_ends_it(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    page = lane.lane.page

    async def both() -> object:
        import asyncio  # noqa: PLC0415

        script = asyncio.create_task(_value(lane, "js new Promise(() => 0)"))
        await page.main.call("Runtime.evaluate", expression="1")
        page.main.call("Page.crash")
        (result,) = await asyncio.gather(script, return_exceptions=True)
        return result

    assert isinstance(lane.run(both()), TabCrashed)


async def _value(lane: LaneRunner, line: str) -> object:
    from domsh_repl.engine.line import parse_command_line  # noqa: PLC0415

    return await lane.engine.engine.vocabulary.run(lane.lane, parse_command_line(line))


# lanes


@pytest.fixture
def two_lanes(engine: EngineRunner, pages: str) -> Iterator[tuple[LaneRunner, LaneRunner]]:
    made = LaneRunner(engine), LaneRunner(engine)
    for lane in made:
        lane.value(f"navigate {pages}/alpha.html")
    yield made
    for lane in made:
        lane.close()


def test_lanes_share_no_cookies_and_no_tabs(two_lanes: tuple[LaneRunner, LaneRunner]) -> None:
    one, two = two_lanes
    one.value("js document.cookie='a=1'")
    one.value("js localStorage.x=1")
    assert two.value("js document.cookie").value == ""
    assert two.value("js localStorage.x").value is None
    one.value("open about:blank")
    assert (len(one.value("tabs").tabs), len(two.value("tabs").tabs)) == (2, 1)
    with pytest.raises(NotFound):
        two.value(f"cd ~/tabs/{one.value('tabs').tabs[0].id}")


def test_a_closed_lane_is_no_lane(engine: EngineRunner, pages: str) -> None:
    lane = LaneRunner(engine)
    lane.value(f"navigate {pages}/alpha.html")
    assert lane.value("group close").facts == {"closed": lane.lane.id}
    reply = lane.reply("ls")
    assert reply.failed
    assert f"no lane '{lane.lane.id}'" in reply.text
    assert "[lane:" not in reply.text


@pytest.mark.parametrize("group", ["999999", "x", "", "²", "NEW", "9" * 6000, "-1", "1 "])
def test_an_unknown_lane_is_named_and_nothing_runs(engine: EngineRunner, group: str) -> None:
    before = dict(engine.engine.vocabulary.browser.lanes)
    reply = engine.run(engine.engine.execute("pwd", group))
    assert reply.failed
    assert "new" in reply.text
    assert engine.engine.vocabulary.browser.lanes == before


def test_lane_ids_are_numbers_and_new_each_time(engine: EngineRunner) -> None:
    replies = [engine.run(engine.engine.execute("pwd", "new")).text for _ in range(2)]
    numbers = [reply.rpartition("[lane: ")[2].rstrip("]") for reply in replies]
    assert all(number.isdigit() for number in numbers)
    assert len(set(numbers)) == 2
    for number in numbers:
        assert not engine.run(engine.engine.execute("group close", number)).failed


def test_groups_are_listed_and_other_group_words_are_not_offered(lane: LaneRunner) -> None:
    assert lane.lane.id in lane.value("group list").facts["lanes"]
    with pytest.raises(Unsupported):
        lane.value("group detach")


def test_a_slow_page_of_one_lane_keeps_no_other_waiting(
    two_lanes: tuple[LaneRunner, LaneRunner],
) -> None:
    one, two = two_lanes

    async def both() -> bool:
        import asyncio  # noqa: PLC0415

        slow = asyncio.create_task(_value(one, "js --envelope --timeout 20 'new Promise(()=>0)'"))
        await _value(two, "ls")
        waiting = not slow.done()
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        return waiting

    assert one.run(both())


def test_a_usage_mistake_names_the_usage(lane: LaneRunner) -> None:
    with pytest.raises(UsageError, match="close"):
        lane.value("close x")
