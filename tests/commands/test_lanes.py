"""``lanes`` and ``lane``: several isolated lanes in one shell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domsh_repl.errors import Denied, Failed
from tests.sessions import Shell, running_shell


@pytest.fixture
def shell() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


def names(shell: Shell) -> list[tuple[str, bool]]:
    return [(one.name, one.current) for one in shell.value("lanes").lanes]


def test_each_lane_has_its_own_page_cookies_and_place(shell: Shell, pages: str) -> None:
    assert names(shell) == [("1", True)]
    shell.value(f"open {pages}/form.html; cd main_area; js 'document.cookie = \"who=one\"'")
    assert shell.value("lane new").name == "2"
    assert shell.cwd == "/"
    assert names(shell) == [("1", False), ("2", True)]
    shell.value(f"open {pages}/nav.html")
    assert "who" not in shell.value("js document.cookie").value
    assert shell.value("lane use 1").current
    assert shell.cwd == "/main_area"
    assert shell.notes == []
    assert "who=one" in shell.value("js document.cookie").value
    shell.value("lane use 2")
    assert shell.value("pwd").url.endswith("/nav.html")


def test_lanes_are_named_and_closed(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/alpha.html; lane new admin; lane new; lane use admin")
    assert names(shell) == [("1", False), ("admin", True), ("2", False)]
    ids = {one.id for one in shell.value("lanes").lanes}
    assert len(ids) == 3
    assert shell.value("lane close 1").facts == {"closed": "1", "current": "admin"}
    assert shell.value("lane close admin").facts == {"closed": "admin", "current": "2"}
    assert names(shell) == [("2", True)]
    assert shell.value("lane new").name == "1"


def test_the_last_lane_stays(shell: Shell) -> None:
    error = shell.error("lane close 1")
    assert isinstance(error, Failed)
    assert "last lane" in error.message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lane use nosuch", "no lane nosuch"),
        ("lane close nosuch", "no lane nosuch"),
        ("lane new 1", "lane 1 already"),
    ],
)
def test_a_lane_that_is_not_there_or_is_already_is_told(shell: Shell, line: str, said: str) -> None:
    assert said in shell.error(line).message


@pytest.mark.parametrize(
    "line", ["lane dance", "lane use", "lane", "lane new 'a b'", "lane new -x"]
)
def test_wrong_calls_are_told_before_anything_runs(shell: Shell, line: str) -> None:
    with pytest.raises(Exception, match=r"lane"):
        shell.run(line)


def test_a_lane_of_others_is_never_closed(shell: Shell) -> None:
    shell.value("lane new")
    shell.session.link._seats["1"].lane.is_own = False
    assert isinstance(shell.error("lane close 1"), Denied)
    assert names(shell) == [("1", False), ("2", True)]
