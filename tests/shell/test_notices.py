"""What happens while the prompt waits, and what the line below it tells."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests.shell.conftest import Shell, need_a_terminal
from tests.shell.terminal import DEADLINE, Terminal, wait_until_gone
from tests.site_server import serving

SCENES = {
    "moves": "location = 'there.html'",
    "within": "history.pushState({}, '', '#there')",
    "asks": "confirm('Really\\u001b[31m?')",
    "opens": "window.open('there.html')",
    "offers": "a.click()",
}
PAGE = "<title>{name}</title><a id=a download=a.txt href=data:,x></a><main><h1>x</h1></main>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve pages that do something when their title is asked for twice, as if by themselves."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "there.html").write_text(PAGE.format(name="There"))
    for name, script in SCENES.items():
        page = PAGE.format(name=name)
        waiting = f"setTimeout(() => {{ {script} }}, 400)"
        (folder / f"{name}.html").write_text(f"{page}<script>go = () => {{ {waiting} }}</script>")
    with serving(folder) as url:
        yield url


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, site: str) -> Iterator[Terminal]:
    need_a_terminal()
    made = Terminal(tmp_path_factory.mktemp("home"), f"{site}/there.html", rows=40)
    made.prompt()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        ("moves", "the page went to http"),
        ("within", "#there by itself"),
        ("opens", "the page opened tab "),
        ("offers", "the page offered a download: "),
    ],
)
def test_what_a_page_does_by_itself_is_told_once_above_the_line_that_is_typed(
    shared: Terminal, site: str, scene: str, told: str
) -> None:
    shared.run(f"open {site}/{scene}.html")
    shared.run('js "go()"')
    before = shared.raw.count(told.encode())
    shared.type("cat ma")
    shared.see(told)
    shared.wait(lambda: shared.line.endswith("> cat ma"), "line as it was")
    shared.type("in_1")
    shared.wait(lambda: shared.line.endswith("> cat main_1"), "line that goes on")
    shared.give_up_line()
    shared.run("pwd")
    shared.run("ls")
    assert shared.screen.rpartition('> js "go()"')[2].count(told) == 1
    assert shared.raw.count(told.encode()) == before + 1


def test_a_dialog_is_told_and_marked_and_taken_from_the_prompt(shared: Terminal, site: str) -> None:
    shared.run(f"open {site}/asks.html")
    shared.run('js "go()"')
    shared.type("x")
    shared.see("waits for its confirm dialog: 'Really\\u001b[31m?'; `dialog accept` or")
    shared.wait(lambda: shared.line.endswith("/ dialog! > x"), "mark in the prompt")
    shared.type("", "Backspace")
    shared.run("dialog dismiss")
    assert shared.line.endswith(" / >")


def test_a_page_that_does_nothing_is_not_drawn_again_and_again(shared: Terminal, site: str) -> None:
    shared.run(f"open {site}/there.html")
    shared.see("There · ")
    seen = len(shared.raw)
    shared.type("x")
    shared.wait(lambda: shared.line.endswith("> x"), "typed text")
    shared.type("", "Backspace")
    shared.prompt()
    assert len(shared.raw) - seen < 400


def test_a_browser_that_is_gone_is_told_at_once_and_marked(shell: Shell, site: str) -> None:
    terminal = shell(f"{site}/there.html")
    terminal.prompt()
    terminal.see("There · ")
    browser = terminal.browser()
    terminal.type("x")
    browser.kill()
    wait_until_gone([browser], 5)
    terminal.see("the browser is gone; `reconnect` starts another one")
    terminal.wait(lambda: terminal.line.endswith("/ lost! > x"), "mark in the prompt")
    terminal.type("", "Backspace")
    terminal.run("ls")
    assert terminal.line.endswith("/ lost! [3] >")
    terminal.run("reconnect")
    assert "lost!" not in terminal.line
    assert terminal.screen.count("the browser is gone;") == 1
    assert b"Traceback" not in terminal.raw


def test_the_toolbar_tells_of_the_page_and_goes_when_it_is_not_wanted(
    shared: Terminal, site: str
) -> None:
    shared.run(f"open {site}/there.html")
    shared.see("There · 7 elements · lane 1 · builtin · ")
    shared.run("set toolbar off")
    assert "· builtin ·" not in shared.screen
    shared.run("set toolbar on")
    shared.see("· builtin ·")


def test_the_prompt_can_be_short(shared: Terminal, site: str) -> None:
    shared.run(f"open {site}/there.html")
    shared.run("cd main_1")
    shared.run("set prompt short")
    assert shared.line == "main_1 >"
    shared.run("set prompt full")
    assert shared.line == f"{site.removeprefix('http://')} /main_1 >"


def test_settings_of_the_prompt_are_kept_in_the_configuration(shell: Shell, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('prompt = "short"\ntoolbar = false\n')
    (tmp_path / "index.html").write_text(PAGE.format(name="Home"))
    terminal = shell("--config", str(config), "--site", str(tmp_path))
    terminal.see_line("/ >")
    assert "builtin" not in terminal.screen


def test_the_start_is_told_below_the_first_prompt(shell: Shell) -> None:
    terminal = shell()
    terminal.see("no page >\nstarting the browser")
    terminal.wait(lambda: "starting the browser" not in terminal.screen, "end of the start")
    assert terminal.line == "no page >"


def test_wide_and_combining_text_and_a_narrow_terminal_keep_the_screen_whole(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(
        "<title>日本語のとても長い題名がここにある e\u0301e\u0301</title>"
        "<main aria-label=登録フォーム><button>送信</button><p>x</main>",
        encoding="utf-8",
    )
    terminal = shell("--site", str(tmp_path), columns=40, rows=12)
    terminal.prompt()
    terminal.run("cd 登*")
    terminal.type("click 送")
    terminal.wait(lambda: terminal.line.endswith("> click 送"), "typed text")
    bar = terminal.screen.splitlines()[-1]
    assert bar.startswith("日本語")
    terminal.resize(24, 12)
    terminal.type("信_btn", "Ctrl-A", "Ctrl-E")
    terminal.wait(lambda: "btn" in terminal.screen, "typed text")
    terminal.resize(60, 12)
    terminal.run("")
    assert "click to 送信_btn" in terminal.screen
    assert b"Traceback" not in terminal.raw


def test_without_colours_a_suggestion_and_the_toolbar_are_dim(shell: Shell, site: str) -> None:
    terminal = shell(f"{site}/there.html", environment={"NO_COLOR": "1"})
    terminal.prompt()
    terminal.run("pwd")
    terminal.type("p")
    terminal.wait(lambda: terminal.line.endswith("> pwd"), "suggestion")
    assert b"\x1b[0;2mwd" in terminal.raw
    assert b"\x1b[0;2mThere" in terminal.raw


def test_a_suggestion_that_is_too_long_is_cut_to_the_line(shell: Shell) -> None:
    terminal = shell(columns=40)
    terminal.prompt()
    terminal.run("help nosuch" + "0123456789" * 4)
    terminal.type("he")
    terminal.wait(lambda: terminal.line.endswith("…"), "cut suggestion")
    terminal.type("", "Right")
    whole = "help nosuch" + "0123456789" * 4
    terminal.wait(lambda: whole in terminal.screen.replace("\n", "").rpartition("> ")[2], "all")


def test_a_load_that_takes_long_says_whom_it_waits_for(shared: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        host = f"127.0.0.1:{mute.getsockname()[1]}"
        shared.type(f"open {host}/x", "Enter")
        shared.see(f"loading {host}: 1 s, Ctrl-C stops it")
        shared.type("", "Ctrl-C")
        shared.see("domsh: interrupted")
        shared.wait(lambda: shared.line.endswith("[130] >"), "prompt")
    assert "stops it" not in shared.screen


STORM = """
import sys, termios
from domsh_repl.commands.bearing import Bearing
from domsh_repl.render.theme import DEFAULT_THEME, signs_for
from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.lexer import LineLexer
from domsh_repl.shell.prompting import Around, LinePrompt, Manner
from pathlib import Path

def write():
    mode = termios.tcgetattr(0)[3]
    print("raw" if not mode & (termios.ICANON | termios.ECHO | termios.ISIG) else "cooked")

async def watch():
    prompt.tell(write)

lexer = LineLexer(lambda word: None, lambda: 0, lambda: ())
around = Around(lambda n: [("", "> ")], lambda n, m: "", lambda: "", None, lexer, watch)
manner = Manner(False, DEFAULT_THEME, signs_for("utf-8"))
prompt = LinePrompt(around, LineHistory(Path(sys.argv[1]), print), manner, Bearing())
print("took", prompt.ask(lambda: None))
"""


def test_the_terminal_stays_the_prompts_while_something_is_told(tmp_path: Path) -> None:
    need_a_terminal()
    command = [*("-c", STORM), str(tmp_path / "history")]
    child = pexpect.spawn(
        sys.executable, command, timeout=DEADLINE, env={**os.environ, "TERM": "xterm"}
    )
    try:
        child.expect("raw|cooked")
        assert str(child.after) == "b'raw'"
        child.send("pwd\r")
        child.expect("took pwd")
    finally:
        child.close(force=True)


def test_of_what_a_page_does_without_end_some_is_told(shell: Shell, tmp_path: Path) -> None:
    moves = "setInterval(() => { location.hash = Date.now() }, 50)"
    (tmp_path / "index.html").write_text(f"<title>Storm</title><script>{moves}</script>")
    terminal = shell("--site", str(tmp_path), rows=40)
    terminal.prompt()
    terminal.type("pwd")
    terminal.see("no more of it is told until the next line")
    told = terminal.raw.count(b"by itself")
    assert told <= 11
    terminal.wait(lambda: terminal.line.endswith("> pwd"), "line as it was")
    terminal.run("")
    assert "\n/\n" in terminal.screen
    terminal.type("", "Ctrl-D")
    assert terminal.wait_for_end() == 0


def test_a_menu_in_a_very_low_terminal_does_not_hide_the_line(shell: Shell) -> None:
    terminal = shell(columns=20, rows=5)
    terminal.prompt()
    terminal.type("help s", "Tab")
    terminal.see("snapshot")
    assert "too small" not in terminal.screen
    assert "> help s" in terminal.screen
