"""Serves a folder on a free loopback port while a script runs (``--site DIR``)."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO

from domsh_repl.errors import UsageError

__all__ = ["serve_folder"]

_POLL = 0.1
"""Seconds between two looks at whether to stop; only the end waits for it."""


class _Handler(SimpleHTTPRequestHandler):
    """Static files, text as UTF-8, never kept by the browser, nothing logged."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012  (the base class has it so)
        **SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".htm": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
    }

    def end_headers(self) -> None:
        """Add that files are looked at anew each time: they are being worked on."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class's name)
        """Say nothing: standard error belongs to the script."""

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Find the file; a path that no file can have (``/%00``) is a bad request."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None

    def handle(self) -> None:
        """Answer; a browser that hangs up is no error."""
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            self.close_connection = True


class _Server(ThreadingHTTPServer):
    """A thread for each connection; what goes wrong in one is the browser's to tell."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: standard error belongs to the script."""


@contextmanager
def serve_folder(folder: str) -> Iterator[str]:
    """Serve a folder and give its URL, without a slash at the end.

    Raises ``UsageError`` when there is no such folder.
    """
    if not folder or not Path(folder).is_dir():
        raise UsageError(f"--site: there is no folder {folder!r}")
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=folder))
    thread = threading.Thread(
        target=server.serve_forever, args=(_POLL,), name="domsh-site", daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
