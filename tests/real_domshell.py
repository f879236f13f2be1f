"""The real DOMShell server of npm, started on free ports, and ``domsh bridge`` behind it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from domsh_repl.link.node import environment_of
from tests.program import DOMSH, ROOT

T = TypeVar("T")
VERSION = "2.0.10"
PACKAGES = ROOT / ".venv" / "npm"
STARTED = 60.0
"""Seconds after which a start is a hang."""


def npm_package(name: str, version: str) -> Path:
    """Install a package of npm beside the virtual environment; skip where npm cannot be had."""
    folder = PACKAGES / "node_modules" / name
    npm = shutil.which("npm")
    if npm is None and not (folder / "package.json").is_file():
        pytest.skip("npm is not installed")
    PACKAGES.mkdir(parents=True, exist_ok=True)
    with (PACKAGES / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # several processes run the tests; one installs
        if not (folder / "package.json").is_file():
            _install_package(str(npm), name, version)
    return folder


def _install_package(npm: str, name: str, version: str) -> None:
    done = subprocess.run(
        [npm, "install", "--no-fund", "--no-audit", "--prefix", PACKAGES, f"{name}@{version}"],
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"npm cannot install {name}: {done.stderr.decode()[-300:]}")


def free_port() -> int:
    """Return a port that nobody listens at now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass(slots=True)
class RealServer:
    """A running server: its ports and token, and where it writes what it says."""

    process: subprocess.Popen[bytes]
    socket_port: int
    http_port: int
    token: str
    log: Path

    @property
    def url(self) -> str:
        """Where its MCP clients connect."""
        return f"http://127.0.0.1:{self.http_port}/mcp"

    def environment(self) -> dict[str, str]:
        """Return the environment of a process that is to know the token."""
        return {**os.environ, "DOMSHELL_TOKEN": self.token}


@contextmanager
def real_server(
    folder: Path, *options: str, token: str = "", ports: tuple[int, int] | None = None
) -> Iterator[RealServer]:
    """Run the npm server; its audit log goes to the folder."""
    package = npm_package("@apireno/domshell", VERSION)
    socket_port, http_port = ports or (free_port(), free_port())
    token = token or secrets.token_hex(16)
    log = folder / "server.log"
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [
                "node", package / "bin" / "domshell.js", "--port", str(socket_port),
                "--mcp-port", str(http_port), "--log-file", folder / "audit.log", *options,
            ],
            stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, cwd=folder,
            env=environment_of(os.environ, token),  # as domsh starts it: Debian's Node.js is 18
        )  # fmt: skip
    server = RealServer(process, socket_port, http_port, token, log)
    try:
        wait_for(log, "Audit log:", process)
        yield server
    finally:
        process.kill()
        process.wait(STARTED)


@contextmanager
def bridged(server: RealServer, log: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``domsh bridge`` at a server until the end of the context."""
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*DOMSH, "bridge", "--port", str(server.socket_port), *options],
            stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, env=server.environment(),
        )  # fmt: skip
    try:
        wait_for(log, "connected to DOMShell", process)
        yield process
    finally:
        process.kill()
        process.wait(STARTED)


def wait_for(log: Path, words: str, process: subprocess.Popen[bytes], times: int = 1) -> None:
    """Wait until a process has written something so many times."""
    until = time.monotonic() + STARTED
    while log.read_text(errors="replace").count(words) < times:
        said = log.read_text(errors="replace")
        assert process.poll() is None, said
        assert time.monotonic() < until, f"{words!r} is not in:\n{said}"
        time.sleep(0.02)


class Caller:
    """An MCP client of a server over HTTP, called from plain functions."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def about(self) -> str:
        """Return what the server says of itself."""
        reply = await self.client.call_tool("domshell_about", {})
        return str(getattr(reply.content[0], "text", ""))

    async def __call__(self, command: str, group_id: str | None = "new", **more: object) -> str:
        """Return the reply to a command."""
        named = {} if group_id is None else {"group_id": group_id}
        given = {"command": command, **named, **more}
        reply = await self.client.call_tool("domshell_execute", given, read_timeout_seconds=60)
        return str(getattr(reply.content[0], "text", ""))

    async def lane(self, url: str = "") -> str:
        """Return the number of a new lane that shows a page."""
        first = {"initial_url": url} if url else {}
        return lane_of(await self("pwd", "new", **first))


def lane_of(reply: str) -> str:
    """Return the lane that the marker at the end of a reply names."""
    found = re.search(r"\n\n\[lane: (\d+|shared)\]\Z", reply)
    assert found is not None, reply
    return found.group(1)


def as_client(url: str, token: str, work: Callable[[Caller], Awaitable[T]]) -> T:
    """Do something as an MCP client with a token."""

    async def working() -> T:
        headers = {"Authorization": f"Bearer {token}"}
        timeout = httpx2.Timeout(30, read=120)
        async with (
            asyncio.timeout(120),
            httpx2.AsyncClient(headers=headers, timeout=timeout) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await work(Caller(client))

    return asyncio.run(working())
