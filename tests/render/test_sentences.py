from __future__ import annotations

import json

import pytest

from domsh_repl.nodes import Message, Output, ScriptValue, Tabs, Text, View
from domsh_repl.render.color import ColorMode
from tests.render.render_samples import FAILED, PASSED, TABS, WHERE, lines, shown


def test_tabs_are_a_table_with_the_current_one_marked() -> None:
    out, _ = shown(TABS)

    assert lines(out) == [
        "-  1   Form page     http://127.0.0.1:8000/",
        "*  2   日本のページ  https://example.org/日本",
        "-  13  -             about:blank",
    ]
    assert shown(Tabs(())) == ("", "no tabs\n")


def test_pwd_prints_the_path_alone_and_info_everything() -> None:
    assert shown(WHERE, View(brief=True))[0] == "/main_area/signup_form\n"
    assert lines(shown(WHERE)[0]) == [
        "url: http://127.0.0.1:8000/thanks.html?ok=1",
        "title: Thanks",
        "http: 200",
        "loading: no",
        "path: /main_area/signup_form",
        "tab: 2",
        "lane: 1",
        "elements: 63",
    ]


def test_text_keeps_its_lines_and_ends_with_one_line_break() -> None:
    assert shown(Text("/", "one\ntwo\n"))[0] == "one\ntwo\n"
    assert shown(Text("/", "a\n\nb"))[0] == "a\n\nb\n"
    assert shown(Text("/", ""))[0] == ""
    assert shown(Output("a\r\nb\r\n"))[0] == "a\nb\n"
    assert shown(Message("ready", {"tabs": 1}))[0] == "ready\n"


@pytest.mark.parametrize("value", [None, 1.5, True, [], {"a": ["日本", "\x9b\u2028"]}])
def test_a_script_value_that_is_no_text_is_indented_json(value: object) -> None:
    out, _ = shown(ScriptValue(value))

    assert json.loads(out) == value
    assert "\x9b" not in out


def test_text_from_a_script_is_raw() -> None:
    assert shown(ScriptValue('say "hi"\nagain'))[0] == 'say "hi"\nagain\n'
    assert shown(ScriptValue(""))[0] == "\n"


def test_a_verdict_is_ok_or_says_what_was_expected() -> None:
    assert lines(shown(PASSED)[0]) == ["ok  text /out is 3 (0.3 s)"]
    assert lines(shown(FAILED)[0]) == [
        "failed  text /out is 3 (5.0 s)",
        "expected: 3",
        "actual: 2",
        "  role: x",
    ]
    assert lines(shown(FAILED, terminal=True, environment={"NO_COLOR": "1"})[0]) == [
        "failed  text /out is 3 (5.0 s)",
        "  expected  3",
        "  actual    2",
        "            role: x",
    ]


def test_ok_is_green_and_failed_is_red() -> None:
    assert shown(PASSED, color=ColorMode.ALWAYS)[0].startswith("\x1b[32mok\x1b[0m")
    assert shown(FAILED, color=ColorMode.ALWAYS)[0].startswith("\x1b[1;31mfailed\x1b[0m")
