"""``--server domshell``: the DOMShell server of this machine, attached to or started.

One that runs on its own port is used as it is. Where there is none, npm's is started on free
ports with a token made for it, which the child gets by its environment, and stopped in the end
with all that it started. The browser's extension has to be told where it is: that is shown.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from domsh_repl.errors import DomshError, NotConnected
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.node import environment_of
from domsh_repl.link.servers import Remarks, ServerSource
from domsh_repl.link.stdio_server import LastWords, end_group, program_of

__all__ = ["DEFAULT_PORT", "PACKAGE", "NpmSource", "answers"]

DEFAULT_PORT = 3001
_BRIDGE_PORT = 9876
PACKAGE = "@apireno/domshell"
_START_SECONDS = 180.0
_EXTENSION_SECONDS = 120.0
_THEIR_TOKEN = "the token of that server"  # noqa: S105  (words)
_OUR_TOKEN = "the one in your environment"  # noqa: S105  (words)
_LOOK_EVERY = 0.2
_ANSWER_SECONDS = 3.0
_END_SECONDS = 3.0


class NpmSource(ServerSource):
    """DOMShell's npm server; ``token`` is that of a server that runs already."""

    mode = "legacy"
    is_told = True
    start_seconds = _START_SECONDS + _EXTENSION_SECONDS
    extension_seconds = _EXTENSION_SECONDS
    name = "domshell"

    def __init__(self, token: str, *, read_only: bool, port: int = DEFAULT_PORT) -> None:
        self._given_token = token
        self._read_only = read_only
        self._default_port = port
        self._http: HttpSource | None = None
        self._said = LastWords()
        self._remarks = Remarks()
        self._connect = ""
        self._doing = "looking for a DOMShell server"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Attach to the server that runs, or start one."""
        if await _in_thread(answers, self._default_port):
            if not await _in_thread(_speaks_http, self._default_port):
                raise NotConnected(
                    f"another program has port {self._default_port}, where DOMShell's server"
                    " would be",
                    "stop that one, or name the right port with DOMSHELL_PORT",
                )
            self._connect = f"connect TOKEN ({_THEIR_TOKEN})"
            async with self._attached(self._default_port, self._given_token) as target:
                yield target
            return
        token = self._given_token or secrets.token_urlsafe(24)
        port = _free_port()
        bridge = _BRIDGE_PORT if not await _in_thread(answers, _BRIDGE_PORT) else _free_port()
        away = "" if bridge == _BRIDGE_PORT else f" (the extension has to use port {bridge})"
        shown = f"TOKEN ({_OUR_TOKEN})" if self._given_token else token
        self._connect = f"connect {shown}{away}"
        with self._running(port, bridge, token) as child:
            await self._listening(child, port)
            async with self._attached(port, token) as target:
                yield target

    def explained(self, error: BaseException, *, started: bool) -> DomshError | None:
        """Let the HTTP side explain."""
        return None if self._http is None else self._http.explained(error, started=started)

    def progress(self) -> str:
        """Tell what is waited for."""
        said = self._said.last()
        return f"{self._doing} ({said[:60]})" if said and self._http is None else self._doing

    def remarks(self) -> list[str]:
        """Return what the user has to do."""
        return self._remarks.taken()

    def ask_for_extension(self) -> None:
        """Tell what to type into the side panel."""
        self._doing = "waiting for DOMShell's extension"
        self._remarks.add(
            f"waiting {_EXTENSION_SECONDS:g} s for the browser:"
            f" open DOMShell's side panel and type: {self._connect}"
        )

    @asynccontextmanager
    async def _attached(self, port: int, token: str) -> AsyncIterator[Any]:
        self._http = HttpSource(f"http://127.0.0.1:{port}/mcp", token)
        self._doing = self._http.progress()
        async with self._http.opened() as target:
            yield target

    @contextmanager
    def _running(self, port: int, bridge: int, token: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run npm's server, in a process group of its own that is ended as a whole."""
        self._doing = f"starting {PACKAGE}; the first time npx downloads it"
        npx = program_of("npx")
        with tempfile.TemporaryDirectory(prefix="domsh-") as folder:
            self._said = LastWords(secret=token)
            with self._said.listening() as stream:
                command = [
                    npx, "-y", "-p", PACKAGE, "domshell", "--port", str(bridge), "--mcp-port",
                    str(port), "--log-file", str(Path(folder) / "audit.log"),
                    *([] if self._read_only else ["--allow-write"]),
                    *([] if bridge == _BRIDGE_PORT else ["--allow-duplicate"]),
                ]  # fmt: skip
                child = subprocess.Popen(  # noqa: S603  (npm's own program)
                    _tied_to_us(command, folder),
                    stdin=subprocess.PIPE,  # nothing is written: it ends when we do
                    stdout=stream,
                    stderr=stream,
                    env=environment_of(os.environ, token),
                    start_new_session=True,
                )
                try:
                    yield child
                finally:
                    _end(child)
                    if child.stdin is not None:
                        child.stdin.close()

    async def _listening(self, child: subprocess.Popen[bytes], port: int) -> None:
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until:
            if await _in_thread(answers, port):
                return
            if child.poll() is not None:
                raise NotConnected(
                    f"{PACKAGE} ended with status {child.returncode}: {self._said.end()}",
                    "is npm's registry reachable, and Node new enough?",
                )
            await _sleep(_LOOK_EVERY)
        raise NotConnected(f"{PACKAGE} did not listen within {_START_SECONDS:g} s")


_TIED = 'exec 3<&0; (read -r _ <&3; rm -rf "$1"; kill -TERM 0) & shift; exec "$@" </dev/null 3<&-'
"""A shell's way to end a process group, and to remove a folder, when a pipe does."""


def _tied_to_us(command: list[str], folder: str) -> list[str]:
    """Return the command so that a group of its own ends with us, however we are killed."""
    if os.name != "posix":
        return command
    return ["/bin/sh", "-c", _TIED, "sh", folder, *command]


def answers(port: int) -> bool:
    """Tell whether anything listens at a port of this machine."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


def _speaks_http(port: int) -> bool:
    """Tell whether an HTTP server is there; one that says nothing would be waited for in vain."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0) as connection:
        connection.settimeout(_ANSWER_SECONDS)
        connection.sendall(b"GET /mcp HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        return connection.recv(5).startswith(b"HTTP")
    return False


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and what it started: gently, then for certain."""
    if sys.platform == "win32":
        killer = ["taskkill", "/T", "/F", "/PID", str(child.pid)]
        subprocess.run(  # noqa: S603  (Windows's own program)
            killer, capture_output=True, check=False, timeout=_END_SECONDS
        )
        return
    end_group(child.pid)
    with suppress(subprocess.TimeoutExpired):
        child.wait(_END_SECONDS)


async def _in_thread(work: Any, *arguments: Any) -> Any:
    import anyio.to_thread  # noqa: PLC0415  (it imports asyncio)

    return await anyio.to_thread.run_sync(work, *arguments)


async def _sleep(seconds: float) -> None:
    import anyio  # noqa: PLC0415  (it imports asyncio)

    await anyio.sleep(seconds)
