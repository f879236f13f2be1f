from __future__ import annotations

import pytest
from wcwidth import wcswidth

from domsh_repl.render.ink import (
    Span,
    cells,
    cut,
    cut_line,
    folded,
    joined,
    line_cells,
    padded,
    wrapped,
)


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("日本", 4), ("😀", 2), ("e\u0301", 1), ("👩\u200d🚀", 2)]
)
def test_cells_are_those_of_a_terminal(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("abc", 0, "…"),
    ],
)
def test_cut_text_fits_and_says_that_it_was_cut(text: str, room: int, expected: str) -> None:
    assert cut(text, room, "…") == expected


def test_stacked_marks_do_not_make_a_cell_endless() -> None:
    tower = "a" + "\u0301" * 100_000

    assert len(cut(tower, 4, "…")) < 50


@pytest.mark.parametrize("room", range(1, 12))
def test_a_cut_line_of_several_spans_fits(room: int) -> None:
    line = (Span("ab", "bold"), Span("日本"), Span("cd"), Span(""))

    shown = "".join(span.text for span in cut_line(line, room, "…"))

    assert wcswidth(shown) <= room
    assert (shown == "ab日本cd") is (room >= 8)
    assert shown.endswith("…") is (room < 8)


def test_padding_counts_cells_and_never_cuts() -> None:
    assert line_cells(padded((Span("日本"),), 6)) == 6
    assert padded((Span("日本"),), 3) == (Span("日本"),)


def test_text_wraps_at_blanks_and_long_words_stay_whole() -> None:
    assert list(wrapped("one two  three", 7)) == ["one two", "three"]
    assert list(wrapped("http://example.org/a b", 6)) == ["http://example.org/a", "b"]
    assert list(wrapped("    indented code", 9)) == ["    indented", "code"]
    assert list(wrapped("", 9)) == [""]


def test_joining_leaves_out_what_is_empty() -> None:
    assert joined([(), (Span("a"),), (), (Span("b"),)], Span(",")) == (
        Span("a"),
        Span(","),
        Span("b"),
    )


def test_a_long_line_goes_on_below_where_its_text_began() -> None:
    line = "  -l, --long  a table with role, states and label"
    assert list(folded(line, 30)) == [
        "  -l, --long  a table with",
        "              role, states and",
        "              label",
    ]
    assert list(folded(line, 80)) == [line]
    assert list(folded("`help NAME` explains it", 14)) == ["`help NAME`", "explains it"]
    assert list(folded("x" * 30, 10)) == ["x" * 30]
