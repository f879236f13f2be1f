"""Page text made safe: nothing is dropped, and nothing that a terminal obeys comes through."""

from __future__ import annotations

import json
import timeit
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.safetext import escape, escape_block, has_unsafe, json_text, one_line

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b]52;c;ZXZpbA==\x07", r"\u001b]52;c;ZXZpbA==\u0007"),
        ("\x9b31m", r"\u009b31m"),
        ("a\u202eb", r"a\u202eb"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\udb40\udc41"),
        ("\u00ad\u200b\ufeff", r"\u00ad\u200b\ufeff"),
        ("\x7f", r"\u007f"),
        ("one\ntwo\tthree\r", r"one\ntwo\tthree\r"),
    ],
)
def test_what_a_terminal_could_obey_is_an_escape(text: str, escaped: str) -> None:
    assert escape(text) == escaped
    assert has_unsafe(text)


@pytest.mark.parametrize(
    "text", ["plain", "中文 한국어", "😀 👩‍👩‍👧", "हिन्दी", "م‌ن", "é e\u0301", "a | b"]
)
def test_readable_text_of_every_script_stays(text: str) -> None:
    assert escape(text) == escape_block(text) == text
    assert not has_unsafe(text)


def test_a_block_keeps_its_lines_and_tabs_and_nothing_else() -> None:
    assert escape_block("a\r\nb\tc\n\x1b[2J\rd") == "a\nb\tc\n\\u001b[2J\\u000dd"


@given(st.text())
def test_no_control_format_or_half_character_comes_through(text: str) -> None:
    for character in escape(text):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert character not in BIDI
    assert not has_unsafe(escape(text))
    assert set(filter(lambda c: unicodedata.category(c) == "Cc", escape_block(text))) <= set("\n\t")


@given(
    st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3))
)
def test_json_reads_back_as_what_it_was(value: object) -> None:
    text = json_text(value)
    assert not has_unsafe(text)
    assert json.loads(text) == value


@given(st.text(), st.integers(2, 50))
def test_one_line_is_one_short_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert not has_unsafe(line)


@given(st.text("a \n\u2028\x1bb", max_size=60), st.integers(2, 20))
def test_one_line_of_a_long_text_is_the_one_of_its_beginning(text: str, limit: int) -> None:
    whole = escape(" ".join(text.split()))
    cut = whole if len(whole) <= limit else f"{whole[: limit - 1]}…"
    assert one_line(text, limit) == cut
    if len(whole) > limit:
        assert one_line(text + " c" * 100_000, limit) == cut


def test_one_line_looks_at_no_more_of_a_text_than_it_shows() -> None:
    text = "é title " * 200_000
    short, whole = (
        min(timeit.repeat(work, number=1, repeat=5))
        for work in (lambda: one_line(text, 300), lambda: " ".join(text.split()))
    )
    assert short < whole / 10
