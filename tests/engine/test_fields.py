from __future__ import annotations

import json
from pathlib import Path

import pytest

from domsh_repl.errors import (
    Disabled,
    DomshError,
    NotEditable,
    ValueRejected,
)
from domsh_repl.nodes import EffectKind
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import KEYS, act, asked, foreign


@pytest.fixture
def stubborn(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/stubborn_fields.html")
    return lane


# type


def test_typing_sends_the_events_of_real_keys(lane: LaneRunner, shown: Show) -> None:
    shown(f"{KEYS}<input aria-label=F>")
    effect = act(lane, "type", "f_input", "aB")
    assert (effect.effect, effect.value) == (EffectKind.SEEN, "aB")
    keys = ["keydown:a", "keypress:a", "input:", "keyup:a"]
    assert asked(lane, "log")[:4] == [f"{key}:true" for key in keys]


def test_typing_appends_at_the_end_and_then_at_the_caret(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F id=f value=one>")
    assert act(lane, "type", "f_input", "two").value == "onetwo"
    asked(lane, "f.setSelectionRange(0, 0)")
    assert act(lane, "type", "f_input", ">").value == ">onetwo"
    assert act(lane, "type", ">").value == ">>onetwo"


@pytest.mark.parametrize("kind", ["number", "email"])
def test_fields_without_a_selection_are_appended_to_too(
    lane: LaneRunner, shown: Show, kind: str
) -> None:
    shown(f"<input type={kind} aria-label=F value=12>")
    name = lane.value("ls").entries[0].name
    assert act(lane, "type", name, "34").value == "1234"


@pytest.mark.parametrize(
    "text", ["äß€ 漢字 عربي", "👩‍🚀🇩🇪", 'it\'s "q" \\ | & ; $x', "  two  blanks  ", "--help", "-n"]
)
@pytest.mark.parametrize("verb", ["type", "fill"])
def test_any_text_can_be_entered(lane: LaneRunner, shown: Show, verb: str, text: str) -> None:
    shown("<input aria-label=F>")
    assert act(lane, verb, "f_input", text).value == text


def test_line_breaks_go_into_a_text_area(lane: LaneRunner, shown: Show) -> None:
    shown("<textarea aria-label=F></textarea>")
    assert act(lane, "type", "f_input", "one\ntwo\r\nthree").value == "one\ntwo\nthree"
    assert act(lane, "fill", "f_input", "x\r\ny\n").value == "x\ny\n"
    assert act(lane, "fill", "f_input", "").value == ""


def test_a_line_break_typed_into_one_line_sends_no_form(lane: LaneRunner, shown: Show) -> None:
    shown(f"{KEYS}<form onsubmit='return false'><input aria-label=F></form>")
    for verb in ("type", "fill"):
        for text in ("a\nb", "\n", "\r"):
            with pytest.raises(ValueRejected) as caught:
                act(lane, verb, '"F"', text)
            assert "key Enter" in caught.value.hint
    assert asked(lane, "log") == []
    assert asked(lane, "document.querySelector('input').value") == ""


def test_a_tab_character_is_no_key(lane: LaneRunner, shown: Show) -> None:
    shown("<textarea aria-label=F></textarea><input aria-label=G>")
    assert act(lane, "type", "f_input", "a\tb").value == "a\tb"


def test_typing_beyond_the_longest_length_is_told(stubborn: LaneRunner) -> None:
    with pytest.raises(ValueRejected, match="ABcd") as caught:
        act(stubborn, "type", "t_input", "cdef")
    assert "4" in caught.value.hint
    with pytest.raises(ValueRejected):
        act(stubborn, "type", "t_input", "more")


@pytest.mark.parametrize("verb", ["type", "fill"])
@pytest.mark.parametrize(
    ("path", "error"),
    [("ro_input", NotEditable), ("off_input", Disabled), ("paragraph_1", NotEditable)],
)
def test_what_takes_no_text_says_why(
    stubborn: LaneRunner, verb: str, path: str, error: type[DomshError]
) -> None:
    with pytest.raises(error) as caught:
        act(stubborn, verb, path, "x")
    assert caught.value.hint


def test_an_editable_region_takes_text(stubborn: LaneRunner) -> None:
    assert act(stubborn, "type", "rich_input", " more").value == "rich text more"
    assert act(stubborn, "fill", "rich_input", "new\nlines").value.rstrip("\n") == "new\nlines"
    assert act(stubborn, "fill", "rich_input", "").value.strip() == ""


def test_typing_without_a_focused_field_is_an_error(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=F>")
    with pytest.raises(NotEditable, match="focus") as caught:
        act(lane, "type", "x")
    assert "type PATH" in caught.value.hint


def test_a_failed_focus_types_nothing_elsewhere(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/password_first.html")
    with pytest.raises(DomshError):
        act(lane, "type", "nosuch", "secret")
    assert asked(lane, "document.querySelector('[type=password]').value") == ""


def test_the_focused_field_of_a_frame_is_typed_into(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/frames.html")
    lane.value("focus card/number_input")
    assert act(lane, "type", "42").value == "42"
    assert act(lane, "type", "card/number_input", "3").value == "423"


def test_each_field_gets_its_own_text_when_frames_are_mixed(lane: LaneRunner, shown: Show) -> None:
    shown("<input aria-label=Out><iframe title=f srcdoc='<input aria-label=In>'></iframe>")
    for text in "abc":
        act(lane, "type", "f/in_input", text)
        act(lane, "type", "out_input", text.upper())
    assert asked(lane, "document.querySelector('input').value") == "ABC"
    assert asked(lane, "frames[0].document.querySelector('input').value") == "abc"
    act(lane, "type", "!")
    assert asked(lane, "document.querySelector('input').value") == "ABC!"


def test_fields_of_frames_in_other_processes_take_text_and_keys(
    served: tuple[Path, str], isolated_engine: EngineRunner
) -> None:
    folder, url = served
    (folder / "in.html").write_text("<input aria-label=In><input aria-label=Next>")
    (folder / "index.html").write_text(
        f"<input aria-label=Out><iframe title=f src='{foreign(url)}/in.html'>"
    )
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {url}/index.html")
    assert act(lane, "type", "f/in_input", "ab").value == "ab"
    assert act(lane, "type", "out_input", "X").value == "X"
    assert act(lane, "type", "f/in_input", "c").value == "abc"
    assert act(lane, "type", "d").value == "abcd"
    lane.value("key Tab")
    assert act(lane, "type", "next").value == "next"
    assert lane.value("cat f/next_input").cards[0].value == "next"
    assert act(lane, "fill", "f/in_input", "new").value == "new"
    assert act(lane, "type", "out_input", "Y").value == "XY"
    lane.close()


def test_the_focused_field_in_a_closed_root_is_typed_into(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<x-f></x-f><script>r=document.querySelector('x-f').attachShadow({mode:'closed'});"
        "r.innerHTML='<input aria-label=Deep>'</script>"
    )
    lane.value("focus deep_input")
    assert act(lane, "type", "z").value == "z"


# fill


def test_filling_replaces_although_the_page_blocks_shortcuts(stubborn: LaneRunner) -> None:
    assert act(stubborn, "fill", "t_input", "wxyz").value == "wxyz"
    assert act(stubborn, "fill", "t_input", "").value == ""


@pytest.mark.parametrize(
    ("path", "text", "held"),
    [
        ("t_input", "abcdef", "abcd"),
        ("upper_input", "abc", "ABC"),
        ("reset_input", "abc", "''"),
        ("number", "12x", ""),
        ("day", "2026-13-45", "''"),
        ("level_slider", "99", "10"),
        ("level_slider", "many", ""),
        ("colour", "reddish", ""),
        ("t_input", "a\nb", ""),
    ],
)
def test_a_field_that_holds_something_else_is_told(
    stubborn: LaneRunner, path: str, text: str, held: str
) -> None:
    with pytest.raises(ValueRejected) as caught:
        act(stubborn, "fill", path, text)
    assert held in caught.value.message


@pytest.mark.parametrize(
    ("path", "text", "held"),
    [
        ("day", "2026-11-30", "2026-11-30"),
        ("level_slider", "7", "7"),
        ("level_slider", "4.0", "4"),
        ("colour", "#00FF00", "#00ff00"),
        ("number", "8", "8"),
        ("number", "", ""),
        ("long_input", "three\nlines\n", "three\nlines\n"),
    ],
)
def test_every_kind_of_field_is_filled(
    stubborn: LaneRunner, path: str, text: str, held: str
) -> None:
    effect = act(stubborn, "fill", path, text)
    assert (effect.effect, effect.value) == (EffectKind.SEEN, held)


def test_filling_tells_the_page_with_trusted_input(lane: LaneRunner, shown: Show) -> None:
    shown(f"{KEYS}<input aria-label=F value=old>")
    act(lane, "fill", "f_input", "new")
    assert "input::true" in asked(lane, "log")


def test_times_are_filled(lane: LaneRunner, shown: Show) -> None:
    shown("<input type=time aria-label=T><input type=datetime-local aria-label=D>")
    times = [node.name for node in lane.value("ls").entries]
    assert act(lane, "fill", times[0], "09:30").value == "09:30"
    assert act(lane, "fill", times[1], "2026-11-30 09:30").value == "2026-11-30T09:30"


def test_a_date_in_another_form_is_refused_with_the_form_that_it_takes(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<input type=date aria-label=T>")
    (node,) = lane.value("ls").entries
    with pytest.raises(ValueRejected, match="did not take") as caught:
        act(lane, "fill", node.name, "1.2.1990")
    assert "write 2026-12-31" in caught.value.hint


def test_a_password_is_masked(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/password_first.html")
    secret = "hunter2"
    for effect in (act(lane, "fill", "pw_input", secret), act(lane, "type", "pw_input", secret)):
        assert effect.value
        assert secret not in str(effect)
    assert asked(lane, "document.querySelector('[type=password]').value") == 2 * secret


def test_filling_a_select_names_the_command_for_it(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/select_options.html")
    with pytest.raises(NotEditable) as caught:
        act(lane, "fill", "kind_select", "d")
    assert "select" in caught.value.hint


def test_a_field_that_the_page_rebuilds_all_the_time_is_filled(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        "<div id=d></div><script>v='';draw=()=>{if(document.activeElement.id!='f'){"
        "d.innerHTML='<input id=f aria-label=F>';f.oninput=()=>{v=f.value}}};draw();"
        "setInterval(draw,120)</script>"
    )
    for text in ("a", "b", "c"):
        act(lane, "fill", "f_input", text)
        assert asked(lane, "v") == text
        asked(lane, "document.activeElement.blur()")


def test_numbers_of_values_survive_the_way_through_json(lane: LaneRunner, shown: Show) -> None:
    shown("<input type=number aria-label=N value=5>")
    name = lane.value("ls").entries[0].name
    reply = lane.reply(f"fill --envelope {name} 7").text.partition("\n\n[lane")[0]
    assert json.loads(reply)["result"]["value"] == "7"
