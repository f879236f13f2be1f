"""From words to a call: flags in every spelling, operands, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.commands.arguments import Call, check_call, parse_arguments
from domsh_repl.commands.registry import find_command
from domsh_repl.errors import UsageError
from domsh_repl.language import expand_command, parse_line


def call(text: str, **variables: str) -> Call:
    """Return the call that a line makes."""
    words = expand_command(parse_line(text).steps[0].command, variables)
    command, taken = find_command(words[0].text)
    return parse_arguments(command, words[taken:])


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("ls -l", {"-l": ""}),
        ("ls -l -a", {"-l": "", "-a": ""}),
        ("ls -la", {"-l": "", "-a": ""}),
        ("ls -n 5", {"-n": "5"}),
        ("ls -n5", {"-n": "5"}),
        ("ls -n=5", {"-n": "5"}),
        ("ls -ln5", {"-l": "", "-n": "5"}),
        ("ls -ln 5", {"-l": "", "-n": "5"}),
        ("ls --type link", {"--type": "link"}),
        ("ls --type=link", {"--type": "link"}),
        ("ls --type=a=b", {"--type": "a=b"}),
        ("ls --type --json", {"--type": "--json"}),
        ("ls main_1 -l --json", {"-l": "", "--json": ""}),
        ("ls -1", {"-1": ""}),
        ("ls", {}),
    ],
)
def test_flags_are_understood_in_every_spelling(line: str, flags: dict[str, str]) -> None:
    assert call(line).flags == flags


def test_options_may_follow_operands_and_two_dashes_end_them() -> None:
    found = call('type -- -5 "--x"')
    assert [word.text for word in found.operands] == ["-5", "--x"]
    assert call("cd -").operands[0].text == "-"


def test_a_quoted_word_or_a_variable_is_never_an_option() -> None:
    found = call('type "--help" $x', x="-n")
    assert [word.text for word in found.operands] == ["--help", "-n"]
    assert not found.flags


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("ls --al", "ls has no option '--al'", "usage: ls"),
        ("ls --jsn", "'--jsn'", "did you mean --json?"),
        ("ls -lx", "'-lx'", "usage: ls"),
        ("grep -r", "grep needs RE", "usage: grep"),
        ("click", "click needs PATH", "usage: click [--double]"),
        ("click a b", "no place for 'b'", "usage: click [--double]"),
        ("type a b c", "quote a text with blanks", "usage: type [PATH] TEXT"),
        ("fill a", "fill needs TEXT", "usage: fill"),
        ("ls -n", "-n needs N", "usage: ls"),
        ("ls -l=3", "-l takes no value", "usage: ls"),
        ("type -5", "'-5'", "quote a text that begins with a dash"),
        ("pwd x", "no place for 'x'", "usage: pwd"),
        ("select x", "select needs OPTION", "usage: select PATH OPTION…"),
    ],
)
def test_what_does_not_fit_is_an_error_that_shows_the_usage(
    line: str, message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        call(line)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_help_needs_no_operands() -> None:
    assert call("click --help").has("--help")


@pytest.mark.parametrize(
    "line",
    [
        "ls -n abc", "ls -n -5", "ls -n ٣", "ls --offset 1.5", "tree -L x", "grep '(' x",
        "grep -r '[' /", "back zero", "back 0", "back -- -1", "forward x", "tab x", "tab 1 2",
        "tab new 3", "tab close x", "dialog maybe", 'dialog ""', "dialog dismiss x", "find",
        "find main_1", "wait", "wait exist x", "wait exists", "wait --timeout soon exists x",
        "wait --timeout -1 exists x", "expect title", "expect title equals x",
        "expect title matches '('", "expect count x == y", "expect count x = 3",
        "expect state x shiny", "expect --type link title is x", "expect exists x y",
        "click @", "click @a'b'",
            "help nosuch", "key Entr", "key ctl+a", "tree -L 0", "find --state shiny",
        "open //[", "open 'a b'", "open ''", "cd ~", "cd ~/tabs", "ls ~/x", "cat ~", "raw",
        "ls -n 9999999999", "tab 9999999999", "back 9999999999", "expect count x == 9999999999",
        'expect "exists" x', "expect title is a b",
    ],
)  # fmt: skip
def test_what_is_wrong_whatever_the_page_holds_is_found_before_anything_runs(line: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_call(call(line))
    assert caught.value.hint


@pytest.mark.parametrize(
    "line",
    [
        "key ctrl++", "key F5 a", "open /x", "open file:///x", "ls ~/tabs/2",
        "find --state current", "raw --help", "ls -n 0", "ls ~", "ls ~/tabs", "cd ~/tabs/2", "cd -",
        "back 2", "tab 3", "tab new", "tab close", "tab close 3", "dialog", "dialog accept",
        'dialog accept ""', "type x", "type a b", "key Enter", "key Enter a", "wait not exists x",
        "expect not title not is x", "wait --timeout 300ms gone x",
        "expect count --type link main_1 >= 2", "expect count --type link != 0",
        "expect text x matches '/a|b/'", "find -n 3 --css 'a[href]'", "help paths", "help",
    ],
)  # fmt: skip
def test_what_is_right_passes_the_check(line: str) -> None:
    check_call(call(line))


@given(st.lists(st.text(max_size=4), max_size=4))
def test_texts_in_variables_are_operands_whatever_they_hold(items: list[str]) -> None:
    line = parse_line('select x "$@"').steps[0].command
    words = expand_command(line, {"@": tuple(items)})
    command, taken = find_command("select")
    if not items:
        with pytest.raises(UsageError):
            parse_arguments(command, words[taken:])
        return
    found = parse_arguments(command, words[taken:])
    assert [word.text for word in found.operands] == ["x", *items]
    assert not found.flags
