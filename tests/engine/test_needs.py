"""What a match must hold: never more than every match really holds."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.engine.naming import Nameable, names_of
from domsh_repl.engine.needs import UNSTEADY, letters, needs_of
from domsh_repl.engine.query import Query
from domsh_repl.errors import UsageError
from domsh_repl.patterns import compile_pattern


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("Needle", ("needle",)),
        ("Link 12", ("link12",)),
        ("link_12", ("link",)),
        ("a|bc", ("a", "bc")),
        ("ab*cd", ("cd",)),
        ("ab+", ("ab",)),
        ("x{2,3}yz", ("yz",)),
        (r"a\.b", ("ab",)),
        (r"\bword\b", ("word",)),
        ("[^]a]gh", ("gh",)),
        (r"[\]x]gh", ("gh",)),
        ("^$", ()),
        (r"\d", ()),
        ("_2$", ()),
        ("(a)", ()),
        (r"\x41bc", ()),
        ("a|.", ()),
        ("日本", ("日本",)),
    ],
)
def test_an_expression_needs_its_longest_literal(source: str, needs: tuple[str, ...]) -> None:
    assert needs_of(Query(pattern=compile_pattern(source))).any_of == needs


@pytest.mark.parametrize(
    ("glob", "needs"),
    [("*_btn", ("btn",)), ("link_1*2", ("link",)), ("a?bcd*", ("bcd",)), ("*", ())],
)
def test_a_glob_needs_its_longest_literal(glob: str, needs: tuple[str, ...]) -> None:
    assert needs_of(Query(name=glob)).any_of == needs


def test_a_label_needs_all_its_letters() -> None:
    assert needs_of(Query(label="Add - to CART")).any_of == ("addtocart",)
    assert needs_of(Query(folded_label="Go")).whole
    assert needs_of(Query(label="★ …")).any_of == ()
    assert needs_of(Query(role="link")).any_of == ()


_PIECES = st.sampled_from(["ab", "1", "_", "b?", "c*", "[ab]", ".", "|", "^", "$", r"\d", r"\."])


@given(st.lists(_PIECES, min_size=1, max_size=6), st.text("abcABC12_. ", min_size=1, max_size=12))
def test_what_an_expression_finds_holds_what_it_needs(pieces: list[str], text: str) -> None:
    source = "".join(pieces)
    try:
        pattern = compile_pattern(source)
    except UsageError:
        return
    needs = needs_of(Query(pattern=pattern)).any_of
    for number, name in enumerate(names_of([Nameable("region", text)] * 3)):
        if pattern.search(text) or (number == 0 and pattern.search(name)):
            assert not needs or any(need in letters(text) for need in needs)


def test_every_character_that_turns_into_an_ascii_letter_is_known() -> None:
    unsteady = re.compile(UNSTEADY)
    for point in range(0x80, sys.maxunicode + 1):
        character = chr(point)
        forms = {character.lower(), character.upper(), character.casefold(), character.title()}
        forms.add(unicodedata.normalize("NFC", character))
        if any(one.isascii() and one.isalnum() for form in forms for one in form):
            assert unsteady.match(character), f"U+{point:04X}"
