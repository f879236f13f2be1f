from __future__ import annotations

from typing import Any

import pytest

from domsh_repl.engine.consoletext import exception_text, message_text


def text(value: str) -> dict[str, Any]:
    return {"type": "string", "value": value}


def number(value: float) -> dict[str, Any]:
    return {"type": "number", "value": value}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ([], ""),
        ([text("a"), text("b c"), number(1)], "a b c 1"),
        ([text("%s: %d/%i, %f"), text("x"), number(2.7), number(3), number(1)], "x: 2/3, 1.0"),
        ([text("%c styled %o"), text("color: red"), text("x")], " styled x"),
        ([text("100%% %s")], "100% %s"),
        ([text("%d"), text("no")], "NaN"),
        ([text("a"), text("%s")], "a %s"),
        ([{"type": "boolean", "value": True}, {"type": "object", "subtype": "null", "value": None}],
         "true null"),
        ([{"type": "undefined"}], "undefined"),
        ([{"type": "number", "unserializableValue": "NaN"}], "NaN"),
        ([{"type": "function", "description": "() => 1"}], "() => 1"),
    ],
)  # fmt: skip
def test_arguments_are_worded_as_a_console_does(given: list[dict[str, Any]], shown: str) -> None:
    assert message_text("log", given) == shown


def test_objects_are_shown_by_their_previews() -> None:
    properties = [
        {"name": "a", "type": "number", "value": "1"},
        {"name": "b", "type": "string", "value": "x"},
    ]
    plain = {"type": "object", "preview": {"description": "Object", "properties": properties}}
    array = {
        "type": "object", "subtype": "array",
        "preview": {"subtype": "array", "overflow": True,
                    "properties": [{"name": "0", "type": "number", "value": "7"}]},
    }  # fmt: skip
    entry = {"key": {"type": "string", "description": "k"},
             "value": {"type": "number", "description": "2"}}  # fmt: skip
    preview = {"description": "Map(1)", "properties": [], "entries": [entry]}
    named = {"type": "object", "preview": preview}
    assert message_text("log", [plain, array, named]) == "{a: 1, b: 'x'} [7, …] Map(1) {'k' => 2}"


def test_an_assertion_says_that_it_failed_and_a_long_message_is_cut() -> None:
    assert message_text("assert", [text("why"), number(1)]) == "Assertion failed: why 1"
    assert message_text("assert", []) == "Assertion failed"
    assert len(message_text("log", [text("x" * 9000)])) == 5000


def test_exceptions_are_told_as_the_browser_words_them() -> None:
    thrown = {"text": "Uncaught", "exception": {"description": "Error: no\n    at x.js:1"}}
    assert exception_text(thrown) == "Uncaught Error: no\n    at x.js:1"
    value = {"text": "Uncaught (in promise)", "exception": {"type": "string", "value": "why"}}
    assert exception_text(value) == "Uncaught (in promise) why"
    assert exception_text({}) == "Uncaught"
