"""What went wrong in other shells, tried here: odd streams, odd words, steps that fail."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.program import DOMSH, LONGEST, domsh

_ESCAPE = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
"""Bytes that only a terminal could want."""


def test_nothing_to_read_is_an_end_and_no_prompt() -> None:
    ran = domsh()
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_lines_and_answers_of_pipes_are_text_alone(pages: str) -> None:
    done = subprocess.run(
        [*DOMSH, f"{pages}/alpha.html"],
        input=b"pwd\nls\nls -l\ncat /\n",
        capture_output=True,
        timeout=LONGEST,
        check=False,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    assert done.returncode == 0
    assert done.stdout.startswith(b"/\n")
    assert not _ESCAPE.search(done.stdout + done.stderr)


@contextmanager
def _pipe_that_stays_open() -> Iterator[int]:
    reading, writing = os.pipe()
    try:
        yield reading
    finally:
        os.close(writing)
        os.close(reading)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_an_input_that_stays_open_holds_up_no_line_of_its_own(term: str) -> None:
    with _pipe_that_stays_open() as stdin:
        done = subprocess.run(
            [*DOMSH, "-c", "help | head -1"],
            stdin=stdin,
            capture_output=True,
            timeout=LONGEST,
            check=False,
            env={**os.environ, "TERM": term},
        )
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)


def test_a_name_with_blanks_is_one_word_in_every_way_of_running(tmp_path: Path, pages: str) -> None:
    """A label in quotes reaches the node; the same line means the same everywhere."""
    line = 'cat "Signup form"'
    script = tmp_path / "quoted.domsh"
    script.write_text(f"open {pages}/form.html\n{line}\n")
    outs = [
        domsh(f"{pages}/form.html", "-c", line),
        domsh(f"{pages}/form.html", stdin=f"{line}\n"),
        domsh("run", str(script)),
    ]
    assert [ran.status for ran in outs] == [0, 0, 0]
    assert all("Signup form" in ran.out for ran in outs)


def test_a_backslash_is_itself_in_a_file_name(tmp_path: Path) -> None:
    (tmp_path / r"C:\x").mkdir()
    (tmp_path / r"C:\x" / r"dir\y.domsh").write_text("help | head -1\n")
    ran = domsh("-c", r"source C:\x/dir\y.domsh", folder=tmp_path)
    assert (ran.status, ran.out.count("\n")) == (0, 1)
    missing = domsh("-c", r"source C:\x\y.domsh", folder=tmp_path)
    assert missing.status == 2
    assert r"C:\x\y.domsh" in missing.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("navi\\", "goes on after"),
        ("'open", "quote"),
        ('cat "Sign in', "quote"),
        ("\\", "goes on after"),
    ],
)
def test_what_is_not_finished_is_an_error_with_its_place_and_never_a_guess(
    line: str, said: str, tmp_path: Path
) -> None:
    script = tmp_path / "broken.domsh"
    script.write_text(line)
    for ran in (domsh("-c", line), domsh("run", str(script)), domsh(stdin=line)):
        assert ran.status == 2
        assert said in ran.err
        assert "Traceback" not in ran.err
        assert ran.out == ""


def test_a_step_that_fails_stops_the_script_with_its_line_and_status(
    tmp_path: Path, pages: str
) -> None:
    script = tmp_path / "steps.domsh"
    script.write_text(f"open {pages}/toggles.html\nclick nosuch\njs '\"reached\"'\n")
    ran = domsh("run", str(script))
    assert ran.status == 1
    assert f"{script}:2" in ran.err
    assert "nosuch" in ran.err
    assert ran.err.rstrip().endswith("0 passed, 1 failed, 0 skipped")
    assert "reached" not in ran.out


def test_a_wait_in_vain_has_a_status_of_its_own_and_nothing_behind_it_runs(pages: str) -> None:
    ran = domsh(f"{pages}/form.html", "-c", "wait --timeout 300ms exists never && help", "--json")
    assert ran.status == 4
    assert [one["ok"] for one in ran.objects if "ok" in one] == [False]
