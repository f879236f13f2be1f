"""Numbers and durations: what is taken, and that nothing is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.errors import UsageError
from domsh_repl.measures import parse_number, parse_seconds


@given(st.integers(0, 999_999_999))
def test_a_number_is_read_as_it_is_written(number: int) -> None:
    assert parse_number(f"{number}", "no number", "hint") == number
    assert parse_number(f"00{number}", "no number", "hint") == number


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "٣", "1e3", " 1"])
def test_anything_else_is_refused_in_the_words_of_the_caller(text: str) -> None:
    with pytest.raises(UsageError, match="no number") as caught:
        parse_number(text, "no number", "3")
    assert (caught.value.hint, caught.value.word) == ("3", text)


@pytest.mark.parametrize("text", ["1000000000", "1" * 5000])
def test_a_number_that_is_too_large_is_refused_and_never_cut(text: str) -> None:
    with pytest.raises(UsageError, match="too large"):
        parse_number(text, "no number", "3")


def test_a_duration_of_more_than_a_day_is_refused_and_never_cut() -> None:
    assert parse_seconds("1440m") == 86_400
    with pytest.raises(UsageError, match="a day is the longest"):
        parse_seconds("1441m")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("300ms", 0.3),
        ("3s", 3),
        ("2m", 120),
        ("0", 0),
        ("1440m", 86_400),
    ],
)
def test_durations_are_seconds_unless_they_say_otherwise(text: str, seconds: float) -> None:
    assert parse_seconds(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "s", "-1", "1h", "1 s", "1e3", "nan", "inf", "٣", "1.", ".5", "1441m", "9" * 400]
)
def test_anything_else_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError, match="no duration"):
        parse_seconds(text)
