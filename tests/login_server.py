"""A server that knows who is logged in by a cookie, and a page that keeps more in its storage."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "s3cret-of-ada"
"""The value of each cookie and item: it must not show anywhere but in the file."""

_COOKIES = (
    f"sid={SECRET}; HttpOnly; Path=/; SameSite=Strict; Max-Age=86400",
    f"lax={SECRET}; Path=/; SameSite=Lax",
    f"plain={SECRET}; Path=/welcome",
    f"secure={SECRET}; Secure; Path=/; SameSite=None",
    f"parted={SECRET}; Secure; Path=/; SameSite=None; Partitioned",
)
_LOGIN = f"""<title>Login</title><h1>Welcome</h1><script>
localStorage.setItem('token', '{SECRET}');
localStorage.setItem('odd \\ud800 \\u202e', 'line\\nbreak');
sessionStorage.setItem('step', '{SECRET}');
</script>"""
_WHO = """<title>Who</title><h1></h1><script>
document.querySelector('h1').textContent = [
  '%s', localStorage.getItem('token') ? 'token' : 'no token',
  localStorage.getItem('odd \\ud800 \\u202e') === 'line\\nbreak' ? 'odd' : 'no odd',
  sessionStorage.getItem('step') ? 'step' : 'no step',
].join(', ');
</script>"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        known = f"sid={SECRET}" in self.headers.get("Cookie", "")
        logging_in = self.path == "/login"
        text = _LOGIN if logging_in else _WHO % ("Ada" if known else "nobody")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        for cookie in _COOKIES if logging_in else ():
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(f"<!doctype html>{text}".encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def login_server() -> Iterator[tuple[str, list[str]]]:
    """Serve on a free loopback port; give the address and the paths that are asked for."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
