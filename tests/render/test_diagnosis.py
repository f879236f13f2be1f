"""The rows of the doctor: aligned, wrapped on a terminal, escaped, and never in colour alone."""

from __future__ import annotations

import json

from domsh_repl.checks import Check, Diagnosis, Result
from domsh_repl.render.color import ColorMode
from tests.render.render_samples import as_json, lines, shown

ROWS = (
    Check("python", Result.OK, "3.11.7"),
    Check("token", Result.FAIL, "the server refuses the token", "give it the right one"),
    Check("extension", Result.NOT_APPLICABLE, "not looked at: it needs token"),
)
FAILED = Diagnosis(ROWS, ok=False)
WELL = Diagnosis(ROWS[:1], ok=True)


def test_rows_are_aligned_and_a_hint_stands_below() -> None:
    out, err = shown(FAILED)
    assert lines(out) == [
        "ok    python     3.11.7",
        "fail  token      the server refuses the token",
        "                 hint: give it the right one",
        "n-a   extension  not looked at: it needs token",
    ]
    assert err == "1 of 3 checks failed\n"
    assert shown(WELL)[1] == "nothing failed\n"


def test_a_terminal_wraps_what_is_long_below_its_column() -> None:
    long = Diagnosis((Check("a", Result.FAIL, "one two " * 9, "three four " * 6),), ok=False)
    out, _ = shown(long, terminal=True, width=40, color=ColorMode.NEVER)
    assert all(len(line) <= 40 for line in lines(out))
    assert lines(out)[1].startswith(" " * 9 + "one")
    assert "one two " * 9 in shown(long)[0]


def test_results_are_coloured_where_the_rest_is() -> None:
    assert "\x1b[" not in shown(FAILED)[0]
    out, _ = shown(FAILED, color=ColorMode.ALWAYS)
    assert "\x1b[32mok" in out
    assert "\x1b[1;31mfail" in out


def test_the_words_of_a_server_cannot_drive_the_terminal() -> None:
    evil = "\x1b]52;c;ZXZpbA==\x07\n\x9b2J\u202e"
    hostile = Diagnosis((Check("server", Result.FAIL, evil, evil),), ok=False)
    for text in (shown(hostile)[0], as_json(hostile)):
        assert text.count("\n") == (2 if "hint: " in text else 1)
        assert set("\x1b\x07\x9b\u202e").isdisjoint(text)


def test_json_is_one_object_with_the_rows() -> None:
    assert json.loads(as_json(FAILED)) == {
        "checks": [
            {"name": "python", "result": "ok", "found": "3.11.7", "hint": ""},
            {
                "name": "token", "result": "fail", "found": "the server refuses the token",
                "hint": "give it the right one",
            },
            {
                "name": "extension", "result": "n-a", "found": "not looked at: it needs token",
                "hint": "",
            },
        ],
        "ok": False,
    }  # fmt: skip
