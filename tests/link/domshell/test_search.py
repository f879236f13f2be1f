"""``find`` and ``grep`` on a snapshot, without DOMShell's own search."""

from __future__ import annotations

import pytest

from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.link.asks import Wanted
from domsh_repl.link.domshell import search
from domsh_repl.link.domshell.search import Pattern
from domsh_repl.link.domshell.snapshot import Facts, Snapshot
from tests.link.domshell.trees import planted

PAGE = planted(
    "[d] main_8 main",
    '  [x] age spinbutton "7"',
    "  [x] go_btn button",
    "  [d] intro_heading heading",
    "    [d] intro StaticText",
    "[x] go_on_link link",
)
KNOWN = PAGE.with_facts(
    {
        2: Facts("Age", ("required",)),
        3: Facts("Go!", ("disabled", "focused")),
        4: Facts("Intro"),
        5: Facts("Intro"),
        6: Facts("Go on"),
    }
)


def _found(snapshot: Snapshot, wanted: Wanted, limit: int = 0) -> list[str]:
    found = search.find(snapshot, [snapshot.root], wanted, limit=limit)
    return [spot.path for spot in found]


def _matched(snapshot: Snapshot, source: str, *, below: bool = True, **how: bool) -> list[str]:
    pattern = Pattern.of(source, **how)
    return [spot.path for spot in search.grep(snapshot, [snapshot.root], pattern, below=below)]


def test_all_wanted_features_must_hold() -> None:
    assert _found(PAGE, Wanted(role="button")) == ["/main_1/go_btn"]
    assert _found(PAGE, Wanted(name="go_*")) == ["/main_1/go_btn", "/go_on_link"]
    assert _found(PAGE, Wanted(name="go_*", role="link")) == ["/go_on_link"]
    assert _found(PAGE, Wanted(name="go_*"), limit=1) == ["/main_1/go_btn"]
    assert _found(PAGE, Wanted(role="table")) == []


def test_labels_and_states_are_found_where_they_are_known() -> None:
    assert _found(KNOWN, Wanted(label="GO")) == ["/main_1/go_btn", "/go_on_link"]
    assert _found(KNOWN, Wanted(state="disabled")) == ["/main_1/go_btn"]


@pytest.mark.parametrize("wanted", [Wanted(label="go"), Wanted(state="disabled"), Wanted(css="a")])
def test_what_is_not_known_is_never_guessed(wanted: Wanted) -> None:
    with pytest.raises(Unsupported):
        _found(PAGE, wanted)


def test_a_selector_is_answered_by_what_the_page_selected() -> None:
    found = search.find(
        PAGE, [PAGE.root], Wanted(css="button", name="*"), selected=frozenset({3, 6})
    )
    assert [spot.path for spot in found] == ["/main_1/go_btn", "/go_on_link"]


def test_the_text_inside_a_match_is_no_second_match() -> None:
    assert _found(KNOWN, Wanted(label="intro")) == ["/main_1/intro_heading"]
    assert _matched(PAGE, "intro") == ["/main_1/intro_heading"]


def test_a_search_starts_below_and_overlapping_starts_count_once() -> None:
    main = PAGE.spots[1]
    assert search.find(PAGE, [main], Wanted(role="main")) == ()
    twice = search.find(PAGE, [PAGE.root, main], Wanted(role="button"))
    assert [spot.path for spot in twice] == ["/main_1/go_btn"]


def test_a_pattern_looks_at_names_labels_and_values() -> None:
    assert _matched(PAGE, "^7$") == ["/main_1/age"]
    assert _matched(KNOWN, "Go!") == ["/main_1/go_btn"]
    assert _matched(KNOWN, "GO ON", ignore_case=True) == ["/go_on_link"]
    assert _matched(PAGE, "go", inverted=True) == [
        "/main_1",
        "/main_1/age",
        "/main_1/intro_heading",
    ]
    assert _matched(PAGE, "go", below=False) == ["/go_on_link"]


def test_a_broken_pattern_is_a_usage_error() -> None:
    for source in ("(", "", "x" * 2000):
        with pytest.raises(UsageError):
            Pattern.of(source)
