from __future__ import annotations

from prompt_toolkit.document import Document

from domsh_repl.language import Token
from domsh_repl.shell.lexer import LineLexer


def nobody_knows(word: Token) -> bool | None:
    del word
    return None


def styled(text: str, lexer: LineLexer | None = None) -> list[tuple[str, str]]:
    """Return what is coloured in a line, with the last part of the class's name."""
    lines = (lexer or LineLexer(nobody_knows)).lex_document(Document(text))
    parts = [lines(number) for number in range(text.count("\n") + 1)]
    return [(part[0].rpartition(".")[2], part[1]) for line in parts for part in line if part[0]]


def test_known_and_unknown_commands_differ() -> None:
    assert styled("ls; nosuch x && fs ls") == [
        ("command", "ls"),
        ("operator", ";"),
        ("unknown", "nosuch"),
        ("operator", "&&"),
        ("command", "fs"),
        ("command", "ls"),
    ]


def test_a_command_that_is_still_being_typed_is_not_unknown() -> None:
    assert styled("op") == []
    assert styled("fs l") == [("command", "fs"), ("unknown", "l")]


def test_options_quotes_variables_and_comments_are_told_apart() -> None:
    assert styled('find --label "a $x b" --nosuch $site # why') == [
        ("command", "find"),
        ("option", "--label"),
        ("string", '"a '),
        ("variable", "$x"),
        ("string", ' b"'),
        ("unknown", "--nosuch"),
        ("variable", "$site"),
        ("comment", "# why"),
    ]


def test_a_quote_over_two_lines_keeps_its_colour_and_shows_that_it_is_open() -> None:
    assert styled("type 'a\nb'") == [("command", "type"), ("string", "'a"), ("string", "b'")]
    assert styled("type 'a\nb") == [
        ("command", "type"), ("unknown", "'"), ("string", "a"), ("string", "b"),
    ]  # fmt: skip


def test_paths_are_told_apart_from_what_is_not_there_as_far_as_it_is_known() -> None:
    answers = {"main": True, "nav": False, "other": None}

    def exists(word: Token) -> bool | None:
        return answers.get("".join(getattr(piece, "text", "") for piece in word.pieces))

    lexer = LineLexer(exists)
    assert styled("cat main nav other .", lexer)[1:] == [("path", "main"), ("missing", "nav")]


def test_a_keyword_in_the_place_of_a_path_is_no_missing_path() -> None:
    lexer = LineLexer(lambda _word: False)
    assert styled("scroll down ", lexer) == [("command", "scroll")]
    assert styled("scroll dawn ", lexer) == [("command", "scroll"), ("missing", "dawn")]


def test_a_path_that_is_being_typed_is_not_missing_yet() -> None:
    lexer = LineLexer(lambda word: word.end > len("cat ma"))
    assert styled("cat ma", lexer) == [("command", "cat")]
    assert styled("cat main", lexer) == [("command", "cat"), ("path", "main")]


def test_the_text_is_coloured_anew_when_more_is_known() -> None:
    known = [0]
    lexer = LineLexer(nobody_knows, lambda: known[0])
    before = lexer.invalidation_hash()
    known[0] = 1
    assert lexer.invalidation_hash() != before


def test_every_character_stays() -> None:
    text = 'ls  "a\nb" ; x | \\\n # y'
    lines = LineLexer(nobody_knows).lex_document(Document(text))
    shown = ["".join(part[1] for part in lines(number)) for number in range(text.count("\n") + 1)]
    assert "\n".join(shown) == text
    assert lines(99) == []
