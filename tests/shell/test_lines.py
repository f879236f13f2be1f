from __future__ import annotations

from domsh_repl.errors import ParseError
from domsh_repl.shell.lines import caret_lines, split_lines


def test_a_block_is_cut_at_its_line_ends() -> None:
    assert split_lines("pwd\n\n  \nls -l\n") == ["pwd", "ls -l"]


def test_an_open_quote_and_a_backslash_at_the_end_hold_lines_together() -> None:
    assert split_lines("type 'a\nb'\nls \\\n-l\npwd") == ["type 'a\nb'", "ls \\\n-l", "pwd"]


def test_a_quote_without_an_end_takes_the_rest() -> None:
    assert split_lines("pwd\ntype 'a\nls") == ["pwd", "type 'a\nls"]


def test_a_quote_in_a_comment_opens_nothing() -> None:
    assert split_lines("# it's\npwd") == ["# it's", "pwd"]


def test_carets_stand_below_what_is_blamed() -> None:
    error = ParseError("no", column=3, length=2)
    assert caret_lines("ls >> x", error) == ("  ls >> x", "     ^^")


def test_carets_are_counted_in_cells_and_in_the_line_of_the_error() -> None:
    error = ParseError("no", column=11, length=1)
    assert caret_lines("type '\n日本' | x", error) == ("  日本' | x", "        ^")


def test_what_a_terminal_could_obey_is_shown_as_an_escape() -> None:
    error = ParseError("no", column=6, length=1)
    assert caret_lines("cat \x1b |", error) == ("  cat \\u001b |", "             ^")
