from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
import uvicorn
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from domsh_repl.door_options import parse_door_options
from domsh_repl.engine.bridge import Place
from domsh_repl.engine.keeper import Keeper
from domsh_repl.engine.policy import FREE
from domsh_repl.engine.serve_http import HttpPlace, serve_http
from domsh_repl.errors import NotConnected, UsageError
from tests.conftest import EngineRunner
from tests.program import DOMSH, domsh, gone
from tests.real_domshell import Caller, as_client, npm_package, wait_for

CLIENT = Path(__file__).with_name("sdk_client.mjs")
SDK = ("@modelcontextprotocol/sdk", "1.32.2")
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip


@dataclass(slots=True)
class Served:
    """A running ``domsh serve --http``."""

    process: subprocess.Popen[bytes]
    url: str
    token: str
    log: Path


@contextmanager
def serving_http(log: Path, *options: str, **environment: str) -> Iterator[Served]:
    """Run ``domsh serve --http`` on a free port until the end of the context."""
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*DOMSH, "serve", "--http", "127.0.0.1:0", *options],
            stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
            env={**os.environ, "DOMSHELL_TOKEN": "", **environment},
        )  # fmt: skip
    try:
        wait_for(log, "serving MCP", process)
        if "DOMSHELL_TOKEN" not in environment and "T" not in environment:
            wait_for(log, "the token is", process)
        said = log.read_text()
        url = re.findall(r"http://\S+", said)[0]
        token = (re.findall(r"the token is (\S+)", said) or [""])[0]
        yield Served(process, url, token, log)
    finally:
        process.kill()
        process.wait(60)


@pytest.fixture(scope="module")
def served_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run one server with a token of its own making."""
    with serving_http(tmp_path_factory.mktemp("serve") / "log") as served:
        yield served


def tour(page: str) -> Any:
    """Return what a client does: a lane, a page, a reading, an action."""

    async def work(call: Caller) -> None:
        about = json.loads(await call.about())
        assert about["engine"] == {"name": "domsh", "envelope": 1}
        lane = await call.lane(page)
        assert "main_area/" in await call("ls", lane)
        assert "✓" in await call("click main_area/load_late_btn", lane)
        await call("group close", lane)

    return work


def test_pythons_client_works(served_http: Served, pages: str) -> None:
    as_client(served_http.url, served_http.token, tour(f"{pages}/form.html"))


def test_the_tool_teaches_its_words(served_http: Served) -> None:
    async def work(call: Caller) -> str:
        tools = {tool.name: tool for tool in (await call.client.list_tools()).tools}
        assert set(tools) == {"domshell_execute", "domshell_about"}
        return str(tools["domshell_execute"].description)

    described = as_client(served_http.url, served_http.token, work)
    for word in ("navigate", "ls", "cd", "click", "group_id", '"new"'):
        assert word in described


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS", "PUT"])
@pytest.mark.parametrize("path", ["/mcp", "/", "/nosuch"])
def test_without_the_token_nothing_is_answered(served_http: Served, method: str, path: str) -> None:
    where = served_http.url.replace("/mcp", path)
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        reply = httpx2.request(method, where, headers={**headers, **ACCEPT}, json=INITIALIZE)
        assert reply.status_code == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert "serverInfo" not in reply.text
    token = httpx2.request(
        method, f"{where}?token={served_http.token}", headers=ACCEPT, json=INITIALIZE
    )
    assert token.status_code == 401


ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    "foreign",
    [{"Host": "evil.org"}, {"Origin": "http://evil.org"}, {"Origin": "null"}],
)
def test_a_foreign_host_or_origin_is_refused_before_anything(
    served_http: Served, foreign: dict[str, str]
) -> None:
    headers = {"Authorization": f"Bearer {served_http.token}", **ACCEPT, **foreign}
    reply = httpx2.post(served_http.url, headers=headers, json=INITIALIZE)
    assert reply.status_code == 403
    good = {**headers, **dict.fromkeys(foreign, served_http.url.removesuffix("/mcp"))}
    good["Host"] = served_http.url.split("/")[2]
    assert httpx2.post(served_http.url, headers=good, json=INITIALIZE).status_code == 200


def test_the_token_of_the_environment_is_taken_and_not_printed(tmp_path: Path) -> None:
    with serving_http(tmp_path / "log", "--token-env", "T", T="s3cret") as served:
        as_client(served.url, "s3cret", Caller.about)
        assert "s3cret" not in served.log.read_text()
        assert "token" not in served.log.read_text()


def test_a_server_that_only_reads_says_so_and_refuses_to_act(tmp_path: Path, pages: str) -> None:
    async def work(call: Caller) -> None:
        described = (await call.client.list_tools()).tools[0].description
        assert "only reads" in str(described)
        lane = await call.lane(f"{pages}/form.html")
        assert "main_area/" in await call("ls", lane)
        for line in ("click main_area/load_late_btn", "eval 1", "fill x y", "dialog accept"):
            assert "only reads" in await call(line, lane)
        enveloped = await call("click --envelope --escaped /main_area/load_late_btn", lane)
        assert json.loads(enveloped.rpartition("\n\n")[0])["error"]["code"] == "read_only"

    with serving_http(tmp_path / "log", "--read-only") as served:
        as_client(served.url, served.token, work)


def test_only_allowed_domains_are_opened_and_acted_on(tmp_path: Path, pages: str) -> None:
    other = pages.replace("127.0.0.1", "localhost")

    async def work(call: Caller) -> None:
        lane = await call.lane(f"{pages}/form.html")
        assert "allowed list" in await call(f"navigate {other}/form.html", lane)
        await call(f"eval location.href='{other}/alpha.html'; await new Promise(()=>0)", lane)
        assert "allowed list" in await call("click alpha", lane)
        assert "✓" in await call("back", lane)
        assert "main_area/" in await call("ls", lane)

    with serving_http(tmp_path / "log", "--allow-domains", "127.0.0.1") as served:
        as_client(served.url, served.token, work)


def test_the_token_is_in_no_repr() -> None:
    assert "s3cret" not in repr(HttpPlace("127.0.0.1", 1, "s3cret"))
    assert "s3cret" not in repr(Place(1, "s3cret"))


def test_a_client_that_connects_anew_finds_its_lane(served_http: Served, pages: str) -> None:
    lane = as_client(
        served_http.url, served_http.token, lambda call: call.lane(f"{pages}/form.html")
    )
    listed = as_client(served_http.url, served_http.token, lambda call: call("ls", lane))
    assert "main_area/" in listed


def test_the_lanes_of_a_session_end_with_it(engine: EngineRunner, pages: str) -> None:
    async def work() -> None:
        browser = engine.engine.vocabulary.browser
        urls: asyncio.Queue[str] = asyncio.Queue()
        keeper = Keeper(browser, grace=0.05)
        place = HttpPlace("127.0.0.1", 0, "t")
        serving = asyncio.create_task(
            serve_http(engine.engine, place, FREE, urls.put_nowait, keeper)
        )
        headers = {"Authorization": "Bearer t"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(
                streamable_http_client(await urls.get(), http_client=http), mode="legacy"
            ) as client,
        ):
            lane = int(await Caller(client).lane(f"{pages}/form.html"))
            await keeper.close_left()
            assert lane in browser.lanes
        # by the server's own keeper, until the deadline of the whole
        while lane in browser.lanes:  # noqa: ASYNC110  (nothing tells of it)
            await asyncio.sleep(0.02)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    engine.run(work())


@pytest.mark.parametrize("where", ["startup", "serve"])
def test_a_server_that_fails_says_so_and_does_not_say_that_it_serves(
    engine: EngineRunner, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    async def broken(*_given: object, **_more: object) -> None:
        raise ZeroDivisionError(where)

    monkeypatch.setattr(uvicorn.Server, where, broken)
    told: list[str] = []
    work = serve_http(engine.engine, HttpPlace("127.0.0.1", 0, "t"), FREE, told.append)
    with pytest.raises(NotConnected, match="ZeroDivisionError"):
        engine.run(work)
    assert told == []


def test_other_machines_are_let_in_only_when_that_is_said() -> None:
    for host in ("0.0.0.0:0", "[::]:0", "example.com:0"):
        run = domsh("serve", "--http", host)
        assert run.status == 2
        assert "--allow-remote" in run.err


@pytest.mark.parametrize("port", ["65536", "0000019999999999", "9" * 5000, "²", "-1"])
def test_what_is_no_port_is_a_usage_error(port: str) -> None:
    with pytest.raises(UsageError, match="is no port"):
        parse_door_options("serve", ["--http", f"127.0.0.1:{port}"])


def test_a_port_that_is_taken_is_one_sentence(served_http: Served) -> None:
    run = domsh("serve", "--http", served_http.url.split("/")[2])
    assert run.status == 3
    assert "cannot listen" in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_browser_in_silence(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving_http(tmp_path / "log") as served:
        as_client(served.url, served.token, Caller.lane)
        browser = psutil.Process(served.process.pid).children(recursive=True)
        assert browser
        before = served.log.read_text()
        served.process.send_signal(number)
        assert served.process.wait(20) == 0
        assert served.log.read_text() == before
    assert gone(browser)


@pytest.fixture(scope="module")
def sdk() -> Path:
    """Give the folder of the TypeScript SDK."""
    return npm_package(*SDK)


def run_sdk(sdk: Path, page: str, *where: str, token: str = "") -> dict[str, Any]:
    """Run the script that is a client of the SDK and return what it saw."""
    done = subprocess.run(
        ["node", CLIENT, page, *where],
        capture_output=True, timeout=120, check=False,
        env={**os.environ, "SDK": str(sdk), "TOKEN": token},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def test_the_typescript_client_works_over_http(sdk: Path, served_http: Served, pages: str) -> None:
    seen = run_sdk(sdk, f"{pages}/form.html", served_http.url, token=served_http.token)
    assert seen["tools"] == ["domshell_execute", "domshell_about"]
    assert "main_area/" in seen["listed"]


def test_the_typescript_client_works_over_stdio(sdk: Path, pages: str) -> None:
    seen = run_sdk(sdk, f"{pages}/form.html", *DOMSH, "serve", "--stdio")
    assert seen["tools"] == ["domshell_execute", "domshell_about"]
    assert "main_area/" in seen["listed"]


def test_the_typescript_client_is_refused_without_the_token(
    sdk: Path, served_http: Served, pages: str
) -> None:
    done = subprocess.run(
        ["node", CLIENT, pages, served_http.url],
        capture_output=True, timeout=120, check=False,
        env={**os.environ, "SDK": str(sdk), "TOKEN": "wrong"},
    )  # fmt: skip
    assert done.returncode == 1
    assert b"Unauthorized" in done.stderr
