"""A shell over a DOMShell that knows text only: the same values as with the built-in engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest

from domsh_repl.commands.session import Settings
from domsh_repl.commands.snapshottext import snapshot_of, write_snapshot
from domsh_repl.errors import (
    Disabled,
    NavigationFailed,
    NotEnterable,
    NotFound,
    OptionNotFound,
    Stale,
    Unsupported,
    ValueRejected,
)
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.link.owner import Deadlines
from domsh_repl.nodes import EffectKind, Outline, OutlineEntry
from domsh_repl.paths import Path as NodePath
from tests.conftest import LaneRunner
from tests.doubles import Double
from tests.fakeserver import DOMSHELL
from tests.link.domshell.live import LiveDomshell
from tests.sessions import Shell

FORM = "/main_area/signup_form"


class Live(Double):
    """The live DOMShell as a server."""

    def __init__(self, lane: LaneRunner) -> None:
        super().__init__(self._answered)
        self.about = dict(DOMSHELL)
        self.domshell = LiveDomshell(lane)

    async def _answered(self, arguments: dict[str, Any]) -> str:
        return await anyio.to_thread.run_sync(self.domshell.reply, arguments["command"])


@pytest.fixture
def live(lane: LaneRunner) -> Live:
    return Live(lane)


@pytest.fixture
def shell(live: Live) -> Iterator[Shell]:
    link = Link(live, Deadlines(close=5.0))
    yield Shell(link, Settings(timeout=20.0))
    link.close()


@pytest.fixture
def form(shell: Shell, pages: str) -> Shell:
    shell.value(f"open {pages}/form.html")
    return shell


def test_a_page_is_opened_in_the_lane_s_own_tab(shell: Shell, live: Live, pages: str) -> None:
    effect = shell.value(f"open {pages}/form.html")
    assert (effect.action, effect.effect, effect.http) == ("open", EffectKind.SEEN, 200)
    assert effect.title == "Form page"
    assert shell.value("pwd").url == f"{pages}/form.html"
    assert len(shell.value("tabs").tabs) == 1
    verbs = {line.partition(" ")[0] for line in live.domshell.lines}
    assert verbs.isdisjoint({"navigate", "back", "forward", "find", "grep", "wait", "type"})


@pytest.mark.parametrize(
    "line",
    ["ls /", f"ls {FORM}", f"ls -R {FORM}", "ls --type button /main_area", "ls /main_area/*_btn",
     "ls -n 2 --offset 1 /main_area", f"tree -L 2 {FORM}", "tree", "find --type textbox",
     "find --name '*_btn'", "find --label save", "find --state disabled",
     "find --css 'form button'",
     "grep -ri save", "text", "text /main_area", f"text {FORM}", f"text --links {FORM}"],
)  # fmt: skip
def test_what_is_read_equals_what_the_engine_reads(
    form: Shell, lane: LaneRunner, line: str
) -> None:
    mine = form.value(line)
    verb, _, rest = line.partition(" ")
    if verb == "grep":
        rest = "-r -i save /"
    elif "/" not in rest:
        rest = f"{rest} /" if verb != "find" else f"/ {rest}"
    assert mine == lane.value(f"{verb} {rest}")


@pytest.mark.parametrize(
    "name", ["save_btn", "country_select", "password_input", "i_agree_chk", "disabled_thing_btn"]
)
def test_a_card_tells_what_the_engine_s_tells(form: Shell, lane: LaneRunner, name: str) -> None:
    mine = form.value(f"cat {FORM}/{name}")
    (other,) = lane.value(f"cat {FORM}/{name}").cards
    for field in ("name", "path", "role", "label", "kind", "enterable", "value", "states", "tag",
                  "attributes", "text", "url", "description"):  # fmt: skip
        assert getattr(mine, field) == getattr(other, field), field


def test_what_is_not_there_is_told_as_the_engine_tells_it(form: Shell) -> None:
    assert isinstance(form.error("cat nosuch"), NotFound)
    assert isinstance(form.error("cd /main_area/load_late_btn"), NotEnterable)
    form.value(f"cd {FORM}")
    assert form.cwd == FORM
    assert "save_btn" in form.error("cat save_bnt").hint


def test_fields_are_filled_typed_into_chosen_and_checked(form: Shell) -> None:
    form.value(f"cd {FORM}")
    text = 'it\'s "x" | --help  é'
    assert form.value(f"fill email_input {_quoted(text)}").value == text
    assert form.value("type email_input abc").value == f"{text}abc"
    assert form.value("cat email_input").value == f"{text}abc"
    assert form.value('type "!"').value == f"{text}abc!"
    assert "hunter2" not in str(form.value("fill password_input hunter2"))
    assert form.value("select country_select Japan").value == "Japan"
    assert isinstance(form.error("select country_select Atlantis"), OptionNotFound)
    for _ in range(2):
        assert form.value("check i_agree_chk").effect is EffectKind.SEEN
        assert "checked" in form.value("cat i_agree_chk").states
    form.value("uncheck i_agree_chk")
    assert "checked" not in form.value("cat i_agree_chk").states


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def test_a_click_tells_what_it_caused_and_a_disabled_button_is_refused(form: Shell) -> None:
    effect = form.value('click "Increment"')
    assert effect.effect is EffectKind.SEEN
    assert effect.path == f"{FORM}/increment_btn"
    assert isinstance(form.error('click "Disabled thing"'), Disabled)
    effect = form.value("click /main_area/load_late_btn")
    assert effect.effect in (EffectKind.SENT, EffectKind.SEEN)
    gone = form.value(f"click {FORM}/save_btn")
    assert gone.navigated
    assert gone.title == "Thanks"
    assert form.value("back").title == "Form page"
    assert form.value("forward").title == "Thanks"


def test_history_brings_each_page_s_directory_back(form: Shell, pages: str) -> None:
    form.value(f"cd {FORM}")
    form.value(f"open {pages}/nav.html")
    assert form.cwd == "/"
    form.value("back")
    assert form.cwd == FORM
    form.value("forward")
    assert form.value("pwd").url.endswith("nav.html")
    assert isinstance(form.error("forward"), NavigationFailed)


def test_a_reload_loads_and_a_refresh_does_not(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/load_time.html")
    before = shell.value("text").text
    shell.value("refresh")
    assert shell.value("text").text == before
    assert shell.value("reload").navigated
    assert shell.value("text").text != before
    assert isinstance(shell.error("reload --hard"), Unsupported)


def test_a_page_that_cannot_be_loaded_is_a_failure(form: Shell) -> None:
    assert isinstance(form.error("open http://127.0.0.1:1/"), NavigationFailed)


def test_dialogs_are_dismissed_before_they_open_and_told(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/dialogs.html")
    for kind in ("alert", "confirm", "prompt"):
        (found,) = shell.value(f"find --name {kind}_btn").matches
        assert shell.value(f"click {found.path}").effect is EffectKind.SEEN
        assert any(f"a {kind}" in note.replace("an ", "a ") for note in shell.notes)
    assert isinstance(shell.error("dialog accept"), Unsupported)


def test_keys_that_a_page_would_not_obey_are_not_pressed(form: Shell) -> None:
    assert isinstance(form.error("key Tab"), Unsupported)
    form.value(f"fill {FORM}/email_input a@b.example")
    assert form.value(f"key Enter {FORM}/email_input").title == "Thanks"


def test_tabs_are_opened_entered_and_closed(form: Shell, pages: str) -> None:
    first = form.value("tabs").tabs[0].id
    form.value(f"open -n {pages}/nav.html")
    tabs = form.value("tabs").tabs
    assert [tab.current for tab in tabs] == [False, True]
    form.value(f"tab {first}")
    assert form.value("pwd").title == "Form page"
    form.value(f"tab close {tabs[1].id}")
    assert len(form.value("tabs").tabs) == 1
    assert isinstance(form.error("tab close"), Unsupported)


def test_scripts_of_the_user_give_values_long_ones_too(form: Shell) -> None:
    ask = form.session.ask
    assert ask(asks.script("({a: [1, 'é|--help']})")).value == {"a": [1, "é|--help"]}
    assert ask(asks.script("'x'.repeat(25000)")).value == "x" * 25000


def test_paths_of_a_document_that_is_gone_are_stale(form: Shell, pages: str) -> None:
    form.session.ask(asks.script(f"location.assign('{pages}/nav.html')"))
    form.value("wait title contains Nav")
    link = form.session.link
    answer = link.ask(asks.click(NodePath.of_names(f"{FORM}/save_btn")), document="another")
    assert isinstance(answer.error, Stale)
    assert form.notes == []


def test_the_lane_stands_at_the_root_of_its_tab_and_raw_lines_do_not_move_it(
    form: Shell, live: Live
) -> None:
    live.domshell.place = "~/tabs"
    assert form.value("ls").entries
    live.domshell.place = f"{live.domshell.place}/main_area"
    assert form.value("ls").path == "/"
    live.domshell.place = "~"
    assert form.value("ls").path == "/"


@pytest.fixture
def report(shell: Shell, pages: str) -> Shell:
    shell.value(f"open {pages}/report.html")
    return shell


def test_links_and_outlines_are_the_built_in_ones_but_for_frames(
    report: Shell, lane: LaneRunner
) -> None:
    inner = "/inner"

    def known(outline: Outline) -> dict[str, OutlineEntry]:
        # a field that is required and empty is invalid to the page, not yet to the browser
        return {one.path: replace(one, states=()) for one in outline.outline}

    links = tuple(one for one in lane.value("links /").links if not one.path.startswith(inner))
    told = {one.path: one for one in report.value("links").links}
    assert tuple(told[one.path] for one in links) == links
    for kinds in ("", "--fields", "--links", "--headings --landmarks"):
        expected = known(lane.value(f"outline {kinds} /"))
        outside = {path: one for path, one in expected.items() if not path.startswith(inner)}
        found = known(report.value(f"outline {kinds}"))
        assert {path: one for path, one in found.items() if not path.startswith(inner)} == outside


def test_the_text_of_entries_is_listed(report: Shell) -> None:
    texts = {entry.name: entry.text for entry in report.value("ls --text main_1").entries}
    assert texts["prices_heading"] == "Prices"
    assert "Prices by year" in texts["prices_by_year"]


@pytest.mark.parametrize(
    "line",
    [
        "table main_1/plain", "console", "requests", "screenshot", "screenshot --full",
        "hover banner_1/sections/prices_link", "click --double banner_1/sections/prices_link",
        "click --mod ctrl banner_1/sections/prices_link", "links --check",
        "a11y", "expect a11y", "state save never.state",
    ],
)  # fmt: skip
def test_what_domshell_cannot_do_is_unsupported_with_a_reason(report: Shell, line: str) -> None:
    error = report.error(line)
    assert isinstance(error, Unsupported)
    assert "DOMShell" in error.message
    assert "builtin" in error.hint


def test_a_snapshot_is_that_of_the_engine(form: Shell, lane: LaneRunner, tmp_path: Path) -> None:
    form.value(f"snapshot -o {tmp_path}/one")
    tree = lane.value("tree -L 300 /").tree
    headings = lane.value("outline --headings /").outline
    theirs = snapshot_of(tree, {entry.path: entry.level for entry in headings})
    assert (tmp_path / "one").read_text() == write_snapshot(theirs)
    assert form.run(f"diff {tmp_path}/one") == 0


def test_scrolling_says_whether_it_moved(report: Shell) -> None:
    assert report.value("scroll bottom").value == "the bottom"
    again = report.value("scroll bottom")
    assert (again.effect, again.value) == (EffectKind.SENT, "the bottom")
    assert report.value("scroll top").effect is EffectKind.SEEN


def test_a_form_is_sent_by_its_button_or_told_why_not(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/forms_to_send.html")
    error = shell.error("submit full")
    assert isinstance(error, ValueRejected)
    assert "mail" in error.message
    assert isinstance(shell.error('submit "Never"'), Disabled)
    assert isinstance(shell.error("submit loose_input"), NotFound)
    shell.value('fill "Mail" a@b.org')
    effect = shell.value("submit full")
    assert effect.navigated
    assert "how=first" in effect.url


def test_diff_compares_with_before_the_last_action(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/form.html")
    assert "nothing has been done" in shell.error("diff").message
    shell.value(f"select {FORM}/country_select Japan")
    assert shell.value("diff").changes.changed == (f"{FORM}/country_select",)
    shell.value(f"open {pages}/alpha.html")
    assert shell.value("diff").changes is None


def test_each_lane_has_tabs_of_its_own(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/alpha.html")
    link = shell.session.link
    first = link._dialect(link._seat)
    shell.session.add_lane("2")
    assert link._dialect(link._seat) is not first
    shell.session.use_lane("1")
    assert link._dialect(link._seat) is first
