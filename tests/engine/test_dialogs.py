from __future__ import annotations

import json
from typing import Any

import pytest

from domsh_repl.errors import DialogOpen, DomshError, Failed, TimedOut, UsageError
from domsh_repl.nodes import Dialog, EffectKind
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show


@pytest.fixture
def asking(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/dialogs.html")
    return lane


def said(lane: LaneRunner) -> Any:
    return lane.value("js t.textContent").value


def opened(lane: LaneRunner) -> None:
    """Wait for a dialog that the page opens by itself."""
    page = lane.lane.page
    assert lane.run(page.until(lambda: page.dialog is not None, 10))


@pytest.mark.parametrize(
    ("path", "dialog"),
    [
        ("alert_btn", Dialog("alert", "now")),
        ("confirm_btn", Dialog("confirm", "sure?")),
        ("prompt_btn", Dialog("prompt", "name?", "Ada")),
    ],
)
def test_a_click_that_raises_a_dialog_returns_and_names_it(
    asking: LaneRunner, path: str, dialog: Dialog
) -> None:
    effect = asking.value(f"click {path}")
    assert (effect.dialog, effect.effect) == (dialog, EffectKind.SEEN)
    assert asking.value("dialog").dialog == dialog


@pytest.mark.parametrize(
    ("path", "answer", "result"),
    [
        ("alert_btn", "accept", "alerted"),
        ("confirm_btn", "accept", "true"),
        ("confirm_btn", "dismiss", "false"),
        ("prompt_btn", "accept Grace", "Grace"),
        ("prompt_btn", "accept 'Grace Hopper'", "Grace Hopper"),
        ("prompt_btn", "accept ''", ""),
        ("prompt_btn", "dismiss", ""),
    ],
)
def test_an_answer_reaches_the_page(
    asking: LaneRunner, path: str, answer: str, result: str
) -> None:
    asking.value(f"click {path}")
    effect = asking.value(f"dialog {answer}")
    assert (effect.action, effect.dialog) == ("dialog", None)
    assert said(asking) == result
    assert asking.value("dialog").dialog is None


def test_a_prompt_accepted_as_it_is_keeps_its_default(asking: LaneRunner) -> None:
    asking.value("click prompt_btn")
    asking.value("dialog accept")
    assert said(asking) == "Ada"


@pytest.mark.parametrize(
    "line",
    [
        "ls", "ls /", "tree", "cat confirm_btn", "text", "find --type button", "grep x",
        "cd result", "click alert_btn", "focus field_input", "type field_input late", "type late",
        "fill field_input late", "key a", "select x y", "check x", "uncheck x", "js 1", "eval 1",
        "refresh", "reload", "back", "forward", "navigate about:blank",
    ],
)  # fmt: skip
def test_every_other_command_is_refused_at_once_and_sends_nothing(
    asking: LaneRunner, line: str
) -> None:
    asking.value("click confirm_btn")
    with pytest.raises(DialogOpen, match="sure") as caught:
        asking.value(line)
    assert "dialog accept" in caught.value.hint
    asking.value("dialog accept")
    assert said(asking) == "true"
    assert asking.value("js document.querySelector('input').value").value == ""
    assert asking.value("pwd").url.endswith("/dialogs.html")


def test_what_asks_the_browser_still_answers(asking: LaneRunner, engine: EngineRunner) -> None:
    asking.value("click confirm_btn")
    assert asking.value("pwd").url.endswith("/dialogs.html")
    (tab,) = asking.value("tabs").tabs
    assert tab.current
    assert asking.value("ls ~").tabs == (tab,)
    page = json.loads(asking.reply("pwd --envelope").text.partition("\n\n[lane")[0])["page"]
    assert page["dialog"] == {"type": "confirm", "message": "sure?", "default": ""}
    other = LaneRunner(engine)
    assert other.value("navigate about:blank").url == "about:blank"
    other.close()


def test_a_watching_wait_tells_of_the_dialog(asking: LaneRunner) -> None:
    asking.value("click later_btn")
    opened(asking)
    reply = asking.reply("wait --envelope --timeout 1").text
    assert '"type":"alert"' in reply
    asking.value("dialog accept")
    assert '"dialog":null' in asking.reply("wait --envelope --timeout 1").text


def test_a_waiting_find_ends_when_a_dialog_opens(asking: LaneRunner) -> None:
    asking.value("click confirm_btn")
    with pytest.raises((DialogOpen, TimedOut)):
        asking.value("wait nosuch --timeout 1")


def test_a_dialog_from_a_timer_is_seen_by_the_next_command(asking: LaneRunner) -> None:
    asking.value("click later_btn")
    opened(asking)
    with pytest.raises(DialogOpen, match="alert"):
        asking.value("ls")
    asking.value("dialog accept")
    assert asking.value("ls").total


def test_two_dialogs_in_a_row_are_answered_one_by_one(asking: LaneRunner) -> None:
    assert asking.value("click two_btn").dialog.message == "one"
    effect = asking.value("dialog accept")
    assert effect.dialog == Dialog("confirm", "two")
    assert asking.value("dialog dismiss").dialog is None
    assert said(asking) == "true false"


def test_a_dialog_while_a_page_loads_is_told_by_open(lane: LaneRunner, pages: str) -> None:
    effect = lane.value(f"navigate {pages}/alert_in_head.html")
    assert effect.dialog == Dialog("alert", "1")
    assert effect.loading
    with pytest.raises(DialogOpen):
        lane.value("ls")
    effect = lane.value("dialog accept")
    assert (effect.dialog, effect.loading) == (None, False)
    assert [node.name for node in lane.value("ls").entries] == ["after_btn"]


def test_a_dialog_when_a_page_is_reloaded_or_walked_back_to_is_told(
    lane: LaneRunner, pages: str
) -> None:
    lane.value(f"navigate {pages}/alert_in_head.html")
    lane.value("dialog accept")
    assert lane.value("reload").dialog is not None
    lane.value("dialog accept")
    lane.value(f"navigate {pages}/alpha.html")
    assert lane.value("back").dialog is not None
    lane.value("dialog accept")
    assert [node.name for node in lane.value("ls").entries] == ["after_btn"]


def test_a_dialog_in_a_frame_is_the_tab_s(lane: LaneRunner, shown: Show) -> None:
    shown("<iframe title=f srcdoc=\"<button onclick=alert('inside')>In</button>\"></iframe>")
    assert lane.value("click f/in_btn").dialog == Dialog("alert", "inside")
    lane.value("dialog accept")
    assert lane.value("ls f").entries[0].name == "in_btn"


@pytest.mark.parametrize("expression", ["alert('x')", "confirm('x')", "prompt('x')"])
def test_a_script_that_raises_a_dialog_is_told_at_once(asking: LaneRunner, expression: str) -> None:
    with pytest.raises(DialogOpen, match="x"):
        asking.value(f"js {expression}")
    asking.value("dialog dismiss")
    assert asking.value("js 6*7").value == 42


def test_a_dialog_while_typing_stops_the_typing(asking: LaneRunner) -> None:
    effect = asking.value("type field_input abc")
    assert effect.dialog == Dialog("alert", "focused")
    assert effect.effect is EffectKind.UNKNOWN
    asking.value("dialog accept")
    assert asking.value("js document.querySelector('input').value").value == ""
    assert asking.value("type field_input abc").value == "abc"


def test_no_letter_is_typed_after_the_one_that_raised_a_dialog(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<input aria-label=F oninput=\"if(this.value=='ab')alert('half')\">")
    assert lane.value("type f_input abcdef").dialog == Dialog("alert", "half")
    lane.value("dialog accept")
    assert lane.value("js document.querySelector('input').value").value == "ab"


@pytest.mark.parametrize("event", ["mousedown", "mouseup", "pointerdown", "mousemove"])
def test_a_dialog_in_the_middle_of_a_click_leaves_nothing_behind(
    lane: LaneRunner, shown: Show, event: str
) -> None:
    shown(
        f"<button on{event}=\"if(!window.n){{n=1;alert('{event}')}}\">Go</button>"
        "<button onclick='t.textContent=1'>Other</button><p id=t></p>"
    )
    assert lane.value("click go_btn").dialog == Dialog("alert", event)
    lane.value("dialog accept")
    lane.value("click other_btn")
    assert said(lane) == "1"


def test_a_message_of_any_text_is_shown_on_one_line(lane: LaneRunner, shown: Show) -> None:
    shown("<p>x</p>")
    with pytest.raises(DialogOpen) as caught:
        lane.value("js alert('a\\u001b[31m\\u202e\\nb'.repeat(1000))")
    assert not set(caught.value.message) & set("\x1b\u202e\n")
    assert len(caught.value.message) < 400
    lane.value("dialog accept")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("dialog accept", Failed),
        ("dialog dismiss", Failed),
        ("dialog maybe", UsageError),
        ("dialog ACCEPT", UsageError),
    ],
)
def test_answering_nothing_is_an_error(
    asking: LaneRunner, line: str, error: type[DomshError]
) -> None:
    with pytest.raises(error):
        asking.value(line)


def test_a_dialog_does_not_keep_its_tab_or_lane_from_closing(
    engine: EngineRunner, pages: str
) -> None:
    lane = LaneRunner(engine)
    lane.value(f"navigate {pages}/dialogs.html")
    lane.value("click alert_btn")
    lane.value("open --envelope about:blank")
    first = lane.value("tabs").tabs[0]
    lane.value(f"close {first.id}")
    assert first.id not in [tab.id for tab in lane.value("tabs").tabs]
    lane.value(f"navigate {pages}/dialogs.html")
    lane.value("click alert_btn")
    assert "closed lane" in lane.value("group close").text
