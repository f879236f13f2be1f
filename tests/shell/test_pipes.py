"""Pipes, programs, aliases, texts below and the pager, in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.shell.conftest import Shell, need_less
from tests.shell.terminal import Terminal


def started(shell: Shell, *arguments: str, **options: object) -> Terminal:
    """Start a shell and wait for its first prompt."""
    terminal = shell(*arguments, **options)
    terminal.prompt()
    return terminal


def runs(terminal: Terminal, program: str) -> bool:
    """Tell whether a program runs below the shell."""
    return any(one.name() == program for one in terminal.processes())


def test_a_pipeline_at_the_prompt(shell: Shell) -> None:
    terminal = started(shell)
    terminal.run("help commands | grep -c . | wc -l | !cat")
    assert "\n1\n" in terminal.screen
    terminal.run("let x = $(help | head -1); !echo =$x=")
    assert "=Going places" in terminal.screen


def test_an_alias_is_used_and_shown_in_errors(shell: Shell) -> None:
    terminal = started(shell)
    terminal.run("alias h = help commands | grep -c")
    terminal.run("h nosuch; alias")
    assert "\n0\n" in terminal.screen
    assert "alias h = help commands | grep -c" in terminal.screen
    terminal.run("h '(' ; h")
    assert "is no regular expression" in terminal.screen


def test_text_below_goes_on_in_the_next_lines(shell: Shell) -> None:
    terminal = started(shell)
    terminal.type("!echo <<END", "Enter")
    terminal.see_line("...")
    terminal.type("it's one", "Enter")
    terminal.see_line("...")
    terminal.type("END", "Enter")
    terminal.see("\nit's one\n")
    terminal.prompt()


def test_a_program_has_the_terminal_for_itself(shell: Shell) -> None:
    terminal = started(shell)
    terminal.type("!sh -c 'echo begun; read x; echo got:$x; test -t 1 && echo terminal'", "Enter")
    terminal.see("\nbegun")
    terminal.type("some words", "Enter")
    terminal.see("\ngot:some words\nterminal\n")
    terminal.prompt()


def test_ctrl_c_means_the_program(shell: Shell) -> None:
    terminal = started(shell)
    terminal.type("!sleep 60; !echo after", "Enter")
    terminal.wait(lambda: runs(terminal, "sleep"), "program")
    terminal.type("", "Ctrl-C")
    terminal.see("interrupted")
    terminal.prompt()
    assert "\nafter" not in terminal.screen
    terminal.run("!echo $status")
    assert "\n130\n" in terminal.screen


def test_a_program_may_live_through_ctrl_c(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "living.py").write_text(
        "import signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "print('begun', flush=True)\n"
        "signal.sigwait([signal.SIGINT])\n"
        "print('on')\n"
    )
    terminal = started(shell)
    terminal.type(f"!{sys.executable} {tmp_path}/living.py", "Enter")
    terminal.see("\nbegun")
    terminal.type("", "Ctrl-C")
    terminal.see("on\n")
    terminal.prompt()
    assert "interrupted" not in terminal.screen


def test_ctrl_c_ends_a_watch(shell: Shell) -> None:
    terminal = started(shell)
    terminal.type("watch -n 60 !echo again", "Enter")
    terminal.see("\nagain")
    terminal.type("", "Ctrl-C")
    terminal.see("interrupted")
    terminal.prompt()
    terminal.type("watch -n 0 help | !sleep 60", "Enter")
    terminal.see("Ctrl-C stops it")
    terminal.type("", "Ctrl-C")
    terminal.wait(lambda: terminal.screen.count("interrupted") == 2, "interruption")
    terminal.prompt()


def test_what_is_longer_than_the_screen_comes_in_a_pager(shell: Shell) -> None:
    need_less()
    terminal = started(shell, rows=12, environment={"LESS": "", "PAGER": "less"})
    terminal.type("help commands", "Enter")
    terminal.see_line(":")
    terminal.type("", "Ctrl-C")
    terminal.wait(lambda: b"\x07" in terminal.raw, "bell")

    def ended() -> bool:
        terminal.type("G")  # less drops what is typed while it deals with Ctrl-C
        return "(END)" in terminal.screen

    terminal.wait(ended, "end of the pager")
    terminal.type("q")
    terminal.prompt()
    terminal.run("help | head -3")
    terminal.run("help commands | tail -30")
    terminal.run("!echo still sane")
    assert "\nstill sane\n" in terminal.screen


def test_who_leaves_a_pager_before_the_last_page_stays_in_the_shell(
    shell: Shell, tmp_path: Path
) -> None:
    need_less()
    kept = tmp_path / "state" / "domsh" / "history"
    kept.parent.mkdir(parents=True)
    kept.write_text("".join(f"\n# then\n+help {'x' * 100}{n}\n" for n in range(3000)))
    terminal = started(shell, rows=12, environment={"PAGER": "less"})
    terminal.type("history -n 0", "Enter")
    terminal.see_line("Space goes on, q leaves")
    terminal.type("q")
    terminal.prompt()
    terminal.run("!echo still here")
    assert "\nstill here\n" in terminal.screen


def test_no_pager_where_it_is_switched_off_or_there_is_none(shell: Shell) -> None:
    terminal = started(shell, rows=12, environment={"PAGER": "nosuchpager"})
    terminal.run("help commands")
    terminal.run("set pager off; set pager")
    assert "\noff\n" in terminal.screen


def test_a_pager_that_ends_early_leaves_the_shell_whole(shell: Shell) -> None:
    terminal = started(shell, rows=12, environment={"PAGER": "sh -c 'head -1; echo paged'"})
    terminal.run("help commands")
    assert "\npaged\n" in terminal.screen
    terminal.run("watch --times 2 -n 0 help commands; !echo done")
    assert "\ndone\n" in terminal.screen
    assert terminal.screen.count("paged") <= 1


@pytest.mark.parametrize(
    ("begun", "whole"),
    [
        ("help | gr", "help | grep"),
        ("help | head -2 | tai", "help | head -2 | tail"),
        ("watch -n 1 reloa", "watch -n 1 reload"),
        ("let x = $(reloa", "let x = $(reload"),
        ("alias x = reloa", "alias x = reload"),
    ],
)
def test_what_fits_at_each_place_is_completed(shell: Shell, begun: str, whole: str) -> None:
    terminal = started(shell)
    terminal.type(begun, "Tab")
    terminal.see(whole)


def test_what_could_hold_a_secret_is_not_kept_for_the_next_shell(
    shell: Shell, tmp_path: Path
) -> None:
    terminal = started(shell)
    for line in ("let pw = hunter2", "alias login = fill pw_input hunter2", "help | head -1"):
        terminal.run(line)
    terminal.type("", "Up", "Up", "Up")
    terminal.see("hunter2")
    terminal.type("", "Ctrl-C", "Ctrl-D")
    terminal.wait_for_end()
    kept = "".join(file.read_text() for file in tmp_path.rglob("history"))
    assert "help | head -1" in kept
    assert "hunter2" not in kept


def test_with_json_what_a_program_prints_is_an_object(shell: Shell) -> None:
    terminal = started(shell)
    terminal.run("set json on; !echo one; help | head -0")
    assert '{"lines":["one"]}\n{"lines":[]}' in terminal.screen
