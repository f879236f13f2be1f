"""The state follows the browser: history, directories, tabs, and a page that moves by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domsh_repl.commands.session import Keep
from domsh_repl.errors import (
    Ambiguous,
    BlockedUrl,
    DialogOpen,
    Misused,
    NavigationFailed,
    NotEnterable,
    NotFound,
    ServerRefused,
    Stale,
    TabGone,
    Unsupported,
)
from domsh_repl.link import asks
from domsh_repl.nodes import EffectKind
from tests.sessions import Shell, running_shell

AWAY = """<!doctype html><html lang=en><meta charset=utf-8><title>Away</title>
<main><section aria-label=Part><button>Stay</button></section></main>
<script>setTimeout(() => { location.href = 'beta.html' }, 400)</script>"""
SHRINKING = """<!doctype html><html lang=en><meta charset=utf-8><title>Shrinking</title>
<main><section aria-label=Part id=p><ul aria-label=List><li>one<li>two</ul>
<button onclick="p.remove()">Drop</button></section><button>Rest</button>
<button onclick="setTimeout(() => p.remove(), 100)">Later</button></main>"""
WITHIN = """<!doctype html><html lang=en><meta charset=utf-8><title>Within</title>
<main id=m><section aria-label=One><button>First</button></section></main>
<button onclick="history.pushState(0, '', '?two'); m.innerHTML =
 '<section aria-label=Two><button>Second</button></section>'">Next</button>
<button onclick="setTimeout(() => {
  history.pushState(0, '', '?three'); m.innerHTML = 'none' }, 200)"
>Soon</button>"""

PASSWORD = """<!doctype html><html lang=en><meta charset=utf-8><title>Password</title>
<input type=password aria-label=Password><input aria-label=Name>"""
FULL = """<!doctype html><html lang=en><meta charset=utf-8><title>Full</title>
<main><button>Here</button></main>
<script>for (let n = 0; n < 56 && !/55/.test(location); n++)
 history.pushState(0, '', '?' + n)</script>"""


@pytest.fixture(scope="module")
def running() -> Iterator[Shell]:
    with running_shell() as shell:
        yield shell


@pytest.fixture
def site(served: tuple[Path, str]) -> str:
    """Serve the pages that move, and two that do not."""
    folder, url = served
    pages = {
        "away": AWAY, "shrinking": SHRINKING, "within": WITHIN, "password": PASSWORD, "full": FULL,
    }  # fmt: skip
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    for name in ("alpha", "beta"):
        page = f"<title>{name.title()}</title><main><p>{name}</p><button>{name}</button>"
        link = "beta" if name == "alpha" else "alpha"
        page += f"<a href={link}.html>go</a></main>"
        (folder / f"{name}.html").write_text(f"<!doctype html>{page}", encoding="utf-8")
    return url


@pytest.fixture
def shell(running: Shell, site: str) -> Iterator[Shell]:
    """Stand in a new tab on the first page."""
    running.run("dialog dismiss")  # a test that failed may have left one
    before = running.session.state.page.tab
    assert running.run(f"open -n {site}/alpha.html") == 0
    yield running
    tab = running.session.state.page.tab
    if before and tab != before:
        running.run(f"tab close {tab}; tab {before}")


def history(shell: Shell) -> list[tuple[str, str, bool]]:
    """Return the pages of the tab: last part of the address, directory, whether current."""
    rows = shell.value("history --pages").facts["pages"]
    return [(row["url"].rpartition("/")[2], row["path"], row["current"]) for row in rows]


def test_the_main_job_keeps_one_state_from_line_to_line(shell: Shell) -> None:
    effect = shell.value("cd main_1; click go_link")
    assert (effect.title, effect.effect) == ("Beta", EffectKind.SEEN)
    assert shell.cwd == "/"
    assert shell.value("cd main_1; back").path == "/main_1"
    assert shell.value("pwd").path == "/main_1"
    assert shell.value("forward").path == "/main_1"
    assert history(shell) == [("alpha.html", "/main_1", False), ("beta.html", "/main_1", True)]


def test_going_elsewhere_after_back_clears_forward(shell: Shell, site: str) -> None:
    shell.run("click go_link; back")
    shell.run(f"open {site}/shrinking.html")
    assert isinstance(shell.error("forward"), NavigationFailed)
    assert [name for name, _, _ in history(shell)] == ["alpha.html", "shrinking.html"]


def test_back_beyond_the_first_page_fails_and_changes_nothing(shell: Shell) -> None:
    shell.run("cd main_1")
    error = shell.error("back 40")
    assert isinstance(error, NavigationFailed)
    assert shell.cwd == "/main_1"
    assert shell.run("expect title is Alpha") == 0


def test_several_pages_back_at_once(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/beta.html; open {site}/shrinking.html")
    assert shell.value("back 2").title == "Alpha"
    assert shell.value("forward 2").title == "Shrinking"


def test_reload_keeps_the_directory_and_open_of_the_same_page_does_not(
    shell: Shell, site: str
) -> None:
    assert shell.value("cd main_1; reload").path == "/main_1"
    assert shell.value("refresh").path == "/main_1"
    assert shell.value(f"open {site}/alpha.html").path == "/"
    assert shell.value("pwd").path == "/"


def test_a_failed_load_fails_and_says_so(shell: Shell) -> None:
    assert isinstance(shell.error("open http://no-such-host.invalid/"), NavigationFailed)
    assert isinstance(shell.error("open http://127.0.0.1:9/"), NavigationFailed)
    assert isinstance(shell.error("open FILE:///etc/passwd"), BlockedUrl)
    assert isinstance(shell.error("open chrome://settings"), BlockedUrl)


def test_an_error_page_of_the_server_is_kept_and_its_status_told(shell: Shell, site: str) -> None:
    effect = shell.value(f"open {site}/missing.html")
    assert effect.http == 404
    assert shell.value("info").http == 404


def test_relative_addresses_start_at_the_page(shell: Shell, site: str) -> None:
    assert shell.value("open ./beta.html").url == f"{site}/beta.html"
    assert shell.value("open /alpha.html").url == f"{site}/alpha.html"
    assert shell.value("cd main_1; open '#part'").url == f"{site}/alpha.html#part"


def test_cd_enters_what_has_something_inside_and_nothing_else(shell: Shell) -> None:
    assert isinstance(shell.error("cd main_1/alpha_btn"), NotEnterable)
    assert isinstance(shell.error("cd main_1/nosuch"), NotFound)
    assert shell.cwd == "/"
    for line, cwd in (
        ("cd main_1", "/main_1"),
        ("cd ..", "/"),
        ("cd -", "/main_1"),
        ("cd -", "/"),
        ("cd /main_1/.", "/main_1"),
        ("cd", "/"),
        ("cd main[0]", "/main_1"),
        ("cd ../../..", "/"),
    ):
        assert shell.run(line) == 0
        assert shell.cwd == cwd


@pytest.mark.parametrize("line", ["ls ../nosuch", "ls /nosuch", "cat /nosuch/x", "click ../x"])
def test_something_missing_elsewhere_does_not_move_the_shell(shell: Shell, line: str) -> None:
    shell.run("cd main_1")
    assert isinstance(shell.error(line), NotFound)
    assert shell.cwd == "/main_1"
    assert shell.notes == []


def test_a_directory_that_an_action_removed_falls_back_and_says_so(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/shrinking.html; cd main_1/part/list")
    shell.run("click ../drop_btn")
    assert shell.cwd == "/main_1"
    assert any("/main_1/part/list is gone" in note for note in shell.notes)
    assert shell.run("click rest_btn") == 0


@pytest.mark.parametrize("line", ["ls", "pwd", "ls two", "tree", "cat .", "click two"])
def test_a_directory_that_went_by_itself_falls_back_at_the_next_command(
    shell: Shell, site: str, line: str
) -> None:
    shell.run(f"open {site}/shrinking.html; cd main_1/part; click ../later_btn")
    shell.run("wait gone /main_1/part")
    shell.run(line)
    assert shell.cwd == "/main_1"
    assert any("/main_1/part is gone" in note for note in shell.notes)


def test_reading_follows_a_page_that_went_away_by_itself(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/away.html; cd main_1/part; wait title is Beta")
    assert any("beta.html by itself" in note for note in shell.notes)
    assert shell.cwd == "/"
    assert [entry.name for entry in shell.value("ls").entries] == ["main_1"]
    assert [name for name, _, _ in history(shell)][-2:] == ["away.html", "beta.html"]


def test_an_action_meant_for_the_page_before_is_stale_and_not_done(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/away.html; cd main_1/part")
    url = f"{site}/beta.html"
    _wait_unseen(shell, url)
    error = shell.error("click stay_btn")
    assert isinstance(error, Stale)
    assert shell.cwd == "/"
    assert shell.run("click main_1/beta_btn") == 0


def _wait_unseen(shell: Shell, url: str) -> None:
    """Wait until the page is there, past the session, which must not learn of it."""
    for _ in range(100):
        page = shell.session.link.ask(asks.next_change(0.1)).page
        if page is not None and page.url == url and not page.loading:
            return
    pytest.fail("the page did not move")


def test_moving_within_the_document_pushes_history_and_keeps_what_lives(
    shell: Shell, site: str
) -> None:
    shell.run(f"open {site}/within.html; cd main_1/one")
    effect = shell.value("click /next_btn")
    assert effect.url == f"{site}/within.html?two"
    assert shell.cwd == "/main_1"
    assert any("/main_1/one is gone" in note for note in shell.notes)
    assert [name for name, _, _ in history(shell)][-2:] == ["within.html", "within.html?two"]
    assert shell.run("ls two") == 0


def test_moving_within_the_document_by_itself_is_told_with_the_directory(
    shell: Shell, site: str
) -> None:
    shell.run(f"open {site}/within.html; cd main_1/one; click /soon_btn")
    shell.run("wait url contains three")
    shell.run("pwd")
    assert shell.cwd == "/main_1"


def test_each_tab_has_its_own_directory_and_history(shell: Shell, site: str) -> None:
    first = shell.session.state.page.tab
    shell.run(f"cd main_1; open -n {site}/beta.html")
    second = shell.session.state.page.tab
    assert first != second
    assert shell.cwd == "/"
    shell.run(f"cd main_1/paragraph_1; tab {first}")
    assert shell.cwd == "/main_1"
    shell.run(f"cd ~/tabs/{second}")
    assert shell.cwd == "/main_1/paragraph_1"
    listed = shell.value("ls ~").tabs
    assert {tab.id: tab.current for tab in listed}[second]
    shell.run("tab close")
    assert second not in shell.session.state.tabs
    assert shell.run("expect url contains alpha") == 0 or shell.run(f"tab {first}") == 0


@pytest.mark.parametrize("line", ["tab 99999", "cd ~/tabs/99999", "tab close 99999"])
def test_a_tab_that_is_not_there_is_an_error(shell: Shell, line: str) -> None:
    before = shell.session.state.page.tab
    assert isinstance(shell.error(line), (TabGone, NotFound))
    assert shell.session.state.page.tab == before


@pytest.mark.parametrize(
    "line",
    ["cd ~", "cd ~/tabs", "cd ~/x", "ls ~/x", "ls ~/tabs/1/main_1", "cat ~/tabs/1", "click ~"],
)
def test_places_of_the_browser_are_no_nodes(shell: Shell, line: str) -> None:
    with pytest.raises(Misused) as caught:
        shell.run(line)
    assert "~" in caught.value.message
    assert "cd" in caught.value.hint


def test_a_tab_is_listed_where_it_is_and_only_while_its_page_is_shown(
    shell: Shell, site: str
) -> None:
    first = shell.session.state.page.tab
    shell.run("cd main_1")
    assert shell.value(f"ls ~/tabs/{first}") == shell.value("ls /")
    shell.run(f"open -n {site}/beta.html")
    error = shell.error(f"ls ~/tabs/{first}")
    assert isinstance(error, Unsupported)
    assert f"cd ~/tabs/{first}" in error.hint
    assert isinstance(shell.error("ls ~/tabs/99999"), NotFound)
    shell.run("tab close")


@pytest.mark.parametrize("line", ["open", "open -n"])
def test_after_the_last_tab_was_closed_a_page_opens_in_a_new_one(site: str, line: str) -> None:
    with running_shell() as shell:
        shell.run(f"open {site}/alpha.html; tab close")
        assert shell.session.state.page.tab == 0
        assert isinstance(shell.error("ls"), TabGone)
        assert shell.value(f"{line} {site}/beta.html").title == "Beta"
        assert shell.run("cd main_1; back") == 1
        assert shell.cwd == "/main_1"
        assert [tab.title for tab in shell.value("tabs").tabs] == ["Beta"]


def test_a_full_history_keeps_the_directories_of_its_pages(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/full.html; wait url contains 55; cd main_1")
    shell.run(f"open {site}/beta.html")
    assert shell.session.state.page.position == 49
    shell.run("back")
    assert shell.cwd == "/main_1"


def test_a_raw_line_goes_to_the_server_as_it_is(shell: Shell) -> None:
    error = shell.error("""raw ls "a|b; c" && $x # 'd""")
    assert isinstance(error, ServerRefused)
    assert error.message.startswith("ls: no a|b; c in /")
    assert "\r" not in error.message
    assert "main_1" in shell.value("raw ls").output
    assert "--help" in shell.error("raw --help").message


def test_where_a_raw_line_led_is_expected(shell: Shell, site: str) -> None:
    assert shell.run(f"raw navigate {site}/beta.html") == 0
    assert shell.session.state.page.title == "Beta"
    assert not [note for note in shell.notes if "by itself" in note]


def test_after_a_raw_line_closed_the_lane_the_next_command_gets_a_new_one(site: str) -> None:
    with running_shell() as shell:
        shell.run(f"open {site}/alpha.html; cd main_1")
        before = shell.session.link.lane
        assert shell.run("raw group close") == 0
        assert any("lane is gone" in note for note in shell.notes)
        assert shell.cwd == "/"
        assert shell.run(f"open {site}/beta.html; ls") == 0
        assert shell.session.link.lane != before


def test_a_line_that_writes_a_password_is_not_kept(shell: Shell, site: str) -> None:
    shell.run(f"open {site}/password.html")
    session = shell.session
    for line, keep in (
        ("fill password_input s3cret", Keep.NOWHERE),
        ("fill password_input s3cret; fill nosuch x", Keep.NOWHERE),
        ("focus password_input; type s3cret", Keep.NOWHERE),
        ("fill pasword_input s3cret", Keep.MEMORY),
        ("fill name_input Ada", Keep.ALWAYS),
        ("type name_input Ada", Keep.ALWAYS),
        ("cat password_input", Keep.ALWAYS),
    ):
        session.lines.clear()
        with session.kept(line):
            shell.run(line)
        assert session.keep is keep
        assert (session.lines == []) is (keep is Keep.NOWHERE)


def test_while_a_dialog_is_open_only_what_needs_no_page_runs(shell: Shell, pages: str) -> None:
    shell.run(f"open {pages}/dialogs.html; click confirm_btn")
    for line in ("ls", "click confirm_btn", "cat confirm_btn", "text"):
        assert isinstance(shell.error(line), DialogOpen)
    for line in ("dialog", "tabs", "status", "history", "pwd", "help"):
        assert shell.run(line) == 0
    assert shell.value("dialog").dialog.message == "sure?"
    assert shell.run("dialog accept; expect text result is true") == 0
    assert shell.value("dialog").dialog is None


def test_one_that_means_several_is_an_error_that_lists_them(shell: Shell, pages: str) -> None:
    shell.run(f"open {pages}/duplicate_names.html")
    error = shell.error('click "Read more"')
    assert isinstance(error, Ambiguous)
    assert error.message.count("read_more_btn") == 2
    for place, name in enumerate(("add_new_btn", "add_btn", "add_btn_2"), 1):
        assert shell.run(f"click {name}; expect text result is {place}") == 0


def test_every_path_that_is_printed_works_from_everywhere(shell: Shell, pages: str) -> None:
    shell.run(f"open {pages}/form.html")
    shown = [entry.path for entry in shell.value("ls -R").entries]
    assert len(shown) > 15
    shell.run("cd main_area")
    for path in shown:
        assert shell.value(f"cat {path}").path == path
        shell.session.variables["path"] = path
        assert shell.value("cat $path").path == path


def test_an_effect_says_what_was_seen(shell: Shell) -> None:
    effect = shell.value("click main_1/alpha_btn")
    assert (effect.action, effect.path) == ("click", "/main_1/alpha_btn")
    assert effect.effect in (EffectKind.SENT, EffectKind.UNKNOWN, EffectKind.SEEN)
    assert not effect.navigated


def test_reconnecting_starts_anew_and_says_so(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/form.html")
    told = shell.value("reconnect")
    assert told.facts == {"lane_kept": False}
    assert "lost" in told.text
    assert shell.cwd == "/"
    assert shell.value(f"open {pages}/nav.html").title == "Nav page"
