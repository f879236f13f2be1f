from __future__ import annotations

import pytest

from domsh_repl.errors import (
    Ambiguous,
    Disabled,
    DomshError,
    NotEditable,
    OptionNotFound,
    UsageError,
    ValueRejected,
)
from domsh_repl.nodes import EffectKind
from tests.conftest import LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import act, asked

# select


@pytest.mark.parametrize(
    ("option", "value"), [("Dine in", "d"), ("d", "d"), ("dine  IN", "d"), ("Any", ""), ("", "")]
)
def test_an_option_is_chosen_by_label_or_value(
    lane: LaneRunner, pages: str, option: str, value: str
) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    asked(lane, "document.querySelector('select').value='d'" if not value else "1")
    act(lane, "select", "kind_select", option)
    assert asked(lane, "document.querySelector('select').value") == value


def test_choosing_tells_the_page_once(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    assert act(lane, "select", "kind_select", "Dine in").value == "Dine in"
    assert asked(lane, "t.textContent").startswith("d ")
    asked(lane, "t.textContent=''")
    act(lane, "select", "kind_select", "Dine in")
    assert asked(lane, "t.textContent") == ""


@pytest.mark.parametrize(
    ("path", "options", "error"),
    [
        ("kind_select", ["No"], Disabled),
        ("kind_select", ["Nothing"], OptionNotFound),
        ("kind_select", ["Any", "Dine in"], UsageError),
        ("off_select", ["B"], Disabled),
        ("result", ["B"], NotEditable),
    ],
)
def test_what_cannot_be_chosen_says_why(
    lane: LaneRunner, pages: str, path: str, options: list[str], error: type[DomshError]
) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    with pytest.raises(error) as caught:
        act(lane, "select", path, *options)
    assert caught.value.hint
    assert asked(lane, "document.querySelector('select').value") == ""


def test_a_missing_option_lists_those_that_are_there(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    with pytest.raises(OptionNotFound) as caught:
        act(lane, "select", "kind_select", "Nothing")
    assert "Dine in" in caught.value.hint


def test_several_options_replace_the_choice(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    assert act(lane, "select", '"Many"', "Red", "Blue").value == "Red, Blue"
    chosen = "[...document.querySelectorAll('select')[2].selectedOptions].map(o=>o.label)"
    assert asked(lane, chosen) == ["Red", "Blue"]


def test_options_in_groups_are_chosen_and_equal_labels_are_not_guessed(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        "<select aria-label=G><optgroup label=One><option value=1>Same<option>First</optgroup>"
        "<optgroup label=Two><option value=2>Same</optgroup></select>"
    )
    assert act(lane, "select", "g_select", "First").value == "First"
    with pytest.raises(Ambiguous) as caught:
        act(lane, "select", "g_select", "Same")
    assert "'2'" in caught.value.hint
    act(lane, "select", "g_select", "2")
    assert asked(lane, "document.querySelector('select').value") == "2"


def test_a_listbox_that_is_no_select_says_how_to_choose(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/widgets.html")
    with pytest.raises(NotEditable) as caught:
        act(lane, "select", "fruit", "Pear")
    assert "click" in caught.value.hint


# check


@pytest.fixture
def toggles(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/toggles.html")
    return lane


@pytest.mark.parametrize("label", ["Agree", "S"])
def test_checking_is_idempotent(toggles: LaneRunner, label: str) -> None:
    for verb, changes in (("check", "1"), ("check", "1"), ("uncheck", "2"), ("uncheck", "2")):
        effect = act(toggles, verb, f'"{label}"')
        assert effect.effect is EffectKind.SEEN
        assert asked(toggles, "n.textContent") == changes


def test_radios_are_checked_and_not_unchecked(toggles: LaneRunner) -> None:
    act(toggles, "check", '"Small"')
    act(toggles, "check", '"Large"')
    checked = "[...document.querySelectorAll('[type=radio]')].map(r=>r.checked)"
    assert asked(toggles, checked) == [False, True]
    act(toggles, "uncheck", '"Small"')
    with pytest.raises(NotEditable, match="radio"):
        act(toggles, "uncheck", '"Large"')
    assert asked(toggles, checked) == [False, True]


@pytest.mark.parametrize("verb", ["check", "uncheck"])
def test_a_mixed_checkbox_becomes_what_is_asked(toggles: LaneRunner, verb: str) -> None:
    act(toggles, verb, '"Mixed"')
    assert asked(toggles, "x.checked") is (verb == "check")
    assert asked(toggles, "x.indeterminate") is False


@pytest.mark.parametrize(
    ("markup", "error"),
    [
        ("<input type=checkbox aria-label=C disabled>", Disabled),
        ("<div role=switch tabindex=0 aria-checked=false aria-label=C>s</div>", ValueRejected),
        (
            "<div role=switch aria-checked=false aria-label=C aria-readonly=true>s</div>",
            NotEditable,
        ),
        ("<input type=checkbox aria-label=C onclick='return false'>", ValueRejected),
        ("<button aria-label=C>c</button>", NotEditable),
    ],
)
def test_what_cannot_be_checked_says_why(
    lane: LaneRunner, shown: Show, markup: str, error: type[DomshError]
) -> None:
    shown(markup)
    with pytest.raises(error) as caught:
        act(lane, "check", '"C"')
    assert caught.value.hint


def test_the_readonly_attribute_binds_no_checkbox(lane: LaneRunner, shown: Show) -> None:
    shown("<input type=checkbox readonly aria-label=C id=c>")
    act(lane, "check", "c_chk")
    assert asked(lane, "c.checked") is True


def test_a_switch_that_is_built_anew_on_each_click_is_checked(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        "<div id=d></div><script>n=0;draw=on=>{d.innerHTML=`<div role=switch tabindex=0 "
        "aria-label=S aria-checked=${on}>s</div>`;d.firstChild.onclick=()=>{n++;"
        "setTimeout(()=>draw(!on),30)}};draw(false)</script>"
    )
    act(lane, "check", "s_switch")
    assert asked(lane, "n") == 1
    act(lane, "uncheck", "s_switch")
    assert asked(lane, "n") == 2
