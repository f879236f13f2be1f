from __future__ import annotations

from collections.abc import Mapping

import pytest

from domsh_repl.aria import STATES
from domsh_repl.nodes import Card, Kind, Node, View
from domsh_repl.render.wording import role_words, state_words
from domsh_repl.rolenames import ALL_ROLES
from tests.render.render_samples import listing, node, shown


def of_role(role: str, label: str = "", *states: str) -> Node:
    return node("n", role, label, states=states)


def card(role: str, properties: Mapping[str, object], *states: str) -> Card:
    return Card(
        "n", "/n", role, "N", Kind.INTERACTIVE, enterable=False, states=states,
        properties=properties,
    )  # fmt: skip


@pytest.mark.parametrize("role", sorted(ALL_ROLES))
def test_every_role_is_said_in_lower_case_words(role: str) -> None:
    words = role_words(of_role(role))
    assert words == words.lower()
    assert words.replace(" ", "").isalpha()


def test_roles_are_what_screen_readers_say() -> None:
    said = {
        role: role_words(of_role(role, "Label"))
        for role in ("radio", "listitem", "navigation", "StaticText", "Iframe", "button", "region")
    }
    assert said == {
        "radio": "radio button",
        "listitem": "list item",
        "navigation": "navigation landmark",
        "StaticText": "text",
        "Iframe": "frame",
        "button": "button",
        "region": "region landmark",
    }


def test_a_region_without_a_name_is_no_landmark() -> None:
    assert role_words(of_role("region")) == "region"
    assert role_words(of_role("main")) == "main landmark"


def test_a_heading_tells_its_level() -> None:
    assert role_words(of_role("heading"), 2) == "heading level 2"
    assert role_words(of_role("treeitem"), 2) == "tree item"


def test_every_state_is_said_in_words() -> None:
    said = {state: state_words(of_role("checkbox", "", state)) for state in STATES}
    assert state_words(of_role("checkbox", "Agree", "mixed")) == ["partially checked"]
    assert all(len(words) == 1 for words in said.values())
    assert said["invalid"] == ["invalid entry"]
    assert said["readonly"] == ["read-only"]
    assert said["mixed"] == ["partially checked"]
    assert state_words(of_role("button", "", "mixed")) == ["partially pressed"]
    assert state_words(of_role("switch", "", "checked")) == ["on"]


def test_an_entry_tells_that_a_toggle_is_off_where_its_states_are_known() -> None:
    assert state_words(of_role("checkbox", "Agree")) == ["not checked"]
    assert state_words(of_role("switch", "Dark", "disabled")) == ["disabled", "off"]
    assert state_words(of_role("DisclosureTriangle", "More")) == ["collapsed"]
    assert state_words(of_role("DisclosureTriangle", "More", "expanded")) == ["expanded"]
    assert state_words(of_role("button", "Bold")) == []


def test_an_entry_says_nothing_of_what_was_not_seen() -> None:
    assert state_words(of_role("checkbox")) == []


def test_a_card_tells_what_could_hold_and_does_not() -> None:
    assert state_words(card("checkbox", {"checked": "false"}, "required")) == [
        "required",
        "not checked",
    ]
    assert state_words(card("button", {"expanded": False, "pressed": "false"})) == [
        "collapsed",
        "not pressed",
    ]
    assert state_words(card("switch", {"checked": "false"})) == ["off"]
    assert state_words(card("combobox", {"expanded": True}, "expanded")) == ["expanded"]


def test_a_terminal_has_the_words_and_a_pipe_what_can_be_typed() -> None:
    of = listing(node("x", "textbox", "X", states=("required", "invalid")))
    assert "required, invalid entry" in shown(of, View(long=True), terminal=True)[0]
    assert "required,invalid" in shown(of, View(long=True))[0]


def test_a_card_on_a_terminal_names_a_role_that_its_words_do_not_say() -> None:
    out = shown(card("StaticText", {}), terminal=True, environment={"NO_COLOR": "1"})[0]
    assert out.startswith("n  text (StaticText)\n")
    heading = card("heading", {"level": 3})
    out = shown(heading, terminal=True, environment={"NO_COLOR": "1"})[0]
    assert out.startswith("n  heading level 3\n")
    assert "  level " not in out
    assert "role: heading\n" in shown(heading)[0]


def test_a_state_is_told_once_on_a_terminal() -> None:
    checked = card("checkbox", {"checked": "true", "invalid": "true"}, "checked", "invalid")
    out = shown(checked, terminal=True, environment={"NO_COLOR": "1"})[0]
    assert "states  checked, invalid entry" in out
    assert out.count("checked") == 1
    assert "properties.checked: true" in shown(checked)[0]
