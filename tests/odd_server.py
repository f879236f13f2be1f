"""A loopback server for what real servers do at their worst."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LONGEST = 60.0

_PAGES = {
    "/ok": "<title>Fine</title><button>Fine</button>",
    "/late": "<title>Late picture</title><button onclick=\"t.textContent='hit'\">Go</button>"
    "<a href=\"javascript:void(t.textContent='run')\">Run</a>"
    "<a href=/drop>Dropped</a><p id=t></p><img src=/hang alt=never>",
    "/links": "<title>Links</title><a href=/download>File</a><a href=/204>Nothing</a>"
    "<a href=/ok download=saved.html>Saved</a><a href='mailto:a@b.example'>Mail</a>"
    "<a href='javascript:void(0)'>Void</a><a href=/ok target=_blank>Blank</a>"
    "<a href=/download target=_blank>Blank file</a><a href=/hang>Hanging</a><a href=#x>Hash</a>"
    "<a href=/redirect>Redirected</a><a href=/404>Missing</a><a href=/ok>Fine</a>",
    "/refresh": "<title>Refresh</title><meta http-equiv=refresh content='0;url=/ok'>",
    "/later-refresh": "<title>Later</title><meta http-equiv=refresh content='300;url=/ok'>",
    "/replace": "<title>Replace</title><script>location.replace('/ok')</script>",
}


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, released: threading.Event, *args: Any) -> None:
        self._released = released
        super().__init__(*args)

    def do_GET(self) -> None:
        """Answer by the path."""
        path = self.path.partition("?")[0]
        if path == "/hang":
            self._released.wait(_LONGEST)
        elif path == "/drop":
            self.close_connection = True
        elif path in ("/204", "/404"):
            body = b"<title>Missing</title><h1>Not here</h1>" if path == "/404" else b""
            self._answer(int(path[1:]), body)
        elif path == "/redirect":
            self._answer(302, b"", Location="/ok")
        elif path == "/loop":
            self._answer(302, b"", Location="/loop")
        elif path == "/download":
            self._answer(200, b"abc", **{"Content-Disposition": "attachment; filename=a.bin"})
        else:
            self._answer(200, _PAGES.get(path, "<title>Any</title>").encode())

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def odd_server() -> Iterator[str]:
    """Serve on a free loopback port and give the address, without a slash at the end."""
    released = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, released))
    server.daemon_threads = True
    server.handle_error = lambda *_args: None  # type: ignore[method-assign]  # a client left
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        released.set()
        server.shutdown()
        thread.join()
        server.server_close()
