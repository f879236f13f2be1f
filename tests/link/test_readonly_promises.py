"""What ``--read-only`` promises, on each sort of server, and the ways that lead around it.

A page is opened and read, and nothing else happens in it: the page itself is asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from typing import Any

import pytest

from domsh_repl.builtin import BrowserOptions, BuiltinSource
from domsh_repl.commands.session import Settings
from domsh_repl.engine.policy import Policy
from domsh_repl.errors import DomshError, ReadOnly
from domsh_repl.link import asks
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.owner import Deadlines
from domsh_repl.link.readonly import require_reading, require_reading_line
from tests.conftest import EngineRunner, LaneRunner
from tests.fakeserver import GOOD, Script, serving_http
from tests.link.domshell.plain import PlainServer
from tests.odd_server import odd_server
from tests.program import DOMSH, domsh
from tests.sessions import Shell

READ_ONLY = Manners(read_only=True)
ACTIONS = (
    "click main_area", "act click main_area", "type x", "act type main_area x", "fill main_area x",
    "key Enter", "key a main_area", "focus main_area", "select main_area x", "check main_area",
    "uncheck main_area", "dialog accept", "dialog accept x", "dialog dismiss",
)  # fmt: skip
READING = (
    "pwd", "info", "ls", "ls -l -R -a /", "fs ls", "cd main_area", "cat *", "text", "tree -L 9 /",
    "find --type button /", "find --label save /", "find --css button /", "grep -r save /",
    "tabs", "refresh", "wait exists /main_area", "expect not exists /nosuch", "dialog", "status",
    "cd /",
)  # fmt: skip
WATCH = """(() => { window.seen = [];
  for (const kind of ['click', 'mousedown', 'focusin', 'focusout', 'keydown', 'input',
      'change', 'submit', 'scroll', 'select', 'selectionchange', 'beforeunload'])
    addEventListener(kind, event => seen.push(event.type), true);
  new MutationObserver(list => list.forEach(one => seen.push(one.type))).observe(document,
    {subtree: true, childList: true, attributes: true, characterData: true});
  const own = new Set(Reflect.ownKeys(window));
  window.changed = () => JSON.stringify([seen, Reflect.ownKeys(window).filter(key => !own.has(key)
      && key !== 'changed').map(String), document.activeElement.tagName, scrollY,
    String(Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get)
      .includes('native code')]) })()"""
UNCHANGED = [[], [], "BODY", 0, True]


def in_page(lane: LaneRunner, expression: str) -> Any:
    """Return what an expression gives in the own world of the first tab's page."""

    async def call() -> Any:
        main = next(iter(lane.lane.pages.values())).main
        return await main.call("Runtime.evaluate", expression=expression, returnByValue=True)

    reply = lane.run(call())
    assert "exceptionDetails" not in reply, reply
    return reply["result"].get("value")


def changed(lane: LaneRunner) -> Any:
    """Return what happened in the page since it was watched."""
    return json.loads(in_page(lane, "changed()"))


@pytest.fixture
def watched(lane: LaneRunner, pages: str) -> LaneRunner:
    """Open a page that notes whatever happens in it."""
    lane.value(f"navigate {pages}/form.html")
    in_page(lane, WATCH)
    return lane


@pytest.fixture
def plain(watched: LaneRunner) -> Iterator[tuple[Shell, PlainServer, LaneRunner]]:
    """Give a read-only shell on a DOMShell that lets everything pass."""
    server = PlainServer(watched)
    link = Link(server, Deadlines(close=5.0), READ_ONLY)
    yield Shell(link, Settings(timeout=20.0)), server, watched
    link.close()


@pytest.mark.parametrize("line", ACTIONS)
def test_a_command_that_acts_is_refused_before_anything_is_sent(line: str) -> None:
    with serving_http(Script()) as (url, fake):
        link = Link(HttpSource(url, ""), manners=READ_ONLY)
        error = Shell(link, Settings()).error(line)
        link.close()
        assert isinstance(error, ReadOnly)
        assert "--read-only" in error.hint
        assert fake.received == []


@pytest.mark.parametrize("way", ["line", "file", "pipe"])
def test_each_way_of_running_lines_is_bound(way: str, tmp_path: FilePath) -> None:
    file = tmp_path / "lines.domsh"
    file.write_text("pwd\nclick x\n")
    arguments = {"line": ("-c", "pwd; click x"), "file": ("run", str(file)), "pipe": ()}[way]
    with serving_http(Script()) as (url, fake):
        ran = domsh(
            "--json", "--read-only", "--server", url, *arguments,
            stdin="pwd\nclick x\n" if way == "pipe" else None,
        )  # fmt: skip
    assert ran.status == 1
    assert ran.objects[1]["error"]["code"] == "read_only"
    assert set(fake.verbs()) == {"pwd", "group"}


def test_reading_through_text_leaves_a_page_as_it_was(
    plain: tuple[Shell, PlainServer, LaneRunner],
) -> None:
    shell, server, lane = plain
    for line in READING:
        assert shell.run(line) in (0, 1), line
        assert not [error for error in shell.screen.errors if error.code != "unsupported"], line
    assert changed(lane) == UNCHANGED
    assert server.verbs() <= {
        "pwd", "ls", "cd", "refresh", "tree", "read", "cat", "text", "eval", "find",
    }  # fmt: skip
    assert len({line for line in server.sent if line.startswith("eval")}) == 1, "the one look"


def test_reading_in_the_engine_leaves_a_page_as_it_was(watched: LaneRunner) -> None:
    for line in ("ls -l -R", "cat main_area", "text", "tree", "find --css button", "grep -r a",
                 "pwd", "info", "tabs", "dialog", "wait --timeout 0.2", "refresh"):  # fmt: skip
        reply = said(watched, line)
        assert "only reads" not in reply, line
    assert changed(watched) == UNCHANGED


def said(lane: LaneRunner, line: str) -> str:
    """Return what a client of a server that only reads is told."""
    work = lane.engine.engine.execute(line, str(lane.lane.id), Policy(read_only=True))
    return str(lane.run(work).text)


BYPASSES = (
    "click main_area/load_late_btn", "CLICK main_area", " click main_area", "\tclick main_area",
    '"click" main_area', "'click' main_area", "cl''ick main_area", "eval window.x=1",
    "js window.x=1", "EVAL window.x=1", "eval --envelope window.x=1", "type x", "key Enter",
    "focus main_area", "scroll down", "select main_area x", "submit main_area x", "fill a b",
    "check a", "uncheck a", "dialog accept", "dialog dismiss", "dialog --x dismiss",
    "watch click main_area --times 1", "watch eval window.x=1 --times 1",
    "each --limit 1 eval window.x=1", "for find --type button : click {}",
    'for "find --type button" : click {}', "script save z eval window.x=1", "script run z",
    "call f", "functions", "debug", "group detach now; eval 1", "whoami", "upload a b",
    "ls | eval window.x=1", "ls | click main_area", "ls |eval 1", "| click main_area",
    "ls || eval window.x=1", "ls\neval window.x=1", "ls\r\nclick main_area", "ls\x0beval 1",
    "ls\x85eval window.x=1", "ls\u2028eval window.x=1", "ls\x1eeval 1", "ls ; eval window.x=1",
    "ls ;eval 1", "ls && eval window.x=1", "ls & eval 1", "ls `eval 1`", "ls $(eval 1)",
    "ls > /tmp/x", "find x; click {}", "\ufeffeval 1", "ls\ufeffeval", "open javascript:x=1",
    'open "javascript:x=1"', "open 'java'script:x=1", "open JaVaScRiPt:x=1", "open -n javascript:1",
    "open javascript://h/%0ax=1", "navigate --escaped javascript%3Ax%3D1",
    "open data:text/html,<script>x=1</script>", "goto view-source:javascript:1", "open file:///etc",
    "open chrome://settings", "open http://h/ javascript:x=1", "open 'http://h/' \"javascript:1\"",
    "!1", "!!", "help; eval 1", "env", "export A=1", "bookmark a", "alias ls=click", "", "  ",
)  # fmt: skip


@pytest.mark.parametrize("line", BYPASSES)
def test_a_raw_line_that_leads_around_it_reaches_no_server(line: str) -> None:
    with serving_http(Script()) as (url, fake):
        link = Link(HttpSource(url, ""), manners=READ_ONLY)
        with pytest.raises(DomshError) as caught:
            link.raw(line)
        link.close()
        assert caught.value.code in ("read_only", "usage")
        assert not [one for one in fake.lines() if not one.startswith("group")]


@pytest.mark.parametrize(
    "line",
    ["ls", "ls -l main_area", "cat main_area", "find save | head -n 3", 'grep "a; b | eval 1"',
     "cd main_area/signup_form", "open http://h/x", "open 'http://h/?a=1&b=2'", "open h:8080/x",
     "goto about:blank", "extract_table x --format csv", "back", "refresh", "help"],
)  # fmt: skip
def test_a_raw_line_that_reads_is_sent_as_it_is(line: str) -> None:
    with serving_http(Script()) as (url, fake):
        link = Link(HttpSource(url, ""), manners=READ_ONLY)
        assert link.raw(line)
        link.close()
        assert line in fake.lines()


@pytest.mark.parametrize("line", BYPASSES)
def test_a_client_of_a_server_that_only_reads_changes_nothing(
    line: str, watched: LaneRunner
) -> None:
    said(watched, line)
    shell = PlainServer(watched, Policy(read_only=True))
    shell.say(line)
    assert in_page(watched, "typeof x") == "undefined"
    if not line.lower().startswith(("goto", "navigate")):  # those may have led away
        assert changed(watched) == UNCHANGED


@pytest.mark.parametrize("verb", ["navigate", "open", "goto"])
@pytest.mark.parametrize("url", ["javascript:window.x=1", "data:text/html,x", "file:///etc/passwd"])
def test_an_address_that_is_no_page_is_not_opened(verb: str, url: str, watched: LaneRunner) -> None:
    if verb != "goto":  # which only DOMShell has
        assert "are not opened" in said(watched, f"{verb} {url}")
    assert PlainServer(watched, Policy(read_only=True)).say(f"{verb} {url}").startswith("Error: ")
    assert changed(watched) == UNCHANGED
    with pytest.raises(ReadOnly):
        require_reading(asks.navigate(url.replace("file:", "chrome:")))
    with pytest.raises(ReadOnly):
        require_reading(asks.open_in_new_tab(url.replace("file:", "view-source:")))


def test_a_line_that_an_address_is_hidden_in_is_judged_by_all_that_it_may_mean() -> None:
    for line in ("open h javascript:1", "OPEN javascript%3A1", "goto 'x' --y j'avascript:1'"):
        with pytest.raises(ReadOnly):
            require_reading_line(line)


def test_going_is_reading(plain: tuple[Shell, PlainServer, LaneRunner], pages: str) -> None:
    shell, _, _ = plain
    for line in (f"open {pages}/nav.html", f"page open {pages}/table.html", "back", "page back",
                 "forward", "page forward", "reload", "page reload", "cd /"):  # fmt: skip
        assert shell.run(line) == 0, (line, shell.screen.errors)


def test_a_dialog_can_be_seen_and_not_answered_and_its_page_be_left(pages: str) -> None:
    link = Link(BuiltinSource(BrowserOptions(), read_only=True), manners=READ_ONLY)
    shell = Shell(link, Settings(timeout=10.0))
    try:
        shell.run(f"open {pages}/alert_in_head.html")
        assert shell.value("dialog").dialog is not None
        for line in ("dialog accept", "dialog dismiss"):
            assert isinstance(shell.error(line), ReadOnly)
        assert shell.run("tab new") == 0
        assert shell.run(f"open {pages}/form.html") == 0
        with pytest.raises(ReadOnly, match="only reads"):
            _raise(link._result(link._owner.run(_past_the_link, link.note), 10.0))
    finally:
        link.close()


async def _past_the_link(session: Any) -> DomshError | None:
    """Send an action as if the link let it through: the server refuses it, too."""
    reply = await session.call(
        "domshell_execute", {"command": "eval --envelope 1", "group_id": "new"}, 10.0
    )
    error = json.loads(reply.text.rpartition("\n\n")[0])["error"]
    return ReadOnly(error["message"]) if error["code"] == "read_only" else None


def _raise(error: DomshError | None) -> None:
    if error is not None:
        raise error


def test_an_address_that_is_a_download_leaves_no_file(tmp_path: FilePath) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with odd_server() as url:
        ran = domsh(
            "--read-only", "-c", f"open {url}/download", folder=tmp_path,
            environment={"HOME": str(home)},
        )  # fmt: skip
    assert "download" in ran.out + ran.err
    assert not [file for file in tmp_path.rglob("*") if "a.bin" in file.name]


@pytest.mark.parametrize(
    ("option", "line", "code"),
    [
        ("--read-only", "click main_area/load_late_btn", "read_only"),
        ("--read-only", "raw eval 1", "failed"),
        ("--allow-domains=example.com", "open {pages}/alpha.html", "denied"),
    ],
)
def test_domsh_serve_binds_its_clients_over_stdio(
    option: str, line: str, code: str, pages: str
) -> None:
    server = f"{DOMSH[0]} serve {option}"
    lines = f"open {pages}/form.html; {line.format(pages=pages)}"
    ran = domsh("--json", "--server", server, "-c", lines)
    assert ran.objects[-1]["error"]["code"] == code, ran.err
    assert ("error" in ran.objects[0]) == (code == "denied")


@pytest.mark.parametrize("lane", ["shared", "12"])
def test_a_tab_that_is_not_ours_stays_open(lane: str) -> None:
    marked: Callable[[str], str] = lambda text: text.replace("[lane: 7]", f"[lane: {lane}]")  # noqa: E731
    with serving_http(Script(default=marked(GOOD))) as (url, fake):
        link = Link(HttpSource(url, ""), manners=Manners(lane=lane, read_only=True))
        with pytest.raises(ReadOnly):
            link.ask(asks.close_tab(1))
        link.close()
        assert fake.lines() == []


def test_the_servers_that_read_only_say_so_themselves(engine: EngineRunner) -> None:
    lane = LaneRunner(engine)
    try:
        assert '"code":"read_only"' in said(lane, "click --envelope /x")
        assert '"result":{"dialog":null}' in said(lane, "dialog --envelope")
    finally:
        lane.close()
