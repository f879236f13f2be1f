"""What is written for DOMShell is one command that means what was meant, or it is not written."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domsh_repl.errors import Unsupported
from domsh_repl.link.domshell import lines
from domsh_repl.link.domshell.lines import Reason, Unwritable

HOSTILE = (
    "", " ", "a", "two words", "two  blanks", " outer", "outer ", "-", "--", "--help", "x --help",
    "--help-me", "main/--help", "-n", "it's", 'say "x"', "it's \"x\"", "it's  so", "it's a|b", "|",
    "a | b", "a|grep b", "%here%", "%HERE%/x", "a\nb", "a\rb", "\r\n", "\x0b", "\x1b[31m", "\x85",
    "\x9b", "\x7f", "\u2028", "\u2029", "\ud800", "a;b", "a && b", "> x", "# no", "\\",
    '\\"', "$HOME", "`id`", "!1", "~", "~/tabs", "[lane: 42]", "日本 😀", "\u00a0nbsp", "'",
    '"', "''", "é",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters()),
    st.text(st.sampled_from("-= \"'%|\\;\n\thelp"), max_size=14),
)
names = st.text(st.sampled_from("abz019_-"), min_size=1, max_size=12)
wires = st.lists(names, min_size=1, max_size=4).map("/".join)

ON_ONE: tuple[Callable[[str], str], ...] = (
    lines.cat, lines.text, lines.click, lines.focus, lines.scroll_to, lines.cd, lines.table,
    lines.read,
)  # fmt: skip


def commands(line: str) -> list[list[str]]:
    """Return the commands of a line, each its words, as DOMShell takes a line apart.

    Quotes group and know no escape, and ``|`` outside of them is a pipe.
    """
    found: list[list[str]] = [[]]
    word, quote = "", ""
    begun = False
    for character in line.strip():
        if quote:
            if character == quote:
                quote = ""
            else:
                word += character
        elif character in "\"'":
            quote, begun = character, True
        elif character.isspace() or character == "|":
            if begun or word:
                found[-1].append(word)
            word, begun = "", False
            if character == "|":
                found.append([])
        else:
            word += character
    if begun or word:
        found[-1].append(word)
    return found


def is_one_line(line: str) -> bool:
    """Tell whether neither the server nor a terminal sees more than one line in it."""
    return len(line.splitlines()) == 1 and re.search(r"[\x00-\x1f\x7f-\x9f]", line) is None


@given(texts)
def test_an_operand_arrives_as_it_was_or_is_not_written(text: str) -> None:
    try:
        line = lines.select("main/country_select", text)
    except Unwritable:
        return
    assert commands(line) == [["select", "main/country_select", text]]
    assert is_one_line(line)


@given(texts.map(lambda text: f"http://x/{text}"))
def test_a_url_arrives_as_it_was_or_is_not_written(url: str) -> None:
    try:
        line = lines.open_tab(url)
    except Unwritable:
        return
    assert commands(line) == [["open", url]]
    assert is_one_line(line)


@given(st.one_of(texts, wires), st.sampled_from(ON_ONE))
@example("--json_btn", lines.click)
@example("../up", lines.cat)
@example("/main", lines.cd)
@example("~/tabs/1", lines.cd)
@example("a//b", lines.text)
def test_a_path_is_written_only_when_it_is_names(wire: str, write: Callable[[str], str]) -> None:
    try:
        line = write(wire)
    except Unwritable:
        return
    if not wire:
        assert line == "read -d 99"
        return
    words = commands(line)
    assert len(words) == 1
    assert words[0][1] == wire
    assert "--help" not in words[0]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in wire.split("/"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.EMPTY),
        ("a\nb", Reason.CONTROL),
        ("\x9b31m", Reason.CONTROL),
        ("a\u2028b", Reason.CONTROL),
        ("\ud83d", Reason.CONTROL),
        ("-n 5", Reason.FLAG),
        ("please --help me", Reason.HELP),
        ("go %Here%", Reason.HERE),
        ('it\'s "so"', Reason.QUOTES),
        (" x", Reason.BLANKS),
        ("it's  so", Reason.BLANKS),
        ("it's a | b", Reason.BLANKS),
    ],
)
def test_what_the_quoting_cannot_carry_says_why(text: str, reason: Reason) -> None:
    with pytest.raises(Unwritable) as raised:
        lines.operand(text)
    assert raised.value.reason is reason
    assert isinstance(raised.value, Unsupported)
    assert "\n" not in raised.value.message


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Japan", "Japan"),
        ("United States", '"United States"'),
        ("a | b", '"a | b"'),
        ("two  blanks", '"two  blanks"'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ("日本", '"日本"'),
        ("a;b", '"a;b"'),
    ],
)
def test_what_can_be_quoted_is(text: str, word: str) -> None:
    assert lines.operand(text) == word


def test_a_name_with_leading_dashes_goes_where_domshell_takes_it_for_a_name() -> None:
    assert lines.click("--json_btn") == "click --json_btn"
    assert lines.focus("-n_5_btn") == "focus -n_5_btn"
    assert lines.cat("main/--json_btn") == "cat main/--json_btn --json"
    for write in (lines.cat, lines.text, lines.scroll_to, lines.read, lines.cd, lines.table):
        with pytest.raises(Unwritable) as raised:
            write("--json_btn")
        assert raised.value.reason is Reason.FLAG


def test_help_is_never_asked_for_by_a_name() -> None:
    for wire in ("--help", "main/--help", "--help/x"):
        with pytest.raises(Unwritable) as raised:
            lines.click(wire)
        assert raised.value.reason is Reason.HELP
    assert lines.click("main/--help_btn") == "click main/--help_btn"


def test_an_entry_called_like_a_direction_is_not_scrolled_to() -> None:
    assert lines.scroll_to("main/down") == "scroll main/down"
    with pytest.raises(Unwritable):
        lines.scroll_to("down")


def test_a_script_is_one_line_of_printable_ascii() -> None:
    assert lines.evaluate("1+1 || 'a | b --help %here%'") == "eval 1+1 || 'a | b --help %here%'"
    for source in ("", "1+\n1", "'\u00e9'", "'\u2028'", "\t1", "x" * (lines.LONGEST_LINE + 1)):
        with pytest.raises(Unwritable):
            lines.evaluate(source)


def test_the_fixed_lines() -> None:
    assert lines.read("main/form", 1) == "read main/form -d 1"
    assert lines.read(probed=True) == "read -d 99 --text --textlen 9000"
    assert lines.tree() == "tree 99"
    assert lines.ls(below=True) == "ls -r --json"
    assert lines.ls(probed=True, limit=1, offset=3) == (
        "ls --json --text --textlen 9000 -n 1 --offset 3"
    )
    assert lines.find_role("link") == "find --type link --json"
    assert lines.cd_up(2) == "cd ../.."
    assert lines.enter_tab(7) == "cd ~/tabs/7"
    with pytest.raises(Unwritable):
        lines.find_role("--help")
    with pytest.raises(Unwritable):
        lines.open_tab("about:blank")
