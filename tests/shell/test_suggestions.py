from __future__ import annotations

from pathlib import Path

import pytest

from domsh_repl.shell.history import LineHistory


@pytest.fixture
def history(tmp_path: Path) -> LineHistory:
    made = LineHistory(tmp_path / "history", print)
    made.lines()
    return made


def run(history: LineHistory, line: str, host: str = "", *, secret: bool = False) -> None:
    history.append_string(line)
    history.settle(line, in_file=not secret, forget=False, host=host)


def test_the_last_line_that_begins_so_is_suggested(history: LineHistory) -> None:
    run(history, "open a.example")
    run(history, "open b.example")
    run(history, "ls")
    assert history.suggested("op", "") == "open b.example"
    assert history.suggested("open a", "") == "open a.example"
    assert history.suggested("cd", "") == ""
    assert history.suggested("ls", "") == ""


def test_a_line_of_the_same_host_comes_before_a_later_one_of_another(history: LineHistory) -> None:
    run(history, "cd main_1", "shop.example")
    run(history, "cd nav_2", "news.example")
    assert history.suggested("cd", "shop.example") == "cd main_1"
    assert history.suggested("cd", "news.example") == "cd nav_2"
    assert history.suggested("cd", "else.example") == "cd nav_2"


def test_what_may_hold_a_password_is_never_suggested(history: LineHistory) -> None:
    run(history, "fill pw_input s3cret", secret=True)
    assert "fill pw_input s3cret" in history.lines()
    assert history.suggested("fill", "") == ""


def test_lines_of_an_earlier_shell_are_suggested(tmp_path: Path, history: LineHistory) -> None:
    run(history, "find --type button")
    second = LineHistory(tmp_path / "history", print)
    second.lines()
    assert second.suggested("fi", "") == "find --type button"


@pytest.mark.parametrize("line", ["help 'a\nb'", "help a\x1b[2J", "help a\u202eb"])
def test_what_would_not_fit_or_not_be_seen_is_not_suggested(
    history: LineHistory, line: str
) -> None:
    run(history, line)
    assert history.suggested("help", "") == ""
