"""Batch files in colours: what each piece is, and that pygments finds the lexer by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Name, Operator, String, Text

from domsh_repl.commands.batchlexer import DomshLexer
from domsh_repl.commands.registry import commands
from domsh_repl.commands.spec import Command
from tests.program import ROOT

SESSIONS = sorted((ROOT / "examples/sessions").glob("*.domsh"))


def pieces(text: str) -> list[tuple[object, str]]:
    """Return the pieces that are more than text and blanks."""
    found = DomshLexer().get_tokens(text)
    return [(kind, piece) for kind, piece in found if kind is not Text and piece.strip()]


def test_pygments_finds_it_by_name_and_by_file() -> None:
    assert get_lexer_by_name("domsh").name == "domsh"
    assert get_lexer_for_filename("tour.domsh").name == "domsh"


def test_a_line_is_told_apart() -> None:
    assert pieces("-click main_1/save_btn && cat -x \"a $b\" 'c' $d # why") == [
        (Operator, "-"),
        (Name.Builtin, "click"),
        (Name.Entity, "main_1/save_btn"),
        (Operator, "&&"),
        (Name.Builtin, "cat"),
        (Error, "-x"),
        (String, '"a '),
        (Name.Variable, "$b"),
        (String, '"'),
        (String, "'c'"),
        (Name.Variable, "$d"),
        (Comment.Single, "# why"),
    ]


@pytest.mark.parametrize(
    "line", ["ls -n5", "ls -n 5", "ls -lR", "ls --type=link", "find --label -x", "type -- -x"]
)
def test_options_with_their_values_are_known_as_the_parser_knows_them(line: str) -> None:
    assert Error not in [kind for kind, _ in pieces(line)]


@pytest.mark.parametrize("line", ["nosuch", "fs nosuch", "ls --nosuch", "-nosuch", "fs", "ls 'x"])
def test_what_the_language_does_not_have_is_an_error(line: str) -> None:
    assert Error in [kind for kind, _ in pieces(line)]


def test_an_open_quote_ends_with_its_line() -> None:
    assert pieces("type 'abc\nls") == [
        (Name.Builtin, "type"), (Error, "'"), (String, "abc"), (Name.Builtin, "ls"),
    ]  # fmt: skip


def test_a_backslash_joins_lines() -> None:
    assert (Error, "--type") not in pieces("ls main \\\n  --type link")
    assert (Name.Attribute, "--type") in pieces("ls main \\\n  --type link")


def test_conditions_have_words_of_their_own() -> None:
    assert pieces("wait not text main/x contains y; expect count a/* >= 3") == [
        (Name.Builtin, "wait"),
        (Operator.Word, "not"),
        (Operator.Word, "text"),
        (Name.Entity, "main/x"),
        (Operator.Word, "contains"),
        (Operator, ";"),
        (Name.Builtin, "expect"),
        (Operator.Word, "count"),
        (Name.Entity, "a/*"),
        (Operator, ">="),
    ]


@pytest.mark.parametrize("command", [*commands()], ids=lambda one: one.name)
def test_the_examples_of_every_command_have_no_error(command: Command) -> None:
    for example in command.examples:
        assert Error not in [kind for kind, _ in pieces(example)], example


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_the_example_sessions_have_no_error_and_lose_nothing(session: Path) -> None:
    text = session.read_text(encoding="utf-8")
    found = list(DomshLexer().get_tokens_unprocessed(text))
    assert "".join(piece for _, _, piece in found) == text
    assert Error not in [kind for _, kind, _ in found]
    ends = [start + len(piece) for start, _, piece in found]
    assert [start for start, _, _ in found] == [0, *ends[:-1]]
