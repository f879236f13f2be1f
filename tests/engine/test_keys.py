from __future__ import annotations

import pytest

from domsh_repl.errors import (
    Disabled,
    NotEditable,
    UsageError,
)
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import KEYS, act, asked


def test_focus_goes_where_it_is_sent(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F><button>B</button><p>text</p>")
    lane.value("focus b_btn")
    assert asked(lane, "document.activeElement.localName") == "button"
    with pytest.raises(NotEditable) as caught:
        lane.value("focus paragraph_1")
    assert "click" in caught.value.hint


def test_enter_sends_the_form_and_tab_moves_on(lane: LaneRunner, shown: Show) -> None:
    shown(f"{KEYS}<form onsubmit='return false'><input aria-label=F><input aria-label=G><button>")
    names = [node.path for node in lane.value("ls -R").entries if node.role == "textbox"]
    lane.value(f"key Tab {names[0]}")
    assert asked(lane, "document.activeElement.ariaLabel") == "G"
    lane.value("key shift+Tab")
    assert asked(lane, "document.activeElement.ariaLabel") == "F"
    effect = lane.value("key Enter")
    assert (effect.action, effect.value) == ("key", "Enter")
    assert "submit::true" in asked(lane, "log")


def test_chords_edit(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F value='one two'>")
    lane.value("key ctrl+a f_input")
    lane.value("key Delete")
    assert asked(lane, "document.querySelector('input').value") == ""
    act(lane, "type", "abc")
    lane.value("key Home")
    lane.value("key shift+ArrowRight")
    lane.value("key x")
    assert asked(lane, "document.querySelector('input').value") == "xbc"


@pytest.mark.parametrize(
    ("chord", "seen"),
    [
        ("ctrl+shift+k", ["K", True, True, False, False]),
        ("alt+ArrowUp", ["ArrowUp", False, False, True, False]),
        ("META+enter", ["Enter", False, False, False, True]),
        ("esc", ["Escape", False, False, False, False]),
        ("+", ["+", False, False, False, False]),
        ("ctrl++", ["+", True, False, False, False]),
        ("ä", ["ä", False, False, False, False]),
        ("F5", ["F5", False, False, False, False]),
    ],
)
def test_a_chord_is_what_the_page_sees(
    lane: LaneRunner, shown: Show, chord: str, seen: list[object]
) -> None:
    shown(
        "<script>onkeydown=e=>{e.preventDefault();"
        "got=[e.key,e.ctrlKey,e.shiftKey,e.altKey,e.metaKey]}</script>"
    )
    act(lane, "key", chord)
    assert asked(lane, "got") == seen


@pytest.mark.parametrize(
    ("chord", "hint"), [("Entre", "Enter"), ("strg+a", "ctrl"), ("", ""), ("ctrl+", "")]
)
def test_an_unknown_key_gets_a_hint(lane: LaneRunner, shown: Show, chord: str, hint: str) -> None:
    shown("<p>x</p>")
    with pytest.raises(UsageError) as caught:
        act(lane, "key", chord)
    assert hint in caught.value.hint
    assert caught.value.hint


def test_a_key_on_a_disabled_element_is_refused(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/stubborn_fields.html")
    with pytest.raises(Disabled):
        lane.value("key Enter off_input")
