from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domsh_repl.errors import ParseError
from domsh_repl.language import (
    Command,
    Condition,
    Line,
    Piece,
    Redirect,
    Step,
    Word,
    parse_file,
    parse_line,
    print_line,
)
from domsh_repl.language.parser import parse_with_errors
from domsh_repl.language.syntax import bare_text

ANY_TEXT = st.text(
    st.one_of(st.sampled_from(list("ab \t\n\\'\"$;&|<>#-!{}(")), st.characters()), max_size=30
)


def word(text: str) -> Word:
    return Word((Piece(text),))


def command(*texts: str, forgiving: bool = False) -> Command:
    return Command(tuple(word(text) for text in texts), forgiving=forgiving)


def error_of(text: str, *, batch: bool = False) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse_line(text, batch=batch)
    return caught.value


@settings(max_examples=300, derandomize=True)
@given(ANY_TEXT, st.booleans())
def test_a_text_is_a_line_or_a_parse_error_inside_the_text(text: str, batch: bool) -> None:
    with suppress(ParseError):
        for step in parse_line(text, batch=batch).steps:
            assert all(word.pieces for part in step.commands for word in part.words)
        return
    error = error_of(text, batch=batch)
    assert 0 <= error.column < error.column + error.length <= len(text)
    assert error.message
    assert error.hint


def test_words_make_a_command() -> None:
    assert parse_line("ls -l main") == Line((Step(command("ls", "-l", "main")),))


@pytest.mark.parametrize("text", ["", "   ", "# only a comment", "  # it's"])
def test_a_line_can_be_empty(text: str) -> None:
    assert parse_line(text).steps == ()


def test_conditions_stand_on_the_step_that_they_decide() -> None:
    assert parse_line("a; b && c || d;").steps == (
        Step(command("a"), Condition.ALWAYS),
        Step(command("b"), Condition.ALWAYS),
        Step(command("c"), Condition.IF_OK),
        Step(command("d"), Condition.IF_FAILED),
    )


def test_parts_are_what_stands_between_semicolons() -> None:
    line = parse_line("a; b && c; d")
    assert [[step.command for step in part] for part in line.parts] == [
        [command("a")],
        [command("b"), command("c")],
        [command("d")],
    ]


def test_commands_and_words_know_where_they_stand() -> None:
    line = parse_line("ls; click  ok # now")
    found = line.steps[1].command
    assert line.text[found.start : found.end] == "click  ok"
    assert [line.text[w.start : w.end] for w in found.words] == ["click", "ok"]


def test_the_number_is_kept() -> None:
    assert parse_line("ls", number=7).number == 7


@pytest.mark.parametrize(
    ("text", "column", "length", "message"),
    [
        ("ls |", 3, 1, "missing after |"),
        ("ls | | wc", 5, 1, "missing before |"),
        ("| wc", 0, 1, "missing before |"),
        ("ls >", 3, 1, "a file is missing after >"),
        ("ls > ; pwd", 3, 1, "a file is missing after >"),
        ("> f", 0, 1, "missing before >"),
        ("ls > f | wc", 3, 1, "the end of a pipeline"),
        ("ls > f -l", 7, 2, "the end of its command"),
        ("ls > f > g", 7, 1, "a second > FILE"),
        ("ls 2> f", 3, 2, "only answers"),
        ("ls &> f", 3, 2, "only answers"),
        ("ls >&2", 3, 3, "only answers"),
        ("type x < f", 7, 1, "nothing is read"),
        ("type x <<END", 7, 2, "the text after <<END has no end"),
        ("type x <<", 7, 2, "<< takes no text like that"),
        ("type x <<END y", 7, 2, "<< takes no text like that"),
        ("<<END\nx\nEND", 0, 2, "missing before <<"),
        ("js $(pwd)", 3, 2, "for let alone"),
        ('js "a $(pwd)"', 6, 2, "for let alone"),
        ("let x = a$(pwd)", 9, 2, "for let alone"),
        ("let x = $(let y = $(pwd))", 18, 2, "for let alone"),
        ("let x = $(pwd", 8, 2, "$( has no end"),
        ("let x = $()", 8, 3, "a command is missing in $(…)"),
        ("let x = $(pwd; ls)", 15, 2, "holds one command"),
        ("let x = $(pwd) y", 15, 1, "nothing can follow"),
        ("!!", 0, 2, "!!"),
        ("ls; !", 4, 1, "a program's name is missing"),
        ("!$x", 1, 2, "in a variable"),
        ("ls | $x", 5, 2, "in a variable"),
        ("'open", 0, 1, "no end"),
        ("click it's", 8, 1, "no end"),
        ('it\'s "x"', 2, 1, "no end"),
        ("navi\\", 4, 1, "nothing follows"),
        ('"navi\\', 0, 1, "no end"),
        ("ls ${a b}", 3, 3, "no variable"),
        ("ls ${}", 3, 3, "no variable"),
        ("ls\npwd", 2, 1, "the line ends here"),
        ("; ls", 0, 1, "missing before ;"),
        ("ls ;; pwd", 4, 1, "missing before ;"),
        ("ls && || pwd", 6, 2, "missing before ||"),
        ("ls &&", 3, 2, "missing after &&"),
        ("ls || # or", 3, 2, "missing after ||"),
        ("$x main", 0, 2, "in a variable"),
    ],
)
def test_what_is_not_in_the_language_is_pointed_at(
    text: str, column: int, length: int, message: str
) -> None:
    error = error_of(text)
    assert (error.column, error.length) == (column, length)
    assert message in error.message


@pytest.mark.parametrize(
    "text",
    [
        "type note '| > << < $(x) !!'",
        "type note let",
        "type note a<b",
        "ls )",
        "!rm -rf",
        "type note !!",
        "type note hi!",
        "ls a&b",
    ],
)
def test_the_same_characters_are_text_elsewhere(text: str) -> None:
    assert len(parse_line(text).steps) == 1


def test_filters_and_a_file_belong_to_their_step() -> None:
    line = parse_line("ls -R | grep a | !sort -r >> out; pwd > x")
    first, second = line.steps
    assert [part.names[0] for part in first.commands] == ["ls", "grep", ""]
    assert first.filters[1] == Command((word("sort"), word("-r")), program=True)
    assert first.redirect == Redirect(word("out"), append=True)
    assert second == Step(command("pwd"), redirect=Redirect(word("x")))
    assert line.text[first.filters[0].start : first.filters[0].end] == "grep a"


def test_a_line_can_stand_in_a_command() -> None:
    line = parse_line("pwd; watch -n 2 ls | wc -l; pwd")
    assert [step.command.names[0] for step in line.steps] == ["pwd", "watch"]
    assert line.steps[1].command.nested == parse_line("ls | wc -l; pwd")
    assert line.steps[1].command.words == (word("watch"), word("-n"), word("2"))


def test_a_result_is_a_line_of_its_own() -> None:
    line = parse_line("let x = $(find --type link | head -1) && ls")
    assert [step.command.names[0] for step in line.steps] == ["let", "ls"]
    assert line.steps[0].command.nested == parse_line("find --type link | head -1")
    raw = parse_line("let x = $(raw a (b) )").steps[0].command.nested
    assert raw == parse_line("raw a (b)")


def test_aliases_are_for_the_prompt() -> None:
    assert parse_line("alias x = ls; pwd").steps[0].command.nested == parse_line("ls; pwd")
    for text in ("alias x = ls", "unalias x"):
        assert "for the prompt" in error_of(text, batch=True).message


def test_several_mistakes_of_a_line_are_all_told() -> None:
    _, errors = parse_with_errors("| wc; ls > ; let x = $(; y $(pwd) <")
    assert [error.column for error in errors] == sorted(error.column for error in errors)
    assert len(errors) >= 5


def test_a_dash_forgives_a_part_of_a_batch_line() -> None:
    assert parse_line("-click x && ls; -pwd", batch=True).steps == (
        Step(command("click", "x", forgiving=True)),
        Step(command("ls"), Condition.IF_OK),
        Step(command("pwd", forgiving=True)),
    )


def test_a_dash_is_no_more_than_a_word_at_the_prompt() -> None:
    assert parse_line("-click x").steps == (Step(command("-click", "x")),)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("- click x", 0),
        ("--click", 0),
        ("ls && -pwd", 6),
        ("ls | -wc", 5),
        ("watch -n 1 x | -wc", 15),
    ],
)
def test_a_dash_that_forgives_nothing_is_pointed_at(text: str, column: int) -> None:
    assert error_of(text, batch=True).column == column


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("raw ls -l", "ls -l"),
        ("raw   a | b; c && d || e > f < g  ", "a | b; c && d || e > f < g"),
        ("raw 'open \"quotes # and $x ${", "'open \"quotes # and $x ${"),
        ("raw --help --json", "--help --json"),
        ("raw a\\", "a\\"),
        ("pwd; raw x; y", "x; y"),
    ],
)
def test_a_raw_line_is_the_rest_of_the_line_as_it_is(text: str, rest: str) -> None:
    line = parse_line(text)
    name, word = line.steps[-1].command.words
    assert [bare_text(name.pieces), word.pieces] == ["raw", (Piece(rest, quoted=True),)]
    assert text[word.start : word.end] == rest
    assert parse_line(print_line(line)) == line


@pytest.mark.parametrize("text", ["raw", "raw  ", "raws x; y", "'raw' x; y", "ls raw x; y"])
def test_only_the_command_itself_takes_the_rest(text: str) -> None:
    words = parse_line(text).steps[0].command.words
    assert all(word.pieces != (Piece("x; y", quoted=True),) for word in words)


def test_in_a_file_a_raw_line_ends_with_its_line() -> None:
    lines = parse_file("raw 'a \\\n-raw b # c\npwd\n", "f").lines
    assert [line.number for line in lines] == [1, 2, 3]
    assert lines[1].steps[0].command.forgiving
