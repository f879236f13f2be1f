"""The sessions of ``examples`` run as their readers are told to run them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import ROOT, domsh, domsh_here

SESSIONS = ROOT / "examples" / "sessions"
MANUALS = (
    "/usr/share/doc/python3/html",
    "/usr/share/doc/python3-doc/html",
    "/usr/share/doc/python3.11/html",
)


SHOP: dict[str, tuple[str, ...]] = {
    "accessibility": (), "account": (), "dialogs": (), "frames": (), "languages": (),
    "late-content": (), "link-check": (), "login": ("Ada", "oolong"), "search-and-filter": (),
    "sign-up": ("Ada Lovelace", "Japan"), "table-to-csv": (), "tabs": (),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SHOP))
def test_a_session_in_the_shop_passes(name: str) -> None:
    file = str(SESSIONS / f"{name}.domsh")
    environment = {"TEA_PASSWORD": "oolong"}
    ran = domsh("run", "--site", "examples/site", file, *SHOP[name], environment=environment)
    assert ran.status == 0, ran.err
    passed, _, rest = ran.err.splitlines()[-1].partition(" passed, ")
    assert (int(passed) > 0, rest) == (True, "0 failed, 0 skipped")
    assert "oolong" not in ran.out + ran.err


def test_the_session_that_fails_says_where_what_was_expected_and_what_was_there() -> None:
    ran = domsh("run", "--site", "examples/site", "examples/sessions/fails.domsh")
    assert ran.status == 1
    assert "fails.domsh:10: expected text of /main_1/shown is '15 of 15 teas'" in ran.err
    assert "but saw '14 of 14 teas'" in ran.err
    assert "fails.domsh:13: nothing below /main_1/filter is called or labelled 'Show al'" in ran.err
    assert ran.err.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_check_finds_nothing_wrong_in_any_session() -> None:
    ran = domsh("check", *map(str, sorted(SESSIONS.glob("*.domsh"))))
    assert (ran.status, ran.out, ran.err) == (0, "", "")


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
    others = {"tour", "python-manual", "fails"}
    assert {path.stem for path in SESSIONS.iterdir()} == {*SHOP, *others}
