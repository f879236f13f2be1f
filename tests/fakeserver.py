"""An MCP server that says and does what its script says, over stdio or HTTP; no SDK inside.

What it was sent is kept: in ``received``, and as JSON lines in the script's ``log``. As a
program it takes the script as JSON in its one argument.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OURS = {"mcp_server_version": "0.1.0", "engine": {"name": "domsh", "envelope": 1}}
DOMSHELL = {
    "mcp_server_version": "2.0.10", "extension_bridged": True, "extension_version": "1.3.0",
}  # fmt: skip
PAGE = {"url": "http://h/", "title": "T", "tab": 1, "document": "D", "entry": 1}
WHERE = {
    "url": "http://h/", "title": "T", "path": "/", "tab": 1, "lane": "7", "loading": False,
    "http": 200,
}  # fmt: skip
GOOD = json.dumps({"page": PAGE, "result": WHERE}) + "\n\n[lane: 7]"
_LONG = 60.0


@dataclass
class Script:
    """What the server does.

    ``replies`` are texts by the first word of a line, ``about`` that of ``domshell_about``
    (None: there is no such tool). It hangs at, or dies in, what has one of these words: a method,
    a tool or the first word of a line.
    """

    about: dict[str, Any] | None = field(default_factory=lambda: dict(OURS))
    replies: dict[str, str] = field(default_factory=dict)
    default: str = GOOD
    new: str | None = None
    tools: tuple[str, ...] = ("domshell_execute", "domshell_about")
    hangs_at: tuple[str, ...] = ()
    dies_in: tuple[str, ...] = ()
    junk: str = ""
    bad_bytes: bool = False
    says: str = ""
    start_seconds: float = 0.0
    grandchild: str = ""
    token: str = ""
    page: str = ""
    log: str = ""


class FakeServer:
    """One server; ``forget`` makes it lose its sessions, as a restart does."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[dict[str, Any]] = []
        self.released = threading.Event()
        self.sessions: set[str] = set()

    def count(self, method: str) -> int:
        """Return how often a method was called."""
        return sum(message.get("method") == method for message in self.received)

    def calls(self) -> list[dict[str, Any]]:
        """Return the arguments of the lines that were sent."""
        called = [m["params"] for m in self.received if m.get("method") == "tools/call"]
        return [one["arguments"] for one in called if one["name"] == "domshell_execute"]

    def lines(self) -> list[str]:
        """Return the lines that were sent in a lane."""
        return [call["command"] for call in self.calls() if call["group_id"] != "new"]

    def forget(self) -> None:
        """Lose all sessions."""
        self.sessions.clear()

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Return the response to a message; None for a notification."""
        self.received.append(message)
        if self.script.log:
            with open(self.script.log, "a", encoding="utf-8") as log:  # noqa: PTH123
                log.write(f"{json.dumps(message)}\n")
        method, number = str(message.get("method")), message.get("id")
        words = {method, *self._words(message.get("params") or {})}
        if words.intersection(self.script.dies_in):
            os._exit(1)
        if words.intersection(self.script.hangs_at):
            self.released.wait(_LONG)
        if number is None:
            return None
        return {"jsonrpc": "2.0", "id": number, **self._outcome(method, message)}

    @staticmethod
    def _words(params: dict[str, Any]) -> list[str]:
        command = str((params.get("arguments") or {}).get("command", ""))
        return [str(params.get("name", "")), *command.split()[:1]]

    def _outcome(self, method: str, message: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            return {"result": {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }}  # fmt: skip
        if method == "tools/list":
            schema = {"type": "object"}
            return {"result": {"tools": [
                {"name": name, "inputSchema": schema} for name in self.script.tools
            ]}}  # fmt: skip
        if method == "tools/call":
            return self._called(message["params"])
        return {"error": {"code": -32601, "message": f"Method not found: {method}"}}

    def _called(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params["name"]
        if name not in self.script.tools or (name == "domshell_about" and not self.script.about):
            text = f"MCP error -32602: Tool {name} not found"
            return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
        text = json.dumps(self.script.about) if name == "domshell_about" else self._line(params)
        return {"result": {"content": [{"type": "text", "text": text}]}}

    def _line(self, params: dict[str, Any]) -> str:
        arguments = params["arguments"]
        if arguments["group_id"] == "new" and self.script.new is not None:
            return self.script.new
        verb = arguments["command"].split()[0]
        return self.script.replies.get(verb, self.script.default)


def serve_stdio(server: FakeServer) -> None:
    """Answer on the standard streams until the input ends."""
    script = server.script
    if script.says:
        print(script.says, file=sys.stderr, flush=True)
    if script.grandchild:
        child = subprocess.Popen(["sleep", "300"])
        with open(script.grandchild, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(str(child.pid))
    time.sleep(script.start_seconds)
    for line in sys.stdin:
        response = server.answer(json.loads(line))
        if response is None:
            continue
        if script.bad_bytes:
            sys.stdout.buffer.write(b"\xff\xfe\n")
        if script.junk:
            print(script.junk)
        sys.stdout.flush()
        print(json.dumps(response), flush=True)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeServer

    def do_POST(self) -> None:
        """Answer one message with JSON."""
        fake, script = self.fake, self.fake.script
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if script.page:
            return self._send(200, script.page.encode(), "text/html")
        session = self.headers.get("mcp-session-id", "")
        if message.get("method") == "initialize":
            session = f"s{len(fake.received)}"
            fake.sessions.add(session)
        elif session not in fake.sessions:
            return self._refuse(400, "Bad Request: no valid session. Send an initialize request")
        needs_token = message.get("method") == "tools/call" and script.token
        if needs_token and self.headers.get("Authorization") != f"Bearer {script.token}":
            return self._refuse(401, "Unauthorized: invalid or missing auth token")
        response = fake.answer(message)
        if response is None:
            return self._send(202, b"", "application/json")
        self._send(200, json.dumps(response).encode(), "application/json", session)
        return None

    def do_GET(self) -> None:
        """Have no stream."""
        self._refuse(405, "Method not allowed")

    def do_DELETE(self) -> None:
        """End a session."""
        self.fake.sessions.discard(self.headers.get("mcp-session-id", ""))
        self._send(200, b"", "application/json")

    def _refuse(self, status: int, message: str) -> None:
        error = {"jsonrpc": "2.0", "error": {"code": -32000, "message": message}, "id": None}
        self._send(status, json.dumps(error).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str, session: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if session:
            self.send_header("mcp-session-id", session)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def serving_http(script: Script) -> Iterator[tuple[str, FakeServer]]:
    """Serve on a free loopback port; give the address and the server."""
    fake = FakeServer(script)
    handler = type("Handler", (_Handler,), {"fake": fake})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_args: None  # type: ignore[method-assign]  # a client left
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", fake
    finally:
        fake.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def stdio_command(script: Script) -> str:
    """Return the command line that starts the server as a child."""
    import shlex  # noqa: PLC0415  (the child does without)

    return shlex.join([sys.executable, __file__, json.dumps(dataclasses.asdict(script))])


if __name__ == "__main__":
    serve_stdio(FakeServer(Script(**json.loads(sys.argv[1]))))
