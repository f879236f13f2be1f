from __future__ import annotations

import re
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.errors import TimedOut, UsageError
from domsh_repl.patterns import BUDGET, compile_pattern

_PIECES = st.sampled_from(
    [
        *"ab1-][{},.^$|()*+?",
        *("{e}", "{2}", "{,2}", "{1,}", "{,}", "{s<=1}", "[a", "[^]", "[[:alpha:]]", "[]a]"),
        *("[^]a]", "[a[b]", "[a&&b]", "[a--b]", "[a||b]", "[\\]{]", "(?:", "(?=", "(?P<n>", "(?i:"),
        *("\\d", "\\w", "\\b", "\\\\", "\\[", "\\{", "\\N{DIGIT ONE}", "++", "\\p{L}", "\\h"),
        *("\\X", "(?e)", "(?r)"),
    ]
)


@given(
    st.lists(_PIECES, min_size=1, max_size=6).map("".join), st.text("ab1 -[]{}e,:&|\\", max_size=8)
)
def test_what_python_takes_means_the_same_and_what_it_refuses_is_refused(
    source: str, text: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            python = re.compile(source)
        except re.error:
            with pytest.raises(UsageError):
                compile_pattern(source)
            return
    ours = compile_pattern(source)
    assert ours.search(text) == (python.search(text) is not None)


@pytest.mark.parametrize("source", ["(", "a**", "[", r"\p{L}", "a" * 10 + "(?P<1>x)", "(?V1)a"])
def test_what_is_no_expression_is_a_usage_error_with_a_hint(source: str) -> None:
    with pytest.raises(UsageError) as raised:
        compile_pattern(source)
    assert raised.value.hint


def test_case_is_ignored_when_asked() -> None:
    assert compile_pattern("straße", ignore_case=True).search("STRAßE")
    assert not compile_pattern("save").search("Save")


def test_a_catastrophic_expression_ends_at_its_budget() -> None:
    pattern = compile_pattern("(a|a)*$")
    start = time.process_time()  # the library counts so, and a busy machine takes longer
    for _ in range(100):
        with pytest.raises(TimedOut):
            pattern.search("a" * 40 + "b")
    assert time.process_time() - start < 2 * BUDGET, "the budget is one for all searches"


def test_marking_ends_at_the_budget_too() -> None:
    with pytest.raises(TimedOut):
        list(compile_pattern("(a|a)*$").spans("a" * 40 + "b"))


def test_spans_are_those_of_matches_that_are_not_empty() -> None:
    assert list(compile_pattern("x*").spans("axxbx")) == [(1, 3), (4, 5)]
