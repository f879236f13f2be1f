"""Command lines that run in the daemon: the same output and statuses, one browser, one place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from domsh_repl.daemon.frames import ACCEPTED, DONE
from domsh_repl.daemon.request import Request
from tests.bench.daemon import ratios
from tests.daemon.conftest import Home, browser_count, browsers, finished
from tests.program import DOMSH, LONGEST, ROOT

HEAVY = (
    "mcp", "rich", "prompt_toolkit", "asyncio", "anyio", "argparse", "json", "re", "dataclasses",
    "enum", "typing", "socket", "signal", "subprocess", "threading", "domsh_repl.errors",
    "domsh_repl.cli",
)  # fmt: skip

WHERE = ("--daemon", "-c", "pwd")


def test_one_browser_and_one_place_from_one_command_to_the_next(home: Home, pages: str) -> None:
    pid = home.start()
    opened = home.in_daemon(f"open {pages}/nav.html; cd main_1")
    assert (opened.status, opened.err) == (0, "")
    assert browser_count(pid) == 1
    where = home.in_daemon("pwd")
    assert (where.status, where.out, where.err) == (0, "/main_1\n", "")
    assert home.in_daemon("cd /; cd -; pwd").out == "/main_1\n"
    assert home.in_daemon(f"open {pages}/alpha.html; back; pwd").out.endswith("/main_1\n")
    assert home.in_daemon("forward; info", "--json").objects[1]["url"] == f"{pages}/alpha.html"
    assert browser_count(pid) == 1
    assert home.domsh("daemon", "stop").status == 0


def test_the_client_loads_nothing_that_costs(home: Home) -> None:
    home.start()
    code = """
import sys
from domsh_repl.start import main
status = main(["--daemon", "-c", "ls"])
sys.stderr.write(" ".join(sys.modules))
sys.exit(status)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True, text=True, timeout=LONGEST, check=False,
        env={**os.environ, **home.environment},
    )  # fmt: skip
    assert done.returncode == 0
    assert set(done.stderr.split()).isdisjoint(HEAVY)


def test_a_command_costs_little_more_than_a_python_that_does_nothing(
    home: Home, pages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.start()
    home.in_daemon(f"open {pages}/nav.html")
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    assert ratios(7)["--daemon -c ls"] <= 4  # the best of a few: a busy machine spoils some


def test_without_a_daemon_it_says_how_to_start_one(home: Home) -> None:
    ran = home.in_daemon("pwd")
    assert (ran.status, ran.out) == (3, "")
    assert "no daemon is running" in ran.err
    assert "domsh daemon start" in ran.err
    assert not home.folder.exists()
    (told,) = home.in_daemon("pwd", "--json").objects
    assert told["error"]["code"] == "not_connected"
    assert home.domsh("--daemon", "run", "-", stdin="pwd").status == 3


def test_files_and_standard_input_run_there(home: Home, pages: str, tmp_path: Path) -> None:
    home.start()
    script = tmp_path / "some.domsh"
    script.write_text("open $1\ncd main_1\nexpect exists related\npwd\n")
    ran = home.domsh("--daemon", "run", "some.domsh", f"{pages}/nav.html", folder=tmp_path)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "/main_1"), ran.err
    assert "1 passed, 0 failed" in ran.err
    ran = home.domsh("--daemon", "run", "-", stdin="pwd\ncd nosuch\npwd\n")
    assert (ran.status, ran.out) == (1, "/main_1\n")
    assert "stdin:2" in ran.err
    ran = home.domsh("--daemon", stdin="pwd\ncd ..\npwd\nls nosuch\npwd\n")
    assert (ran.status, ran.out) == (1, "/main_1\n/\n")
    assert "stdin:4: no nosuch" in ran.err
    assert home.domsh("--daemon").status == 0


def test_lines_of_a_pipe_run_as_they_arrive(home: Home) -> None:
    home.start()
    with home.begun("--daemon") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"pwd\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"/\n"
        assert finished(process, b"history -n 1\n").out == "   2  history -n 1\n"


def test_standard_input_that_nobody_reads_is_left_alone(home: Home) -> None:
    home.start()
    line = f"{DOMSH[0]} --daemon -c pwd; cat"
    done = subprocess.run(
        ["sh", "-c", line], input=b"the rest", capture_output=True, timeout=LONGEST, check=True,
        env={**os.environ, **home.environment},
    )  # fmt: skip
    assert done.stdout == b"/\nthe rest"


def test_much_input_and_much_output_come_through(home: Home, tmp_path: Path) -> None:
    home.start()
    ran = home.domsh("--daemon", "run", "-", stdin="pwd\n" + "# a remark\n" * 20_000 + "help\n")
    assert ran.status == 0, ran.err
    script = tmp_path / "long.domsh"
    script.write_text("help commands\n" * 400)
    ran = home.domsh("--daemon", "run", str(script))
    assert ran.out == home.domsh("run", str(script)).out
    assert len(ran.out) > 400_000


def test_options_of_a_command_count_for_that_command(home: Home, pages: str) -> None:
    home.start()
    home.in_daemon("info", f"{pages}/nav.html")
    (told,) = home.in_daemon("pwd", "--json").objects
    assert told["path"] == "/"
    assert "\x1b[" in home.in_daemon("ls", "--color", "always").out
    assert "\x1b[" not in home.in_daemon("ls").out
    ran = home.domsh("--daemon", "--site", "tests/pages", "-c", "open $site/alpha.html; info")
    assert ran.status == 0, ran.err
    assert home.in_daemon("open $site/").status == 2


def test_variables_outlive_a_command(home: Home) -> None:
    home.start()
    home.in_daemon("nosuch_command")
    home.in_daemon("cat nosuch")
    assert home.in_daemon("history").out.count("cat nosuch") == 1


def test_what_makes_a_server_belongs_to_its_start(home: Home) -> None:
    for option in ("--server=domshell", "--headed", "--read-only", "--profile=x", "--cdp=http://h"):
        ran = home.in_daemon("pwd", option)
        assert ran.status == 2
        assert "domsh daemon start" in ran.err
    for words in (["daemon", "status"], ["doctor"]):
        ran = home.domsh("--daemon", *words)
        assert ran.status == 2
        assert "--daemon is not for" in ran.err
    assert home.domsh("--daemon", "--version").out.startswith("domsh ")


def test_errors_are_told_as_they_are_without_a_daemon(home: Home) -> None:
    home.start()
    for arguments in (["-c", "cat nosuch"], ["--json", "-c", "cat nosuch"], ["-c", "nosuch"],
                      ["-c", "pwd", "x", "y"], ["--nosuch"], ["run", "nosuch.domsh"],
                      ["/etc/hostname", "-c", "ls"]):  # fmt: skip
        here, there = home.domsh(*arguments), home.domsh("--daemon", *arguments)
        assert (there.status, there.out, there.err) == (here.status, here.out, here.err)
        assert there.status


def test_the_directory_and_the_environment_are_the_clients(home: Home, tmp_path: Path) -> None:
    home.start()
    (tmp_path / "index.html").write_text("<h1>Here</h1>")
    ran = home.domsh("--daemon", "--site", ".", "-c", "ls", folder=tmp_path)
    assert ran.out == "here_heading/\n" or "here" in ran.out
    ran = home.domsh("--daemon", "--color", "auto", "-c", "ls", environment={"NO_COLOR": "1"})
    assert ran.status == 0


def test_ctrl_c_ends_the_command_and_nothing_else(home: Home, pages: str) -> None:
    pid = home.start()
    home.in_daemon(f"open {pages}/nav.html; cd main_1")
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch; pwd") as process:
        home.wait_until_busy()
        process.send_signal(signal.SIGINT)
        ran = finished(process)
    assert (ran.status, ran.out) == (130, "")
    assert ran.err == "domsh: interrupted\n"
    assert home.in_daemon("pwd").out == "/main_1\n"
    assert home.status()["pid"] == pid
    assert browser_count(pid) == 1


def test_a_client_that_is_killed_takes_its_command_along(home: Home) -> None:
    home.start()
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch") as process:
        home.wait_until_busy()
        process.kill()
    home.wait_until(lambda: home.status()["busy"] is False, "end of the command")
    assert home.in_daemon("pwd").status == 0


def test_clients_wait_for_their_turn_and_can_give_it_up(home: Home) -> None:
    home.start()
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch") as first:
        home.wait_until_busy()
        with home.begun(*WHERE) as second, home.begun(*WHERE) as third:
            # an interrupt before it has begun to listen would end the client by itself
            home.wait_until(lambda: _is_connected(second), "second client")
            second.send_signal(signal.SIGINT)
            ran = finished(second)
            assert (ran.status, ran.err) == (130, "domsh: interrupted\n")
            assert third.poll() is None
            first.send_signal(signal.SIGINT)
            assert finished(first).status == 130
            assert finished(third).out == "/\n"


def _is_connected(process: subprocess.Popen[bytes]) -> bool:
    client = psutil.Process(process.pid)
    return bool(client.net_connections("unix")) and client.status() == psutil.STATUS_SLEEPING


def test_many_clients_at_once_are_all_served(home: Home, pages: str) -> None:
    home.start()
    home.in_daemon(f"open {pages}/nav.html")
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(home.in_daemon("cd main_1; pwd; cd /").out))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert found == ["/main_1\n"] * 8


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_cannot_be_written_is_told(home: Home) -> None:
    home.start()
    with (
        Path("/dev/full").open("wb") as full,
        home.begun("--daemon", "-c", "help", stdout=full) as process,
    ):
        _, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 1
    assert err == b"domsh: cannot write: No space left on device\n"
    assert home.in_daemon("pwd").status == 0


def test_a_reader_that_goes_hurts_nobody(home: Home, tmp_path: Path) -> None:
    home.start()
    script = tmp_path / "long.domsh"
    script.write_text("help\n" * 2000)
    with home.begun("--daemon", "run", str(script), stdin=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(LONGEST) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert home.in_daemon("pwd").out == "/\n"


def test_streams_that_were_closed_are_no_harm(home: Home) -> None:
    home.start()
    client = f"{DOMSH[0]} --daemon -c"
    line = f"{client} 'pwd; cat nosuch' >&-; echo $?; {client} pwd <&- 2>&-"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, timeout=LONGEST, check=True,
        env={**os.environ, **home.environment}, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == b"1\n/\n"


def test_a_daemon_of_another_version_is_told(home: Home) -> None:
    home.start()
    code = """
import sys, domsh_repl
domsh_repl.__version__ = "0.0.1"
from domsh_repl.start import main
sys.exit(main(sys.argv[1:]))
"""

    def other(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True, text=True, timeout=LONGEST, check=False,
            env={**os.environ, **home.environment},
        )  # fmt: skip

    ran = other("--daemon", "-c", "pwd")
    assert ran.returncode == 1
    assert "and this is 0.0.1" in ran.stderr
    assert "domsh daemon stop" in ran.stderr
    assert other("daemon", "status").returncode == 0
    ran = other("daemon", "start")
    assert ran.returncode == 1
    assert "domsh daemon stop" in ran.stderr
    assert other("daemon", "stop").returncode == 0
    assert home.domsh("daemon", "status").status == 3


def test_a_browser_that_died_is_told_and_another_one_had(home: Home, pages: str) -> None:
    pid = home.start()
    home.in_daemon(f"open {pages}/nav.html")
    for browser in browsers(pid):
        if "chrom" in browser.name():
            browser.kill()
    assert home.in_daemon("ls").status == 3
    assert home.in_daemon(f"reconnect; open {pages}/nav.html; ls").status == 0
    assert (home.status()["pid"], browser_count(pid)) == (pid, 1)


def test_what_a_killed_daemon_was_doing_is_lost(home: Home) -> None:
    pid = home.start()
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch") as process:
        home.wait_until_busy()
        os.kill(pid, signal.SIGKILL)
        ran = finished(process)
    assert ran.status == 3
    assert "the daemon is gone" in ran.err


def test_the_kinds_of_frames_stay_what_they_are() -> None:
    assert (ACCEPTED, DONE) == (65, 69)  # versions meet each other
    assert Request("stop", []).encode().split(b"\0")[0] == b"domsh"
