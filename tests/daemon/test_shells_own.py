"""What each interactive shell in the daemon has for itself: terminal, settings, aliases."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.conftest import Home
from tests.shell.conftest import need_a_terminal, need_less
from tests.shell.terminal import Terminal


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


@pytest.fixture(scope="module")
def terminal(home: Home) -> Iterator[Terminal]:
    """Give one shell in it to all tests of this module."""
    need_a_terminal()
    more = {"PAGER": "less", "LESS": ""}
    made = Terminal(
        Path(home.environment["HOME"]), "--daemon", environment={**home.environment, **more}
    )
    try:
        made.prompt()
        yield made
    finally:
        made.close()


@pytest.fixture(autouse=True)
def empty_screen(terminal: Terminal) -> None:
    """Let each test see its own lines only."""
    terminal.run("!clear")


def test_a_program_has_the_terminal_of_the_shell(terminal: Terminal) -> None:
    terminal.run("!sh -c 'test -t 0 && test -t 1 && stty size'")
    assert "\n30 100\n" in terminal.screen
    terminal.run("pwd; !sh -c 'echo between; exit 3' || pwd")
    assert "\n/\nbetween\ndomsh: sh ended with status 3\n/\n" in terminal.screen
    terminal.type("!sh -c 'echo on; cat'", "Enter")
    terminal.see("\non")
    terminal.type("typed", "Enter")
    terminal.see("typed\ntyped")
    terminal.type("", "Ctrl-D")
    terminal.prompt()
    terminal.run("!nosuch_program")
    assert "there is no program nosuch_program" in terminal.screen


def test_ctrl_c_means_the_program(terminal: Terminal) -> None:
    terminal.type("!sh -c 'trap \"echo caught; exit 0\" INT; echo on; sleep 60 & wait'", "Enter")
    terminal.see("\non")
    terminal.type("", "Ctrl-C")
    terminal.see("caught")
    terminal.prompt()
    assert "interrupted" not in terminal.screen
    terminal.run("!pwd")
    assert os.getcwd() in terminal.screen  # noqa: PTH109


def test_a_program_behind_a_pipe_has_the_terminal_too(terminal: Terminal) -> None:
    terminal.run("help commands | head -3 | !sh -c 'cat; test -t 1 && echo seen'")
    assert "open  " in terminal.screen
    assert "\nseen\n" in terminal.screen
    terminal.run("help commands | !true")
    terminal.run("help commands | !sort | head -1")
    terminal.run("watch --times 1 !echo heard")
    assert "\nheard\n" in terminal.screen


def test_a_long_answer_comes_in_the_shells_pager(terminal: Terminal) -> None:
    need_less()
    terminal.type("help commands", "Enter")
    terminal.wait(lambda: terminal.line == ":", "pager")
    assert "Going places" in terminal.screen
    before = terminal.raw.count(b"\a")
    terminal.type("", "Ctrl-C")
    terminal.wait(lambda: terminal.raw.count(b"\a") > before, "bell")  # that is less's answer
    terminal.press_until("G", lambda: "(END)" in terminal.screen)  # it takes no key at once
    terminal.type("q")
    terminal.prompt()
    terminal.run("set pager off")
    terminal.run("help commands")
    terminal.run("set pager on")


def test_settings_last_for_this_shell_and_for_no_other_client(
    terminal: Terminal, home: Home
) -> None:
    terminal.run("set timeout 7s; set json on")
    terminal.run("set timeout")
    assert '"timeout":"7s"' in terminal.screen
    assert home.in_daemon("set timeout").out == "30s\n"
    terminal.run("set json off; set color never")
    terminal.run("set")
    assert re.search(r"json +off", terminal.screen)
    assert re.search(r"color +never", terminal.screen)
    terminal.run("set color auto; set timeout 30s")


def test_aliases_belong_to_the_shell(terminal: Terminal, home: Home) -> None:
    terminal.run("alias first = help commands | head -1")
    terminal.run("first; pwd")
    assert "\nGoing places\n/\n" in terminal.screen
    terminal.type("fir", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> first"), "completion")
    terminal.give_up_line()
    assert home.in_daemon("first").status == 2
    terminal.run("unalias first")
    terminal.run("first")
    assert "'first' is no command" in terminal.screen


def test_variables_go_on_from_line_to_line(terminal: Terminal) -> None:
    terminal.run("let chapter = $(help commands | head -1)")
    terminal.run("!echo [$chapter]")
    assert "\n[Going places]\n" in terminal.screen


def test_watch_ends_with_ctrl_c(terminal: Terminal) -> None:
    terminal.type("watch -n 60 pwd", "Enter")
    terminal.see("\n/\n")
    terminal.type("", "Ctrl-C")
    terminal.see("domsh: interrupted")
    terminal.prompt()


def test_a_program_that_runs_keeps_the_daemon_until_its_shell_is_gone(home: Home) -> None:
    need_a_terminal()
    other = Terminal(Path(home.environment["HOME"]), "--daemon", environment=home.environment)
    try:
        other.prompt()
        other.type("!sleep 60", "Enter")
        home.wait_until_busy()
    finally:
        other.close()
    home.wait_until(lambda: home.status()["busy"] is False, "end of the line")
    assert home.in_daemon("pwd").status == 0


def test_what_is_plain_in_one_shell_is_its_own(terminal: Terminal, home: Home) -> None:
    terminal.type("set plain on", "Enter")
    terminal.wait(lambda: terminal.raw.endswith(b"no page > "), "plain prompt")
    terminal.type("lanes", "Enter")
    terminal.see("lane 1, current, ")
    assert "*  1" not in terminal.screen
    assert home.in_daemon("set plain").out == "off\n"
    editor = terminal.raw.count(b"\x1b[?2004h")
    terminal.type("set plain off", "Enter")
    terminal.wait(lambda: terminal.raw.count(b"\x1b[?2004h") > editor, "line editor")
    terminal.run("lanes")
    assert "*  1" in terminal.screen
