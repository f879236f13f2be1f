"""``state save`` and ``state load``: a lane that begins logged in."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from domsh_repl.commands.loginfile import read_login, write_login
from domsh_repl.errors import Failed, Misused, ReadOnly, ServerRefused
from domsh_repl.link import asks
from domsh_repl.link.readonly import require_reading
from domsh_repl.logins import Cookie, Item, Login, Stored
from tests.login_server import SECRET, login_server
from tests.sessions import Shell, running_shell


@pytest.fixture(scope="module")
def shared() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


@pytest.fixture(scope="module")
def sites() -> Iterator[list[tuple[str, list[str]]]]:
    with ExitStack() as stack:
        yield [stack.enter_context(login_server()) for _ in range(2)]


@pytest.fixture
def shell(shared: Shell) -> Iterator[Shell]:
    """Give a shell in a new lane; close it and those that the test made."""
    before = shared.session.link.lane_name
    shared.value("lane new")
    yield shared
    shared.session.use_lane(before)
    for lane in shared.session.link.lanes:
        if lane.name != before:
            shared.session.drop_lane(lane.name)


@pytest.fixture
def logged_in(shell: Shell, sites: list[tuple[str, list[str]]]) -> Shell:
    """Log in at both servers; the second one's page stays open."""
    for site, _ in sites:
        shell.value(f"open {site}/login")
    return shell


def who(shell: Shell, site: str) -> str:
    shell.value(f"open {site}/welcome")
    text = shell.value("text").text
    assert isinstance(text, str)
    return text


def test_a_new_lane_is_logged_in_with_what_another_one_saved(
    logged_in: Shell, sites: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    shell, file = logged_in, tmp_path / "login.state"
    (first, asked), (second, _) = sites
    before = list(asked)
    saved = shell.value(f"state save {file}")
    assert saved.facts == {"action": "saved", "file": str(file), "cookies": 5, "origins": 2}
    assert asked == before, "saving asks nothing of a server"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    shell.value("lane new")
    assert who(shell, first) == "nobody, no token, no odd, no step"
    shell.value("lane new")
    loaded = shell.value(f"state load {file}")
    assert loaded.facts == {"action": "loaded", "file": str(file), "cookies": 5, "origins": 2}
    assert shell.notes == []
    assert who(shell, first) == "Ada, token, odd, no step"
    assert who(shell, second) == "Ada, token, odd, step"
    again = tmp_path / "again.state"
    shell.value(f"state save {again}")
    assert read_login(again) == read_login(file)


def test_the_current_tab_and_what_is_told_of_it_stay_as_they_are(
    logged_in: Shell, sites: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    shell, site = logged_in, sites[1][0]
    before = shell.value("tabs"), shell.value("requests"), shell.value("console")
    shell.value(f"state save {tmp_path}/a")
    shell.value(f"state load {tmp_path}/a")
    assert (shell.value("tabs"), shell.value("requests"), shell.value("console")) == before
    assert shell.value("info").url == f"{site}/login"


def test_loading_later_reaches_the_page_that_is_open(
    logged_in: Shell, sites: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    shell, (site, _) = logged_in, sites[1]
    shell.value(f"state save {tmp_path}/a")
    shell.value("lane new")
    assert who(shell, site).startswith("nobody")
    shell.value(f"state load {tmp_path}/a")
    shell.value("reload")
    assert shell.value("text").text == "Ada, token, odd, step"


def test_what_a_page_takes_out_of_its_tab_stays_out(
    logged_in: Shell, sites: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    shell, (site, _) = logged_in, sites[1]
    shell.value(f"state save {tmp_path}/a")
    shell.value("lane new")
    shell.value(f"state load {tmp_path}/a")
    assert who(shell, site).endswith(", step")
    shell.value('js "sessionStorage.clear()"')
    assert who(shell, site).endswith(", no step")


def test_cookies_keep_all_that_they_are(logged_in: Shell, tmp_path: Path) -> None:
    logged_in.value(f"state save {tmp_path}/a")
    cookies = {one.name: one for one in read_login(tmp_path / "a").cookies}
    assert set(cookies) == {"sid", "lax", "plain", "secure", "parted"}
    assert (cookies["sid"].http_only, cookies["sid"].same_site) == (True, "Strict")
    assert cookies["sid"].expires is not None
    assert (cookies["lax"].expires, cookies["lax"].same_site) == (None, "Lax")
    assert cookies["plain"].path == "/welcome"
    assert cookies["secure"].secure
    assert cookies["parted"].partition_site == "http://127.0.0.1"
    assert {one.domain for one in cookies.values()} == {"127.0.0.1"}


def test_no_value_is_ever_shown(
    logged_in: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell, file = logged_in, tmp_path / "a"
    shown: list[Any] = [shell.value(f"state save {file}"), *shell.notes]
    shown += [shell.value(f"state load {file}"), *shell.notes]
    broken = tmp_path / "broken"
    broken.write_text(file.read_text()[:-9])
    error = shell.error(f"state load {broken}")
    shown += [error, error.__cause__, error.__context__, error.message, error.hint]
    shown += [read_login(file), capsys.readouterr()]
    assert SECRET in file.read_text()
    assert SECRET not in repr(shown)


def test_a_file_that_is_there_stays_unless_it_is_forced(logged_in: Shell, tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("mine")
    shell = logged_in
    assert "--force" in shell.error(f"state save {file}").hint
    assert file.read_text() == "mine"
    shell.value(f"state save --force {file}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "", "no json", "[]", "{}", "null", '{"format": "domsh-state"}',
        '{"format": "domsh-state", "version": 2, "cookies": [], "origins": []}',
        '{"format": "domsh-state", "version": 1, "cookies": [{}], "origins": []}',
        '{"format": "domsh-state", "version": 1, "cookies": 1, "origins": []}',
        '{"format": "domsh-state", "version": 1, "cookies": [{"name": 1, "domain": "a"}]}',
        '{"format": "domsh-state", "version": 1, "origins": [{"origin": 7}]}',
        '{"cookies": [], "origins": []}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_another_file_is_told_and_nothing_is_done(shell: Shell, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other"
    file.write_text(text)
    error = shell.error(f"state load {file}")
    assert isinstance(error, Failed)
    assert error.message == f"{file} is no file of `state save`"


def test_no_file_no_text_and_a_folder_are_told(shell: Shell, tmp_path: Path) -> None:
    assert "No such file" in shell.error(f"state load {tmp_path}/none").message
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert "no text" in shell.error(f"state load {tmp_path}/bytes").message
    assert "directory" in shell.error(f"state load {tmp_path}").message
    assert "cannot write" in shell.error(f"state save {tmp_path}/no/such/folder").message


def test_cookies_that_have_expired_are_told(shell: Shell, tmp_path: Path) -> None:
    old = Cookie("old", "127.0.0.1", value=SECRET, expires=1_000_000.0)
    bad = Cookie("__Host-bad", "127.0.0.1", value=SECRET)
    good = Cookie("good", ".example.test", value=SECRET, secure=True)
    host = Cookie("host", "shop.example.test", value=SECRET, secure=True)
    write_login(tmp_path / "a", Login((old, bad, good, host)), force=False)
    assert shell.value(f"state load {tmp_path}/a").facts["cookies"] == 2
    assert shell.notes == ["2 of 4 cookies are no longer valid"]
    shell.value(f"state save {tmp_path}/b")
    domains = {one.name: one.domain for one in read_login(tmp_path / "b").cookies}
    assert domains == {"good": ".example.test", "host": "shop.example.test"}


def test_storage_of_a_server_that_is_down_is_brought_back(shell: Shell, tmp_path: Path) -> None:
    stored = Stored("https://shop.example.test", (Item("k", "v"),))
    write_login(tmp_path / "a", Login(origins=(stored,)), force=False)
    assert shell.value(f"state load {tmp_path}/a").facts["origins"] == 1
    shell.value(f"state save {tmp_path}/b")
    assert read_login(tmp_path / "b").origins == (stored,)


@pytest.mark.parametrize("line", ["state keep a", "state load a --force", "state save"])
def test_what_is_wrong_is_told_before_anything_runs(shell: Shell, line: str) -> None:
    with pytest.raises(Misused):
        shell.run(line)


def test_a_dialog_that_is_open_is_answered_first(shell: Shell, tmp_path: Path) -> None:
    shell.run("js 'setTimeout(alert, 0, 1)'")
    shell.value("wait dialog")
    assert shell.error(f"state save {tmp_path}/a").code == "dialog_open"
    shell.value("dialog accept")
    shell.value(f"state save {tmp_path}/a")


def test_read_only_saves_and_does_not_load() -> None:
    require_reading(asks.kept_login())
    with pytest.raises(ReadOnly):
        require_reading(asks.bring_login(json.dumps({})))


def test_other_programs_are_told_no_cookies(shell: Shell) -> None:
    with pytest.raises(ServerRefused, match="not told to other programs"):
        shell.session.link.raw("state save", deadline=10)
