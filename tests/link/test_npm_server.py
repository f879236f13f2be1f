"""``--server domshell``: a server that runs is attached to, else npm's is started and stopped.

Also what real ones refuse: ports that others have, and confirmations that nobody can give.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path as FilePath
from typing import Any

import psutil
import pytest

from domsh_repl.errors import DomshError, NotConnected, TokenRefused
from domsh_repl.link import asks
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.npm_server import NpmSource
from tests.fakeserver import DOMSHELL, OURS, Script, serving_http
from tests.fakeserver.npx import fake_npx
from tests.program import DOMSH, LONGEST, domsh, gone, started
from tests.real_domshell import VERSION, bridged, free_port, npm_package, real_server

UNBRIDGED = {**DOMSHELL, "extension_bridged": False}


@contextmanager
def linked(source: NpmSource, manners: Manners | None = None) -> Iterator[tuple[Link, list[str]]]:
    """Give a link and its remarks, closed in the end."""
    notes: list[str] = []
    link = Link(source, manners=manners or Manners())
    link.note = notes.append
    try:
        yield link, notes
    finally:
        link.close()


@pytest.fixture
def npx(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> FilePath:
    """Put a folder in front of the PATH, for an ``npx``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def source(token: str = "", *, read_only: bool = False) -> NpmSource:
    """Return a source that finds no server at its port."""
    return NpmSource(token, read_only=read_only, port=free_port())


def told_by(file: FilePath) -> dict[str, Any]:
    """Return what the fake npx was called with."""
    told: dict[str, Any] = json.loads(file.read_text())
    return told


@pytest.mark.parametrize("read_only", [False, True])
def test_where_no_server_runs_npms_is_started_and_stopped(
    npx: FilePath, *, read_only: bool
) -> None:
    file = fake_npx(npx, Script())
    with linked(source(read_only=read_only)) as (link, notes):
        assert link.ask(asks.where()).value is not None
        told = told_by(file)
        server = psutil.Process(told["pid"])
        assert notes == []
    assert gone([server])
    arguments = told["arguments"]
    assert arguments[:4] == ["-y", "-p", "@apireno/domshell", "domshell"]
    assert ("--allow-write" in arguments) != read_only
    token = told["environment"]["DOMSHELL_TOKEN"]
    assert len(token) > 20
    assert token not in " ".join(arguments)
    assert told["environment"]["PATH"] == os.environ["PATH"]


def test_a_shell_that_is_killed_leaves_neither_server_nor_folder(
    npx: FilePath, monkeypatch: pytest.MonkeyPatch, tmp_path: FilePath
) -> None:
    monkeypatch.setenv("DOMSHELL_PORT", str(free_port()))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    file = fake_npx(npx, Script())
    with started("--server", "domshell", stdin=subprocess.PIPE) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        shell.stdin.write(b"pwd\n")
        shell.stdin.flush()
        assert shell.stdout.readline()
        server = psutil.Process(told_by(file)["pid"])
        assert list(tmp_path.glob("domsh-*"))
        shell.kill()
        assert gone([server])
    assert not list(tmp_path.glob("domsh-*"))


def test_the_token_of_the_environment_is_the_started_server_s(npx: FilePath) -> None:
    file = fake_npx(npx, Script())
    with linked(source("mine")) as (link, _):
        assert link.ask(asks.where()).value is not None
    assert told_by(file)["environment"]["DOMSHELL_TOKEN"] == "mine"


def test_the_user_is_told_what_to_type_until_the_extension_is_there(npx: FilePath) -> None:
    file = fake_npx(npx, Script(about=UNBRIDGED, later=OURS))
    with linked(source()) as (link, notes):
        assert link.ask(asks.where()).value is not None
    (note,) = notes
    token = told_by(file)["environment"]["DOMSHELL_TOKEN"]
    assert f"type: connect {token}" in note


def test_an_extension_that_never_comes_is_told_as_such(npx: FilePath) -> None:
    fake_npx(npx, Script(about=UNBRIDGED))
    made = source()
    made.extension_seconds = 0.5
    with linked(made) as (link, _), pytest.raises(NotConnected, match="extension is not connected"):
        link.ask(asks.where())
    assert "waiting for DOMShell's extension" in made.progress()


def test_an_npx_that_fails_is_told_with_its_words_and_without_the_token(npx: FilePath) -> None:
    fake_npx(npx, Script(says="npm error 404 for secret", dies_in=("start",)))
    with linked(source("secret")) as (link, _), pytest.raises(NotConnected) as caught:
        link.ask(asks.where())
    assert "ended with status 7: npm error 404 for …" in caught.value.message


def test_without_npx_that_is_told(npx: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(npx))
    with (
        linked(source()) as (link, _),
        pytest.raises(NotConnected, match="no program npx") as error,
    ):
        link.ask(asks.where())
    assert "Node.js" in error.value.hint


def test_a_port_of_the_bridge_that_another_has_is_told_with_the_one_to_use(npx: FilePath) -> None:
    file = fake_npx(npx, Script(about=UNBRIDGED, later=OURS))
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", 9876))
            other.listen()
        except OSError:
            pass  # somebody has it already
        with linked(source()) as (link, notes):
            link.ask(asks.where())
    arguments = told_by(file)["arguments"]
    port = arguments[arguments.index("--port") + 1]
    assert port != "9876"
    assert f"the extension has to use port {port}" in notes[0]


def failure_at(port: int, token: str = "") -> DomshError:
    """Return what attaching to a port raises."""
    begun = time.monotonic()
    made = NpmSource(token, read_only=False, port=port)
    with linked(made) as (link, _), pytest.raises(DomshError) as caught:
        link.ask(asks.where())
    assert time.monotonic() - begun < 15
    return caught.value


def test_a_port_that_a_web_server_has_is_named_with_what_to_do() -> None:
    with serving_http(Script(page="<!DOCTYPE html><h1>It works</h1>")) as (url, _):
        port = int(url.split(":")[2].split("/")[0])
        error = failure_at(port)
    assert isinstance(error, NotConnected)
    assert f":{port}/" in error.message
    assert "another program may have that port" in error.hint


@contextmanager
def greeting(text: bytes) -> Iterator[int]:
    """Listen at a port, say something to whoever comes, and nothing more; give the port."""
    kept: list[socket.socket] = []

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):  # the listener is closed in the end
            while True:
                connection, _ = listener.accept()
                connection.sendall(text)
                kept.append(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(LONGEST)
    for connection in kept:
        connection.close()


@pytest.mark.parametrize("text", [b"", b"220 mail ready\r\n"])
def test_a_port_that_something_else_has_is_named_and_not_waited_for(text: bytes) -> None:
    with greeting(text) as port:
        error = failure_at(port)
    assert isinstance(error, NotConnected)
    assert f"another program has port {port}" in error.message
    assert "DOMSHELL_PORT" in error.hint


def test_a_server_that_runs_wants_its_own_token() -> None:
    with serving_http(Script(token="theirs")) as (url, _):
        port = int(url.split(":")[2].split("/")[0])
        error = failure_at(port, "mine")
    assert isinstance(error, TokenRefused)
    assert "DOMSHELL_TOKEN" in error.hint


def test_npms_own_server_is_started_and_its_extension_waited_for(
    npx: FilePath, pages: str, tmp_path: FilePath
) -> None:
    program = npm_package("@apireno/domshell", VERSION) / "bin" / "domshell.js"
    (npx / "npx").write_text(f'#!/bin/sh\nshift 4\nexec node {program} "$@"\n')
    (npx / "npx").chmod(0o755)
    bridges: list[subprocess.Popen[bytes]] = []

    def connect(note: str) -> None:
        found = re.search(r"type: connect (\S+)(?: \(.* port (\d+)\))?", note)
        if found is None:
            return
        with (tmp_path / "bridge.log").open("wb") as log:
            bridges.append(subprocess.Popen(
                [*DOMSH, "bridge", "--port", found[2] or "9876"], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env={**os.environ, "DOMSHELL_TOKEN": found[1]},
            ))  # fmt: skip

    link = Link(source())
    link.note = connect
    try:
        assert link.ask(asks.navigate(f"{pages}/form.html")).error is None
        assert link.about.extension == "1.3.5+domsh.1"
        assert link.ask(asks.where()).value is not None
    finally:
        link.close()
        for bridge in bridges:
            bridge.kill()
            bridge.wait(LONGEST)
    assert bridges


@pytest.mark.parametrize("options", [(), ("--plain",)])
def test_a_server_that_asks_a_terminal_which_it_has_not_refuses_at_once(
    options: tuple[str, ...], pages: str, tmp_path: FilePath
) -> None:
    with (
        real_server(tmp_path, "--allow-write", "--confirm") as server,
        bridged(server, tmp_path / "bridge.log", *options),
    ):
        begun = time.monotonic()
        ran = domsh(
            "--json", "--server", server.url, "-c", f"open {pages}/form.html; click load_late_btn",
            environment=server.environment(),
        )  # fmt: skip
        assert time.monotonic() - begun < 15
    assert ran.status == 1
    error = ran.objects[-1]["error"]
    assert error["code"] == "denied"
    assert "Action denied by user" in error["message"]
    assert "--confirm" in error["hint"]


@pytest.mark.parametrize("options", [(), ("--plain",)])
def test_a_server_that_may_not_write_opens_no_page_and_says_why(
    options: tuple[str, ...], pages: str, tmp_path: FilePath
) -> None:
    with (
        real_server(tmp_path) as server,
        bridged(server, tmp_path / "bridge.log", *options),
    ):
        ran = domsh(
            "--json", "--read-only", "--server", server.url, "run", "-",
            stdin=f"tabs\nls\n-open {pages}/form.html\npwd\n", environment=server.environment(),
        )  # fmt: skip
    assert ran.status == 0, ran.err
    tabs, listing, refused, place = ran.objects[:4]
    assert len(tabs["tabs"]) == 1
    assert listing["entries"] == []
    assert refused["error"]["code"] == "denied"
    assert "disabled" in refused["error"]["message"]
    assert place["url"] == "about:blank"
