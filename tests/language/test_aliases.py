from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domsh_repl.language import expand_aliases

ALIASES = {
    "ll": "ls -l",
    "ls": "ls -a",
    "first": "find | count",
    "count": "wc -l",
    "a": "b",
    "b": "a",
    "cmp": "expect",
}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ll main", "ls -a -l main"),
        ("ls", "ls -a"),
        ("pwd; ll && ll", "pwd; ls -a -l && ls -a -l"),
        ("tree | count", "tree | wc -l"),
        ("first", "find | wc -l"),
        ("watch -n 1 ll", "watch -n 1 ls -a -l"),
        ("let x = $(ll)", "let x = $(ls -a -l)"),
        ("cat ll", "cat ll"),
        ("'ll' \\ll !ll $ll", "'ll' \\ll !ll $ll"),
        ("alias x = ll", "alias x = ll"),
        ("unalias ll", "unalias ll"),
        ("raw ll", "raw ll"),
        ("type x <<E\nll\nE", "type x <<E\nll\nE"),
        ("cmp count x > 3", "expect count x > 3"),
        ("a", "a"),
    ],
)
def test_a_name_gives_way_to_what_it_stands_for_where_a_command_is_named(
    text: str, meant: str
) -> None:
    assert expand_aliases(text, ALIASES) == meant


@settings(max_examples=200, derandomize=True)
@given(st.text(st.sampled_from(list("ab l;|&$()=!'\"\\\n")), max_size=20))
def test_without_aliases_every_text_stays_as_it_is(text: str) -> None:
    assert expand_aliases(text, {}) == text
    assert expand_aliases(text, {"nosuch": "x"}) == text
    assert isinstance(expand_aliases(text, ALIASES), str)
