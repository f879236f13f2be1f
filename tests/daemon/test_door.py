"""Who comes in: over a socket of the user's own, or a port with a token that nobody can guess."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

from domsh_repl.daemon import frames
from domsh_repl.daemon.request import Request
from tests.daemon.conftest import Home


def answered(connected: socket.socket, data: bytes) -> bytes:
    """Send bytes and return all that comes until the other side closes."""
    connected.settimeout(20)
    got = b""
    with connected:
        connected.sendall(data)
        try:
            while chunk := connected.recv(65_536):
                got += chunk
        except ConnectionResetError:
            pass
    return got


def at(home: Home) -> socket.socket:
    state = home.place.read_state()
    assert state is not None
    return socket.create_connection(("127.0.0.1", state.port), 20)


def hello(token: str) -> bytes:
    return frames.pack(
        frames.HELLO, Request("run", ["--daemon", "-c", "pwd"], token=token).encode()
    )


def test_a_path_that_is_too_long_makes_it_a_port_with_a_token(far_home: Home, pages: str) -> None:
    far_home.start()
    state = far_home.place.read_state()
    assert state is not None
    assert state.port > 0
    assert len(state.token) >= 32
    assert {one.name for one in far_home.folder.iterdir()} == {"lock", "log", "state"}
    assert stat.S_IMODE(Path(far_home.place.state).stat().st_mode) == 0o600
    opened = far_home.in_daemon(f"open {pages}/nav.html; cd main_1")
    assert opened.status == 0, opened.err
    assert far_home.in_daemon("pwd").out == "/main_1\n"
    for told in (b"", hello(""), hello("x" * len(state.token)), b"GET / HTTP/1.1\r\n\r\n"):
        if told:
            assert answered(at(far_home), told) == b""
    assert far_home.in_daemon("pwd").out == "/main_1\n"
    assert state.token not in "".join(far_home.domsh("daemon", "status").out)
    assert far_home.domsh("daemon", "stop").status == 0
    assert far_home.in_daemon("pwd").status == 3


def test_what_is_no_greeting_is_shown_the_door(home: Home) -> None:
    home.start()
    for data in (
        b"\0" * 100,
        frames.pack(frames.HELLO, b"nonsense"),
        frames.pack(frames.HELLO)[:1] + b"\xff\xff\xff\xff",
        frames.pack(frames.LINE, b"{}"),
        frames.pack(frames.HELLO, b"domsh\0" + b"\xff\0" * 20),
    ):
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(home.place.socket)
        assert frames.DONE not in answered(connected, data)[:1]
    assert home.in_daemon("pwd").out == "/\n"


def test_nonsense_after_the_greeting_ends_the_conversation(home: Home) -> None:
    home.start()
    for kind in (frames.LINE, frames.ASK, frames.CANCEL, frames.OUT_FAILED):
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(home.place.socket)
        greeting = frames.pack(frames.HELLO, Request("run", ["--daemon", "-c", "pwd"]).encode())
        answered(connected, greeting + frames.pack(kind, b"{"))
    assert home.in_daemon("pwd").out == "/\n"


def test_who_says_nothing_is_not_waited_for(home: Home) -> None:
    home.start()
    connected = socket.socket(socket.AF_UNIX)
    connected.connect(home.place.socket)
    assert answered(connected, b"") == b""
