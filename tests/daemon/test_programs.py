"""Pipes, files, variables and settings of command lines that run in the daemon."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.conftest import Home, finished
from tests.program import DOMSH, LONGEST


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Give one daemon to all tests of this module."""
    runtime = Path(tempfile.mkdtemp(prefix="domsh-t"))
    made = Home(runtime, tmp_path_factory.mktemp("home"))
    try:
        made.start()
        yield made
    finally:
        made.close()
        shutil.rmtree(runtime, ignore_errors=True)


def test_filters_and_programs_read_what_a_command_prints(home: Home) -> None:
    assert home.in_daemon("help commands | grep -c watch").out == "1\n"
    ran = home.in_daemon("help commands | !sort -r | head -2")
    assert ran.out == home.domsh("-c", "help commands | !sort -r | head -2").out
    assert len(ran.out.splitlines()) == 2


def test_a_programs_output_and_errors_reach_the_client(home: Home) -> None:
    ran = home.in_daemon("!sh -c 'echo one; printf two; echo three >&2; exit 3'")
    assert (ran.status, ran.out) == (1, "one\ntwo")
    assert ran.err == "three\ndomsh: sh ended with status 3\n"
    last = home.in_daemon("help commands | !sh -c 'cat >&2; echo end'")
    assert (last.status, last.out) == (0, "end\n")
    assert "watch" in last.err
    assert home.in_daemon("!echo hi", "--json").objects == [{"lines": ["hi"]}]
    assert "echo" not in (home.folder / "log").read_text()


def test_a_program_has_nothing_to_read(home: Home) -> None:
    ran = home.domsh("--daemon", "-c", "!cat; pwd", stdin="for the client\n")
    assert (ran.status, ran.out) == (0, "/\n")


def test_what_was_shown_before_a_program_stands_before_what_it_prints(home: Home) -> None:
    ran = home.in_daemon("pwd; !echo between; pwd")
    assert ran.out == "/\nbetween\n/\n"


def test_a_program_that_prints_without_end_ends_with_its_reader(home: Home) -> None:
    line = f"{DOMSH[0]} --daemon -c '!yes' | head -2"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, timeout=LONGEST, check=True,
        env={**os.environ, **home.environment},
    )  # fmt: skip
    assert done.stdout == b"y\ny\n"
    home.wait_until(lambda: home.status()["busy"] is False, "end of the command")


def test_ctrl_c_ends_a_program_in_the_daemon(home: Home) -> None:
    with home.begun("--daemon", "-c", "!sh -c 'echo on; exec sleep 60'; pwd") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        process.send_signal(signal.SIGINT)
        ran = finished(process)
    assert (ran.status, ran.out, ran.err) == (130, "", "domsh: interrupted\n")
    with home.begun("--daemon", "-c", "watch -n 60 pwd") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"/\n"
        process.send_signal(signal.SIGINT)
        assert finished(process).status == 130


def test_a_background_child_holds_nobody_up(home: Home) -> None:
    with home.begun("--daemon", "-c", "!sh -c 'sleep 30 & echo $!'") as process:
        ran = finished(process)
    os.kill(int(ran.out), signal.SIGKILL)
    assert ran.status == 0


def test_files_are_the_clients(home: Home, tmp_path: Path) -> None:
    (tmp_path / "some.domsh").write_text("pwd\n!echo $1 > said.txt\n")
    line = "help commands > all.txt; !echo more >> all.txt; screenshot -o shot.png"
    ran = home.domsh("--daemon", "-c", line, folder=tmp_path)
    assert ran.status == 0, ran.err
    assert (tmp_path / "all.txt").read_text().endswith("more\n")
    assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")
    refused = home.domsh("--daemon", "-c", "source some.domsh x", folder=tmp_path)
    assert refused.status == 2
    assert "--allow-shell" in refused.err
    line = "source some.domsh sourced"
    ran = home.domsh("--daemon", "--allow-shell", "-c", line, folder=tmp_path)
    assert (ran.status, (tmp_path / "said.txt").read_text()) == (0, "sourced\n"), ran.err
    ran = home.domsh("--daemon", "--allow-shell", "run", "some.domsh", "x", folder=tmp_path)
    assert (ran.status, (tmp_path / "said.txt").read_text()) == (0, "x\n"), ran.err


def test_a_file_that_ran_leaves_no_folder_behind(home: Home, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "outer.domsh").write_text("source inner.domsh\n")
    (tmp_path / "deep" / "inner.domsh").write_text("pwd\n")
    (tmp_path / "inner.domsh").write_text("help quit | head -1\n")
    assert home.domsh("--daemon", "run", "deep/outer.domsh", folder=tmp_path).out == "/\n"
    ran = home.domsh("--daemon", "-c", "source inner.domsh", folder=tmp_path)
    assert "quit" in ran.out, ran.err


def test_variables_are_the_sessions_and_secrets_come_from_the_client(home: Home) -> None:
    assert home.in_daemon("let first = $(help commands | head -1)").status == 0
    assert home.in_daemon("!echo $first").out == "Going places\n"
    ran = home.domsh(
        "--daemon", "-c", "let --secret pw = env:SHOP_PW; let x = $pw",
        environment={"SHOP_PW": "gehe1m"},
    )  # fmt: skip
    assert ran.status == 0, ran.err
    ran = home.in_daemon("help | grep $pw; cat $pw")
    assert "gehe1m" not in ran.out + ran.err
    assert home.in_daemon("let --secret pw = env:SHOP_PW").status == 2


def test_settings_of_one_command_are_not_the_next_ones(home: Home) -> None:
    assert home.in_daemon("set json on; set timeout 5s; pwd").out.startswith("{")
    assert "30s" in home.in_daemon("set timeout").out
    assert home.in_daemon("pwd").out == "/\n"
    refused = home.in_daemon("alias ll = ls")
    assert "aliases are for the prompt" in refused.err
    assert home.domsh("--daemon", "-c", "set timeout", environment={"DOMSH_TIMEOUT": "7"}).out == (
        "7s\n"
    )


def test_bookmarks_are_the_clients_and_a_files_own_end_with_it(home: Home, tmp_path: Path) -> None:
    here = {"XDG_STATE_HOME": str(tmp_path)}
    assert home.domsh("--daemon", "-c", "bookmark top", environment=here).status == 0
    assert home.domsh("--daemon", "-c", "cd @top; pwd", environment=here).out.endswith("/\n")
    assert home.in_daemon("cd @top").status == 2
    script = tmp_path / "marks.domsh"
    script.write_text("bookmark inner\ncd @inner\n")
    assert home.domsh("--daemon", "run", str(script)).status == 0
    script.write_text("cd @inner\n")
    assert home.domsh("--daemon", "run", str(script)).status == 2


def test_lanes_are_the_sessions(home: Home) -> None:
    assert "lane other" in home.in_daemon("lane new other").out
    listed = home.in_daemon("lanes").out.splitlines()
    assert [line.split()[:2] for line in listed] == [["-", "1"], ["*", "other"]]
    assert home.in_daemon("lane use 1; lane close other").status == 0


def test_server_settings_of_a_client_are_not_for_the_daemon(home: Home, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        'server = "domshell"\ncdp = "http://127.0.0.1:9"\ntimeout = "9s"\nnosuch = 1\n'
    )
    ran = home.domsh("--daemon", "-c", "set timeout", environment={"DOMSH_CONFIG": str(config)})
    assert (ran.status, ran.out) == (0, "9s\n")
    assert "no setting 'nosuch'" in ran.err
    told = home.domsh("daemon", "status", environment={"DOMSH_CONFIG": os.devnull})
    assert told.status == 0


def test_a_client_that_may_only_look_is_not_run_where_pages_change(home: Home) -> None:
    ran = home.domsh("--daemon", "-c", "pwd", environment={"DOMSH_READ_ONLY": "yes"})
    assert (ran.status, ran.out) == (2, "")
    assert "DOMSH_READ_ONLY is on, and the daemon may change pages" in ran.err
