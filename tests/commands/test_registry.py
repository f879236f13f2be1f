"""The one list of commands: every name leads somewhere, and every example is in the language."""

from __future__ import annotations

import subprocess
import sys

import pytest

from domsh_repl.commands.executor import check_line, needs_page
from domsh_repl.commands.helptext import help_for, help_overview
from domsh_repl.commands.registry import GROUPED, commands, find_command, names
from domsh_repl.commands.spec import Command
from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.language import parse_line
from domsh_repl.language.tokens import REST_OF_LINE

THE_MAIN_JOB = (
    "open", "back", "forward", "reload", "refresh", "info", "ls", "cd", "pwd", "cat", "text",
    "tree", "find", "grep", "click", "type", "fill", "key", "focus", "select", "check",
    "uncheck", "dialog", "wait", "expect", "tabs", "tab", "status", "history", "help", "quit",
)  # fmt: skip
LATER = (
    "taborder", "drag", "upload", "emulate", "downloads", "announced", "record",
)  # fmt: skip


def test_the_main_job_is_there() -> None:
    assert set(THE_MAIN_JOB) <= {command.name for command in commands()}


@pytest.mark.parametrize("command", [*commands()], ids=lambda one: one.name)
def test_every_command_says_what_it_does_and_shows_examples_that_are_right(
    command: Command,
) -> None:
    assert command.summary
    assert command.usage.startswith(command.name)
    assert command.examples
    for example in command.examples:
        assert find_command(example.split()[0])[0] is command
        assert list(check_line(parse_line(example))) == []


@pytest.mark.parametrize("command", [*commands()], ids=lambda one: one.name)
def test_help_tells_usage_flags_examples_and_the_exit_statuses(command: Command) -> None:
    shown = help_for(command.name)
    assert f"usage: {command.usage}" in " ".join(shown.split())
    squeezed = " ".join(shown.split())
    meanings = [meaning for _, meaning in command.statuses]
    for part in (command.summary, *command.examples, "Exit status", *meanings):
        assert part in shown or part in squeezed
    assert ("--json" in shown) is (command.name not in REST_OF_LINE)
    for flag in command.flags:
        assert flag.help in squeezed
    assert f" {command.name} " in f" {help_overview()} ".replace("\n", " ")
    assert f"  {command.name} " in help_for("commands")


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [(group, word, name) for group, meant in GROUPED.items() for word, name in meant.items()],
)
def test_grouped_spellings_are_the_same_commands(first: str, second: str, name: str) -> None:
    assert find_command(first, second) == (names()[name], 2)


@pytest.mark.parametrize(
    ("alias", "name"), [("navigate", "open"), ("exit", "quit"), ("eval", "js")]
)
def test_other_names_are_the_same_commands(alias: str, name: str) -> None:
    assert find_command(alias) == (names()[name], 1)


@pytest.mark.parametrize(("first", "second"), [("fs", "rm"), ("page", None), ("act", "dance")])
def test_a_group_without_such_a_command_lists_what_it_has(first: str, second: str | None) -> None:
    with pytest.raises(UsageError, match="is no command") as caught:
        find_command(first, second)
    assert f"{first} " in caught.value.hint


@pytest.mark.parametrize(
    ("word", "near"),
    [("lss", "ls"), ("clik", "click"), ("naviagte", "navigate"), ("expct", "expect"), ("Ls", "ls")],
)
def test_a_misspelt_command_gets_the_nearest_one(word: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_command(word)
    assert caught.value.hint == f"did you mean {near}?"


def test_what_is_near_to_nothing_gets_the_way_to_the_list() -> None:
    with pytest.raises(UsageError, match="'qqqqqq'") as caught:
        find_command("qqqqqq")
    assert "`help`" in caught.value.hint


@pytest.mark.parametrize("word", LATER)
def test_what_comes_later_is_known_and_says_so(word: str) -> None:
    with pytest.raises(Unsupported, match="not in this version"):
        find_command(word)


@pytest.mark.parametrize("topic", ["nosuch", "lss", ""])
def test_help_on_an_unknown_topic_is_an_error(topic: str) -> None:
    with pytest.raises(UsageError):
        help_for(topic)


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("help", False),
        ("help; quit", False),
        ("history", False),
        ("", False),
        ("nosuch_command", False),
        ("taborder", False),
        ("snapshot", True),
        ("a11y", True),
        ("state load x", True),
        ("screenshot", True),
        ("help && ls", True),
        ("pwd", True),
        ("fs ls", True),
        ("status", True),
    ],
)
def test_only_a_line_that_asks_the_page_needs_a_browser(line: str, *, needed: bool) -> None:
    assert needs_page(parse_line(line)) is needed


def test_the_list_is_whole_whichever_module_was_imported_first() -> None:
    code = (
        "import domsh_repl.commands.act\n"
        "from domsh_repl.commands.registry import names\n"
        "assert {'click', 'ls', 'open', 'wait', 'help'} <= set(names())"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_help_begins_each_chapter_with_what_is_needed_first() -> None:
    chapters = [line.split() for line in help_overview().splitlines()]
    assert [words[2] for words in chapters if words[:2] == ["Going", "places"]] == ["open"]
    assert [words[2] for words in chapters if words[:2] == ["Looking", "around"]] == ["ls"]


def test_help_has_no_line_that_a_terminal_of_eighty_columns_breaks() -> None:
    told = [help_overview(), help_for("commands"), *(help_for(one.name) for one in commands())]
    assert [line for text in told for line in text.splitlines() if len(line) > 80] == []


def test_the_help_of_settings_keeps_a_line_for_each() -> None:
    assert "\n  editing: " in help_for("set")


def test_a_word_alone_after_find_gets_the_two_ways_to_look_for_it() -> None:
    (error,) = check_line(parse_line("find 'green tea'"))
    hint = error.hint.replace('"', "'")
    assert "`find --label 'green tea'`" in hint
    assert "`grep -r 'green tea'`" in hint


def test_what_takes_the_rest_of_the_line_is_a_command() -> None:
    assert {name.removeprefix("-") for name in REST_OF_LINE} <= set(names())
