"""The sessions of ``examples`` run as their readers are told to run them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import ROOT, domsh_here

SESSIONS = ROOT / "examples" / "sessions"
MANUALS = (
    "/usr/share/doc/python3/html",
    "/usr/share/doc/python3-doc/html",
    "/usr/share/doc/python3.11/html",
)


def test_the_tour_through_the_shop_succeeds() -> None:
    ran = domsh_here("run", "--site", str(ROOT / "examples/site"), str(SESSIONS / "tour.domsh"))
    expected = (SESSIONS / "tour.domsh").read_text(encoding="utf-8").count("\nexpect ")
    assert ran.status == 0, ran.err
    passed, _, rest = ran.err.splitlines()[-1].partition(" passed, ")
    assert (int(passed) >= expected, rest) == (True, "0 failed, 0 skipped")


def test_the_walk_through_pythons_manual_succeeds() -> None:
    manual = next((path for path in MANUALS if Path(path, "index.html").is_file()), None)
    if manual is None:
        pytest.skip("Python's manual is not installed (Debian: apt install python3-doc)")
    if "3.11.2" not in Path(manual, "index.html").read_text(encoding="utf-8"):
        pytest.skip("the session was written for the manual of Python 3.11.2")
    ran = domsh_here("run", "--site", manual, str(SESSIONS / "python-manual.domsh"))
    assert ran.status == 0, ran.err
    assert ran.err.splitlines()[-1].endswith(" 0 failed, 0 skipped")


def test_every_session_is_run_by_a_test() -> None:
    assert {path.name for path in SESSIONS.iterdir()} == {"tour.domsh", "python-manual.domsh"}
