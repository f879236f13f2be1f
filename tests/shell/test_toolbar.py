from __future__ import annotations

import pytest

from domsh_repl.render.ink import cells
from domsh_repl.render.theme import ASCII_SIGNS, SIGNS
from domsh_repl.shell.toolbar import Bar, toolbar_text

FULL = Bar("Leaf & Kettle", 1082, "1", "builtin", 1.42, "", "")


def test_all_that_there_is_to_tell_stands_in_one_line() -> None:
    assert toolbar_text(FULL, 80, SIGNS) == (
        "Leaf & Kettle · 1,082 elements · lane 1 · builtin · 1.4 s"
    )
    assert toolbar_text(FULL, 80, ASCII_SIGNS) == (
        "Leaf & Kettle - 1,082 elements - lane 1 - builtin - 1.4 s"
    )


def test_with_nothing_to_tell_there_is_none() -> None:
    assert toolbar_text(Bar(), 80, SIGNS) == ""


def test_what_goes_on_and_vi_s_mode_stand_at_the_ends() -> None:
    bar = Bar(title="T", background="starting the browser", mode="normal")
    assert toolbar_text(bar, 80, SIGNS) == "normal · T · starting the browser"


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (52, "Leaf & Kettle · 1,082 elements · lane 1 · 1.4 s"),
        (40, "Leaf & Kettle · 1,082 elements · 1.4 s"),
        (30, "Leaf & Kettle · 1.4 s"),
        (18, "Leaf & Kettle"),
        (10, "Leaf & K…"),
    ],
)
def test_a_narrow_terminal_gets_the_most_important(columns: int, text: str) -> None:
    assert toolbar_text(FULL, columns, SIGNS) == text


@pytest.mark.parametrize("columns", [1, 2, 5, 20, 40, 80])
@pytest.mark.parametrize(
    "title",
    [
        "",
        "x" * 400,
        "日本語のとても長い題名がここにある",
        "e\u0301" * 60,
        "👩‍👩‍👧 " * 20,
        "a\x1b[2J\u202e\nb",
    ],
)
def test_no_title_makes_it_longer_than_the_line_or_reaches_the_terminal(
    title: str, columns: int
) -> None:
    bar = Bar(title, 5, "a lane with a long name", "http://server.example:3001/", 75, "", "insert")
    text = toolbar_text(bar, columns, SIGNS)
    assert cells(text) < max(columns, 2)
    assert not {"\x1b", "\u202e", "\n"} & set(text)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0042, "4 ms"), (0.34, "340 ms"), (12.34, "12.3 s"), (75, "1 min 15 s")]
)
def test_times_are_rounded_to_what_matters(seconds: float, said: str) -> None:
    assert toolbar_text(Bar(seconds=seconds), 80, SIGNS) == said
