"""``domsh doctor`` as users run it: real browser, real Node, whole output, and nothing left."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from domsh_repl.engine.browser_paths import find_browser
from tests.fakeserver import DOMSHELL, Script, serving_http, stdio_command
from tests.program import DOMSH, Run, domsh, family, gone, started
from tests.real_domshell import free_port

NAMES = ["python", "browser", "engine", "node", "npx", "package", "server", "token", "extension",
         "lane", "daemon"]  # fmt: skip
OF_SERVER = NAMES[6:10]
SECRET = "s3cret-7f1c"
LONGEST = 25.0
"""Seconds: the deadline is 20, and processes have to start and end, too."""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """See no DOMShell server or daemon of this machine, and no registry."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    monkeypatch.setenv("DOMSHELL_PORT", str(free_port()))
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.delenv("DOMSHELL_TOKEN", raising=False)


def results(ran: Run) -> dict[str, str]:
    """Return the results of a run with ``--json`` by their names."""
    (answer,) = ran.objects
    assert set(answer) == {"checks", "ok"}
    checks = answer["checks"]
    assert all(set(check) == {"name", "result", "found", "hint"} for check in checks)
    assert [check["name"] for check in checks] == NAMES
    assert answer["ok"] == all(check["result"] != "fail" for check in checks)
    assert ran.status == (0 if answer["ok"] else 3)
    assert ran.err == ""
    return {check["name"]: check["result"] for check in checks}


def row(ran: Run, name: str) -> dict[str, str]:
    """Return one row of a run with ``--json``."""
    found: list[dict[str, str]] = [one for one in ran.objects[0]["checks"] if one["name"] == name]
    assert len(found) == 1
    return found[0]


def test_a_machine_that_is_well_has_status_0_and_a_row_for_each_check() -> None:
    ran = domsh("doctor", environment={"HOME": "/nonexistent"})
    assert (ran.status, ran.err) == (0, "nothing failed\n")
    rows = [re.split(r" {2,}", line, maxsplit=2) for line in ran.out.splitlines()]
    assert [words[1] for words in rows if words[0]] == NAMES
    assert all(words[0] in ("ok", "n-a", "") for words in rows)
    assert find_browser(None).path in ran.out
    assert re.search(r"Chrome/\d+\S* starts and shows a page$", ran.out, re.MULTILINE)


def test_a_browser_that_is_not_there_or_does_not_start_fails() -> None:
    ran = domsh("doctor", "--json", "--browser", "/nosuch/browser")
    assert [results(ran)[name] for name in ("browser", "engine")] == ["fail", "n-a"]
    assert "--browser PATH" in row(ran, "browser")["hint"]
    ran = domsh("doctor", "--json", "--browser", "/bin/false")
    assert [results(ran)[name] for name in ("browser", "engine")] == ["ok", "fail"]
    assert "exit status 1" in row(ran, "engine")["found"]


def test_the_browser_of_our_own_is_not_missed_where_another_server_was_asked_for(
    tmp_path: Path,
) -> None:
    """No program is found below an empty root; only what stands in fixed places is."""
    with serving_http(Script(about=DOMSHELL)) as (url, _):
        ran = domsh("doctor", "--json", "--server", url, environment={"PATH": str(tmp_path)})
    found = results(ran)
    assert [found[name] for name in OF_SERVER] == ["ok"] * 4
    assert "fail" not in found.values()


def test_without_node_nothing_fails(tmp_path: Path) -> None:
    ran = domsh("doctor", "--json", environment={"PATH": str(tmp_path)})
    found = results(ran)
    assert ran.status == 0
    assert [found[name] for name in ("node", "npx", "package")] == ["n-a"] * 3
    assert "install Node.js" in row(ran, "node")["hint"]
    assert found["engine"] == "ok"


def test_where_domshell_was_asked_for_node_is_needed_and_no_server_is_started(
    tmp_path: Path,
) -> None:
    calls = tmp_path / "calls"
    (tmp_path / "npx").write_text(f'#!/bin/sh\necho "$*" >>{calls}\necho 11.0.0\n')
    (tmp_path / "npx").chmod(0o755)
    words = ("doctor", "--json", "--server", "domshell")
    ran = domsh(*words, environment={"PATH": str(tmp_path)})
    found = results(ran)
    assert [found[name] for name in ("node", "npx", "package")] == ["fail", "ok", "fail"]
    assert [found[name] for name in OF_SERVER] == ["fail", "n-a", "n-a", "n-a"]
    assert "`domsh --server domshell` starts one" in row(ran, "server")["hint"]
    assert calls.read_text() == "--version\n"


def test_a_server_that_runs_on_its_own_port_is_looked_at_without_being_asked_for() -> None:
    with serving_http(Script(about=DOMSHELL, token=SECRET)) as (url, fake):
        port = url.split(":")[2].split("/")[0]
        environment = {"DOMSHELL_PORT": port, "DOMSHELL_TOKEN": SECRET}
        for asked in ((), ("--server", "domshell")):
            ran = domsh("doctor", "--json", *asked, environment=environment)
            assert [results(ran)[name] for name in OF_SERVER] == ["ok"] * 4
        assert fake.lines() == ["group close", "group close"]
        ran = domsh("doctor", "--json", environment={"DOMSHELL_PORT": port})
        assert [results(ran)[name] for name in OF_SERVER] == ["ok", "n-a", "n-a", "n-a"]
        assert ran.status == 0


def test_the_variable_of_the_token_can_have_another_name() -> None:
    with serving_http(Script(about=DOMSHELL, token=SECRET)) as (url, _):
        words = ("doctor", "--json", "--server", url, "--token-env", "MINE")
        assert results(domsh(*words, environment={"MINE": SECRET}))["token"] == "ok"
        assert results(domsh(*words, environment={"MINE": "other"}))["token"] == "fail"
        unset = domsh(*words)
        assert (unset.status, unset.objects[0]["error"]["code"]) == (2, "usage")


def test_what_can_be_no_token_is_a_usage_error_and_stays_hidden() -> None:
    with serving_http(Script(about=DOMSHELL, token=SECRET)) as (url, _):
        port = url.split(":")[2].split("/")[0]
        broken = {"DOMSHELL_TOKEN": f"{SECRET}\nmore", "DOMSHELL_PORT": port}
        ran = domsh("doctor", environment=broken)
    assert ran.status == 2
    assert "DOMSHELL_TOKEN holds no token" in ran.err
    assert SECRET not in ran.out + ran.err


@pytest.mark.parametrize("command", [True, False])
def test_no_token_is_ever_shown(*, command: bool) -> None:
    """A server that repeats it, and one that is given another one by its command line."""
    environment = {"DOMSHELL_TOKEN": SECRET}
    if command:
        script = f"echo token {SECRET} other-9921 >&2; exit 1"
        server = f"sh -c '{script}' --token other-9921"
    else:
        server = "http://127.0.0.1:9/mcp"
    for form in ((), ("--json",)):
        ran = domsh("doctor", *form, "--server", server, environment=environment)
        assert ran.status == 3
        assert not re.search(f"{SECRET}|other-9921", ran.out + ran.err)
    if command:
        assert "token … …" in row(ran, "server")["found"]


def test_a_server_that_repeats_the_token_does_not_get_it_shown() -> None:
    about = {**DOMSHELL, "extension_version": f"1.3.0 {SECRET}"}
    with serving_http(Script(about=about, token=SECRET)) as (url, _):
        ran = domsh("doctor", "--server", url, environment={"DOMSHELL_TOKEN": SECRET})
    assert "connected, version 1.3.0 …" in ran.out
    assert SECRET not in ran.out + ran.err


def test_whatever_hangs_the_answer_comes_within_the_deadline(tmp_path: Path) -> None:
    """Node, npx and npm hang, once with the server and once with the browser."""
    for name in ("node", "npx", "npm", "hung-chrome"):
        (tmp_path / name).write_text("#!/bin/sh\nexec /bin/sleep 611\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    server = stdio_command(Script(about=DOMSHELL, hangs_at=("tools/call",)))
    began = time.monotonic()
    ran = domsh("doctor", "--json", "--server", server, environment={"PATH": path})
    assert time.monotonic() - began < LONGEST
    found = results(ran)
    assert found["server"] == "fail"
    assert "answers no call" in row(ran, "server")["found"]
    assert [found[name] for name in ("node", "npx", "package")] == ["n-a"] * 3
    began = time.monotonic()
    ran = domsh(
        "doctor", "--json", "--browser", str(tmp_path / "hung-chrome"), environment={"PATH": path}
    )
    assert time.monotonic() - began < LONGEST
    assert results(ran)["engine"] == "fail"
    assert not [one for one in psutil.process_iter() if _words(one)[1:] == ["611"]]


@pytest.mark.parametrize("server", ["builtin", "sleep 600", "command"])
def test_no_file_and_no_process_is_left(server: str, tmp_path: Path) -> None:
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    command = stdio_command(Script(about=DOMSHELL)) if server == "command" else server
    before = sorted(tmp_path.rglob("*"))
    environment = {
        **os.environ,
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "XDG_RUNTIME_DIR": str(tmp_path / "tmp"),
        "DOMSHELL_MARK": str(tmp_path),
    }
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        environment.pop(name, None)
    done = subprocess.run(
        [*DOMSH, "doctor", "--json", "--timeout", "8", "--server", command],
        capture_output=True, timeout=LONGEST, check=False, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == (3 if server == "sleep 600" else 0), done
    assert json.loads(done.stdout)["checks"]
    assert sorted(tmp_path.rglob("*")) == before
    assert gone([one for one in psutil.process_iter() if _is_marked(one, str(tmp_path))])


def _words(process: psutil.Process) -> list[str]:
    """Return its command line; none when it has ended."""
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get("DOMSHELL_MARK") == mark
    except (psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied):
        return False


def test_a_daemon_is_told_with_its_number_and_one_that_is_stuck_fails() -> None:
    assert row(domsh("doctor", "--json"), "daemon")["result"] == "n-a"
    begun = domsh("daemon", "start", "--json")
    try:
        assert begun.status == 0, begun.err
        number = begun.objects[0]["pid"]
        ran = domsh("doctor", "--json")
        assert results(ran)["daemon"] == "ok"
        assert f"(pid {number})" in row(ran, "daemon")["found"]
        psutil.Process(number).suspend()
        ran = domsh("doctor", "--json")
        psutil.Process(number).resume()
        assert results(ran)["daemon"] == "fail"
        assert row(ran, "daemon")["hint"] == "`domsh daemon stop`"
    finally:
        assert domsh("daemon", "stop").status == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_in_one_line_and_leaves_nobody(number: signal.Signals) -> None:
    with started("doctor", "--server", "sleep 600") as process:
        children = _with_browser(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err) == (130, b"", b"domsh: interrupted\n")
    assert gone(children)


def _with_browser(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Wait until it has started the server, and return all its children."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        children = family(process)
        if any("600" in _words(one) for one in children):
            return children
    pytest.fail("the server was not started")


def test_two_impatient_interrupts_leave_no_lane() -> None:
    """The lane is being made when they come: it is closed all the same."""
    with (
        serving_http(Script(about=DOMSHELL, hangs_at=("pwd",))) as (url, fake),
        started("doctor", "--server", url) as process,
    ):
        until = time.monotonic() + LONGEST
        while not fake.calls() and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        fake.released.set()
        out, err = process.communicate(timeout=LONGEST)
        assert (process.returncode, out, err) == (130, b"", b"domsh: interrupted\n")
        assert fake.lines() == ["group close"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("x",), "no place for 'x'"),
        (("-c", "ls"), "no use for -c"),
        (("--site", "."), "no use for --site"),
        (("--profile", "p"), "no use for --profile"),
        (("--server", "domshell", "--lane", "7"), "a lane of its own"),
        (("--server", "http://h/?token=1"), "a token does not belong"),
    ],
)
def test_what_it_has_no_use_for_is_a_usage_error(words: tuple[str, ...], said: str) -> None:
    ran = domsh("doctor", *words)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_port_that_is_none_is_a_usage_error() -> None:
    ran = domsh("doctor", environment={"DOMSHELL_PORT": "http"})
    assert (ran.status, ran.out) == (2, "")
    assert "DOMSHELL_PORT" in ran.err
