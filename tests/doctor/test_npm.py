"""What DOMShell's server needs of npm: found on disk or told by real programs, never changed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from domsh_repl.checks import Check, Result
from domsh_repl.doctor.chain import Chain, run_chain
from domsh_repl.doctor.npm import check_node, check_npx, check_package, installed_versions
from tests.program import gone

PACKAGE = "node_modules/@apireno/domshell"
NOBODY = "http://127.0.0.1:9/"
LONG = 40.0


def checked(work: Callable[[Chain], Awaitable[None]], *, is_needed: bool = True) -> Check:
    """Return the result of one check."""
    return asyncio.run(run_chain(Chain("it"), work, LONG, is_needed=is_needed))[0]


def put_package(folder: Path, version: str) -> None:
    """Put the package's description below a folder."""
    (folder / PACKAGE).mkdir(parents=True)
    (folder / PACKAGE / "package.json").write_text(json.dumps({"version": version}))


def put_program(folder: Path, name: str, script: str) -> None:
    """Put a shell script into a folder."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


@contextmanager
def registry(newest: str) -> Iterator[str]:
    """Serve a registry that knows one version of every package; "" lets it hang."""
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not newest:
                released.wait(LONG)
            about = {"name": "@apireno/domshell", "version": newest}
            body = json.dumps({
                "name": "@apireno/domshell",
                "dist-tags": {"latest": newest},
                "versions": {newest: about},
            }).encode()  # fmt: skip
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_args: None  # type: ignore[method-assign]  # npm was ended
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        released.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Live in a home of nothing, without a registry."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("npm_config_prefix", str(tmp_path / "prefix"))
    monkeypatch.setenv("npm_config_registry", NOBODY)
    for name in ("npm_config_cache", "npm_config_userconfig"):
        monkeypatch.delenv(name, raising=False)
    return folder


def test_node_and_npx_tell_their_versions() -> None:
    node, npx = checked(check_node), checked(check_npx)
    assert (node.result, npx.result) == (Result.OK, Result.OK)
    assert node.found.startswith("v")
    assert npx.found[0].isdigit()


def test_a_node_that_is_missing_or_too_old_fails_only_where_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for work in (check_node, check_npx, check_package):
        missing = checked(work)
        assert (missing.result, missing.found[:19]) == (Result.FAIL, "there is no program")
        assert "install Node.js" in missing.hint
        assert checked(work, is_needed=False).result is Result.NOT_APPLICABLE
    put_program(tmp_path, "node", "echo v16.20.2")
    assert checked(check_node).found == "v16.20.2 is too old for DOMShell's server"


def test_a_program_that_fails_or_says_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    put_program(tmp_path, "node", "exit 7")
    assert checked(check_node).found == "node failed with status 7"
    (tmp_path / "node").write_bytes(b"no program at all")
    assert "does not run" in checked(check_node).found


def test_a_program_that_hangs_is_ended_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    monkeypatch.setattr("domsh_repl.doctor.npm._SECONDS", 2.0)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    put_program(tmp_path, "node", f'sleep 300 & echo "$$ $!" >{told}; wait')
    assert "did not answer within" in checked(check_node).found
    numbers = [int(word) for word in told.read_text().split()]
    alive = [psutil.Process(number) for number in numbers if psutil.pid_exists(number)]
    assert gone(alive)


def test_a_package_is_found_globally_and_in_the_cache_of_npx(tmp_path: Path, home: Path) -> None:
    assert installed_versions(str(tmp_path / "prefix/lib/node_modules"), {}) == {}
    put_package(tmp_path / "prefix/lib", "2.0.9")
    put_package(home / ".npm/_npx/abc", "2.0.8")
    put_package(home / ".npm/_npx/def", "2.0.10")
    assert installed_versions(str(tmp_path / "prefix/lib/node_modules"), {}) == {
        "installed globally": "2.0.9", "in npx's cache": "2.0.10",
    }  # fmt: skip


@pytest.mark.parametrize("where", ["environment", "settings", "other settings"])
def test_the_cache_is_where_npm_was_told_to_have_it(where: str, tmp_path: Path, home: Path) -> None:
    put_package(home / "elsewhere/_npx/abc", "2.0.7")
    environment = {}
    if where == "environment":
        environment = {"NPM_CONFIG_CACHE": str(home / "elsewhere")}
    elif where == "settings":
        (home / ".npmrc").write_text("prefix=/x\n cache = ${HOME}/elsewhere\n")
    else:
        environment = {"npm_config_userconfig": str(tmp_path / "rc")}
        (tmp_path / "rc").write_text("cache=~/elsewhere")
    assert installed_versions("/nosuch", environment) == {"in npx's cache": "2.0.7"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": {"a": 1', "[" * 9000])
def test_a_description_that_cannot_be_read_is_no_package(text: str, tmp_path: Path) -> None:
    (tmp_path / PACKAGE).mkdir(parents=True)
    (tmp_path / PACKAGE / "package.json").write_text(text)
    assert installed_versions(str(tmp_path / "node_modules"), {}) == {}


def test_an_installed_package_is_held_against_the_newest_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_package(tmp_path / "prefix/lib", "2.0.9")
    assert checked(check_package).found == "2.0.9 installed globally"
    with registry("9.8.7") as url:
        monkeypatch.setenv("npm_config_registry", url)
        assert checked(check_package).found == "2.0.9 installed globally; the newest is 9.8.7"
    with registry("2.0.9") as url:
        monkeypatch.setenv("npm_config_registry", url)
        assert checked(check_package).found == "2.0.9 installed globally"


def test_a_package_that_is_too_old_is_told_as_such(tmp_path: Path) -> None:
    put_package(tmp_path / "prefix/lib", "1.4.0")
    check = checked(check_package)
    assert (check.result, check.hint) == (Result.FAIL, "`npm install -g @apireno/domshell`")
    assert "2.0.2 or newer is needed" in check.found


def test_a_package_that_is_not_there_is_missed_only_where_it_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert checked(check_package).result is Result.FAIL
    assert checked(check_package, is_needed=False).result is Result.NOT_APPLICABLE
    with registry("9.8.7") as url:
        monkeypatch.setenv("npm_config_registry", url)
        check = checked(check_package)
    assert (check.result, check.found) == (
        Result.NOT_APPLICABLE, "not installed; the newest is 9.8.7",
    )  # fmt: skip


def test_a_registry_that_hangs_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domsh_repl.doctor.npm._REGISTRY_SECONDS", 1.0)
    put_package(tmp_path / "prefix/lib", "2.0.10")
    with registry("") as url:
        monkeypatch.setenv("npm_config_registry", url)
        assert checked(check_package).found == "2.0.10 installed globally"


def test_asking_npm_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with registry("9.8.7") as url:
        monkeypatch.setenv("npm_config_registry", url)
        before = sorted(tmp_path.rglob("*"))
        for work in (check_node, check_npx, check_package):
            checked(work)
        assert sorted(tmp_path.rglob("*")) == before
