"""A little of what ``tests/fuzz.py`` does for long."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from domsh_repl.language import parse_file, print_script
from tests.fuzz import SCRIPTS, examine, examine_bytes, fuzz_bytes


@settings(max_examples=300, derandomize=True, deadline=None)
@given(SCRIPTS)
def test_any_text_is_lines_that_print_as_they_were_read_or_mistakes(text: str) -> None:
    examine(text)


def test_any_bytes_are_lines_or_mistakes() -> None:
    assert fuzz_bytes(1, most=1500) == 1500


@pytest.mark.parametrize(
    "text",
    [
        " \ufeff",
        "raw| wc",
        "raw&& pwd",
        "raw> f",
        "type x <<E\n\nE",
        "type x <<E\nEND\n$y\\$\\\\\nE",
        "ls > <<E\na\nb\nE",
        "defer type x <<E\na\n\nE",
        "ls x\r\r\n",
        "let x >= $(ls)",
        "let >= $(ls)",
    ],
)
def test_what_was_once_printed_otherwise(text: str) -> None:
    examine(text)


def test_a_mistake_about_a_word_with_a_line_break_is_a_mistake() -> None:
    examine_bytes(b"find 'a\x0bb'\n")


def test_a_printed_script_has_a_line_a_line() -> None:
    script = parse_file("# x\nopen  $site/ ;ls\n\ntype x <<E\na\nb\nE\n", "a.domsh")
    assert print_script(script) == "open $site/; ls\ntype x <<END\na\nb\nEND\n"
