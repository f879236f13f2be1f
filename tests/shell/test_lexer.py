from __future__ import annotations

from prompt_toolkit.document import Document

from domsh_repl.shell.lexer import LineLexer


def styled(text: str) -> list[tuple[str, str]]:
    """Return what is coloured in a line, with the last part of the class's name."""
    lines = LineLexer().lex_document(Document(text))
    parts = [lines(number) for number in range(text.count("\n") + 1)]
    return [(part[0].rpartition(".")[2], part[1]) for line in parts for part in line if part[0]]


def test_known_and_unknown_commands_differ() -> None:
    assert styled("ls; nosuch x && fs ls") == [
        ("command", "ls"),
        ("unknown", "nosuch"),
        ("command", "fs"),
    ]


def test_a_command_that_is_still_being_typed_is_not_unknown() -> None:
    assert styled("op") == []


def test_options_quotes_variables_and_comments_are_told_apart() -> None:
    assert styled('cat -x "a b" $site # why') == [
        ("command", "cat"),
        ("flag", "-x"),
        ("quoted", '"a b"'),
        ("variable", "$site"),
        ("comment", "# why"),
    ]


def test_a_quote_over_two_lines_keeps_its_colour() -> None:
    assert styled("type 'a\nb'") == [("command", "type"), ("quoted", "'a"), ("quoted", "b'")]


def test_every_character_stays() -> None:
    text = 'ls  "a\nb" ; x | \\\n # y'
    lines = LineLexer().lex_document(Document(text))
    shown = ["".join(part[1] for part in lines(number)) for number in range(text.count("\n") + 1)]
    assert "\n".join(shown) == text
    assert lines(99) == []
