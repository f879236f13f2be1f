"""The fake server as streamable HTTP on a loopback port, with the errors of express's kind."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakeserver.script import Script
from tests.fakeserver.server import FakeServer, words_of

_JSON, _HTML = "application/json", "text/html; charset=utf-8"
_TOO_LARGE = b"<!DOCTYPE html><pre>PayloadTooLargeError: request entity too large</pre>"
_FORGOTTEN = {
    400: "Bad Request: no valid session. Send an initialize request first.",
    404: "Session not found",
}
"""What DOMShell's server says of a session that it does not know, and what the SDKs say."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    fake: FakeServer

    def setup(self) -> None:
        """Be known to the server, which ends all its connections when it goes."""
        super().setup()
        self.fake.connections.append(self.connection)

    def do_POST(self) -> None:
        """Answer one message with JSON."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        refusal = self._refusal(body)
        if refusal is not None:
            self._send(*refusal)
            return
        message = json.loads(body)
        session = self.headers.get("mcp-session-id", "")
        if message.get("method") == "initialize":
            session = f"s{len(self.fake.received)}"
            self.fake.sessions.add(session)
        response = self.fake.answer(message)
        if response is None:
            self._send(202, b"", _JSON)
        else:
            self._send(200, json.dumps(response).encode(), _JSON, session)

    def _refusal(self, body: bytes) -> tuple[int, bytes, str] | None:
        """Return what is answered instead: in the order in which express would look."""
        script = self.fake.script
        if script.page:
            return 200, script.page.encode(), _HTML
        if len(body) > script.largest:
            return 413, _TOO_LARGE, _HTML
        message = json.loads(body)
        for word in words_of(message).intersection(script.pages):
            status, page = script.pages[word]
            return status, page.encode(), _HTML
        session = self.headers.get("mcp-session-id", "")
        if message.get("method") != "initialize" and session not in self.fake.sessions:
            return script.forgotten, _error(_FORGOTTEN[script.forgotten]), _JSON
        needs_token = message.get("method") == "tools/call" and script.token
        if needs_token and self.headers.get("Authorization") != f"Bearer {script.token}":
            return 401, _error("Unauthorized: invalid or missing auth token"), _JSON
        return None

    def do_GET(self) -> None:
        """Have no stream."""
        self._send(405, _error("Method not allowed"), _JSON)

    def do_DELETE(self) -> None:
        """End a session."""
        if "close" in self.fake.script.hangs_at:
            self.fake.hang()
        self.fake.sessions.discard(self.headers.get("mcp-session-id", ""))
        self._send(200, b"", _JSON)

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


def _error(message: str) -> bytes:
    error = {"jsonrpc": "2.0", "error": {"code": -32000, "message": message}, "id": None}
    return json.dumps(error).encode()


@contextmanager
def serving_http(script: Script, port: int = 0) -> Iterator[tuple[str, FakeServer]]:
    """Serve on a loopback port, a free one by itself; give the address and the server."""
    fake = FakeServer(script)
    handler = type("Handler", (_Handler,), {"fake": fake})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
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
        for connection in fake.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
