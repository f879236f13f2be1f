from __future__ import annotations

import pytest

from domsh_repl.paths import Path
from domsh_repl.shell.cursor import Begun, cursor_at_end, path_begun, variable_begun, word_start


@pytest.mark.parametrize("text", ["", "  ", "ls; ", "ls && ", "pwd || "])
def test_a_command_is_named_at_the_start_of_each_part(text: str) -> None:
    cursor = cursor_at_end(text)
    assert cursor is not None
    assert cursor.command is None
    assert cursor.word == Begun()


def test_the_word_before_the_cursor_is_the_one_being_typed() -> None:
    cursor = cursor_at_end("ls -l mai")
    assert cursor is not None
    assert cursor.command is not None
    assert (cursor.command.name, cursor.word.text, cursor.given) == ("ls", "mai", ("-l",))


def test_a_blank_ends_a_word() -> None:
    cursor = cursor_at_end("fill a ")
    assert cursor is not None
    assert cursor.word.raw == ""
    assert cursor.operand is not None
    assert cursor.operand.name == "TEXT"


def test_a_flag_with_a_value_takes_the_next_word() -> None:
    cursor = cursor_at_end("find --type ")
    assert cursor is not None
    assert cursor.flag is not None
    assert cursor.flag.value == "ROLE"


def test_after_two_dashes_there_are_no_flags() -> None:
    cursor = cursor_at_end("cat -- -x")
    assert cursor is not None
    assert cursor.flags_ended


def test_a_grouped_spelling_is_the_command_that_it_means() -> None:
    cursor = cursor_at_end("fs ls ma")
    assert cursor is not None
    assert cursor.command is not None
    assert cursor.command.name == "ls"


@pytest.mark.parametrize("text", ["# ls", "ls # ma", "nosuch ma", "ls $si", "open $site/a"])
def test_comments_unknown_commands_and_variables_complete_to_nothing(text: str) -> None:
    assert cursor_at_end(text) is None


def test_an_operand_too_many_is_none() -> None:
    cursor = cursor_at_end("click a b")
    assert cursor is not None
    assert cursor.operand is None


@pytest.mark.parametrize(
    ("raw", "directory", "prefix"),
    [
        ("", ".", ""),
        ("ma", ".", "ma"),
        ("/", "/", ""),
        ("/ma", "/", "ma"),
        ("main_1/fo", "main_1", "fo"),
        ("../", "..", ""),
        ("form[0]/", "form[0]", ""),
        ('"Sign in"/fo', '"Sign in"', "fo"),
        ('main_1/"Sign in"/', 'main_1/"Sign in"', ""),
        ("@mark/", "@mark", ""),
        ("@mark/form_1/e", "@mark/form_1", "e"),
    ],
)
def test_a_path_is_cut_into_its_directory_and_what_was_begun(
    raw: str, directory: str, prefix: str
) -> None:
    cursor = cursor_at_end(f"cat {raw}")
    assert cursor is not None
    begun = path_begun(cursor.word)
    assert begun is not None
    assert (str(begun.directory), begun.prefix, begun.raw) == (directory, prefix, prefix)
    assert not begun.is_label


@pytest.mark.parametrize(
    ("raw", "directory", "prefix"),
    [
        ('"', Path(), ""),
        ('"Sign i', Path(), "Sign i"),
        (r'"say \"a', Path(), 'say "a'),
        ('main_1/"Sign', Path.of_names("main_1"), "Sign"),
    ],
)
def test_in_an_open_quote_a_label_is_typed(raw: str, directory: Path, prefix: str) -> None:
    cursor = cursor_at_end(f"cat {raw}")
    assert cursor is not None
    begun = path_begun(cursor.word)
    assert begun is not None
    assert (begun.directory, begun.prefix, begun.is_label) == (directory, prefix, True)
    assert raw.endswith(begun.raw)
    assert begun.raw.startswith('"')


@pytest.mark.parametrize("raw", ['"Sign in"', 'ab"Sig', r"a\ b", "'Sig", "~/tabs/"])
def test_what_cannot_be_gone_on_from_is_no_begun_path(raw: str) -> None:
    cursor = cursor_at_end(f"cat {raw}")
    assert cursor is not None
    assert path_begun(cursor.word) is None


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("open $", "$"),
        ("open $si", "$si"),
        ("open http://$si", "$si"),
        ("cat ${si", "${si"),
        ('type a "Dear $na', "$na"),
        ("ls > ${", "${"),
    ],
)
def test_a_variable_is_begun_wherever_it_would_be_one(text: str, begun: str) -> None:
    assert variable_begun(text) == begun


@pytest.mark.parametrize(
    "text",
    ["type 'a $na", r"type \$na", "ls # $na", "open $site/", "open ${site}", "ls", "$na", "a$1"],
)
def test_elsewhere_a_dollar_begins_no_variable(text: str) -> None:
    assert variable_begun(text) is None


@pytest.mark.parametrize(
    ("text", "start"), [("", 0), ("ls ma", 3), ("ls ", 3), ("ls; pw", 4), ('cat "a b', 4)]
)
def test_the_word_at_the_end_begins_where_it_is_replaced(text: str, start: int) -> None:
    assert word_start(text) == start
