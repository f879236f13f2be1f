"""Each kind of word that completes, at a real prompt on a page that means no good."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell.terminal import Terminal
from tests.site_server import serving

PAGE = """<!doctype html><title>Kinds</title>
<main aria-label="Orders">
 <h1>Open orders</h1>
 <form aria-label="Basket">
  <input aria-label="Email address" required>
  <button type=button disabled>Pay now</button>
  <select aria-label="Sort by"><option>Newest first</option><option>Oldest first</option></select>
  <input type=checkbox aria-label="Gift wrap" checked><p>All prices in euros</p>
 </form>
 <section aria-label="First"><button>Delete</button></section>
 <section aria-label="Second"><button>Delete</button></section>
 <button>Save one</button><button>Send two</button>
 <button>main</button>
 <button aria-label="cost $5; ls &quot;all&quot; `x` \\ &#27;[31m red">cost</button>
 <button aria-label="$(quit) && pay">pay</button>
 <a href="/guides/tea.html">Tea guide</a> <a href="http://other.example/x?a=1&b=2">Elsewhere</a>
</main>
<nav aria-label="main"><a href="#top">Top</a></nav>"""

_SORT = "orders/basket/sort_by_select"
_COST = "orders/cost_5_ls_all_x_31m_red_btn"


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """One shell with a history of an earlier one, some names of its own, and the page."""
    folder: Path = tmp_path_factory.mktemp("kinds")
    (folder / "index.html").write_text(PAGE)
    history = folder / "state" / "domsh" / "history"
    history.parent.mkdir(parents=True)
    history.write_text(
        "\n# 2026-01-01 10:00:00.000000\n+ls; page open earlier.example/shop\n"
        "\n# 2026-01-01 10:01:00.000000\n+open $site/never\n"
        "\n# 2026-01-01 10:02:00.000000\n+open -n 'http://quoted.example/?q=a b'\n"
    )
    with serving(folder) as url:
        started = Terminal(folder, f"{url}/index.html", rows=40, columns=120)
        started.prompt()
        for line in (
            "let name = Ada Lovelace",
            "let name_of_tea = Assam",
            "alias mine = ls -l orders",
            "cd orders/basket",
            "bookmark basket_form",
            "cd /",
            "lane new second",
            "lane use 1",
        ):
            started.run(line)
        yield started
        started.close()


@pytest.fixture
def short() -> Iterator[Path]:
    """Make a folder whose name leaves room on the line."""
    with tempfile.TemporaryDirectory(prefix="d") as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def empty_line(terminal: Terminal) -> Iterator[None]:
    yield
    terminal.give_up_line()


def completes(terminal: Terminal, typed: str, whole: str) -> None:
    """Expect that Tab makes the line ``whole``."""
    terminal.type(typed, "Tab")
    terminal.wait(lambda: terminal.line.endswith(f"> {whole}".rstrip()), f"completion {whole!r}")


def offers(terminal: Terminal, typed: str, *texts: str) -> str:
    """Expect that Tab shows a menu with these texts, and return what is below the line."""
    terminal.type(typed, "Tab")

    def below() -> str:
        return terminal.screen.rpartition(f"> {typed.rstrip()}")[2]

    terminal.wait(lambda: all(text in below() for text in texts), f"menu with {texts}")
    return below()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("cat orders/bas", "cat orders/basket/"),
        ("cat ord", "cat orders/"),
        ("cat rde", "cat orders/"),
        ("check orders/basket/gw", "check orders/basket/gift_wrap_chk"),
        ("select orders/basket/srt", "select orders/basket/sort_by_select"),
        ("select orders/basket/sort_by_select o", f'select {_SORT} "Oldest first"'),
        ('select "Sort by" new', 'select "Sort by" "Newest first"'),
        ("cat @bask", "cat @basket_form"),
        ("cat @basket_form/em", "cat @basket_form/email_address_input"),
        ("click orders/fir", "click orders/first/"),
        ("unalias mi", "unalias mine"),
        ("mine --ty", "mine --type"),
        ("mine | he", "mine | head"),
        ("ls | gr", "ls | grep"),
        ("ls | wc -l --js", "ls | wc -l --json"),
        ("outline --hea", "outline --headings"),
        ("table orders --format m", "table orders --format md"),
        ("table orders --format=j", "table orders --format=json"),
        ("find --type=sea", "find --type=search"),
        ("find --state req", "find --state required"),
        ("click --mod ctrl+sh", "click --mod ctrl+shift"),
        ("lane use sec", "lane use second"),
        ("state lo", "state load"),
        ("expect a11", "expect a11y"),
        ("expect a11y orders/bas", "expect a11y orders/basket/"),
        ("a11y --upd", "a11y --update"),
        ("lane close s", "lane close second"),
        ("type orders $name_", "type orders $name_of_tea"),
        ('type orders "Dear ${name_', 'type orders "Dear ${name_of_tea}'),
        ("type orders '$name_", "type orders '$name_"),
        ("let x = $(pw", "let x = $(pwd"),
        ("watch -n 1s out", "watch -n 1s outline"),
        ("open earl", "open earlier.example/shop"),
        ("open /gui", "open /guides/tea.html"),
        ("open guides/t", "open http://{host}/guides/tea.html"),
        ("open quo", 'open "http://quoted.example/?q=a b"'),
        ("open http://other", 'open "http://other.example/x?a=1&b=2"'),
        ("help cond", "help conditions"),
        ("set pag", "set pager"),
        ("set pager of", "set pager off"),
    ],
)  # fmt: skip
def test_tab_completes(terminal: Terminal, typed: str, whole: str) -> None:
    host = terminal.line.partition(" ")[0]
    completes(terminal, typed, whole.format(host=host) if "{host}" in whole else whole)


def test_what_begins_as_typed_is_written_although_other_names_hold_it(terminal: Terminal) -> None:
    completes(terminal, "cat orders/m", "cat orders/main_btn")


def test_what_only_holds_the_typed_characters_stands_below_what_begins_so(
    terminal: Terminal,
) -> None:
    menu = offers(terminal, "cat orders/s", "send_two_btn", "save_one_btn", "second/", "basket/")
    assert menu.index("second/") < menu.index("save_one_btn") < menu.index("basket/")


def test_role_states_and_label_stand_beside_each_path(terminal: Terminal) -> None:
    menu = offers(terminal, "cat orders/basket/", 'textbox required "Email address"')
    assert 'button disabled "Pay now"' in menu
    assert 'checkbox checked "Gift wrap"' in menu


@pytest.mark.parametrize(
    ("command", "first", "later"),
    [
        ("click", "email_address_input", "paragraph_1"),
        ("select", "sort_by_select", "email_address_input"),
        ("check", "gift_wrap_chk", "email_address_input"),
        ("fill", "email_address_input", "pay_now_btn"),
    ],
)
def test_what_fits_the_command_comes_first_and_the_rest_after_it(
    terminal: Terminal, command: str, first: str, later: str
) -> None:
    menu = offers(terminal, f"{command} orders/basket/", first, later)
    assert menu.index(first) < menu.index(later)


def test_labels_that_a_path_only_tells_apart_are_written_as_paths(terminal: Terminal) -> None:
    offers(terminal, 'click "Del', "/orders/first/delete_btn", "/orders/second/delete_btn")
    terminal.type("", "Tab", "Tab")
    terminal.wait(lambda: terminal.line.endswith("> click orders/second/delete_btn"), "path")


@pytest.mark.parametrize(
    ("typed", "whole", "reached"),
    [
        ('click "mai', "click orders/main_btn", "orders/main_btn"),
        ('click "$(', "click '$(quit) && pay'", "orders/quit_pay_btn"),
        ('click "cost', f"click {_COST}", _COST),
    ],
)  # fmt: skip
def test_what_tab_writes_for_a_hostile_label_reaches_its_node(
    terminal: Terminal, typed: str, whole: str, reached: str
) -> None:
    completes(terminal, typed, whole)
    before = terminal.raw.count(b"\x1b[?2004h")
    terminal.type("", "Enter")
    terminal.wait(lambda: terminal.raw.count(b"\x1b[?2004h") > before, "next prompt")
    terminal.prompt()
    assert f"sent click to {reached}" in terminal.screen
    assert b"\x1b[31m red" not in terminal.raw


def test_variables_are_offered_with_their_values(terminal: Terminal) -> None:
    offers(terminal, "type orders $na", "$name_of_tea", "Ada Lovelace", "Assam")


def test_addresses_come_with_the_title_or_the_link_that_they_have(terminal: Terminal) -> None:
    menu = offers(terminal, "open ", "index.html", "Kinds", "tea.html", "Tea guide", "earlier.ex")
    assert "never" not in menu
    assert menu.index("Kinds") < menu.index("Tea guide") < menu.index("earlier.example/shop")


def test_the_lanes_are_offered_where_one_is_named(terminal: Terminal) -> None:
    offers(terminal, "lane use ", "the current one", "second")


def test_files_are_named_by_tab_where_an_option_takes_one(terminal: Terminal, short: Path) -> None:
    (short / "shot.png").touch()
    completes(terminal, f"screenshot -o {short}/sh", f"screenshot -o {short}/shot.png")
