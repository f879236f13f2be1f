import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domsh_repl.errors import ParseError
from domsh_repl.language import (
    Piece,
    ScriptErrors,
    Unfinished,
    Word,
    parse_file,
    parse_line,
    print_line,
    print_script,
    tokenize,
)
from domsh_repl.language.parser import parse_with_errors
from domsh_repl.language.script import _logical_lines, goes_on


def errors_of(text: str) -> ScriptErrors:
    with pytest.raises(ScriptErrors) as caught:
        parse_file(text, "a.domsh")
    return caught.value


def waits_for_a_line(source: str) -> bool:
    last = tokenize(source)[-1]
    return last.unfinished in (Unfinished.NEXT_LINE, Unfinished.NEXT_QUOTED_LINE)


def words_of(text: str) -> list[tuple[int, list[str]]]:
    return [
        (line.number, [line.text[w.start : w.end] for w in step.command.words])
        for line in parse_file(text, "a.domsh").lines
        for step in line.steps
    ]


def test_only_lines_with_commands_are_kept_with_their_numbers() -> None:
    text = "#!/usr/bin/env -S domsh run\n\nopen /x\n  # note\nls -l\n"
    assert words_of(text) == [(3, ["open", "/x"]), (5, ["ls", "-l"])]


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "# x", "\r\n\r\n"])
def test_a_file_can_hold_nothing(text: str) -> None:
    assert parse_file(text, "a.domsh").lines == ()


def test_a_bom_and_crlf_are_accepted() -> None:
    assert words_of("\ufeffopen x\r\nls ✓\r\n") == [(1, ["open", "x"]), (2, ["ls", "✓"])]


@pytest.mark.parametrize("sign", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x1e"])
def test_no_other_character_ends_a_line(sign: str) -> None:
    assert words_of(f"type 'a{sign}open evil'\n") == [(1, ["type", f"'a{sign}open evil'"])]


def test_a_backslash_at_the_end_joins_lines() -> None:
    script = parse_file("find \\\r\n  --type \\\r\n  link\nls", "a.domsh")
    assert [len(line.steps[0].command.words) for line in script.lines] == [3, 1]
    assert [line.number for line in script.lines] == [1, 4]


def test_joined_lines_go_on_in_the_quote_or_word_where_they_broke_off() -> None:
    text = 'cat "a \\\nit\'s # \\\n" b\\\n#c \\\n# d \\\nls'
    assert [line.number for line in parse_file(text, "a.domsh").lines] == [1, 6]
    (step, _) = (line.steps[0] for line in parse_file(text, "a.domsh").lines)
    assert step.command.words[1:] == (
        Word((Piece("a it's # ", quoted=True),)),
        Word((Piece("b#c"),)),
    )


@settings(max_examples=200, derandomize=True)
@given(st.lists(st.sampled_from(["a", " ", "#", '"', "'", "\\", "\\\n", "\n", ";"]), max_size=16))
def test_lines_are_joined_where_the_first_of_them_is_unfinished(parts: list[str]) -> None:
    rows = [*"".join(parts).split("\n"), "end"]
    source, number, expected = rows[0], 1, []
    for row in rows[1:]:
        if source.endswith("\\") and waits_for_a_line(source):
            source += "\n" + row
        else:
            expected.append((number, source))
            source, number = row, number + 1 + source.count("\n")
    expected.append((number, source))
    assert [pair for pair in _logical_lines("\n".join(rows)) if pair[1]] == [
        pair for pair in expected if pair[1]
    ]


def test_a_comment_or_an_escaped_backslash_joins_nothing() -> None:
    assert words_of("# C:\\\nls \\\\\npwd") == [(2, ["ls", "\\\\"]), (3, ["pwd"])]


def test_a_quote_ends_with_its_line() -> None:
    errors = errors_of("click it's\nclick 'b\\\nls\n").errors
    assert [(error.line, error.column) for error in errors] == [(1, 8), (2, 6)]


def test_a_backslash_on_the_last_line_is_an_error() -> None:
    assert errors_of("ls\nls \\\n").errors[0].line == 2


def test_all_errors_are_collected_in_their_order() -> None:
    found = errors_of("ls >; x >\npwd\n\n$a b\n")
    assert [(error.line, error.column) for error in found.errors] == [(1, 3), (1, 8), (4, 0)]
    assert isinstance(found, ParseError)
    assert found.exit_status == 2
    assert found.message == "a.domsh:1:4: a file is missing after > (and 2 more)"


def test_an_error_in_a_joined_line_shows_the_row_that_it_is_in() -> None:
    (error,) = errors_of("ls \\\n  a \\\n  > #b\n").errors
    assert (error.line, error.column, error.source) == (3, 2, "  > #b")


def test_the_caret_stands_under_the_mistake() -> None:
    assert errors_of("cat x; $name y").render().splitlines()[:3] == [
        "a.domsh:1:8: a command's name cannot be in a variable",
        "cat x; $name y",
        "       ^^^^^",
    ]


def test_the_caret_respects_tabs_wide_and_combining_characters() -> None:
    _, source, carets, hint = errors_of("\tcat 登录 e\u0301 > # x").render().splitlines()
    assert source == " cat 登录 e\u0301 > # x"
    assert carets == " " * 12 + "^"
    assert hint.startswith("hint: ")


def test_a_hostile_file_cannot_drive_the_terminal() -> None:
    rendered = errors_of("cat \x1b[2J > ; ${\x1b\u202e}\x9b").render()
    assert "\\u001b[2J" in rendered
    assert not any(sign in rendered for sign in "\x1b\x9b\u202e")
    assert rendered.splitlines()[2] == " " * len("cat \\u001b[2J ") + "^"


def test_a_text_below_belongs_to_its_line() -> None:
    script = parse_file("type x <<END\r\nls > ;\r\n\\\r\nEND\r\npwd", "f")
    assert [line.number for line in script.lines] == [1, 5]
    assert script.lines[0].steps[0].command.words[2].pieces == (Piece("ls > ;\n\\", quoted=True),)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("raw<<X\nls a\nX\n", "raw ls a\n"),
        ("raw<<X\nls $x\nX\n", "raw<<END\nls $x\nEND\n"),
        ("raw<<X\n  ls\n\nX\n", "raw<<END\n  ls\n\nEND\n"),
        ("raw<<X\nX\n", "raw<<END\n\nEND\n"),
        ("defer raw<<X\na\nb\nX\n", "defer raw<<END\na\nb\nEND\n"),
        ("raw a <<X\n", "raw a <<X\n"),
        ("raw | wc\n", "raw | wc\n"),
    ],
)
def test_a_raw_line_with_its_text_below_prints_as_one(text: str, printed: str) -> None:
    script = parse_file(text, "f")
    assert print_script(script) == printed
    assert parse_file(printed, "f").lines == script.lines


def test_a_text_below_without_an_end_is_one_mistake() -> None:
    (error,) = errors_of("ls\ntype x \\\n  <<END\n$(broken\n").errors
    assert (error.line, error.column, error.length) == (3, 2, 2)


def test_what_looks_like_text_below_in_a_comment_or_quotes_is_none() -> None:
    assert [line.number for line in parse_file("ls # <<END\npwd '<<END'\nls", "f").lines] == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("text", ["ls \\", 'x "a\\', "type x <<END", "type x <<END\na"])
def test_a_line_that_needs_the_next_one_says_so(text: str) -> None:
    assert goes_on(text)


@pytest.mark.parametrize("text", ["", "ls", "click it's", "type x <<END\na\nEND", "raw a\\"])
def test_any_other_line_is_whole_in_a_file(text: str) -> None:
    assert not goes_on(text)


FRAGMENTS = [
    b"let x = $(", b")", b"<<E\n", b"E\n", b" | ", b" > ", b"watch -n 1 ", b"ls", b"\n", b"\r\n",
    b"\\", b"'", b'"', b"$x", b"!", b"-", b"alias a = ", b"raw ", b"\xff", b"\xc3", b"\x00",
]  # fmt: skip
ANY_BYTES = st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=4), max_size=20).map(b"".join)


@settings(max_examples=300, derandomize=True)
@given(ANY_BYTES)
def test_whatever_bytes_a_file_holds_it_is_a_script_or_mistakes_in_it(data: bytes) -> None:
    text = data.decode(errors="replace")
    found: list[ScriptErrors] = []
    try:
        script = parse_file(text, "f")
    except ScriptErrors as errors:
        found.append(errors)
    else:
        for line in script.lines:
            assert parse_line(print_line(line), batch=True, number=line.number) == line
    rows = text.removeprefix("\ufeff").split("\n")
    for error in (one for errors in found for one in errors.errors):
        assert rows[error.line - 1].removesuffix("\r") == error.source
        assert 0 <= error.column <= len(error.source)
        assert error.render("f")


@pytest.mark.parametrize("part", ["a | ", "$(", "<<E\n", "let x = $(", "watch ", "! ", "> "])
def test_long_nonsense_takes_no_longer_than_its_length(part: str) -> None:
    def seconds(times: int) -> float:
        gc.disable()  # what else is in memory is not parsed
        try:
            start = time.process_time()
            parse_with_errors(part * times)
            return time.process_time() - start
        finally:
            gc.enable()

    assert seconds(8_000) < 60 * max(min(seconds(400) for _ in range(3)), 0.002)
