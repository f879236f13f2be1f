"""The other scripts: which document is shown, where to go, and what a user wrote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.errors import Denied, Failed, Lost, NavigationFailed, TimedOut
from domsh_repl.link.domshell import scripts
from domsh_repl.link.domshell.scripts import Check

CHECKED = {
    "url": "http://127.0.0.1/x", "title": "T", "ready": "interactive",
    "document": "1796075163564.7", "entry": "28de56bd", "position": 1, "http": 404,
    "visible": False, "elements": 36,
}  # fmt: skip


@given(st.text())
def test_every_script_line_is_printable_ascii_whatever_the_user_wrote(text: str) -> None:
    for line in (scripts.js(text, 2.5), scripts.goto(text)):
        assert line.isascii()
        assert line.isprintable()
        assert line.startswith("eval ")
    assert json.loads(scripts.literal(text)) == text


def test_values_are_written_as_javascript() -> None:
    assert scripts.literal({"a": [1, True, None, "|"]}) == '{"a":[1,true,null,"\\u007c"]}'
    assert scripts.literal("😀") == '"\\ud83d\\ude00"'


def test_a_check_tells_the_document() -> None:
    check = scripts.read_check(json.dumps(CHECKED))
    assert check == Check(
        "http://127.0.0.1/x", "T", "interactive", "1796075163564.7", "28de56bd", 1, 404,
        visible=False, elements=36,
    )  # fmt: skip
    assert check.loading
    assert not check.failed
    assert scripts.read_check(json.dumps(CHECKED | {"http": None})).http is None


def test_the_browsers_own_error_page_is_a_failed_load() -> None:
    check = scripts.read_check(json.dumps(CHECKED | {"url": "chrome-error://chromewebdata/"}))
    with pytest.raises(NavigationFailed, match=r"http://no\.such/"):
        check.require_loaded("http://no.such/")


@pytest.mark.parametrize("text", ["", "undefined", "[1]", "{}", "1", '{"url":1'])
def test_a_check_of_another_shape_is_lost(text: str) -> None:
    with pytest.raises(Lost):
        scripts.read_check(text)


def test_a_server_that_forbids_scripts_says_so() -> None:
    with pytest.raises(Denied):
        scripts.read_check("Error: Write commands (click/focus/type) are disabled. Start …")


def test_a_script_gives_its_value_or_what_it_threw() -> None:
    assert scripts.read_js('{"value":[1,null]}') == [1, None]
    assert scripts.read_js('{"value":null}') is None
    with pytest.raises(Failed, match="SyntaxError"):
        scripts.read_js('{"error":"SyntaxError: x"}')
    with pytest.raises(TimedOut):
        scripts.read_js('{"late":true}')


def test_a_long_value_comes_in_parts() -> None:
    assert scripts.js_length("#12012") == 12012
    assert scripts.js_length('{"value":"#12"}') == 0
    assert "slice(9000,18000)" in scripts.js_part(9000)


def test_history_and_reload() -> None:
    assert scripts.history(-2) == "eval history.go(-2),1"
    assert scripts.history(0) == "eval location.reload(),1"
