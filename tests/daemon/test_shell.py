"""The interactive shell whose lines run in the daemon: the same shell on a page that stays."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.daemon.conftest import Home, browser_count
from tests.shell.conftest import need_a_terminal
from tests.shell.terminal import Terminal

Shell = Callable[..., Terminal]


@pytest.fixture
def shell(home: Home) -> Iterator[Shell]:
    """Start shells in the daemon of this test."""
    need_a_terminal()
    made: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        folder = Path(home.environment["HOME"])
        made.append(Terminal(folder, "--daemon", *arguments, environment=home.environment))
        return made[-1]

    yield start
    for terminal in made:
        terminal.close()


def test_it_goes_on_where_the_daemon_is(home: Home, shell: Shell, pages: str) -> None:
    pid = home.start()
    home.in_daemon(f"open {pages}/alpha.html; open {pages}/nav.html; cd main_1")
    terminal = shell()
    terminal.see("/main_1 >")
    terminal.run("cd /")
    terminal.run("pwd")
    assert "\n/\n" in terminal.screen
    terminal.run("back")
    assert "alpha.html" in terminal.screen
    assert [one for one in terminal.processes() if "chrom" in one.name()] == []
    terminal.type("quit", "Enter")
    assert terminal.wait_for_end() == 0
    assert home.in_daemon("forward; pwd").status == 0
    assert home.status()["url"] == f"{pages}/nav.html"
    assert browser_count(pid) == 1


def test_completion_asks_the_daemon(home: Home, shell: Shell, pages: str) -> None:
    home.start()
    terminal = shell(f"{pages}/nav.html")
    terminal.prompt()
    terminal.type("cd pri", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> cd primary/"), "completion")
    terminal.type("", "Enter")
    terminal.see("/primary >")
    assert home.in_daemon("pwd").out == "/primary\n"


def test_completion_knows_what_the_daemons_session_has(home: Home, shell: Shell) -> None:
    home.start()
    home.in_daemon("let name_of_tea = Assam; lane new second; lane use 1")
    terminal = shell()
    terminal.prompt()
    terminal.type("type x $name_", "Tab")
    terminal.wait(lambda: terminal.line.endswith("$name_of_tea"), "variable")
    terminal.give_up_line()
    terminal.type("lane use s", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> lane use second"), "lane")


def test_ctrl_c_stops_the_command_in_the_daemon(home: Home, shell: Shell, pages: str) -> None:
    home.start()
    terminal = shell(f"{pages}/nav.html")
    terminal.prompt()
    terminal.type("wait --timeout 60 exists nosuch", "Enter")
    home.wait_until_busy()
    terminal.see("Ctrl-C stops it")
    terminal.type("", "Ctrl-C")
    terminal.see("domsh: interrupted")
    terminal.prompt()
    assert "^C" not in terminal.screen
    assert home.status()["busy"] is False
    terminal.run("ls")
    assert "primary/" in terminal.screen


def test_a_command_that_waits_for_its_turn_says_so(home: Home, shell: Shell) -> None:
    home.start()
    with home.begun("--daemon", "-c", "wait --timeout 60 exists nosuch") as first:
        home.wait_until_busy()
        terminal = shell("-c", "pwd")
        terminal.see("domsh: the daemon is busy, so this waits for its turn")
        first.send_signal(signal.SIGINT)
        terminal.see("\n/")
        assert terminal.wait_for_end() == 0


def test_two_shells_and_a_command_share_the_page(home: Home, shell: Shell, pages: str) -> None:
    home.start()
    first = shell(f"{pages}/nav.html")
    first.prompt()
    second = shell()
    second.see_line(first.line)
    second.run("cd main_1")
    first.run("pwd")
    assert "\n/main_1\n" in first.screen
    assert home.in_daemon("pwd").out == "/main_1\n"


def test_errors_and_remarks_look_as_they_do_elsewhere(home: Home, shell: Shell, pages: str) -> None:
    home.start()
    terminal = shell(f"{pages}/nav.html")
    terminal.prompt()
    terminal.run("cat nosuch")
    assert "domsh: no nosuch in /" in terminal.screen
    assert terminal.line.endswith("/ [1] >")
    terminal.run("cd main_1; nosuch")
    assert "'nosuch' is no command" in terminal.screen
    assert terminal.line.endswith("/ [2] >")
    assert home.in_daemon("history -n 2").out.splitlines()[0].endswith("cat nosuch")


def test_a_password_is_kept_nowhere(home: Home, shell: Shell, pages: str) -> None:
    home.start()
    terminal = shell(f"{pages}/password_first.html")
    terminal.prompt()
    terminal.run("fill pw_input s3cret")
    assert "filled" in terminal.screen
    terminal.run(" pwd")
    terminal.run("ls")
    terminal.type("quit", "Enter")
    assert terminal.wait_for_end() == 0
    file = Path(home.environment["XDG_STATE_HOME"]) / "domsh" / "history"
    assert [one for one in file.read_text().splitlines() if one.startswith("+")] == ["+ls", "+quit"]
    listed = home.in_daemon("history").out
    assert "ls" in listed
    assert "cret" not in listed
    assert "pwd" not in listed


def test_a_site_is_served_by_the_shell(home: Home, shell: Shell) -> None:
    home.start()
    terminal = shell("--site", "tests/pages", "/alpha.html")
    terminal.see("alpha.html")
    terminal.prompt()
    terminal.run("open $site/nav.html")
    assert "nav.html" in terminal.screen


def test_a_daemon_that_dies_is_told_in_a_line_and_a_new_one_taken(
    home: Home, shell: Shell, pages: str
) -> None:
    pid = home.start()
    terminal = shell(f"{pages}/nav.html")
    terminal.prompt()
    os.kill(pid, signal.SIGKILL)
    terminal.run("pwd")
    assert (
        "domsh: the daemon is gone" in terminal.screen or "no daemon is running" in terminal.screen
    )
    terminal.run("ls")
    assert "domsh: no daemon is running" in terminal.screen
    assert "`domsh daemon start`" in terminal.screen
    home.start()
    terminal.run("pwd")
    terminal.type("quit", "Enter")
    assert terminal.wait_for_end() == 0


def test_the_daemon_can_be_stopped_from_a_shell(home: Home, shell: Shell) -> None:
    home.start()
    terminal = shell()
    terminal.prompt()
    terminal.run("session daemon-stop")
    assert "the daemon stops" in terminal.screen
    home.wait_until(lambda: home.status()["running"] is False, "end")
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0


def test_without_a_daemon_there_is_no_shell(home: Home, shell: Shell) -> None:
    del home
    terminal = shell()
    assert terminal.wait_for_end() == 3
    assert "no daemon is running" in terminal.screen
