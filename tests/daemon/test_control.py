"""Starting, stopping and asking: one daemon a folder, and nothing left of one that is gone."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.daemon.conftest import Home, browser_count, browsers, finished
from tests.program import gone


def test_start_status_and_stop_tell_what_is(home: Home) -> None:
    assert home.domsh("daemon", "status").status == 3
    assert home.status() == {"text": "running  no", "running": False}
    assert not home.folder.exists()
    ran = home.domsh("daemon", "stop")
    assert (ran.status, ran.out) == (0, "no daemon is running\n")
    pid = home.start()
    family = [psutil.Process(pid), *browsers(pid)]
    ran = home.domsh("daemon", "start")
    assert ran.status == 0
    assert f"running already (pid {pid})" in ran.out
    facts = home.status()
    assert facts["running"] is True
    assert (facts["pid"], facts["server"], facts["path"]) == (pid, "builtin", "/")
    assert facts["busy"] is False
    ran = home.domsh("daemon", "stop")
    assert (ran.status, ran.out) == (0, f"the daemon stopped (pid {pid})\n")
    assert gone(family, 0.5)
    assert home.status()["running"] is False
    assert {one.name for one in home.folder.iterdir()} == {"lock", "log"}


def test_nobody_else_gets_in(home: Home) -> None:
    home.start()
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in home.folder.iterdir()}
    assert set(modes) == {"lock", "log", "socket", "state"}
    assert set(modes.values()) == {0o600}


def test_of_two_starts_at_once_one_makes_the_daemon(home: Home) -> None:
    with home.begun("daemon", "start") as first, home.begun("daemon", "start") as second:
        runs = finished(first), finished(second)
    assert [run.status for run in runs] == [0, 0]
    pid = home.status()["pid"]
    assert all(f"(pid {pid})" in run.out for run in runs)
    assert browser_count(pid) == 1


def test_a_daemon_that_was_killed_leaves_no_browser_and_no_obstacle(home: Home) -> None:
    pid = home.start()
    family = browsers(pid)
    os.kill(pid, signal.SIGKILL)
    assert gone(family)
    assert Path(home.place.socket).exists()
    assert home.domsh("daemon", "status").status == 3
    assert home.in_daemon("pwd").status == 3
    assert home.domsh("daemon", "stop").out == "no daemon is running\n"
    assert home.start() != pid
    assert home.in_daemon("pwd").out == "/\n"


def test_a_signal_ends_it_in_good_order(home: Home) -> None:
    pid = home.start()
    family = [psutil.Process(pid), *browsers(pid)]
    os.kill(pid, signal.SIGTERM)
    assert gone(family)
    assert {one.name for one in home.folder.iterdir()} == {"lock", "log"}
    assert Path(home.place.log).read_text() == ""


def test_stop_and_status_do_not_wait_for_a_command(home: Home) -> None:
    home.start()
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch") as process:
        home.wait_until_busy()
        assert home.domsh("daemon", "stop").status == 0
        ran = finished(process)
    assert (ran.status, ran.err) == (130, "domsh: interrupted\n")


def test_stop_does_not_wait_for_a_client_that_reads_nothing(home: Home, tmp_path: Path) -> None:
    home.start()
    script = tmp_path / "long.domsh"
    script.write_text("help\n" * 20_000)
    with home.begun("--daemon", "run", str(script), stdin=subprocess.DEVNULL):
        home.wait_until_busy()
        assert home.domsh("daemon", "stop").status == 0
    assert home.status()["running"] is False


def test_a_daemon_that_hangs_is_killed(home: Home) -> None:
    pid = home.start()
    process, family = psutil.Process(pid), browsers(pid)
    process.suspend()
    ran = home.domsh("daemon", "status", "--json")
    assert ran.status == 3
    assert ran.objects[0]["answers"] is False
    ran = home.domsh("daemon", "stop")
    assert ran.status == 0
    assert "killed" in ran.out
    assert gone([process, *family])


def test_a_daemon_that_nobody_can_find_ends(home: Home) -> None:
    pid = home.start()
    family = [psutil.Process(pid), *browsers(pid)]
    Path(home.place.lock).unlink()
    assert gone(family, 15)


def test_a_daemon_that_lost_its_folder_leaves_its_successor_alone(home: Home) -> None:
    old = psutil.Process(home.start())
    shutil.rmtree(home.folder)
    new = home.start()
    assert gone([old], 15)
    assert home.status()["pid"] == new
    assert home.domsh("daemon", "stop").status == 0


def test_an_encoding_that_no_stream_can_have_costs_one_client(home: Home) -> None:
    pid = home.start()
    for name in ("idna", "hex", "rot13", "undefined"):
        home.domsh("--daemon", "-c", "pwd", environment={"PYTHONIOENCODING": name})
    assert home.status()["pid"] == pid
    assert home.in_daemon("pwd").status == 0


def test_a_start_that_fails_says_why(home: Home, tmp_path: Path) -> None:
    ran = home.domsh("daemon", "start", "--browser", str(tmp_path / "nosuch"))
    assert ran.status == 3
    assert "nosuch" in ran.err
    ran = home.domsh("daemon", "start", "--json", "--server", f"{sys.executable} -c pass")
    assert ran.status == 3
    assert ran.objects[0]["error"]["code"] == "not_connected"
    assert home.status()["running"] is False
    assert home.start()


def test_a_start_that_dies_shows_its_last_words(home: Home, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif sys.argv[0] == '-m': sys.exit('no room in the inn')\n"
    )
    ran = home.domsh("daemon", "start", environment={"PYTHONPATH": str(tmp_path)})
    assert ran.status == 3
    assert "no room in the inn" in ran.err
    assert home.place.log in ran.err


def test_ctrl_c_gives_up_the_start(home: Home, tmp_path: Path) -> None:
    with home.begun("daemon", "start", "--browser", slow_browser(tmp_path)) as process:
        family = starting_daemon(home)
        process.send_signal(signal.SIGINT)
        ran = finished(process)
    assert (ran.status, ran.err.splitlines()[-1]) == (130, "domsh: interrupted")
    assert gone(family)


def test_a_daemon_that_is_starting_can_be_stopped(home: Home, tmp_path: Path) -> None:
    with home.begun("daemon", "start", "--browser", slow_browser(tmp_path)) as process:
        family = starting_daemon(home)
        assert home.domsh("daemon", "stop").status == 0
        assert finished(process).status != 0
    assert gone(family)


def test_a_daemon_that_is_killed_in_its_start_leaves_no_browser(home: Home, tmp_path: Path) -> None:
    with home.begun("daemon", "start", "--browser", slow_browser(tmp_path)) as process:
        family = starting_daemon(home)
        family[0].kill()
        assert finished(process).status == 3
    assert gone(family)


def slow_browser(folder: Path) -> str:
    """Return a program that is no browser: it says nothing and minds no pipe."""
    slow = folder / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    return str(slow)


def starting_daemon(home: Home) -> list[psutil.Process]:
    """Wait for a daemon that has started its slow browser; return its processes, itself first."""
    home.wait_until(lambda: home.status()["running"] is True, "daemon that starts")
    pid = home.status()["pid"]
    home.wait_until(lambda: "sleep" in [one.name() for one in browsers(pid)], "slow browser")
    return [psutil.Process(pid), *browsers(pid)]


def test_the_daemon_keeps_its_options(home: Home, pages: str) -> None:
    home.start("--read-only")
    assert home.in_daemon("raw help", f"{pages}/nav.html").status == 0
    assert home.in_daemon("click first_story", "--json").objects[-1]["error"]["code"] == "read_only"
    assert "stay as they were" in home.domsh("daemon", "start", "--headed").out
    for words in (["stop", "--headed"], ["status", "--cdp", "http://h"], [], ["start", "stop"],
                  ["nosuch"], ["start", "-c", "ls"], ["start", "--site", "."]):  # fmt: skip
        assert home.domsh("daemon", *words).status == 2


def test_the_daemon_is_made_of_the_settings_of_its_start(home: Home, tmp_path: Path) -> None:
    usual, own = tmp_path / "usual.toml", tmp_path / "own.toml"
    usual.write_text('cdp = "http://127.0.0.1:9"\n')
    own.write_text("read-only = true\ntimeout = 7\n")
    environment = {"DOMSH_CONFIG": str(usual)}
    ran = home.domsh("--config", str(own), "daemon", "start", environment=environment)
    assert ran.status == 0, ran.err
    assert home.status()["read_only"] is True
    ran = home.domsh("--daemon", "-c", "set timeout", environment=environment)
    assert (ran.status, ran.out) == (0, "30s\n"), ran.err
    own.write_text('server = "domshell"\ntoken-env = "NO_SUCH"\n')
    for verb in ("status", "stop"):
        assert home.domsh("--config", str(own), "daemon", verb).status == 0


def test_the_commands_of_the_shell_do_the_same(home: Home) -> None:
    ran = home.domsh("-c", "session daemon-start")
    assert ran.status == 0, ran.err
    pid = home.status()["pid"]
    assert f"pid {pid}" in ran.out
    assert f"this is the daemon (pid {pid})" in home.in_daemon("session daemon-start").out
    assert home.in_daemon("session daemon-stop; pwd").status == 0
    home.wait_until(lambda: home.status()["running"] is False, "end")
    assert home.domsh("-c", "session daemon-stop").out == "no daemon is running\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_refused(home: Home) -> None:
    home.folder.mkdir(mode=0o700)
    os.chown(home.folder, 12_345, 12_345)
    for words in (["daemon", "start"], ["--daemon", "-c", "pwd"]):
        ran = home.domsh(*words)
        assert ran.status == 3
        assert "belongs to somebody else" in ran.err
    assert list(home.folder.iterdir()) == []


def test_a_folder_that_is_open_is_refused(home: Home) -> None:
    home.folder.mkdir(mode=0o700)
    home.folder.chmod(0o755)
    for words in (["daemon", "start"], ["daemon", "stop"], ["--daemon", "-c", "pwd"]):
        ran = home.domsh(*words)
        assert ran.status == 3
        assert f"chmod 700 {home.folder}" in ran.err
    assert list(home.folder.iterdir()) == []
