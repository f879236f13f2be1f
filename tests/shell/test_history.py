from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.lines import split_lines


def fails(text: str) -> None:
    """Stand for a warning that must not come."""
    raise AssertionError(text)


def ran(history: LineHistory, *lines: str) -> None:
    """Accept lines and let them have run."""
    for line in lines:
        history.append_string(line)
        for one in split_lines(line):
            history.settle(one, in_file=True, forget=False)


def test_lines_come_back_oldest_first(tmp_path: Path) -> None:
    first = LineHistory(tmp_path / "new" / "history", fails)
    assert first.is_new
    ran(first, "pwd", "ls\n-l 'x\ny'", "日本")
    again = LineHistory(tmp_path / "new" / "history", fails)
    assert not again.is_new
    assert again.lines() == ["pwd", "ls", "-l 'x\ny'", "日本"]


def test_a_line_is_not_kept_twice_in_a_row_nor_with_a_blank_in_front(tmp_path: Path) -> None:
    history = LineHistory(tmp_path / "history", fails)
    ran(history, "pwd", "pwd", " secret", "\tsecret", "ls", "pwd", "   ")
    assert history.lines() == ["pwd", "ls", "pwd"]
    assert "secret" not in (tmp_path / "history").read_text()


def test_lines_of_two_shells_at_once_are_all_kept(tmp_path: Path) -> None:
    one, other = (LineHistory(tmp_path / "history", fails) for _ in range(2))
    ran(one, "pwd")
    ran(other, "ls")
    ran(one, "cat x")
    assert LineHistory(tmp_path / "history", fails).lines() == ["pwd", "ls", "cat x"]


def test_only_the_user_can_read_it_also_when_it_was_there_before(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.touch(mode=0o644)
    LineHistory(file, fails)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_broken_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_bytes(b"\xff\xfe\0 nonsense\n\n# time\n+ls \xff\n")
    history = LineHistory(file, fails)
    ran(history, "pwd")
    assert history.lines() == ["ls \ufffd", "pwd"]


def test_a_line_that_wrote_a_password_is_kept_nowhere(tmp_path: Path) -> None:
    history = LineHistory(tmp_path / "history", fails)
    ran(history, "pwd")
    history.append_string("fill password_input s3cret")
    assert "s3cret" not in (tmp_path / "history").read_text()
    history.settle("fill password_input s3cret", in_file=False, forget=True)
    ran(history, "ls")
    assert history.lines() == ["pwd", "ls"]
    assert LineHistory(tmp_path / "history", fails).lines() == ["pwd", "ls"]


def test_a_line_that_may_have_meant_to_is_kept_in_memory_only(tmp_path: Path) -> None:
    history = LineHistory(tmp_path / "history", fails)
    history.append_string("fill pasword_input s3cret")
    history.settle("fill pasword_input s3cret", in_file=False, forget=False)
    assert history.lines() == ["fill pasword_input s3cret"]
    assert "s3cret" not in (tmp_path / "history").read_text()


def test_what_cannot_be_written_is_told_once_and_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "history").mkdir()
    told: list[str] = []
    history = LineHistory(tmp_path / "history", told.append)
    ran(history, "pwd", "ls")
    assert history.lines() == ["pwd", "ls"]
    assert len(told) == 1
    assert "directory" in told[0]


def test_of_a_huge_file_the_end_is_read(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_text("".join(f"\n# then\n+help {'x' * 90}{n}\n" for n in range(60_000)))
    lines = LineHistory(file, fails).lines()
    assert 30_000 < len(lines) < 50_000
    assert all(line.startswith("help x") for line in lines)
    assert lines[-1].endswith("x59999")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("special", ["pipe", "device", "folder"])
def test_what_is_no_ordinary_file_is_told_once_and_not_read(tmp_path: Path, special: str) -> None:
    file = tmp_path / "history"
    if special == "pipe":
        os.mkfifo(file)
    elif special == "device":
        file.symlink_to("/dev/zero")
    else:
        file.mkdir()
    warned: list[str] = []
    history = LineHistory(file, warned.append)
    ran(history, "pwd")
    assert history.lines() == ["pwd"]
    assert len(warned) == 1
    assert warned[0].startswith(f"lines are not kept for the next shell: {file}: ")
