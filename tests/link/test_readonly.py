"""Read-only mode: what may change a page is not sent, however it is wrapped."""

from __future__ import annotations

from typing import Any

import pytest

from domsh_repl.errors import ReadOnly
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.readonly import require_reading_line
from domsh_repl.paths import Path
from tests.doubles import SHORT, Double
from tests.fakeserver import Script, serving_http

ROOT = Path(absolute=True)
ACTING: list[Ask[Any]] = [
    asks.click(ROOT), asks.focus(ROOT), asks.type_text(None, "x"), asks.fill(ROOT, "x"),
    asks.key("Enter", None), asks.select(ROOT, ["x"]), asks.toggle(ROOT, checked=True),
    asks.answer_dialog("accept", None), asks.script("1"), asks.hover(ROOT), asks.scroll("down"),
    asks.scroll(ROOT), asks.submit(None), asks.bring_login("{}"),
]  # fmt: skip
READING: list[Ask[Any]] = [
    asks.listing(ROOT), asks.directory(ROOT), asks.cat(ROOT), asks.text(ROOT), asks.tree(ROOT),
    asks.find(ROOT, asks.Wanted(role="link")), asks.grep("x", ROOT), asks.where(), asks.tabs(),
    asks.refresh(), asks.shown_dialog(), asks.navigate("http://h/"), asks.walk_history(-1),
    asks.reload(), asks.switch_tab(1), asks.links(ROOT), asks.checked_links(ROOT),
    asks.table(ROOT), asks.outline(ROOT, ()), asks.diff(), asks.console(), asks.requests(),
    asks.screenshot(None), asks.text_listing(asks.listing(ROOT)),
    asks.audit(ROOT), asks.kept_login(),
]  # fmt: skip


@pytest.mark.parametrize("ask", ACTING, ids=lambda ask: ask.verb)
def test_a_request_that_acts_is_refused_and_starts_no_server(ask: Ask[Any]) -> None:
    double = Double()
    link = Link(double, SHORT, Manners(read_only=True))
    with pytest.raises(ReadOnly, match=ask.verb):
        link.ask(ask)
    link.close()
    assert double.sessions == 0


def test_looking_and_going_are_sent() -> None:
    double = Double()
    link = Link(double, SHORT, Manners(read_only=True))
    for ask in READING:
        link.ask(ask)
    link.close()
    assert len(double.lines()) == len(READING) + 1


@pytest.mark.parametrize(
    "line",
    [
        "click x", "CLICK x", " eval 1", "js 1", "type x", "submit a b", "select a b", "call f",
        "watch eval 40+2 --times 1", "watch click a/b", "each --limit 1 eval document.title",
        "for find x : click {}", 'for "find x" : click {}', "script run z", "script save z eval 1",
        "group detach", "group new x", "group attach 3", "bookmark a", "env", "export A=1",
        "close", "key Enter", "fill a b", "check a", "dialog accept", "whoami", "debug", "!1",
        '"click" x', "'click' x", "ls | click x", "ls|eval 1", "ls | grep x | eval 1", "| ls",
        "", "   ", "scroll down", "focus x", "functions", "unheard_of",
    ],
)  # fmt: skip
def test_a_raw_line_that_could_act_in_any_part_is_refused(line: str) -> None:
    with pytest.raises(ReadOnly):
        require_reading_line(line)


@pytest.mark.parametrize(
    "line",
    ["ls -l main", "LS", "cat x", "ls | grep a | head -n 3", 'grep "a | eval 1"', "find 'a|b'",
     "text", "tree 3", "pwd", "open http://h/", "refresh", "cd main/x"],
)  # fmt: skip
def test_a_raw_line_that_reads_is_sent(line: str) -> None:
    require_reading_line(line)


def test_nothing_that_acts_reaches_a_server_at_an_address() -> None:
    with serving_http(Script()) as (url, fake):
        link = Link(HttpSource(url, ""), SHORT, Manners(read_only=True))
        link.ask(asks.where())
        for line in ("watch click x", "eval 1", "ls | eval 1"):
            with pytest.raises(ReadOnly):
                link.raw(line)
        assert link.raw("ls").startswith('{"page"')
        link.close()
        verbs = [line.split()[0] for line in fake.lines()]
    assert verbs == ["pwd", "ls", "group"]
