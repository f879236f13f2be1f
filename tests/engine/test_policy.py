from __future__ import annotations

import pytest

from domsh_repl.engine.line import parse_command_line
from domsh_repl.engine.policy import FREE, Policy, domains_of
from domsh_repl.errors import Denied, DomshError, ReadOnly, UsageError

READING = (
    "ls", "ls -l x", "cd x", "cat x", "text", "tree", "find --label x", "grep -r x", "pwd", "tabs",
    "wait x", "navigate example.com", "open example.com", "back", "reload", "close 1",
    "group close", "info", "help", "LS", "links", "links --check", "table x", "outline", "diff",
    "screenshot --full", "console", "requests --failed",
)  # fmt: skip
ACTING = (
    "click x", "type x y", "fill x y", "key Enter", "select x y", "check x", "uncheck x",
    "dialog accept", "eval 1", "js document.title", "CLICK x", "focus x", "watch click x",
    "each click x", "script run x", "for x : click {}", "submit x y", "scroll down", "call f", "",
    "hover x", "submit", "click x --right",
)  # fmt: skip
ONE = Policy(domains=("example.com", "127.0.0.1"))
INSIDE = (
    "http://example.com", "https://a.b.example.com/x?y#z", "example.com", "EXAMPLE.com:8080/x",
    "http://example.com./x", "http://127.0.0.1:8000", "about:blank",
)  # fmt: skip
OUTSIDE = (
    "http://example.org", "http://notexample.com", "http://example.com.evil.org",
    "http://example.com@evil.org", "http://evil.org?@example.com", "http://evil.org#@example.com",
    r"http://evil.org\\@example.com", "http:evil.org", "http:/evil.org", "http:///evil.org",
    "http://evil.org%2f.example.com", "http://evil.org\uff0f.example.com", "http://127.0.0.2",
    "http://u:p@example.com", "https://",
)  # fmt: skip


@pytest.mark.parametrize("line", READING)
def test_reading_and_going_are_allowed_where_nothing_may_change(line: str) -> None:
    Policy(read_only=True).require(parse_command_line(line))


@pytest.mark.parametrize("line", ACTING)
def test_all_that_is_not_known_to_read_is_refused_there(line: str) -> None:
    with pytest.raises(ReadOnly):
        Policy(read_only=True).require(parse_command_line(line))
    FREE.require(parse_command_line(line))


@pytest.mark.parametrize("url", INSIDE)
@pytest.mark.parametrize("verb", ["navigate", "open", "goto"])
def test_allowed_hosts_and_those_below_them_are_opened(verb: str, url: str) -> None:
    line = parse_command_line(f"{verb} {url}")
    assert ONE.concerns_target(line)
    ONE.require_target(line, "")


@pytest.mark.parametrize("url", OUTSIDE)
@pytest.mark.parametrize("verb", ["navigate", "open", "goto"])
def test_no_other_host_is_opened_however_it_is_written(verb: str, url: str) -> None:
    with pytest.raises(DomshError):
        ONE.require_target(parse_command_line(f"{verb} {url}"), "")


def test_an_encoded_url_is_judged_as_it_will_be_opened() -> None:
    with pytest.raises(Denied, match=r"evil\.org"):
        ONE.require_target(
            parse_command_line("navigate --envelope --escaped http%3A%2F%2Fevil.org"), ""
        )


def test_a_relative_url_is_judged_as_it_is_resolved() -> None:
    for current in ("http://example.com/x", "https://a.example.com/"):
        ONE.require_target(parse_command_line("open /about"), current)
        with pytest.raises(Denied, match=r"evil\.org"):
            ONE.require_target(parse_command_line("open //evil.org/about"), current)
    with pytest.raises(Denied, match=r"evil\.org"):
        ONE.require_target(parse_command_line("open /about"), "http://evil.org/x")


@pytest.mark.parametrize("line", ["ls", "click x", "eval 1", "wait x", "refresh", "dialog accept"])
def test_a_page_of_another_host_is_neither_read_nor_acted_on(line: str) -> None:
    assert ONE.concerns_page(parse_command_line(line))
    with pytest.raises(Denied) as caught:
        ONE.require_page("http://example.org/x")
    assert caught.value.message.endswith("not in the allowed list: example.com, 127.0.0.1")
    ONE.require_page("http://example.com/x")


@pytest.mark.parametrize(
    "line",
    [
        "pwd",
        "tabs",
        "back",
        "open x",
        "group close",
        "ls ~",
        "cd ~/tabs/1",
        "reload",
        "dialog dismiss",
    ],
)
def test_such_a_page_can_be_left(line: str) -> None:
    assert not ONE.concerns_page(parse_command_line(line))


def test_lists_of_domains_are_read() -> None:
    assert domains_of(" Example.com., 127.0.0.1,localhost") == (
        "example.com", "127.0.0.1", "localhost",
    )  # fmt: skip
    for wrong in ("", ",", "http://x", "a b", "*.x", "x/y", "é.com"):
        with pytest.raises(UsageError):
            domains_of(wrong)
