"""Whatever stands at the address of ``--cdp``, it is one error in the user's words."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from domsh_repl.engine.transports import open_websocket
from domsh_repl.errors import NotConnected


@contextmanager
def answering(data: bytes) -> Iterator[str]:
    """Answer one connection with these bytes and give ``host:port``."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(5)
                connection.recv(65536)
                connection.sendall(data)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(5)


@pytest.mark.parametrize("scheme", ["http", "ws"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nno",
        b'HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\n{"webSocketDebuggerUrl": "ws:x"}',
    ],
)
def test_what_is_no_browser_is_told_in_one_way(scheme: str, data: bytes) -> None:
    with (
        answering(data) as address,
        pytest.raises(NotConnected, match="no browser answers") as told,
    ):
        asyncio.run(open_websocket(f"{scheme}://{address}", 5))
    assert "--remote-debugging-port" in told.value.hint


@pytest.mark.parametrize(
    "url", ["ws://", "ws://[", "nosuch", "http://127.0.0.1:99999", "http://[", "wss:///x"]
)
def test_what_is_no_address_is_told_in_the_same_way(url: str) -> None:
    with pytest.raises(NotConnected, match="no browser answers"):
        asyncio.run(open_websocket(url, 5))
