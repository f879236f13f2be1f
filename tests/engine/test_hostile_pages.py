"""Pages that stand in the way of the engine's own scripts; searches of them are in the walks."""

from __future__ import annotations

import pytest

from domsh_repl.engine import worlds
from domsh_repl.errors import Failed
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.walking import open_page, script


def test_a_form_whose_fields_are_called_like_properties_is_read_as_it_is(
    lane: LaneRunner, pages: str
) -> None:
    open_page(lane, f"{pages}/clobbering.html")
    form = lane.value("cat /names_of_nodes").cards[0]
    assert (form.tag, form.attributes["aria-label"]) == ("form", "Names of nodes")
    assert "Text in the form" in form.text
    text = lane.value("text /").text
    assert text.index("Text in the form") < text.index("After the forms")
    assert [one.label for one in lane.value("find --label Behind").matches] == ["Behind the loop"]
    assert lane.value("find --css input").total == 19
    assert lane.value("pwd").title == "Clobbering"
    assert lane.value("info").elements > 30


def test_a_form_whose_fields_are_called_like_properties_is_acted_on(
    lane: LaneRunner, pages: str
) -> None:
    open_page(lane, f"{pages}/clobbering.html")
    assert lane.value("fill '\"Second\"' two").value == "two"
    lane.value("check '\"Agree\"'")
    assert lane.value("cat '\"Agree\"'").cards[0].states == ("checked", "focused")
    lane.value("focus '\"First\"'")
    assert lane.value("type typed").value == "typed"
    script(lane, "document.forms[0].addEventListener('click', () => { window.clicked = true })")
    lane.value("click /names_of_nodes")
    assert script(lane, "window.clicked") is True


def test_replaced_builtins_of_a_page_mislead_nobody(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/hostile_prototypes.html")
    assert lane.value("find --label 'Link two'").total == 1
    assert lane.value("grep -r ^Link /").total == 2
    assert "A paragraph of text" in lane.value("text /").text
    assert lane.value("cat /main/link_two_link").cards[0].attributes == {"href": "#two"}
    assert lane.value("fill /order/street_input there").value == "there"
    lane.value("click /order/order_now_btn")
    assert script(lane, "window.pressed") is True


def test_what_the_user_runs_is_run_in_the_page(lane: LaneRunner, shown: Show) -> None:
    shown("<script>window.own = 7</script>")
    assert lane.value("js own").value == 7


def test_what_closed_roots_hold_inside_closed_roots_is_found(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/nested_closed_roots.html")
    for label in ("Deepest link", "Middle two", "In a plain element", "Closed in open"):
        assert lane.value(f"find --label '{label}'").matches, label
        assert label in lane.value("text /").text, label
    assert lane.value("cat '\"Deepest link\"'").cards[0].tag == "a"


def test_a_scan_that_fails_is_replaced_by_a_walk(
    lane: LaneRunner, pages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page(lane, f"{pages}/form.html")
    before = lane.value("find --label e").matches
    source = worlds.script_source

    def broken(name: str) -> str:
        return "function() { throw new Error('no') }" if name == "scan" else source(name)

    monkeypatch.setattr(worlds, "script_source", broken)
    assert lane.value("find --label e").matches == before


def test_a_script_of_ours_ends_by_itself(
    lane: LaneRunner, shown: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown("<p>x</p>" * 3000)
    impatient = worlds.script_source("text").replace("LONGEST = 15000", "LONGEST = -1")
    monkeypatch.setattr(worlds, "script_source", lambda _name: impatient)
    with pytest.raises(Failed, match="too long"):
        lane.value("text /")
