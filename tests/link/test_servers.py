"""Servers at an address and in a child: what goes wrong there is told for what it is."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path as FilePath

import psutil
import pytest

from domsh_repl.errors import (
    Denied,
    DomshError,
    LaneFailed,
    Lost,
    NotConnected,
    TimedOut,
    UsageError,
)
from domsh_repl.link import asks
from domsh_repl.link.domshell.refusals import transport_refusal
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.owner import Deadlines
from domsh_repl.link.sources import source_of
from domsh_repl.link.stdio_server import StdioSource, words_of
from domsh_repl.paths import Path
from tests.doubles import linked
from tests.fakeserver import DOMSHELL, GOOD, Script, serving_http, stdio_command
from tests.program import domsh
from tests.real_domshell import VERSION, bridged, npm_package, real_server

ROOT = Path(absolute=True)


def failure_of(link: Link) -> DomshError:
    """Return what asking raises."""
    with pytest.raises(DomshError) as caught:
        link.ask(asks.where())
    assert caught.value.message.isprintable()
    return caught.value


def test_a_server_at_an_address_is_one_session_with_one_lane() -> None:
    with serving_http(Script()) as (url, fake):
        with linked(HttpSource(url, "")) as link:
            for _ in range(5):
                assert link.ask(asks.where()).value is not None
            assert link.lane == "7"
        assert fake.count("initialize") == 1
        assert [call["group_id"] for call in fake.calls()] == ["new", *["7"] * 6]
        assert fake.sessions == set()


def test_the_token_is_a_header_and_a_wrong_one_is_told_as_such() -> None:
    with serving_http(Script(token="secret")) as (url, fake):
        with linked(HttpSource(url, "secret")) as link:
            assert link.ask(asks.where()).value is not None
            assert "secret" not in f"{link.server} {link.progress}"
        for wrong in ("", "other"):
            with linked(HttpSource(url, wrong)) as link:
                error = failure_of(link)
                assert isinstance(error, NotConnected)
                assert "token" in error.message
                assert "DOMSHELL_TOKEN" in error.hint
        assert fake.lines()[-1].startswith("group")


@pytest.mark.parametrize(
    "url",
    [
        "http://u:secret@h/mcp", "http://h/mcp?token=secret", "http://h/mcp?TOKEN=secret",
        "http://h/mcp#token=secret", "http://h/mcp#part", "ftp://h/mcp", "http:///mcp",
        "http://[::1", "http://h:99999/mcp", "http://h:port/mcp", "http://h:0/mcp",
    ],
)  # fmt: skip
def test_an_address_with_a_secret_or_of_another_sort_is_refused(url: str) -> None:
    with pytest.raises(UsageError) as error:
        HttpSource(url, "")
    assert "secret" not in str(error.value)


def test_words_of_a_command_are_those_of_the_system() -> None:
    assert words_of("a 'b c' d", posix=True) == ["a", "b c", "d"]
    windows = '"C:\\Program Files\\nodejs\\node.exe" C:\\x.js "" --name "a b"'
    assert words_of(windows, posix=False) == [
        "C:\\Program Files\\nodejs\\node.exe", "C:\\x.js", "", "--name", "a b",
    ]  # fmt: skip


def test_a_child_gets_the_token_by_its_environment_and_never_shows_it() -> None:
    command = f"{sys.executable} -c " + shlex.quote(
        "import os,sys; sys.stderr.write('connect ' + os.environ['DOMSHELL_TOKEN'])"
    )
    with linked(source_of(command, {"MINE": "geheim"}, token_name="MINE")) as link:
        error = failure_of(link)
    assert "connect …" in error.message
    assert "geheim" not in f"{error.message} {error.hint} {link.progress}"


def test_domshells_own_proxy_has_the_token_though_it_takes_arguments_only(
    tmp_path: FilePath, pages: str
) -> None:
    proxy = npm_package("@apireno/domshell", VERSION) / "bin" / "domshell-proxy.js"
    with (
        real_server(tmp_path, "--allow-write") as server,
        bridged(server, tmp_path / "bridge.log"),
    ):
        command = f"node {shlex.quote(str(proxy))} --port {server.http_port}"
        ran = domsh(
            "--server", command, "-c", f"open {pages}/form.html; pwd",
            environment={"DOMSHELL_TOKEN": server.token},
        )  # fmt: skip
        assert ran.status == 0, ran.err
        assert "form.html" in ran.out
        wrong = domsh("--server", command, "-c", "pwd", environment={"DOMSHELL_TOKEN": "wrong"})
        assert wrong.status == 3
        assert "refuses the token" in wrong.err


def test_the_token_comes_from_the_environment_only() -> None:
    source = source_of("http://h/mcp", {"DOMSHELL_TOKEN": "a", "X": "b"}, token_name="X")
    assert isinstance(source, HttpSource)
    assert source._token == "b"
    with pytest.raises(UsageError, match="no environment variable Y"):
        source_of("http://h/mcp", {}, token_name="Y")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (Script(page="<!DOCTYPE html><h1>It works</h1>"), "no MCP server"),
        (Script(about=None), "too old"),
        (Script(about=None, tools=("add", "subtract")), "no DOMShell server"),
        (Script(about={**DOMSHELL, "mcp_server_version": "2.0.1"}), "2.0.2 or newer"),
        (Script(about={**DOMSHELL, "extension_bridged": False}), "extension is not connected"),
        (Script(about={"hello": 1}), "no DOMShell"),
    ],
)
def test_what_is_at_an_address_is_told_before_anything_is_sent(script: Script, said: str) -> None:
    with serving_http(script) as (url, fake), linked(HttpSource(url, "")) as link:
        error = failure_of(link)
        assert isinstance(error, NotConnected)
        assert said in error.message
        assert fake.calls() == []


def test_where_nothing_listens_that_is_told() -> None:
    with serving_http(Script()) as (url, _):
        pass
    with linked(HttpSource(url, "")) as link:
        error = failure_of(link)
    assert isinstance(error, NotConnected)
    assert "nothing answers" in error.message


def test_a_lane_that_did_not_outlive_the_connection_is_told_and_another_is_made() -> None:
    script = Script()
    with serving_http(script) as (url, fake), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        script.replies["pwd"] = "Error: no lane '7' — pass \"new\" for a fresh lane, or run it."
        assert "the lane 7 and its tabs are lost" in link.reconnect()
        assert link.lane == ""
        script.replies.clear()
        link.ask(asks.where())
        assert [call["group_id"] for call in fake.calls()].count("new") == 2


def test_a_lane_that_died_is_told_and_reconnecting_makes_another_one() -> None:
    script = Script()
    with serving_http(script) as (url, fake), linked(HttpSource(url, "")) as link:
        link.ask(asks.where())
        script.default = "Error: no lane '7' — pass \"new\" for a fresh lane, or run 'group list'."
        with pytest.raises(LaneFailed, match="the lane 7 is gone") as caught:
            link.ask(asks.click(ROOT))
        assert "reconnect" in caught.value.hint
        link.reconnect()
        script.default = GOOD
        assert link.ask(asks.where()).value is not None
        assert [call["group_id"] for call in fake.calls()].count("new") == 2


def test_what_the_server_refuses_in_its_own_words_is_that_error() -> None:
    denied = "Error: Write commands (click/focus/type) are disabled. Start it with --allow-write."
    script = Script(replies={"click": f"{denied}\n\n[lane: 7]"})
    with serving_http(script) as (url, _), linked(HttpSource(url, "")) as link:
        assert isinstance(link.ask(asks.click(ROOT)).error, Denied)


@pytest.mark.parametrize("reply", ["x\n\n[lane: shared]", "x", "x\n\n[lane: abc]", ""])
def test_without_a_numbered_lane_nothing_more_is_sent(reply: str) -> None:
    with serving_http(Script(new=reply)) as (url, fake):
        with linked(HttpSource(url, "")) as link, pytest.raises(LaneFailed):
            link.ask(asks.click(ROOT))
        assert fake.lines() == []


@pytest.mark.parametrize("lane", ["shared", "12"])
def test_another_s_lane_is_taken_as_it_is_and_never_closed(lane: str) -> None:
    with serving_http(Script(default=GOOD.replace("7]", f"{lane}]"))) as (url, fake):
        with linked(HttpSource(url, ""), manners=Manners(lane=lane)) as link:
            link.ask(asks.where())
            assert link.is_risky
        assert [call["group_id"] for call in fake.calls()] == [lane]


@pytest.mark.parametrize("place", ["initialize", "tools/call"])
def test_a_server_that_never_answers_is_given_up(place: str) -> None:
    deadlines = Deadlines(start=1.5, lane=0.5, close=2.0, grace=0.2)
    with serving_http(Script(hangs_at=(place,))) as (url, _):
        link = Link(HttpSource(url, ""), deadlines)
        started = time.monotonic()
        assert isinstance(failure_of(link), NotConnected)
        link.close()
        assert time.monotonic() - started < 6


def test_a_call_that_hangs_times_out_and_the_session_lives_on() -> None:
    with serving_http(Script(hangs_at=("click",))) as (url, fake):
        with linked(HttpSource(url, "")) as link:
            link.ask(asks.where())
            with pytest.raises(TimedOut, match="`click` was done is not known"):
                link.ask(asks.click(ROOT), deadline=0.3)
            assert link.ask(asks.where()).value is not None
        assert fake.count("initialize") == 1


def test_a_child_is_one_session_too_and_gone_in_the_end(tmp_path: FilePath) -> None:
    log = tmp_path / "log"
    with linked(StdioSource(stdio_command(Script(log=str(log))))) as link:
        for _ in range(3):
            assert link.ask(asks.where()).value is not None
        (child,) = [
            one for one in psutil.Process().children() if "fakeserver" in str(one.cmdline())
        ]
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert [message["method"] for message in messages].count("initialize") == 1
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_child_that_dies_in_a_call_is_lost_at_once_with_its_last_words() -> None:
    script = Script(says="boom: \x1b[31mno disk", dies_in=("click",))
    with linked(StdioSource(stdio_command(script))) as link:
        link.ask(asks.where())
        started = time.monotonic()
        with pytest.raises(Lost, match="boom: ") as caught:
            link.ask(asks.click(ROOT), deadline=30)
        assert time.monotonic() - started < 5
        assert caught.value.message.isprintable()
        assert "is not known" in caught.value.message
        link.reconnect()
        assert link.ask(asks.where()).value is not None


def test_what_a_child_says_while_it_starts_is_its_progress() -> None:
    link = Link(StdioSource(stdio_command(Script(says="downloading 3 of 9", start_seconds=2))))
    link.start()
    until = time.monotonic() + 5
    while "3 of 9" not in link.progress and time.monotonic() < until:
        time.sleep(0.02)
    assert "downloading 3 of 9" in link.progress
    link.close()


def test_a_child_gets_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:1")
    command = "sh -c 'echo proxy=$https_proxy path=$PATH >&2; exit 3'"
    with linked(StdioSource(command)) as link:
        message = failure_of(link).message
    assert f"proxy=http://proxy:1 path={os.environ['PATH'][:20]}" in message


def test_a_grandchild_does_not_keep_the_shell_from_ending(tmp_path: FilePath) -> None:
    file = tmp_path / "pid"
    started = time.monotonic()
    with linked(StdioSource(stdio_command(Script(grandchild=str(file))))) as link:
        link.ask(asks.where())
    assert time.monotonic() - started < 10
    number = int(file.read_text())
    try:
        assert not psutil.pid_exists(number) or psutil.Process(number).status() == "zombie"
    finally:
        if psutil.pid_exists(number):
            psutil.Process(number).kill()


@pytest.mark.parametrize("command", ["", "   ", "'unclosed"])
def test_a_command_that_is_none_is_a_usage_error(command: str) -> None:
    with pytest.raises(UsageError):
        StdioSource(command)


def test_a_server_on_a_node_that_is_too_old_is_told_as_such() -> None:
    body = '{"error":{"code":-32700,"data":"ReferenceError: crypto is not defined"},"id":null}'
    error = transport_refusal(400, body).error
    assert isinstance(error, NotConnected)
    assert "Node.js 20" in error.message
