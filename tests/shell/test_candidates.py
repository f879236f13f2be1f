from __future__ import annotations

from collections.abc import Iterator

import pytest
from prompt_toolkit.formatted_text.utils import fragment_list_width

from domsh_repl.shell.candidates import (
    MOST_OFFERED,
    Candidate,
    Tier,
    is_typed_as_it_is,
    offered,
    places_of,
    told,
)


def candidates(*texts: str, tier: Tier = Tier.BEGINS, typed: str = "s") -> list[Candidate]:
    return [Candidate(text, typed, tier=tier) for text in texts]


@pytest.mark.parametrize(
    ("begun", "text", "places"),
    [
        ("em", "email_input", (0, 1)),
        ("EI", "email_input", (0, 3)),
        ("ii", "email_input", (3, 6)),
        ("inp", "in_an_input", (6, 7, 8)),
        ("x", "email_input", ()),
        ("nie", "email_input", ()),
        ("", "email_input", ()),
        ("ß", "straße", (4,)),
        ("i", "İstanbul", ()),
    ],
)
def test_characters_are_found_in_their_order_and_close_together(
    begun: str, text: str, places: tuple[int, ...]
) -> None:
    assert places_of(begun, text) == places


def test_a_name_that_is_made_to_be_slow_is_not() -> None:
    assert places_of("a" * 60 + "b", "a" * 200) == ()


def test_what_begins_alike_is_offered_alone_where_it_says_how_to_go_on() -> None:
    begins = candidates("search/", "sea_link")
    assert offered([*begins, *candidates("news", tier=Tier.HOLDS)]) == begins


def test_the_only_one_that_begins_so_is_offered_alone() -> None:
    begins = candidates("search/")
    assert offered([*begins, *candidates("news", "sum", tier=Tier.REST)]) == begins


def test_where_nothing_is_certain_all_are_offered_the_best_first() -> None:
    holds, rest = candidates("news", tier=Tier.HOLDS), candidates("sum", tier=Tier.REST)
    begins = candidates("search/", "sign_in_link")
    assert offered([*begins, *holds, *rest]) == [*begins, *rest, *holds]


def test_a_whole_word_beside_longer_ones_does_not_hide_the_others() -> None:
    begins, holds = candidates("s", "search/"), candidates("news", tier=Tier.HOLDS)
    assert offered([*begins, *holds]) == [*begins, *holds]


def test_a_menu_ends_somewhere_and_nothing_behind_it_is_asked_for() -> None:
    made: list[int] = []

    def endless() -> Iterator[Candidate]:
        while True:
            made.append(len(made))
            yield Candidate(f"{made[-1]}_link")

    assert len(offered(endless())) == MOST_OFFERED
    assert len(made) == MOST_OFFERED


def test_what_stands_beside_a_candidate_is_safe_and_has_its_room_in_cells() -> None:
    meta = told("button", "disabled", label="\x1b[2J" + "漢字" * 90)
    completion = Candidate("ok_btn", meta=meta, shown="字" * 90).completion(" ")
    assert meta.startswith('button disabled "\\u001b[2J漢')
    assert fragment_list_width(completion.display_meta) <= 60
    assert fragment_list_width(completion.display) <= 48
    assert "\x1b" not in completion.display_meta_text


def test_the_typed_characters_are_marked_in_what_is_shown() -> None:
    completion = Candidate("email/", "ml", hits=(1, 4), tier=Tier.HOLDS).completion("")
    shown = completion.display
    assert [text for style, text in shown if style] == ["m", "l"]  # type: ignore[misc]
    assert completion.display_text == "email/"


@pytest.mark.parametrize(
    "name", ["a b", "$x", "a;b", "*", "form[0]", "..", "-x", "~", "@a", "a\x1b", "", 'a"b', "a/b"]
)  # fmt: skip
def test_a_name_that_would_mean_something_else_is_not_offered(name: str) -> None:
    assert not is_typed_as_it_is(name)


@pytest.mark.parametrize("name", ["main_1", "größe_btn", "漢字_link", "a-b", "a.b", "42"])
def test_a_name_that_means_itself_is(name: str) -> None:
    assert is_typed_as_it_is(name)
