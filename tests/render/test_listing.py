from __future__ import annotations

import pytest
from wcwidth import wcswidth

from domsh_repl.nodes import Listing, View
from domsh_repl.render.theme import SIGNS
from tests.render.render_samples import (
    FORM,
    FORM_LISTING,
    WIDE_LISTING,
    lines,
    listing,
    node,
    shown,
)

LONG = View(long=True)
NAMES = [entry.name + "/" * entry.enterable for entry in FORM_LISTING.entries]


def test_a_pipe_gets_one_name_a_line_with_a_slash_after_what_can_be_entered() -> None:
    out, err = shown(FORM_LISTING)

    assert lines(out) == NAMES
    assert err == ""


def test_a_terminal_gets_columns_that_run_down_and_then_across() -> None:
    entries = [node(name, "list", enterable=True) for name in ("a", "bb", "ccc", "d", "e")]

    out, _ = shown(listing(*entries), terminal=True, width=11, environment={"NO_COLOR": "1"})

    assert lines(out) == ["a/    d/", "bb/   e/", "ccc/"]


@pytest.mark.parametrize("width", [20, 41, 60, 80, 200])
def test_columns_fit_the_width_and_hold_every_name_once(width: int) -> None:
    out, _ = shown(FORM_LISTING, terminal=True, width=width, environment={"TERM": "dumb"})

    assert max(map(wcswidth, lines(out))) <= max(width, 20)
    assert sorted(out.replace(SIGNS.interactive, "").split()) == sorted(NAMES)


def test_what_can_be_acted_on_is_told_without_colour() -> None:
    entries = (node("save_btn", "button"), node("note_1", "note"), node("card_link", "link"))
    sign = SIGNS.interactive

    out, _ = shown(listing(*entries), terminal=True, environment={"NO_COLOR": "1"})

    assert lines(out) == [f"{sign} save_btn    note_1  {sign} card_link"]


def test_single_is_one_plain_name_a_line_on_a_terminal_too() -> None:
    out, _ = shown(FORM_LISTING, View(single=True), terminal=True, environment={"NO_COLOR": "1"})

    assert lines(out) == NAMES


def test_long_rows_hold_kind_role_states_and_value_name_and_label() -> None:
    entries = (
        node("email_input", "textbox", "Email", value="a b", states=("focused", "required")),
        node("plan", "group", "Plan", enterable=True),
        node("volume_slider", "slider", "", value=50),
    )

    out, _ = shown(listing(*entries), LONG)

    assert lines(out) == [
        'x  textbox  focused,required "a b"  email_input    Email',
        "d  group    -                       plan/          Plan",
        "x  slider   50                      volume_slider",
    ]


def test_a_pipe_gets_long_labels_whole() -> None:
    out, _ = shown(WIDE_LISTING, LONG)

    assert "X" * 300 in out


def test_a_terminal_cuts_labels_to_its_width_and_never_a_name() -> None:
    out, _ = shown(WIDE_LISTING, LONG, terminal=True, environment={"NO_COLOR": "1"})

    assert lines(out)[-1].endswith("X…")
    assert wcswidth(lines(out)[-1]) == 80
    narrow, _ = shown(WIDE_LISTING, LONG, terminal=True, width=20, environment={"NO_COLOR": "1"})
    assert all(entry.name in narrow for entry in WIDE_LISTING.entries)


@pytest.mark.parametrize("terminal", [True, False])
def test_wide_characters_do_not_shift_the_labels(*, terminal: bool) -> None:
    entries = WIDE_LISTING.entries[:-1]

    out, _ = shown(
        listing(*entries, path="/"), LONG, terminal=terminal, environment={"NO_COLOR": "1"}
    )

    starts = {
        wcswidth(line[: line.rindex(entry.label)])
        for line, entry in zip(lines(out), entries, strict=True)
    }
    assert len(starts) == 1


def test_wide_names_in_columns_are_aligned() -> None:
    entries = [node(name, "list") for name in ("日本", "a", "한국어", "b")]

    out, _ = shown(listing(*entries), terminal=True, width=13, environment={"NO_COLOR": "1"})

    assert lines(out) == ["日本  한국어", "a     b"]


def test_an_empty_directory_prints_nothing_and_says_so_aside() -> None:
    assert shown(listing()) == ("", "(empty)\n")
    assert shown(listing(), LONG) == ("", "(empty)\n")


@pytest.mark.parametrize(
    ("offset", "total", "remark"),
    [
        (0, 9, "1-2 of 9; for the next: --offset 2\n"),
        (4, 9, "5-6 of 9; for the next: --offset 6\n"),
        (7, 9, "8-9 of 9\n"),
        (0, 2, ""),
    ],
)
def test_a_part_of_a_listing_says_how_to_go_on(offset: int, total: int, remark: str) -> None:
    entries = (node("a", "list"), node("b", "list"))

    assert shown(listing(*entries, total=total, offset=offset))[1] == remark


def test_an_offset_behind_the_end_is_told() -> None:
    assert shown(Listing(FORM, (), 4, 99)) == ("", "nothing at offset 99 of 4\n")


def test_entries_from_further_below_are_named_by_their_path_from_the_directory() -> None:
    deep = node("free_radio", "radio", parent=f"{FORM}/plan")

    assert shown(listing(node("plan", "group", enterable=True), deep))[0] == (
        "plan/\nplan/free_radio\n"
    )


def test_ten_thousand_long_names_are_laid_out_without_trying_every_height() -> None:
    many = listing(*(node(f"{number:039d}_link", "link") for number in range(10_000)))

    out, _ = shown(many, terminal=True, environment={"NO_COLOR": "1"})

    assert len(lines(out)) == 10_000
