from __future__ import annotations

import os
import signal
import stat
import textwrap
import time
from pathlib import Path

import pytest

from tests.shell.conftest import Shell
from tests.shell.terminal import wait_until_gone

HELD = textwrap.dedent("""
    import os, sys, time

    def hold(event, arguments):
        held = event == "subprocess.Popen" or (
            event == "import"
            and arguments[0] in {"rich", "domsh_repl.engine.spawning", "domsh_repl.engine.engine"}
        )
        end = time.monotonic() + 60
        while held and not os.path.exists(os.environ["GO"]) and time.monotonic() < end:
            time.sleep(0.01)

    sys.addaudithook(hold)
    """)
"""Holds the browser's start and the slow imports until the file GO exists."""


def test_the_prompt_is_there_and_takes_keys_before_the_browser_is_started(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HELD)
    go = tmp_path / "go"
    terminal = shell(environment={"PYTHONPATH": str(tmp_path), "GO": str(go)})
    terminal.see_line("no page >")
    terminal.type("pwd")
    terminal.see_line("no page > pwd")
    assert len(terminal.processes()) == 1
    go.touch()
    terminal.type("", "Enter")
    terminal.see("\n/\n")
    assert terminal.browser().is_running()


def test_the_first_prompt_needs_nothing_that_runs_lines(shell: Shell, tmp_path: Path) -> None:
    names = (
        "domsh_repl.language",
        "domsh_repl.commands.executor",
        "domsh_repl.render.renderer",
        "domsh_repl.link.link",
    )
    (tmp_path / "sitecustomize.py").write_text(HELD.replace('{"rich", ', f'{{*{names}, "rich", '))
    go = tmp_path / "go"
    terminal = shell(environment={"PYTHONPATH": str(tmp_path), "GO": str(go)})
    terminal.see_line("no page >")
    go.touch()
    terminal.run("help paths")
    assert "save_btn" in terminal.screen


def test_a_password_is_not_kept(shell: Shell, tmp_path: Path, pages: str) -> None:
    terminal = shell(f"{pages}/password_first.html")
    terminal.prompt()
    terminal.run("fill pw_input s3cret")
    terminal.run("fill pww_input s4cret")
    terminal.run("pwd")
    file = tmp_path / "state" / "domsh" / "history"
    assert "pwd" in file.read_text()
    assert "cret" not in file.read_text()
    terminal.type("fill", "Up")
    terminal.wait(lambda: "fill pww_input s4cret" in terminal.line, "line that failed")
    terminal.type("", "Up")
    terminal.give_up_line()
    terminal.run("history")
    listed = terminal.screen.rpartition("> history")[2]
    assert "s4cret" in listed
    assert "s3cret" not in listed


def test_a_url_is_opened_before_the_first_prompt(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.see_line(f"{pages.removeprefix('http://')} / >")
    assert "opened" in terminal.screen


def test_a_first_shell_is_greeted_with_two_lines_and_a_second_one_is_not(shell: Shell) -> None:
    first = shell()
    first.see_line("no page >")
    assert first.screen.count("\n") == 2
    first.type("", "Ctrl-D")
    assert first.wait_for_end() == 0
    second = shell()
    second.see_line("no page >")
    assert second.screen == "no page >"


def test_the_cursor_position_is_never_asked_from_the_terminal(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.run("help paths")
    assert b"\x1b[6n" not in terminal.raw


def test_an_unknown_command_is_named_with_the_nearest_one_and_its_status(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.run("hepl")
    assert "domsh: 'hepl' is no command\nhint: did you mean help?" in terminal.screen
    assert terminal.line == "no page [2] >"


def test_a_syntax_error_is_shown_with_a_caret_below_it(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.run("help && ls | | x")
    assert "  help && ls | | x\n               ^\n" in terminal.screen
    assert "Going places" not in terminal.screen


def test_an_open_quote_goes_on_in_the_next_line(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.type("help 'pat", "Enter")
    terminal.see_line("...")
    terminal.type("hs'", "Enter")
    terminal.see("no help on 'pat\\nhs'")


def test_ctrl_c_at_the_prompt_clears_the_line(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.type("help nosuch")
    terminal.see_line("no page > help nosuch")
    terminal.type("", "Ctrl-C")
    terminal.see_line("no page >")
    terminal.run("help paths")
    assert "no help" not in terminal.screen


def test_ctrl_c_stops_a_command_and_leaves_the_browser_alone(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    before = terminal.browser().pid
    terminal.type("wait --timeout 30s exists never", "Enter")
    terminal.see("s, Ctrl-C stops it")
    terminal.type("", "Ctrl-C")
    terminal.see("domsh: interrupted")
    terminal.wait(lambda: terminal.line.endswith("/ [130] >"), "prompt with the status")
    assert "stops it" not in terminal.screen
    terminal.run("cd body_1; pwd")
    terminal.run("pwd")
    assert terminal.browser().pid == before
    assert b"Traceback" not in terminal.raw


def test_ctrl_c_during_the_start_stops_the_line_and_not_the_start(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.browser()
    terminal.give_up_line()
    assert "domsh: interrupted" in terminal.screen
    terminal.run(f"open {pages}/alpha.html")
    assert "opened" in terminal.screen
    assert b"Traceback" not in terminal.raw


def test_ctrl_d_leaves_with_status_0_and_nothing_stays_behind(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    terminal.run("nosuch")
    processes = terminal.processes()
    assert len(processes) > 2
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0
    wait_until_gone(processes, 5)
    assert b"Traceback" not in terminal.raw
    assert terminal.screen.splitlines()[-1].endswith("/ [2] >")


def test_ctrl_d_during_the_start_leaves(shell: Shell) -> None:
    terminal = shell()
    terminal.see_line("no page >")
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0
    assert b"Traceback" not in terminal.raw


def test_quit_leaves_with_status_0(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.type("nosuch || quit; help", "Enter")
    terminal.prompt()
    terminal.type("quit", "Enter")
    assert terminal.wait_for_end() == 0


def test_ctrl_c_while_it_ends_leaves_no_trace_and_no_process(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    terminal.browser()
    processes = terminal.processes()
    terminal.type("quit", "Enter", "Ctrl-C", "Ctrl-C", "Ctrl-C")
    terminal.wait_for_end()
    assert "Traceback" not in terminal.screen
    assert "Error" not in terminal.screen
    wait_until_gone(processes, 10)


def test_a_killed_shell_leaves_no_browser(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    processes = terminal.processes()
    assert any("chrom" in one.name() for one in processes)
    os.kill(terminal.pid, signal.SIGKILL)
    wait_until_gone(processes, 5)


def test_pasted_lines_run_one_by_one_each_shown_before_it_runs(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    place = terminal.line
    terminal.paste("pwd\nhelp nosuch\n")
    terminal.see("... help nosuch")
    terminal.type("", "Enter")
    terminal.see_line(f"{place.removesuffix(' >')} [2] >")
    ran = terminal.screen[terminal.screen.index(f"{place} pwd") :]
    assert ran.startswith(f"{place} pwd\n/\n{place} help nosuch\ndomsh: no help on 'nosuch'")


def test_lines_that_come_all_at_once_run_one_by_one_and_nothing_else_is_written(
    shell: Shell,
) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.type("pwd\rhelp nosuch\rpwd\rhelp nothere\r")
    terminal.see("no help on 'nothere'")
    terminal.see_line("no page [2] >")
    ran = terminal.screen[terminal.screen.index("> pwd") :]
    assert ran.count("> pwd\n/\nno page") == 2
    assert "Warning" not in terminal.screen


def test_a_pasted_line_waits_for_enter(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.paste("help nosuch\r\n")
    terminal.see_line("no page > help nosuch")
    terminal.type("x", "Enter")
    terminal.see("no help on 'nosuchx'")


def test_lines_are_kept_for_the_next_shell_but_for_those_with_a_blank_in_front(
    shell: Shell, tmp_path: Path
) -> None:
    first = shell()
    first.prompt()
    first.run("help nosuch1")
    first.run(" help nosuch2")
    first.type("", "Ctrl-D")
    first.wait_for_end()
    file = tmp_path / "state" / "domsh" / "history"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert "nosuch1" in file.read_text()
    assert "nosuch2" not in file.read_text()
    second = shell()
    second.prompt()
    second.run("history")
    assert "1  help nosuch1\n   2  history" in second.screen
    second.type("help", "Up")
    second.see_line("no page > help nosuch1")


def test_a_history_that_cannot_be_written_is_one_warning(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, where a directory should be")
    terminal = shell()
    terminal.prompt()
    terminal.run("help nosuch")
    terminal.run("history")
    assert "1  help nosuch" in terminal.screen
    assert terminal.raw.count(b"warning:") == 1


def test_what_takes_long_is_told_and_taken_away(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    terminal.type("wait --timeout 2s exists never", "Enter")
    terminal.see("wait --timeout 2s exists never: 1 s, Ctrl-C stops it")
    terminal.wait(lambda: terminal.line.endswith("[4] >"), "end of the wait")
    assert "stops it" not in terminal.screen


def test_a_dumb_terminal_gets_plain_lines_and_no_escapes(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html", environment={"TERM": "dumb"})
    terminal.prompt()
    terminal.type("pwd; help 'a\rb'\r")
    terminal.see("no help on 'a\\nb'")
    terminal.prompt()
    terminal.type("wait --timeout 30s exists never\r")
    terminal.see("Ctrl-C stops it")
    terminal.type("", "Ctrl-C")
    terminal.see("failed 130 >")
    terminal.type("", "Ctrl-C")
    terminal.see("failed 130 > ^C\n")
    terminal.prompt()
    terminal.type("history\r")
    terminal.see("3  history")
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0
    assert b"\x1b" not in terminal.raw


def test_in_forty_columns_the_prompt_leaves_room_to_type(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/wrapped_levels.html", columns=40)
    terminal.prompt()
    terminal.run("cd main_1")
    terminal.type("pwd")
    terminal.wait(lambda: terminal.line.endswith("> pwd"), "typed text")
    assert len(terminal.line) <= 25


def test_without_colours_none_are_sent(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html", environment={"NO_COLOR": "1"})
    terminal.prompt()
    terminal.run("ls -l")
    terminal.run("nosuch")
    for colour in range(30, 38):
        assert f"{colour}m".encode() not in terminal.raw
        assert f";{colour}".encode() not in terminal.raw


def test_a_page_that_moves_while_the_prompt_waits_is_noticed_above_it(
    shell: Shell, served: tuple[Path, str]
) -> None:
    folder, url = served
    (folder / "b.html").write_text("<title>b</title><main><button>There</button></main>")
    (folder / "a.html").write_text(
        "<title>a</title><button>Here</button>"
        "<script>setTimeout(() => location = 'b.html', 700)</script>"
    )
    terminal = shell(f"{url}/a.html")
    terminal.prompt()
    end = time.monotonic() + 10
    while "by itself" not in terminal.screen and time.monotonic() < end:
        terminal.type("ls main_1/", "Tab")
        terminal.wait(lambda: "ls main_1/" in terminal.line or "by itself" in terminal.screen)
        terminal.give_up_line()
    assert "the page went to" in terminal.screen
    terminal.type("click main_1/t", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> click main_1/there_btn"), "completed path")


@pytest.mark.parametrize("page", ["hostile_label.html", "weird.html"])
def test_nothing_of_a_hostile_page_reaches_the_terminal_as_it_is(
    shell: Shell, pages: str, page: str
) -> None:
    terminal = shell(f"{pages}/{page}", rows=40, environment={"NO_COLOR": "1"})
    terminal.prompt()
    for line in ("ls -l", "cat nosuch", "click main*/b*", "cd main*", "info", "tabs"):
        terminal.run(line)
    terminal.type("cat ", "Tab")
    terminal.wait(lambda: "button" in terminal.screen.rpartition("> cat")[2], "menu")
    terminal.type("", "Tab", "Tab", "Ctrl-C")
    terminal.prompt()
    terminal.type('click "', "Tab")
    terminal.wait(lambda: "button" in terminal.screen.rpartition('> click "')[2], "menu of labels")
    terminal.give_up_line()
    terminal.run("pwd")
    sent = terminal.raw.decode()
    for unsafe in ("\x1b]", "\x1b[2J", "\x9b", "\x9d", "\u202e", "\u2028", "\x1b[31m", "\u200b"):
        assert unsafe not in sent


def test_a_dead_browser_costs_an_error_and_no_candidates(shell: Shell, pages: str) -> None:
    terminal = shell(f"{pages}/alpha.html")
    terminal.prompt()
    browser = terminal.browser()
    browser.kill()
    wait_until_gone([browser], 5)
    terminal.see("the browser is gone")
    terminal.type("ls ", "Tab")
    terminal.give_up_line()
    terminal.type("ls", "Enter")
    terminal.wait(lambda: terminal.line.endswith("[3] >"), "status of a lost browser")
    assert b"Traceback" not in terminal.raw
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0


def test_bytes_that_are_no_text_cost_a_sign_and_no_line(shell: Shell) -> None:
    terminal = shell(environment={"VISUAL": "true"})
    terminal.prompt()
    before = terminal.raw.count(b"\x1b[?2004h")
    terminal.child.send(b"!echo a\xffb\xed\xa0\x80c\r")
    terminal.wait(lambda: terminal.raw.count(b"\x1b[?2004h") > before, "next prompt")
    assert "\na\N{REPLACEMENT CHARACTER}b" in terminal.screen
    terminal.child.send(b"pwd \xff")
    terminal.type("", "Ctrl-X", "Ctrl-E")
    terminal.wait(lambda: terminal.line.endswith("pwd \N{REPLACEMENT CHARACTER}"), "edited line")
    terminal.give_up_line()
    assert b"defect" not in terminal.raw


def test_what_is_typed_before_the_prompt_is_there_leaves_no_warning(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "state" / "domsh" / "history"
    file.parent.mkdir(parents=True)
    file.write_text("".join(f"\n# then\n+help {'x' * 90}{n}\n" for n in range(30_000)))
    terminal = shell()
    terminal.type("!echo one\r!echo two\r!echo three\r")
    terminal.see("\nthree")
    terminal.prompt()
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0
    assert b"Warning" not in terminal.raw
