"""What is said of servers that misbehave: the right row fails, in time, and no lane is left."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import psutil
import pytest

from domsh_repl.checks import Check, Result
from domsh_repl.doctor.chain import Chain, run_chain
from domsh_repl.doctor.server import NAMES, ServerCheck
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.stdio_server import StdioSource
from tests.fakeserver import DOMSHELL, GOOD, Script, serving_http, stdio_command
from tests.program import gone

ADVICE = "look at it"
OK, FAIL, NOT = Result.OK, Result.FAIL, Result.NOT_APPLICABLE
UNLOOKED = "not looked at: it needs {}"


def checked(
    source: ServerSource, *, has_token: bool = True, asked: bool = True, seconds: float = 20
) -> dict[str, Check]:
    """Return the checks of a server by their names."""
    check = ServerCheck(source, has_token, asked, ADVICE)
    chain = Chain(*NAMES)
    checks = asyncio.run(run_chain(chain, lambda it: check.run(it, seconds), seconds))
    assert tuple(one.name for one in checks) == NAMES
    assert all(one.found.isprintable() and one.hint.isprintable() for one in checks)
    return {one.name: one for one in checks}


def checked_over_http(script: Script, *, token: str = "t", seconds: float = 20) -> dict[str, Check]:
    """Return the checks of a fake server that runs."""
    with serving_http(script) as (url, _):
        return checked(HttpSource(url, token), has_token=bool(token), seconds=seconds)


def results(checks: dict[str, Check]) -> list[Result]:
    """Return the results in their order."""
    return [check.result for check in checks.values()]


def test_a_domshell_that_works_is_told_with_its_versions_and_keeps_no_lane() -> None:
    with serving_http(Script(about=DOMSHELL, token="t")) as (url, fake):
        checks = checked(HttpSource(url, "t"))
        assert results(checks) == [OK, OK, OK, OK]
        assert checks["server"].found == f"DOMShell 2.0.10, {url}"
        assert checks["extension"].found == "connected, version 1.3.0"
        assert checks["lane"].found == "7 was made and closed"
        assert [(call["command"], call["group_id"]) for call in fake.calls()] == [
            ("pwd", "new"), ("group close", "7"),
        ]  # fmt: skip
        assert fake.count("initialize") == 1
        assert fake.sessions == set()


def test_a_server_of_ours_has_no_extension_and_a_command_no_token() -> None:
    source = StdioSource(stdio_command(Script()))
    checks = checked(source)
    assert results(checks) == [OK, NOT, NOT, OK]
    assert checks["server"].found == f"domsh 0.1.0, {source.name}"


def test_a_server_without_a_lock_says_so() -> None:
    assert checked_over_http(Script(), token="")["token"].found == "none is needed"


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_token_that_is_refused_fails_with_the_reason(token: str) -> None:
    checks = checked_over_http(Script(about=DOMSHELL, token="right"), token=token)
    assert results(checks) == [OK, FAIL, NOT, NOT]
    assert ("refuses the token" if token else "wants a token") in checks["token"].found
    assert "DOMSHELL_TOKEN" in checks["token"].hint
    assert checks["lane"].found == UNLOOKED.format("token")


def test_nothing_fails_at_a_server_that_nobody_asked_for_and_has_no_token_for() -> None:
    with serving_http(Script(about=DOMSHELL, token="right")) as (url, _):
        checks = checked(HttpSource(url, ""), has_token=False, asked=False)
        assert results(checks) == [OK, NOT, NOT, NOT]
        checks = checked(HttpSource(url, "wrong"), asked=False)
        assert results(checks) == [OK, FAIL, NOT, NOT]


def test_something_else_at_the_port_fails_only_where_it_was_asked_for() -> None:
    with serving_http(Script(page="<!DOCTYPE html><title>x</title>")) as (url, _):
        asked = checked(HttpSource(url, ""))
        assert results(asked) == [FAIL, NOT, NOT, NOT]
        assert "is no MCP server" in asked["server"].found
        assert results(checked(HttpSource(url, ""), asked=False)) == [NOT, NOT, NOT, NOT]


def test_an_extension_that_is_not_connected_fails_and_says_what_to_type() -> None:
    checks = checked_over_http(Script(about={**DOMSHELL, "extension_bridged": False}))
    assert results(checks) == [OK, OK, FAIL, NOT]
    assert "type `connect`" in checks["extension"].hint


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (Script(about={"mcp_server_version": "2.0.1"}), "2.0.2 or newer"),
        (Script(about=None, tools=("domshell_execute",)), "too old"),
        (Script(about=None, tools=("weather",)), "its tools: weather"),
        (Script(about={"name": "\x1b]52;c;ZXZpbA==\x07"}), "it is no DOMShell"),
    ],
)
def test_what_is_no_domshell_of_use_is_told(script: Script, said: str) -> None:
    checks = checked_over_http(script)
    assert results(checks) == [FAIL, NOT, NOT, NOT]
    assert said in checks["server"].found


def test_an_extension_cannot_write_on_the_terminal() -> None:
    checks = checked_over_http(Script(about={**DOMSHELL, "extension_version": "1\x1b[2J\u202e"}))
    assert checks["extension"].found == "connected, version 1\\u001b[2J\\u202e"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (Script(new="http://h/\n\n[lane: shared]"), "gave no lane"),
        (Script(new="http://h/"), "gave no lane"),
        (Script(replies={"group": "Error: nothing to close\n\n[lane: 7]"}), "not closed"),
        (Script(hangs_at=("pwd",)), "no lane in time"),
        (Script(hangs_at=("group",)), "not closed"),
    ],
)
def test_a_lane_that_is_not_made_or_not_closed_fails(script: Script, said: str) -> None:
    checks = checked_over_http(script)
    assert results(checks) == [OK, OK, NOT, FAIL]
    assert said in checks["lane"].found


@pytest.mark.parametrize("place", ["initialize", "tools/call"])
@pytest.mark.parametrize("over_http", [True, False])
def test_a_server_that_hangs_fails_in_time(place: str, *, over_http: bool) -> None:
    """Where it lists its tools all the same, every other indicator says that it is well."""
    script = Script(about=DOMSHELL, hangs_at=(place,))
    seconds = 6 if place == "tools/call" else 3
    began = time.monotonic()
    if over_http:
        checks = checked_over_http(script, seconds=seconds)
    else:
        checks = checked(StdioSource(stdio_command(script)), seconds=seconds)
    assert time.monotonic() - began < 20
    assert results(checks) == [FAIL, NOT, NOT, NOT]
    said = "answers no call" if place == "tools/call" else "did not start within 2.5 s"
    assert said in checks["server"].found
    assert "reconnect" not in checks["server"].hint


@pytest.mark.parametrize("command", ["sleep 600", "cat", "false", "nosuchprogram"])
def test_a_command_that_is_no_server_fails_with_advice(command: str) -> None:
    checks = checked(StdioSource(command), seconds=3)
    assert results(checks) == [FAIL, NOT, NOT, NOT]
    assert checks["server"].hint in (ADVICE, "is it on the PATH?")
    ours = psutil.Process().children(recursive=True)
    assert gone([one for one in ours if "600" in one.cmdline()])


def test_a_server_that_dies_in_a_call_is_told_with_its_last_words() -> None:
    script = Script(about=DOMSHELL, says="out of paper", dies_in=("domshell_about",))
    checks = checked(StdioSource(stdio_command(script)))
    assert results(checks) == [FAIL, NOT, NOT, NOT]
    assert "the server is gone: out of paper" in checks["server"].found
    script = Script(about=DOMSHELL, dies_in=("group",))
    checks = checked(StdioSource(stdio_command(script)))
    assert results(checks) == [OK, NOT, OK, FAIL]
    assert "7 was made, and not closed" in checks["lane"].found


def test_a_command_leaves_no_grandchild(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    script = Script(about=DOMSHELL, grandchild=str(told), hangs_at=("tools/call",))
    checked(StdioSource(stdio_command(script)), seconds=6)
    number = int(told.read_text())
    assert not psutil.pid_exists(number) or gone([psutil.Process(number)])


def test_junk_on_the_output_of_a_command_is_passed_over() -> None:
    script = Script(about=DOMSHELL, junk="npm notice new version", bad_bytes=True)
    assert results(checked(StdioSource(stdio_command(script)))) == [OK, NOT, OK, OK]


def test_a_reply_is_no_lane_because_it_speaks_of_one() -> None:
    text = json.dumps({"page": None}) + "\n\n[lane: 9]\nand more"
    assert text != GOOD
    checks = checked_over_http(Script(new=text))
    assert "gave no lane" in checks["lane"].found
