from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell.terminal import Terminal
from tests.site_server import serving

PAGE = """<!doctype html><title>Shop</title>
<header><a href="#a">Home</a></header>
<main>
 <h1>Teas</h1>
 <form aria-label="Order"><input aria-label="Email"><p>A plain line</p>
  <select aria-label="Tea"><option>Green tea</option><option>Black "Assam"</option></select>
  <input type=checkbox aria-label="I agree">
  <button type=button onclick="document.title='Bought'">Buy now</button>
 </form>
 <p>Some text</p>
</main>"""


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """One shell on the page; each test leaves it at an empty prompt."""
    folder: Path = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(PAGE)
    with serving(folder) as url:
        started = Terminal(folder, f"{url}/index.html", rows=40)
        started.prompt()
        yield started
        started.close()


@pytest.fixture(autouse=True)
def empty_line(terminal: Terminal) -> Iterator[None]:
    yield
    terminal.give_up_line()


def completes(terminal: Terminal, typed: str, whole: str) -> None:
    """Expect that Tab makes the line ``whole``."""
    terminal.type(typed, "Tab")
    terminal.wait(lambda: terminal.line.endswith(f"> {whole}".rstrip()), f"completion {whole!r}")


def offers(terminal: Terminal, typed: str, *texts: str) -> str:
    """Expect that Tab shows a menu with these texts, and return the screen."""
    terminal.type(typed, "Tab")
    terminal.wait(
        lambda: all(text in terminal.screen.rpartition(f"> {typed}")[2] for text in texts),
        f"menu with {texts}",
    )
    return terminal.screen.rpartition(f"> {typed}")[2]


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("op", "open"),
        ("ls ma", "ls main_1/"),
        ("ls main_1/or", "ls main_1/order/"),
        ("ls /main_1/ord", "ls /main_1/order/"),
        ("ls ..", "ls ../"),
        ("cd main_1/../ba", "cd main_1/../banner_1/"),
        ('ls "teas"/t', 'ls "teas"/teas'),
        ("click main_1/order/b", "click main_1/order/buy_now_btn"),
        ("fill main_1/order/e", "fill main_1/order/email_input"),
        ("check main_1/order/i", "check main_1/order/i_agree_chk"),
        ("select main_1/order/t", "select main_1/order/tea_select"),
        ("select main_1/order/tea_select g", 'select main_1/order/tea_select "Green tea"'),
        ("select main_1/order/tea_select b", "select main_1/order/tea_select 'Black \"Assam\"'"),
        ('click "buy', 'click "Buy now"'),
        ('click main_1/"buy', 'click main_1/"Buy now"'),
        ("find --type sea", "find --type search"),
        ("find --state che", "find --state checked"),
        ("key ctrl+esc", "key ctrl+Escape"),
        ("key sh", "key shift+"),
        ("wait ex", "wait exists"),
        ("wait not exists main_1/or", "wait not exists main_1/order/"),
        ("wait state main_1 rea", "wait state main_1 readonly"),
        ("expect title con", "expect title contains"),
        ("tab cl", "tab close"),
        ("dialog acc", "dialog accept"),
        ("page re", "page reload"),
        ("help pat", "help paths"),
        ("ls; fs l", "ls; fs ls"),
        ("find --lab", "find --label"),
    ],
)
def test_tab_completes(terminal: Terminal, typed: str, whole: str) -> None:
    completes(terminal, typed, whole)


def test_the_menu_tells_role_and_label(terminal: Terminal) -> None:
    menu = offers(terminal, "cat main_1/", 'heading "Teas"', "paragraph_1/", 'form "Order"')
    assert "StaticText" not in menu


def test_what_can_be_acted_on_comes_first_and_what_leads_on_after_it(terminal: Terminal) -> None:
    menu = offers(terminal, "click main_1/order/", "email_input", "buy_now_btn", "paragraph_1/")
    assert menu.index("email_input") < menu.index("buy_now_btn") < menu.index("paragraph_1/")


def test_cd_offers_only_what_can_be_entered(terminal: Terminal) -> None:
    completes(terminal, "cd main_1/order/", "cd main_1/order/paragraph_1/")


def test_the_commands_are_offered_with_what_they_do(terminal: Terminal) -> None:
    offers(terminal, "c", "cd", "change the working directory", "click")


def test_the_flags_of_a_command_are_offered_with_what_they_do(terminal: Terminal) -> None:
    menu = offers(terminal, "tree -", "-L N", "at most N levels", "--json")
    assert "--type" not in menu


def test_enter_runs_the_line_as_it_was_typed_while_a_menu_is_open(terminal: Terminal) -> None:
    offers(terminal, "cat main_1/", "paragraph_1/")
    terminal.type("", "Enter")
    terminal.see("> cat main_1/\nmain_1/  main")
    terminal.prompt()


def test_a_suggestion_that_was_chosen_can_be_gone_on_from(terminal: Terminal) -> None:
    offers(terminal, "ls main_1/", "teas_heading/")
    terminal.type("", "Tab", "Right", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> ls main_1/teas_heading/teas"), "entry inside")


def test_what_is_offered_follows_the_working_directory(terminal: Terminal) -> None:
    terminal.run("cd main_1/order")
    completes(terminal, "click bu", "click buy_now_btn")
    terminal.give_up_line()
    terminal.run("cd /")


def test_what_is_offered_follows_the_page(terminal: Terminal) -> None:
    terminal.run("tab new")
    terminal.type("ls ma", "Tab")
    terminal.type("x")
    terminal.wait(lambda: terminal.line.endswith("> ls max"), "no completion")
    terminal.give_up_line()
    offers(terminal, "tab ", "new", "close", "1", "Shop")
    terminal.give_up_line()
    terminal.run("tab 1")
    completes(terminal, "ls ma", "ls main_1/")


def test_what_is_the_shells_own_is_completed(terminal: Terminal) -> None:
    for line in ("bookmark front_page", "set pager off", "alias shop_list = ls -l | head"):
        terminal.run(line)
    completes(terminal, "shop_l", "shop_list")
    for typed, whole in [
        ("unalias sh", "unalias shop_list"),
        ("set col", "set color"),
        ("set color nev", "set color never"),
        ("cd @fro", "cd @front_page"),
        ("help wc", "help wc"),
    ]:
        clear(terminal)
        completes(terminal, typed, whole)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """Make a folder whose name leaves room on the line."""
    with tempfile.TemporaryDirectory(prefix="d") as name:
        yield Path(name)


def test_names_of_files_are_completed(terminal: Terminal, short_path: Path) -> None:
    (short_path / "a folder").mkdir()
    (short_path / "a folder" / "login.domsh").touch()
    (short_path / "other.domsh").touch()
    (short_path / ".hidden").touch()
    for typed, whole in [
        (f"source {short_path}/oth", f"source {short_path}/other.domsh"),
        (f"ls > {short_path}/oth", f"ls > {short_path}/other.domsh"),
        (f"source {short_path}/.h", f"source {short_path}/.hidden"),
        (f'source "{short_path}/a f', f'source "{short_path}/a folder/'),
        (f'source "{short_path}/a folder/l', f'source "{short_path}/a folder/login.domsh"'),
        ("source /nosuch/x", "source /nosuch/x"),
    ]:
        completes(terminal, typed, whole)
        clear(terminal)


def clear(terminal: Terminal) -> None:
    """Empty the line that is being typed."""
    before = terminal.raw.count(b"\x1b[?2004h")
    terminal.type("", "Ctrl-C")
    terminal.wait(lambda: terminal.raw.count(b"\x1b[?2004h") > before, "next prompt")
    terminal.prompt()
