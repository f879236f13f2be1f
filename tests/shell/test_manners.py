"""What a configuration makes of the prompt: colours while typing, themes, vi's keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.conftest import Shell
from tests.shell.terminal import Terminal
from tests.site_server import serving

PAGE = "<title>T</title><main><h1>Teas</h1><button>Buy</button></main>"


@pytest.fixture
def page(tmp_path: Path) -> str:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    return str(tmp_path / "site")


def style(terminal: Terminal, text: str) -> tuple[str, bool, bool]:
    """Return colour, boldness and underlining of the last place where a text is on the screen."""
    screen = terminal._screen
    row = max((n for n, line in enumerate(screen.display) if text in line), default=-1)
    if row < 0:
        return "", False, False
    cell = screen.buffer[row][screen.display[row].rindex(text)]
    return cell.fg, cell.bold, cell.underscore


def colour_of(terminal: Terminal, text: str) -> str:
    return style(terminal, text)[0]


def test_an_unknown_command_is_red_as_soon_as_it_is_whole(shell: Shell) -> None:
    terminal = shell()
    terminal.prompt()
    terminal.type("lss")
    terminal.see_line("no page > lss")
    assert colour_of(terminal, "lss") == "default"
    terminal.type(" x")
    terminal.wait(lambda: colour_of(terminal, "lss") == "red", "red command")


def test_a_path_shows_whether_it_is_there_once_that_is_known(shell: Shell, page: str) -> None:
    with serving(Path(page)) as url:
        terminal = shell(f"{url}/index.html")
        terminal.prompt()
        terminal.type("ls main_1 nav_1 -l")
        terminal.wait(lambda: style(terminal, "main_1")[2], "underlined path")
        terminal.wait(lambda: colour_of(terminal, "nav_1") == "red", "red path")
        terminal.give_up_line()
        terminal.type("click main_1/buy_btn; click main_1/bye_btn ;")
        terminal.wait(lambda: style(terminal, "main_1/buy_btn")[2], "underlined path")
        terminal.wait(lambda: colour_of(terminal, "main_1/bye_btn") == "red", "red path")


def test_what_is_typed_goes_on_while_the_server_is_not_there(shell: Shell) -> None:
    terminal = shell("--browser", "/bin/false")
    terminal.prompt()
    terminal.type("ls main_1 x")
    terminal.see_line("no page > ls main_1 x")
    assert style(terminal, "main_1") == ("default", False, False)


def test_a_theme_colours_the_line_and_what_is_printed(shell: Shell, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('theme = "mono"\n[colors]\ncommand = "bold cyan"\nerror = "magenta"\n')
    terminal = shell("--config", str(config))
    terminal.prompt()
    terminal.type("help nosuch 'x'")
    terminal.wait(lambda: style(terminal, "help") == ("cyan", True, False), "cyan command")
    assert colour_of(terminal, "'x'") == "default"
    terminal.type("", "Enter")
    terminal.see("usage: help")
    assert "\x1b[35m" in terminal.raw.decode()


def test_the_keys_can_be_those_of_vi(shell: Shell) -> None:
    terminal = shell(environment={"DOMSH_EDITING": "vi"})
    terminal.prompt()
    terminal.type("help keyboarz")
    terminal.see_line("no page > help keyboarz")
    terminal.type("\x1b")
    terminal.type("xA" + "d", "Enter")
    terminal.see("Keys at the prompt")
