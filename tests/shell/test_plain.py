"""The shell as a screen reader gets it: what is sent to the terminal, byte by byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell.conftest import Shell, need_a_terminal
from tests.shell.terminal import Terminal

ALLOWED = re.compile(
    rb"\x1b\[K"  # erase what follows in the line
    rb"|\x1b\[\d*[CD]"  # go right and left in the line
    rb"|\x1b\[\d*[@P]"  # insert and delete in the line
    rb"|[\r\n\b]"
)
"""All that Readline needs to edit a line; anything else would be colour, or drawing."""
CONTROLS = re.compile(rb"[\x00-\x1f\x7f]")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory, pages: str) -> Iterator[Terminal]:
    need_a_terminal()
    home = tmp_path_factory.mktemp("plain")
    terminal = Terminal(home, "--plain", f"{pages}/form.html")
    terminal.see("/ >")
    yield terminal
    left = CONTROLS.findall(ALLOWED.sub(b"", terminal.raw))
    terminal.close()
    assert left == []


def answer(terminal: Terminal, line: str, *keys: str) -> list[str]:
    """Type a line and keys, by default Enter; return the lines up to the next prompt."""
    before = len(terminal.raw)
    terminal.type(line, *(keys or ("Enter",)))
    prompts = re.compile(rb"\n[^\n]* > $")
    terminal.wait(lambda: prompts.search(terminal.raw[before:]) is not None, "prompt")
    return terminal.raw[before:].decode().replace("\r", "").split("\n")[1:-1]


def listed(terminal: Terminal, begun: str) -> tuple[list[str], str]:
    """Press Tab after what is typed; return what is listed and the line as it stands then."""
    before = len(terminal.raw)
    terminal.type(begun, "Tab")
    again = re.compile(rb"\n[^\n]* > [^\n]+$")
    terminal.wait(lambda: again.search(terminal.raw[before:]) is not None, "candidates")
    *lines, line = terminal.raw[before:].decode().replace("\r", "").split("\n")[1:]
    return lines, line.partition(" > ")[2]


def typed(terminal: Terminal, text: str) -> None:
    """Wait until a text stands behind the prompt."""
    terminal.wait(lambda: terminal.line.endswith(f" > {text}"), f"line {text!r}")


def test_entries_are_lines_of_words(session: Terminal) -> None:
    assert answer(session, "ls main_area") == [
        "signup_form, form landmark, directory",
        "paragraph_1, paragraph, directory",
        "load_late_btn, button",
        "events, log, directory",
    ]
    assert 'i_agree_chk, checkbox "I agree", not checked' in answer(
        session, "ls -l main_area/signup_form"
    )


def test_tab_lists_what_could_come_next_below_the_line(session: Terminal) -> None:
    lines, line = listed(session, "cat main_area/signup_form/p")
    assert line == "cat main_area/signup_form/p"
    assert any(one.startswith("password_input, ") for one in lines)
    assert any(one.startswith("plan/, ") for one in lines)
    session.type("l", "Tab")
    typed(session, "cat main_area/signup_form/plan/")
    answer(session, "", "Ctrl-C")


def test_tab_completes_in_the_middle_of_a_line(session: Terminal) -> None:
    session.type("tre x\x1b[D\x1b[D", "Tab")
    session.type("\x05", "Enter")
    session.see("tree x\n")
    session.prompt()


def test_an_outline_names_everything_in_the_order_of_the_page(session: Terminal) -> None:
    form = "/main_area/signup_form"
    assert answer(session, "outline --headings --landmarks --fields --links") == [
        "banner landmark, /banner_1",
        'heading level 1 "Account", /banner_1/account_heading',
        'main landmark "Main area", /main_area',
        f'form landmark "Signup form", {form}',
        f'textbox "Email", {form}/email_input',
        f'textbox "Password", {form}/password_input',
        f'textbox "Bio", multi-line, {form}/bio_input',
        f'checkbox "I agree", not checked, {form}/i_agree_chk',
        f'radio button "Free", checked, {form}/plan/free_radio',
        f'radio button "Pro", not checked, {form}/plan/pro_radio',
        f'combobox "Country", value "United States", {form}/country_select',
        f'searchbox "Search site", {form}/search_site_search',
    ]


def test_a_card_and_matches_are_read_in_order(session: Terminal) -> None:
    assert answer(session, "cat main_area/signup_form/country_select")[:4] == [
        "name: country_select",
        "path: /main_area/signup_form/country_select",
        "role: combobox",
        "label: Country",
    ]
    assert answer(session, "find --type radio") == [
        '/main_area/signup_form/plan/free_radio, radio button "Free", checked',
        '/main_area/signup_form/plan/pro_radio, radio button "Pro", not checked',
    ]


def test_errors_are_told_in_words_and_the_prompt_says_that_it_failed(session: Terminal) -> None:
    assert answer(session, "cat nosuch")[0].startswith("domsh: ")
    assert " / failed 1 > " in session.raw.decode().rpartition("\n")[2]
    assert answer(session, "ls | | head")[0] == "at character 6: |"


def test_long_work_is_told_once_and_ctrl_c_stops_it(session: Terminal) -> None:
    session.type("wait exists nosuch", "Enter")
    session.see("wait exists nosuch, 2 seconds, Ctrl-C stops it")
    assert answer(session, "", "Ctrl-C") == ["domsh: interrupted"]


def test_a_line_is_edited_with_the_usual_keys_in_any_script(session: Terminal) -> None:
    session.type("cat é日本x\x1b[D\x1b[D\x1b[3~y", "Enter")
    session.see("é日yx")
    session.prompt()
    session.type("", "Up")
    typed(session, "cat é日yx")
    answer(session, "", "Ctrl-C")


def test_the_keys_can_be_those_of_vi(session: Terminal) -> None:
    answer(session, "set editing vi")
    session.type("pwdx\x1b")
    session.wait(lambda: session.raw.endswith(b"pwdx\b"), "command mode")
    assert answer(session, "x")[0] == "/"
    answer(session, "set editing emacs")


def test_an_open_quote_goes_on_in_the_next_line(session: Terminal) -> None:
    session.type('find "Sa', "Enter")
    session.see_line("...")
    assert "'Sa\\\\nve'" in answer(session, 've" --type button')[0]


def test_lines_that_are_pasted_run_one_after_the_other(session: Terminal) -> None:
    session.type("cd main_area\npwd\ncd /\n")
    session.see("/main_area > pwd\n/main_area\n")
    session.wait(lambda: session.line.endswith(" / >"), "prompt")


def test_turned_off_the_shell_is_as_ever_and_turned_on_again_plain(
    shell: Shell, pages: str
) -> None:
    terminal = shell(f"{pages}/form.html")
    terminal.prompt()
    assert b"\x1b[" in terminal.raw
    terminal.run("ls main_area/signup_form -l")
    assert "radio" not in terminal.screen
    assert "checkbox" in terminal.screen
    terminal.type("set plain on", "Enter")
    terminal.wait(lambda: terminal.raw.endswith(b" / > "), "plain prompt")
    before = len(terminal.raw)
    assert 'load_late_btn, button "Load late"' in answer(terminal, "ls -l main_area")
    assert CONTROLS.findall(ALLOWED.sub(b"", terminal.raw[before:])) == []
    terminal.type("set plain off", "Enter")
    terminal.wait(lambda: b"\x1b[?2004h" in terminal.raw[before:], "line editor")
    terminal.run("ls main_area")
    assert "load_late_btn, " not in terminal.screen.rpartition("> ls main_area\n")[2]


def test_a_password_is_kept_nowhere_here_either(shell: Shell, pages: str) -> None:
    terminal = shell("--plain", f"{pages}/form.html")
    terminal.see("/ >")
    filled = answer(terminal, "fill main_area/signup_form/password_input s3cret")
    assert filled[0].startswith("filled main_area/signup_form/password_input, now hidden, ")
    assert answer(terminal, "history") == ["1, history"]
    terminal.type("", "Up")
    typed(terminal, "history")


def test_a_single_line_is_plain_too(shell: Shell, pages: str) -> None:
    terminal = shell("-q", f"{pages}/form.html", "-c", "ls", environment={"DOMSH_PLAIN": "yes"})
    assert terminal.wait_for_end() == 0
    assert (
        terminal.screen
        == "banner_1, banner landmark, directory\nmain_area, main landmark, directory"
    )
    assert b"\x1b" not in terminal.raw


def test_the_lines_of_a_file_are_echoed_without_a_sign(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "x.domsh").write_text("set plain\n")
    terminal = shell("--plain", "--echo", "run", str(tmp_path / "x.domsh"))
    assert terminal.wait_for_end() == 0
    assert terminal.screen.strip() == "set plain\non\n1 passed, 0 failed, 0 skipped"


def test_where_python_has_no_readline_the_terminal_edits_the_line(
    shell: Shell, pages: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text('import sys\nsys.modules["readline"] = None\n')
    terminal = shell("--plain", f"{pages}/form.html", environment={"PYTHONPATH": str(tmp_path)})
    terminal.see("/ >")
    assert answer(terminal, "lx\x7fs")[0] == "banner_1, banner landmark, directory"


def test_ctrl_d_leaves(shell: Shell) -> None:
    terminal = shell("--plain")
    terminal.see_line("no page >")
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0
