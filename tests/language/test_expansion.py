import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domsh_repl.errors import UsageError
from domsh_repl.language import (
    ExpandedWord,
    PrintedText,
    Variables,
    expand,
    expand_command,
    parse_line,
)
from domsh_repl.paths import Path


def expanded(text: str, variables: Variables | None = None) -> tuple[ExpandedWord, ...]:
    (step,) = parse_line(f"x {text}").steps
    return expand_command(step.command, variables or {})[1:]


def texts(text: str, variables: Variables | None = None) -> list[str]:
    return [word.text for word in expanded(text, variables)]


def hint_of(text: str, variables: Variables) -> str:
    with pytest.raises(UsageError) as caught:
        expanded(text, variables)
    return f"{caught.value.message}: {caught.value.hint}"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"it\'s"', "it's"),
        (r"it\'s", "it's"),
        ("""'say "x"'""", 'say "x"'),
        (r'"say \"x\""', 'say "x"'),
        (r'"it\'s \"x\""', r"it\'s " + '"x"'),
        ("''", ""),
        ("'--help'", "--help"),
        ("'-n'", "-n"),
        ("'a | b'", "a | b"),
        ("%here%", "%here%"),
        ("'two  spaces'", "two  spaces"),
        ("'trailing '", "trailing "),
        ('"Sign in"', "Sign in"),
        (r"C:\x\y.domsh", r"C:\x\y.domsh"),
        (r"C:\dir\f", r"C:\dir\f"),
    ],
)
def test_a_word_means_its_text(written: str, text: str) -> None:
    assert texts(written) == [text]


@pytest.mark.parametrize("written", ["'-n'", '"-n"', r"\#n", "-'n'", "$x", '"$x"', "a$x", "''"])
def test_quoted_words_and_variables_are_not_bare(written: str) -> None:
    (word,) = expanded(written, {"x": "-n"})
    assert not word.bare


def test_a_word_without_quotes_is_bare() -> None:
    (word,) = expanded("--type")
    assert word.bare
    assert word.pieces == (("--type", False),)


@settings(max_examples=100, derandomize=True)
@given(st.text(), st.sampled_from(["$x", '"$x"', "${x}"]))
def test_a_variable_is_one_word_whatever_it_holds(value: str, written: str) -> None:
    assert expanded(written, {"x": value}) == (ExpandedWord(((value, True),)),)


@pytest.mark.parametrize("sign", ["\n", "\r", "\x0b", "\x85", "\u2028", "; ", " && ", " | ", "`"])
def test_page_text_in_a_variable_never_becomes_a_command(sign: str) -> None:
    value = f"a{sign}open http://evil.example/"
    (step,) = parse_line("type note $x").steps
    words = expand_command(step.command, {"x": value})
    assert [word.text for word in words] == ["type", "note", value]


def test_variables_join_the_text_around_them() -> None:
    assert texts('a${x}b "$x $y"', {"x": "1 2", "y": "3"}) == ["a1 2b", "1 2 3"]


def test_an_empty_variable_is_an_empty_word() -> None:
    assert texts("$x", {"x": ""}) == [""]


@pytest.mark.parametrize("written", ['"$@"', "$@"])
def test_all_arguments_are_one_word_each(written: str) -> None:
    assert texts(written, {"@": ("a b", "", "-c")}) == ["a b", "", "-c"]
    assert texts(written, {"@": ()}) == []
    assert texts(written) == []


def test_text_beside_all_arguments_joins_the_first_and_last() -> None:
    assert texts('"<$@>"', {"@": ("a", "b", "c")}) == ["<a", "b", "c>"]
    assert texts('"<$@>"', {"@": ()}) == ["<>"]


def test_arguments_are_numbered_and_counted() -> None:
    arguments = tuple("abcdefghijk")
    assert texts("$1 $11 $#", {"@": arguments}) == ["a", "k", "11"]
    assert texts("$#") == ["0"]


def test_the_status_is_a_variable() -> None:
    assert texts("$status", {"status": "4"}) == ["4"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("$pirce", "$pirce is not set: did you mean $price?"),
        ("$other", r"$other is not set: write \$other"),
        ("$3", "$3 is not set: $1 to $2 are"),
        ("$0", "$0 is not set"),
        ("$99999999999999999999", "is not set"),
    ],
)
def test_a_variable_that_is_not_set_is_named(written: str, told: str) -> None:
    assert told in hint_of(written, {"price": "5", "@": ("a", "b")})


def test_an_argument_that_was_not_given_is_named() -> None:
    assert "$1 is not set: no argument was given" in hint_of("$1", {})


def test_the_pieces_are_those_of_a_path() -> None:
    (word,) = expanded('main/"Sign in/up"/$x/button[2]', {"x": "*"})
    assert str(Path.of_pieces(word.pieces)) == 'main/"Sign in/up"/"*"/button[2]'


def test_a_word_expands_alone() -> None:
    (step,) = parse_line("x $a").steps
    assert expand(step.command.words[1], {"a": "b"})[0].text == "b"


def test_what_a_command_printed_stays_known_as_such() -> None:
    variables: Variables = {"x": PrintedText("a"), "y": "b", "@": (PrintedText("c"), "d")}
    printed = [word.printed for word in expanded('$x "1$x" $y $1 $2 z "$@"', variables)]
    assert printed == [True, True, False, True, False, False, True, False]
