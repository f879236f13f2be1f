"""The two ways to reach a browser: its debugging pipe, or a WebSocket for ``--cdp URL``."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import urllib.request
from collections import deque
from collections.abc import Callable
from http.client import HTTPException
from urllib.error import HTTPError

from domsh_repl.errors import NotConnected

__all__ = ["PipeTransport", "WebSocketTransport", "open_websocket"]

_CHUNK = 1 << 20
"""Bytes read at once; also the pipe's size where the system lets us ask for it."""
_CLOSE_SECONDS = 2.0
_F_SETPIPE_SZ = 1031  # Linux; fcntl names it from 3.10 on Linux only


class PipeTransport:
    """Messages that end in a NUL byte over the two ends of ``--remote-debugging-pipe``."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._chunks: list[bytes] = []
        self._queue: deque[bytes] = deque()
        self._closed = False

    def start(self, received: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        """Begin to read in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._received = received
        self._gone = gone
        for fd in (self._read_fd, self._write_fd):
            os.set_blocking(fd, False)
            _enlarge(fd)
        self._loop.add_reader(self._read_fd, self._readable)

    def send(self, message: bytes) -> None:
        """Queue a message and write what the pipe takes now."""
        if self._closed:
            return
        self._queue.append(message + b"\0")
        if len(self._queue) == 1:
            self._write()

    async def close(self) -> None:
        """Stop reading and writing; the descriptors belong to the browser process."""
        self._release()

    def _release(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._queue.clear()
        self._loop.remove_reader(self._read_fd)
        self._loop.remove_writer(self._write_fd)

    def _write(self) -> None:
        while self._queue:
            message = self._queue[0]
            try:
                written = os.write(self._write_fd, message)
            except BlockingIOError:
                written = 0
            except OSError:
                self._end()
                return
            if written < len(message):
                self._queue[0] = message[written:]
                self._loop.add_writer(self._write_fd, self._write)
                return
            self._queue.popleft()
        self._loop.remove_writer(self._write_fd)

    def _readable(self) -> None:
        try:
            chunk = os.read(self._read_fd, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._end()
            return
        for message in self._completed(chunk):
            self._received(message)

    def _completed(self, chunk: bytes) -> list[bytes]:
        """Return the messages that end in a chunk, and keep what comes after the last of them."""
        first, *others = chunk.split(b"\0")
        self._chunks.append(first)
        if not others:
            return []
        whole = b"".join(self._chunks)
        self._chunks = [others.pop()]
        return [whole, *others]

    def _end(self) -> None:
        if not self._closed:
            self._release()
            self._gone()


def _enlarge(fd: int) -> None:
    with contextlib.suppress(ImportError, OSError):
        import fcntl  # noqa: PLC0415  (there is none on Windows)

        fcntl.fcntl(fd, _F_SETPIPE_SZ, _CHUNK)


class WebSocketTransport:
    """Messages over a WebSocket of a browser that somebody else started."""

    def __init__(self, socket: object) -> None:
        self._socket: _Socket = socket  # type: ignore[assignment]  # websockets is loaded lazily
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue()

    def start(self, received: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        """Begin to read and write in the running loop."""
        self._received = received
        self._gone = gone
        loop = asyncio.get_running_loop()
        self._tasks = (loop.create_task(self._read()), loop.create_task(self._write()))

    def send(self, message: bytes) -> None:
        """Queue a message."""
        self._outgoing.put_nowait(message.decode())

    async def close(self) -> None:
        """Close the socket once what is queued has gone out, or the other side takes too long."""
        self._outgoing.put_nowait(None)
        await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _read(self) -> None:
        with contextlib.suppress(Exception):  # any end of the socket is the end
            async for message in self._socket:
                self._received(message if isinstance(message, bytes) else message.encode())
        self._gone()

    async def _write(self) -> None:
        with contextlib.suppress(Exception):  # the reader tells about a broken socket
            while (message := await self._outgoing.get()) is not None:
                await self._socket.send(message)
            await self._socket.close()


class _Socket:
    """The part of a WebSocket client that is used."""

    def __aiter__(self) -> _Socket: ...  # type: ignore[empty-body]
    async def __anext__(self) -> str | bytes: ...  # type: ignore[empty-body]
    async def send(self, message: str) -> None: ...
    async def close(self) -> None: ...


_NO_BROWSER = (OSError, ValueError, LookupError, TypeError, HTTPException)
"""What comes of asking something that is no browser for its address."""


async def open_websocket(url: str, deadline: float) -> WebSocketTransport:
    """Connect to ``ws://…`` or to a DevTools address such as ``http://127.0.0.1:9222``.

    Raises ``NotConnected`` when nothing answers there within ``deadline`` seconds.
    """
    from websockets.asyncio.client import connect  # noqa: PLC0415  (only --cdp needs it)
    from websockets.exceptions import WebSocketException  # noqa: PLC0415  (the same)

    try:
        async with asyncio.timeout(deadline):
            address = url if url.startswith(("ws://", "wss://")) else await _browser_address(url)
            return WebSocketTransport(
                await connect(address, max_size=None, ping_interval=None, proxy=None)
            )
    except (*_NO_BROWSER, WebSocketException) as error:
        raise NotConnected(
            f"no browser answers at {url} ({error or type(error).__name__})",
            "start one with --remote-debugging-port=9222, then --cdp http://127.0.0.1:9222",
        ) from error


async def _browser_address(url: str) -> str:
    def fetch() -> str:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(url.rstrip("/") + "/json/version", timeout=10) as reply:
                return str(json.load(reply)["webSocketDebuggerUrl"])
        except HTTPError as error:
            error.close()
            raise

    return await asyncio.to_thread(fetch)
