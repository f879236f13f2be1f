"""The keys of the prompt, in one terminal that all tests share: each leaves an empty line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domsh_repl.shell.keys import help_line
from tests.shell.conftest import Shell, need_a_terminal
from tests.shell.terminal import Terminal

EDITOR = """#!/bin/sh
case $(cat "$1") in
    wait*) while [ ! -e "$0.go" ]; do sleep 0.02; done ;;
    fail*) echo gone > "$1"; exit 1 ;;
    *) tr a-z A-Z < "$1" > "$1.new"; mv "$1.new" "$1" ;;
esac
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bin") / "my editor"
    file.write_text(EDITOR)
    file.chmod(0o755)
    return file


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, editor: Path) -> Iterator[Terminal]:
    need_a_terminal()
    home = tmp_path_factory.mktemp("home")
    (home / "index.html").write_text("<title>Teas</title><main><button>Save</button></main>")
    made = Terminal(home, "--site", str(home), environment={"VISUAL": f"'{editor}'"}, rows=40)
    made.prompt()
    yield made
    made.close()


@pytest.fixture
def terminal(shared: Terminal) -> Iterator[Terminal]:
    yield shared
    shared.give_up_line()


@pytest.mark.parametrize(
    ("text", "position", "line"),
    [
        ("", 0, "help"),
        ("click save_btn", 2, "help click"),
        ("click save_btn", 14, "help click"),
        ("ls | grep x", 7, "help grep"),
        ("ls -l; cat x", 11, "help cat"),
        ("ls -l; cat x", 3, "help ls"),
        ("expect exists x", 9, "help conditions"),
        ("help paths", 8, "help paths"),
        ("nosuch x", 2, "help"),
        ("page open x", 11, "help open"),
        ("type 'links", 9, "help type"),
    ],
)
def test_help_is_about_the_word_at_the_cursor_or_its_command(
    text: str, position: int, line: str
) -> None:
    assert help_line(text, position) == line


@pytest.mark.parametrize(
    ("key", "line", "told"),
    [
        ("Alt-Left", "back", "there is no earlier page"),
        ("Alt-Right", "forward", "there is no later page"),
        ("F5", "reload", "reloaded"),
        ("F1", "help cat", "cat: "),
    ],
)
def test_a_key_runs_its_line_and_leaves_the_one_that_is_typed(
    terminal: Terminal, key: str, line: str, told: str
) -> None:
    terminal.run("status")
    terminal.type("cat save_btn")
    terminal.wait(lambda: terminal.line.endswith("> cat save_btn"), "typed text")
    terminal.type("\x1b[D" * 3, key)
    terminal.wait(lambda: f"> {line}\n" in terminal.screen, "echoed line")
    terminal.see(told)
    terminal.wait(lambda: terminal.line.endswith("> cat save_btn"), "typed text again")
    terminal.type("X")
    terminal.wait(lambda: terminal.line.endswith("> cat save_Xbtn"), "cursor where it was")


def test_alt_up_goes_to_the_directory_above(terminal: Terminal) -> None:
    terminal.run("cd main_1")
    assert "/main_1 " in terminal.line
    terminal.type("", "Alt-Up")
    terminal.see("> cd ..\n")
    terminal.wait(lambda: terminal.line.endswith(" / >"), "root")


def test_what_a_key_ran_is_not_in_the_history(terminal: Terminal) -> None:
    terminal.press("F5")
    terminal.run("history -n 3")
    assert "  reload" not in terminal.screen.rpartition("history -n 3")[0].rpartition("\n")[2]
    assert "  reload" not in terminal.screen.rpartition("> history -n 3")[2]


@pytest.mark.parametrize("take", ["Enter", "Right", "Ctrl-E"])
def test_ctrl_r_searches_the_earlier_lines_and_runs_none(terminal: Terminal, take: str) -> None:
    terminal.run("help nosuch2")
    terminal.run("pwd")
    terminal.type("", "Ctrl-R")
    terminal.type("lp no")
    terminal.wait(lambda: terminal.line.endswith("`lp no': help nosuch2"), "line that was found")
    terminal.type("", take)
    terminal.wait(lambda: terminal.line.endswith("> help nosuch2"), "line to be gone on with")


def test_ctrl_l_clears_the_screen_and_keeps_the_line(terminal: Terminal) -> None:
    terminal.run("help paths")
    terminal.type("pwd")
    terminal.type("", "Ctrl-L")
    terminal.wait(lambda: terminal.screen.partition("\n")[0].endswith("> pwd"), "line at the top")


def test_the_editor_changes_the_line_and_runs_nothing(terminal: Terminal) -> None:
    terminal.type("help paths", "Ctrl-X", "Ctrl-E")
    terminal.wait(lambda: terminal.line.endswith("> HELP PATHS"), "edited line")
    terminal.type("!")
    terminal.wait(lambda: terminal.line.endswith("> HELP PATHS!"), "cursor at the end")


def test_an_editor_that_fails_leaves_the_line(terminal: Terminal) -> None:
    terminal.type("fail x")
    terminal.wait(lambda: terminal.line.endswith("> fail x"), "typed text")
    shown = terminal.prompts
    terminal.type("", "Ctrl-X", "Ctrl-E")
    terminal.wait(lambda: terminal.prompts > shown, "next prompt")
    terminal.wait(lambda: terminal.line.endswith("> fail x"), "line as it was")


def test_ctrl_c_means_the_editor_while_it_has_the_terminal(
    terminal: Terminal, editor: Path
) -> None:
    terminal.run("pwd")
    place = terminal.line
    terminal.type("wait gone x", "Ctrl-X", "Ctrl-E")
    terminal.wait(lambda: _runs(terminal, editor), "editor")
    terminal.type("", "Ctrl-C")
    terminal.wait(lambda: terminal.line == f"{place} wait gone x", "line as it was")
    assert not editor.with_name("my editor.go").exists()
    terminal.give_up_line()
    terminal.run("pwd")
    assert b"Traceback" not in terminal.raw


def test_an_editor_that_is_not_there_is_an_error_and_the_line_stays(shell: Shell) -> None:
    terminal = shell(environment={"VISUAL": "nosuch_editor --wait"})
    terminal.prompt()
    terminal.type("pwd", "Ctrl-X", "Ctrl-E")
    terminal.see("there is no program nosuch_editor")
    terminal.wait(lambda: terminal.line.endswith("> pwd"), "line as it was")


def test_vi_s_escape_is_not_kept_waiting_and_its_mode_is_shown(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html", environment={"DOMSH_EDITING": "vi"})
    terminal.prompt()
    terminal.see("insert · Alpha")
    terminal.type("cat x\x1b")
    terminal.see("normal · Alpha")
    terminal.type("v")
    terminal.see("visual · Alpha")
    terminal.type("", "F5")
    terminal.see("reloaded")
    terminal.wait(lambda: terminal.line.endswith("> cat x"), "typed text again")
    terminal.type("", "Alt-Up")
    terminal.see("> cd ..\n")


def test_the_keys_can_be_exchanged_while_the_shell_runs(terminal: Terminal) -> None:
    terminal.run("set editing vi")
    terminal.see("insert · ")
    terminal.run("set editing emacs")
    assert "insert · " not in terminal.screen


def test_a_suggestion_is_taken_by_its_keys_and_never_by_enter(terminal: Terminal) -> None:
    for take in ("Right", "Ctrl-E"):
        terminal.run("help nosuch1")
        terminal.type("hel")
        terminal.wait(lambda: terminal.line.endswith("> help nosuch1"), "suggestion")
        terminal.type("", take)
        terminal.type("x")
        terminal.wait(lambda: terminal.line.endswith("> help nosuch1x"), "taken suggestion")
        terminal.give_up_line()
    terminal.type("hel")
    terminal.wait(lambda: terminal.line.endswith("> help nosuch1"), "suggestion")
    terminal.run("")
    assert "'hel' is no command" in terminal.screen


def _runs(terminal: Terminal, editor: Path) -> bool:
    return any(one.name() == editor.name for one in terminal.processes())
