from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.engine.line import CommandLine, is_number, parse_command_line, split_words
from domsh_repl.errors import UsageError

BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ls", ["ls"]),
        ("  ls   a  ", ["ls", "a"]),
        ("click 'a b'", ["click", "a b"]),
        ('click "a b"', ["click", "a b"]),
        ("""type "it's" 'say "x"'""", ["type", "it's", 'say "x"']),
        ("type a'b'c", ["type", "abc"]),
        ("type ''", ["type", ""]),
        ("type 'open end", ["type", "open end"]),
        (r"type a\ b\"", ["type", "a\\", "b\\"]),
        ("", []),
        ("   ", []),
    ],
)
def test_quotes_group_words_and_nothing_escapes(line: str, words: list[str]) -> None:
    assert [text for text, _ in split_words(line)] == words


def test_the_verb_is_without_case_and_the_rest_is_not() -> None:
    parsed = parse_command_line("CLICK Save_btn")
    assert (parsed.verb, parsed.operands) == ("click", ("Save_btn",))


@pytest.mark.parametrize(
    ("line", "operands", "options"),
    [
        ("ls -l a", ("a",), {"-l": ""}),
        ("ls -n 5 a", ("a",), {"-n": "5"}),
        ("find --label 'a b' x", ("x",), {"--label": "a b"}),
        ("find --label='a b'", (), {"--label": "a b"}),
        ("find --label=", (), {"--label": ""}),
        ("find --label", (), {"--label": ""}),
        ("type '--help' \"-n\"", ("--help", "-n"), {}),
        ("type - x", ("-", "x"), {}),
        ("ls --unknown", (), {"--unknown": ""}),
    ],
)
def test_options_are_told_from_operands(
    line: str, operands: tuple[str, ...], options: dict[str, str]
) -> None:
    parsed = parse_command_line(line)
    assert (parsed.operands, dict(parsed.options)) == (operands, options)
    assert not parsed.envelope


@pytest.mark.parametrize("verb", ["js", "eval", "JS"])
def test_a_script_is_the_raw_rest_of_the_line(verb: str) -> None:
    parsed = parse_command_line(f"  {verb}   'a'  +  \"b\" -n --x ")
    assert (parsed.verb, parsed.operands) == (verb.lower(), ("'a'  +  \"b\" -n --x",))
    assert parse_command_line(verb).operands == ()


def test_a_script_with_an_envelope_is_one_word_with_options() -> None:
    parsed = parse_command_line(f"js --envelope --escaped --timeout 2 {quote('1 + 1')}")
    assert (parsed.operands, parsed.seconds("--timeout", 9)) == (("1 + 1",), 2)
    assert parsed.envelope


@given(st.text(), st.text())
def test_any_text_travels_escaped(first: str, second: str) -> None:
    words = [quote(text.encode("utf-8", "replace"), safe="") for text in (first, second)]
    line = f"type --escaped '{words[0]}' '{words[1]}'"
    expected = tuple(text.encode("utf-8", "replace").decode() for text in (first, second))
    assert parse_command_line(line).operands == expected


@given(st.text())
def test_no_line_raises_anything_but_a_usage_error(line: str) -> None:
    if set(line) & set(BREAKS):
        with pytest.raises(UsageError) as caught:
            parse_command_line(line)
        assert caught.value.hint
    else:
        assert isinstance(parse_command_line(line), CommandLine)


@given(st.text(alphabet="abc '\"-=% \t\\|", max_size=40))
def test_no_odd_quoting_raises(line: str) -> None:
    parsed = parse_command_line(line)
    assert parsed.verb == parsed.verb.lower()


@pytest.mark.parametrize("character", list(BREAKS))
def test_a_line_break_is_refused(character: str) -> None:
    for line in (f"type a{character}open http://evil/", f"{character}", f"js 1{character}2"):
        with pytest.raises(UsageError, match="line break"):
            parse_command_line(line)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "0", "x", "1e99", ""])
def test_seconds_are_a_number_above_none(text: str) -> None:
    line = parse_command_line(f"wait x --timeout '{text}'")
    with pytest.raises(UsageError) as caught:
        line.seconds("--timeout", 10)
    assert caught.value.hint


@pytest.mark.parametrize(("text", "seconds"), [("1", 1), ("0.25", 0.25), ("1e2", 100)])
def test_seconds_are_read(text: str, seconds: float) -> None:
    assert parse_command_line(f"wait x --timeout {text}").seconds("--timeout", 10) == seconds
    assert parse_command_line("wait x").seconds("--timeout", 10) == 10


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "²", "9" * 5000, "", " 1"])
def test_a_number_is_ascii_digits(text: str) -> None:
    assert not is_number(text)
    with pytest.raises(UsageError):
        parse_command_line(f"ls -n '{text}'").number("-n", 0)


def test_missing_operands_have_defaults() -> None:
    parsed = parse_command_line("type a")
    assert (parsed.operand(0), parsed.operand(1), parsed.operand(1, "x")) == ("a", "", "x")
