"""What is written means the same on the other side, and nothing in a page can forge a reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domsh_repl.engine.line import parse_command_line
from domsh_repl.errors import DialogOpen, Failed, Lost, NotFound, UsageError
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask, Wanted
from domsh_repl.link.wire import read_lane, read_reply, split_marker, write_line, write_raw
from domsh_repl.nodes import Listing, Message, PageInfo, Text
from domsh_repl.paths import Path

ROOT = Path(absolute=True)
HOSTILE = (
    "", " ", "  two  spaces ", "-", "--", "--help", "-n", "--envelope", "--timeout=9", "it's",
    'say "x"', "it's \"x\"", "''", "a | b", "%here%", "%41", "%", "a\nb", "\r", "\x0b", "\x85",
    "\u2028", "\x00", "\x1b[31m", "$x `id` $(id)", "a;b && c", "# no comment", "\\", "~", "~/tabs",
    "@x", "[lane: 42]", "x\n\n[lane: 42]", "日本 😀", "\ue000", "+", "=", "&", "*?[a]",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from("-=\"' %\\|;\n~*a")),
)


def written(ask: Ask[Any]) -> str:
    """Return the line of a request with a document and a deadline."""
    return write_line(ask, document="DOC -1", deadline=2.5)


@given(texts, st.lists(texts, max_size=3))
@example("--help", ["-n", "--", ""])
def test_every_operand_arrives_as_it_was(first: str, more: list[str]) -> None:
    line = parse_command_line(written(Ask("type", Text, (first, *more))))
    assert line.verb == "type"
    assert line.operands == (first, *more)
    assert line.envelope


@given(texts.filter(bool), texts.filter(bool))
def test_every_value_of_an_option_arrives_as_it_was(label: str, name: str) -> None:
    ask = asks.find(ROOT, Wanted(label=label, name=name), limit=3)
    line = parse_command_line(written(ask))
    assert (line.text("--label"), line.text("--name"), line.text("-n")) == (label, name, "3")
    assert line.operands == ("/",)


@given(texts, texts)
def test_a_line_is_one_line_of_plain_ascii(first: str, second: str) -> None:
    line = written(Ask("find", Text, (first,), {"--label": second} if second else {}))
    assert line.isascii()
    assert line.isprintable()
    assert '"' not in line.replace('""', "")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_label_in_a_path_arrives_as_that_label(label: str) -> None:
    path = Path.of_pieces([("/main_1/", False), (label, True)])
    line = parse_command_line(written(asks.click(path)))
    assert Path.parse(line.operand(0)) == path


@pytest.mark.parametrize("text", ["\ud800", "a\udcff", "\udfff\ud800"])
def test_half_a_character_is_refused_and_not_replaced(text: str) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        written(Ask("type", Text, (text,)))


def test_the_document_goes_with_what_means_a_node_and_the_deadline_with_everything() -> None:
    click = parse_command_line(written(asks.click(ROOT)))
    assert (click.text("--document"), click.text("--timeout")) == ("DOC -1", "2.5")
    tabs = parse_command_line(written(asks.tabs()))
    assert (tabs.has("--document"), tabs.text("--timeout")) == (False, "2.5")
    assert not parse_command_line(write_line(asks.click(ROOT), document="", deadline=1)).has(
        "--document"
    )


def test_an_own_timeout_of_a_request_is_the_only_one() -> None:
    line = written(asks.next_change(0.25))
    assert line.count("--timeout") == 1
    assert parse_command_line(line).text("--timeout") == "0.250"


@pytest.mark.parametrize(
    ("reply", "text", "lane"),
    [
        ("ok\n\n[lane: 7]", "ok", "7"),
        ("ok\n\n[lane: shared]", "ok", "shared"),
        ("\n\n[lane: 7]", "", "7"),
        ("ok", "ok", ""),
        ("", "", ""),
        ("ok\n\n[lane: 7]\n", "ok\n\n[lane: 7]\n", ""),
        ("ok\n\n[lane: 7] ", "ok\n\n[lane: 7] ", ""),
        ("ok [lane: 7]", "ok [lane: 7]", ""),
        ("ok\n\n[lane: ٣]", "ok\n\n[lane: ٣]", ""),
        ("ok\n\n[lane: abc]", "ok\n\n[lane: abc]", ""),
        ("fake\n\n[lane: 42]\nmore\n\n[lane: 7]", "fake\n\n[lane: 42]\nmore", "7"),
        ("fake\n\n[lane: 42]\n\n[lane: 7]", "fake\n\n[lane: 42]", "7"),
    ],
)
def test_the_marker_counts_at_the_very_end_and_nowhere_else(
    reply: str, text: str, lane: str
) -> None:
    assert split_marker(reply) == (text, lane)


@pytest.mark.parametrize(
    "reply", ["", "ok", "ok\n\n[lane: shared]", "ok\n\n[lane: abc]", "ok\n\n[lane: -1]"]
)
def test_only_a_number_is_a_lane(reply: str) -> None:
    assert read_lane(reply) == ""


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("fake\n\n[lane: 42]")
@example('"}}\n\n[lane: 42]')
def test_page_text_comes_through_a_reply_as_it_is(page_text: str) -> None:
    body = {"page": {"title": page_text}, "result": {"path": "/", "text": page_text}}
    answer = read_reply(asks.text(ROOT), f"{json.dumps(body)}\n\n[lane: 7]")
    assert answer.value == Text("/", page_text)
    assert answer.page == PageInfo(title=page_text)
    assert answer.error is None


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "npm notice a new version",
        "[]",
        "null",
        "3",
        '"page"',
        "{}",
        '{"page":{}}',
        '{"page":null,"result":{}}',
        '{"page":{},"result":null}',
        '{"page":{},"result":{"path":"/"}}',
        '{"page":{},"result":{"path":"/","entries":"x","total":0}}',
        '{"page":{},"error":"x"}',
        '{"page":[1,2],"result":{}}',
        "[" * 100_000,
        '{"page":{"dialog":"x"},"result":{"path":"/","entries":[],"total":0}}',
    ],
)
def test_a_reply_that_is_no_envelope_is_a_lost_servers(reply: str) -> None:
    answer = read_reply(asks.listing(ROOT), f"{reply}\n\n[lane: 7]")
    assert isinstance(answer.error, Lost)
    assert answer.page is None
    assert answer.value is None
    assert len(answer.error.message) < 300


def test_a_reply_without_a_marker_is_read_all_the_same() -> None:
    reply = '{"page":{"tab":1},"result":{"path":"/","entries":[],"total":0}}'
    assert read_reply(asks.listing(ROOT), reply).value == Listing("/", (), 0)


def test_a_servers_error_keeps_its_code_message_hint_and_reach() -> None:
    facts = {"code": "not_found", "message": "no x", "hint": "`ls`", "reached": "/main_1"}
    reply = json.dumps({"page": {"tab": 3}, "error": facts})
    answer = read_reply(asks.listing(ROOT), reply)
    assert isinstance(answer.error, NotFound)
    assert (answer.error.message, answer.error.hint, answer.error.reached) == (
        "no x",
        "`ls`",
        "/main_1",
    )
    assert answer.page == PageInfo(tab=3)


@pytest.mark.parametrize(
    ("facts", "kind"),
    [({"code": "dialog_open"}, DialogOpen), ({"code": "new"}, Failed), ({}, Failed)],
)
def test_an_error_that_says_little_is_still_that_error(
    facts: dict[str, str], kind: type[Exception]
) -> None:
    answer = read_reply(asks.listing(ROOT), json.dumps({"page": {}, "error": facts}))
    assert type(answer.error) is kind


@pytest.mark.parametrize(
    "line", ["a\nb", "a\rb", "\x0b", "a\x85", "a\u2028b", "\x00", "\ud800", "\x7f"]
)
def test_a_raw_line_holds_no_control_character(line: str) -> None:
    with pytest.raises(UsageError):
        write_raw(line)


@pytest.mark.parametrize("line", ["", "  "])
def test_a_raw_line_is_not_empty(line: str) -> None:
    with pytest.raises(UsageError):
        write_raw(line)


def test_a_raw_line_goes_as_it_is() -> None:
    assert write_raw("  ls -l 'x'  | y %here% é ") == "  ls -l 'x'  | y %here% é "


def test_a_message_of_the_server_can_carry_facts() -> None:
    reply = '{"page":{},"result":{"text":"closed tab 2","facts":{"closed":2}}}'
    assert read_reply(asks.close_tab(2), reply).value == Message("closed tab 2", {"closed": 2})


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0, "0.001"), (0.0004, "0.001"), (-1.0, "0.001"), (0.25, "0.250")]
)
def test_waiting_for_a_change_takes_some_time_at_least(seconds: float, said: str) -> None:
    line = parse_command_line(written(asks.next_change(seconds)))
    assert line.options["--timeout"] == said
    assert line.seconds("--timeout", 0) == float(said)
