from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from domsh_repl.builtin import BuiltinSource
from domsh_repl.engine.engine import BrowserOptions, Engine
from domsh_repl.engine.server import make_server
from domsh_repl.engine.tools import EXECUTE
from tests.conftest import EngineRunner

ROOT = Path(__file__).parents[2]
SERVE = [sys.executable, "-m", "domsh_repl.engine.serve"]

Call = Callable[[str], Awaitable[tuple[str, bool]]]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


async def reply_of(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    return await client.call_tool(name, arguments, read_timeout_seconds=60)


@asynccontextmanager
async def calling(client: Client) -> AsyncIterator[Call]:
    """Call lines in one lane of a server."""
    first = await reply_of(client, "domshell_execute", {"command": "pwd", "group_id": "new"})
    lane = re.findall(r"\[lane: (\d+)\]$", first.content[0].text)[0]

    async def call(line: str) -> tuple[str, bool]:
        given = {"command": line, "group_id": lane}
        reply = await reply_of(client, "domshell_execute", given)
        assert len(reply.content) == 1
        return reply.content[0].text, bool(reply.is_error)

    yield call
    await call("group close")


def in_memory(engine: EngineRunner, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """Do something as a client of the engine's server object."""

    async def working() -> Any:
        async with Client(make_server(engine.engine)) as client:
            return await work(client)

    return engine.run(working())


def over_stdio(work: Callable[[Client], Awaitable[Any]], errors: Path) -> Any:
    """Do something as a client of a server process; what it writes to stderr goes to a file."""

    async def working() -> Any:
        parameters = StdioServerParameters(command=SERVE[0], args=SERVE[1:], env=environment())
        with errors.open("w") as log:
            async with asyncio.timeout(120), Client(stdio_client(parameters, errlog=log)) as client:
                return await work(client)

    return asyncio.run(working())


FAILING = (
    "click nosuch_btn",
    "click main_area/signup_form/disabled_thing_btn",
    "js throw new Error('no')",
    "dialog accept",
    "back 9",
    "navigate javascript:1",
    "bogus",
    "",
    "click --envelope --escaped %2Fnosuch",
)
LINES = (
    "navigate PAGES/form.html",
    "pwd",
    "ls",
    "ls -l main_area/signup_form",
    "ls --json main_area",
    "cd main_area/signup_form",
    "pwd",
    "ls",
    "cat email_input",
    "type email_input ada",
    "fill email_input 'Ada Lovelace'",
    "select country_select Japan",
    "check '\"I agree\"'",
    "find --type button",
    "grep -r save /",
    "tree -L 1 /",
    "text /main_area",
    "click increment_btn",
    "js document.getElementById('out').textContent",
    "js ({a: [1, 'x']})",
    "key Tab",
    "cd /",
    "ls --envelope",
    "tabs",
    "reload",
    "refresh",
    *FAILING,
)


def masked(text: str) -> str:
    """Hide what differs between two engines: ids of lanes, tabs, documents and entries."""
    text = re.sub(r"\[lane: \d+\]$", "[lane: N]", text)
    text = re.sub(r'"document":"[0-9A-F]+"', '"document":"X"', text)
    text = re.sub(r'"(tab|entry|lane)":"?\d+"?', r'"\1":N', text)
    text = re.sub(r"~/tabs/\d+", "~/tabs/N", text)
    return re.sub(r"(?m)^ *\d+ (.*\*current)", r"N \1", text)


def test_the_same_lines_give_the_same_on_every_way_to_the_engine(
    engine: EngineRunner, pages: str, tmp_path: Path
) -> None:
    lines = [line.replace("PAGES", pages) for line in LINES]

    async def by_client(client: Client) -> list[tuple[str, bool]]:
        async with calling(client) as call:
            return [await call(line) for line in lines]

    async def directly() -> list[tuple[str, bool]]:
        async with BuiltinSource(BrowserOptions()).client(engine.engine) as client:
            lane = (await client.call(EXECUTE, {"command": "pwd", "group_id": "new"}, 60)).text
            given = {"group_id": lane.rpartition("[lane: ")[2].removesuffix("]")}
            called = [await client.call(EXECUTE, {"command": one, **given}, 60) for one in lines]
            await client.call(EXECUTE, {"command": "group close", **given}, 60)
        return [(reply.text, reply.failed) for reply in called]

    ways = {
        "direct": engine.run(directly()),
        "memory": in_memory(engine, by_client),
        "stdio": over_stdio(by_client, tmp_path / "errors"),
    }
    assert (tmp_path / "errors").read_text() == ""
    for line, direct, memory, stdio in zip(lines, *ways.values(), strict=True):
        expected = (masked(direct[0]), direct[1])
        assert (masked(memory[0]), memory[1]) == expected, line
        assert (masked(stdio[0]), stdio[1]) == expected, line
    failures = [line for line, (_, failed) in zip(lines, ways["direct"], strict=True) if failed]
    assert tuple(failures) == FAILING


def test_about_says_which_server_it_is(engine: EngineRunner) -> None:
    async def asked(client: Client) -> Any:
        return await reply_of(client, "domshell_about", {})

    reply = in_memory(engine, asked)
    facts = json.loads(reply.content[0].text)
    assert facts["engine"] == {"name": "domsh", "envelope": 1}
    assert facts["mcp_server_version"]
    assert "Chrome" in facts["browser"]
    assert not reply.is_error


def test_the_tools_are_listed(engine: EngineRunner) -> None:
    async def asked(client: Client) -> Any:
        return await client.list_tools()

    tools = {tool.name: tool for tool in in_memory(engine, asked).tools}
    assert set(tools) == {"domshell_execute", "domshell_about"}
    assert tools["domshell_execute"].input_schema["required"] == ["command"]


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("domshell_execute", {"command": "ls"}, "group_id"),
        ("domshell_execute", {"command": "ls", "group_id": ""}, "group_id"),
        ("domshell_execute", {"command": "ls", "group_id": "shared"}, "no lane"),
        ("domshell_execute", {"command": "ls", "group_id": "99999"}, "no lane"),
        ("domshell_execute", {"command": "ls", "group_id": 7}, "string"),
        ("domshell_execute", {"command": 7, "group_id": "new"}, "string"),
        ("domshell_execute", {"group_id": "new"}, "string"),
        ("domshell_execute", {}, "string"),
        ("nosuch", {}, "nosuch"),
    ],
)
def test_a_call_that_does_not_fit_is_an_error_and_makes_no_lane(
    engine: EngineRunner, tool: str, arguments: dict[str, Any], named: str
) -> None:
    before = set(engine.engine.vocabulary.browser.lanes)

    async def asked(client: Client) -> Any:
        return await reply_of(client, tool, arguments)

    reply = in_memory(engine, asked)
    assert reply.is_error
    assert named in reply.content[0].text
    assert set(engine.engine.vocabulary.browser.lanes) == before


@pytest.mark.parametrize(
    ("url", "failed"),
    [
        ("PAGES/alpha.html", False),
        ("javascript:1", True),
        ('x" --envelope "', True),
        ("a\nb", True),
    ],
)
def test_a_new_lane_can_begin_at_a_url(
    engine: EngineRunner, pages: str, url: str, failed: bool
) -> None:
    async def asked(client: Client) -> Any:
        given = {
            "command": "ls",
            "group_id": "new",
            "initial_url": url.replace("PAGES", pages),
            "group_name": "mine",
            "window_id": 3,
        }
        reply = await reply_of(client, "domshell_execute", given)
        for lane in re.findall(r"\[lane: (\d+)\]$", reply.content[0].text):
            closing = {"command": "group close", "group_id": lane}
            await reply_of(client, "domshell_execute", closing)
        return reply

    before = set(engine.engine.vocabulary.browser.lanes)
    reply = in_memory(engine, asked)
    assert set(engine.engine.vocabulary.browser.lanes) == before
    assert bool(reply.is_error) == failed
    assert ("[lane: " in reply.content[0].text) != failed, "no lane is left of a failure"
    assert ("alpha_btn" in reply.content[0].text) != failed


def test_two_who_ask_for_new_lanes_at_once_get_two(engine: EngineRunner) -> None:
    async def asked(client: Client) -> list[str]:
        given = {"command": "pwd", "group_id": "new"}
        asking = (reply_of(client, "domshell_execute", given) for _ in range(4))
        replies = await asyncio.gather(*asking)
        lanes = [reply.content[0].text.rpartition("[lane: ")[2][:-1] for reply in replies]
        for lane in lanes:
            closing = {"command": "group close", "group_id": lane}
            await reply_of(client, "domshell_execute", closing)
        return lanes

    assert len(set(in_memory(engine, asked))) == 4


def test_lanes_have_numbers_that_no_other_run_has_given_out(tmp_path: Path) -> None:
    async def asked(client: Client) -> list[str]:
        given = {"command": "group list", "group_id": "new"}
        listed = (await reply_of(client, "domshell_execute", given)).content[0].text
        lanes = re.findall(r"\d+", listed.partition("\n\n")[0])
        assert lanes == re.findall(r"\[lane: (\d+)\]", listed), "the spare one is nobody's yet"
        return lanes

    first, second = (over_stdio(asked, tmp_path / f"errors{run}") for run in range(2))
    assert set(first).isdisjoint(second)


def test_a_defect_is_an_error_reply_and_no_traceback(
    engine: EngineRunner, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    class Broken(Engine):
        async def execute(self, command: str, group_id: str, policy: Any = None) -> Any:
            raise ZeroDivisionError(command + group_id + str(policy))

    async def asked() -> Any:
        async with Client(make_server(Broken(BrowserOptions()))) as client:
            return await reply_of(client, "domshell_execute", {"command": "ls", "group_id": "1"})

    with caplog.at_level(logging.ERROR):
        reply = engine.run(asked())
    assert reply.is_error
    assert "ZeroDivisionError" in reply.content[0].text
    assert "Traceback" not in caplog.text + "".join(capfd.readouterr())


def test_a_cancelled_call_ends_the_script_and_the_session_lives_on(
    engine: EngineRunner, pages: str
) -> None:
    async def asked(client: Client) -> str:
        async with calling(client) as call:
            await call(f"navigate {pages}/alpha.html")
            endless = asyncio.ensure_future(call("js for(;;){}"))
            done, _ = await asyncio.wait([endless], timeout=0.3)
            assert not done
            endless.cancel()
            await asyncio.gather(endless, return_exceptions=True)
            return (await call("ls"))[0]

    assert "alpha_btn" in in_memory(engine, asked)
