"""The same lines in memory and through a real DOMShell server give the same values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program import ROOT, domsh
from tests.real_domshell import RealServer, bridged, real_server

TOUR = ROOT / "examples" / "sessions" / "tour.domsh"
SESSION = """\
open {pages}/form.html
info
ls
ls -l main_area/signup_form
cd main_area/signup_form
pwd
cat email_input
text plan
tree -L 2 /
find --type button
grep -r save /
fill email_input "Ada | Lovelace --help 日本"
type bio_input "two  blanks 'and' \\"quotes\\""
select country_select Japan
check i_agree_chk
check i_agree_chk
uncheck i_agree_chk
focus increment_btn
key Enter
click increment_btn
js "({{n: window.n, text: document.title}})"
js "null"
js "document.body"
ls --text main_area/signup_form
links /
outline /
outline --fields --links /
diff
scroll bottom
scroll top
submit email_input
js "throw new Error('no')"
click nosuch_btn
cd save_btn
cat plan/*
click disabled_thing_btn
open {pages}/nav.html
ls primary
click primary/docs_link
back
forward
back 9
reload
open {pages}/table.html
ls -l
text /
open {pages}/shadow.html
tree -L 4 /
open {pages}/names_with_quotes.html
ls
open {pages}/dialogs.html
dialog
open {pages}/nosuch.html
expect title is Gone
wait --timeout 1 exists nosuch_btn
expect title is Nothing
tabs
tab new
status --help
"""
IN_TEXT = {
    "tab new": "DOMShell opens no blank tab",
}
"""Lines whose values differ when DOMShell's text is all that is told, each with its reason."""

_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
_IDS = frozenset({"lane", "tab", "id", "seconds", "document", "entry", "changes"})
"""What has another number in each run, and what was seen of the page by the time of the answer."""
_NOT_IN_TEXT = frozenset({"properties", "effect"})
"""What DOMShell does not tell, or cannot: what was known before an action."""
_QUESTIONS_AND_FRAMES = re.compile(
    r'^click "Empty the basket"$.*?(?=^# --- A form)', re.MULTILINE | re.DOTALL
)
"""The part of the tour that DOMShell cannot do: it dismisses dialogs and sees no frames."""


@pytest.fixture(scope="module")
def text_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a DOMShell server with an engine behind it that answers in text only."""
    folder = tmp_path_factory.mktemp("domshell")
    with (
        real_server(folder, "--allow-write") as started,
        bridged(started, folder / "bridge.log", "--plain"),
    ):
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a DOMShell server with ``domsh bridge`` behind it."""
    folder = tmp_path_factory.mktemp("domshell")
    with real_server(folder, "--allow-write") as started, bridged(started, folder / "bridge.log"):
        yield started


def masked(value: Any, dropped: frozenset[str] = _IDS) -> Any:
    """Return a value of JSON without what differs from run to run."""
    if isinstance(value, dict):
        return {k: None if k in dropped else masked(one, dropped) for k, one in value.items()}
    if isinstance(value, list):
        return [masked(one, dropped) for one in value]
    return _ADDRESS.sub("http://SITE", value) if isinstance(value, str) else value


def both(server: RealServer, *arguments: str, stdin: str | None = None) -> tuple[Any, Any]:
    """Return what a run prints in memory and through the server."""
    token = {"DOMSHELL_TOKEN": server.token}
    runs = [
        domsh("--json", *where, *arguments, stdin=stdin, environment=token)
        for where in ((), ("--server", server.url))
    ]
    assert runs[0].status == runs[1].status, runs[1].err
    return masked(runs[0].objects), masked(runs[1].objects)


def test_the_tour_is_the_same_through_a_real_server(server: RealServer) -> None:
    here, there = both(server, "run", "--site", str(ROOT / "examples" / "site"), str(TOUR))
    assert len(here) > 20
    assert there == here


def test_each_command_is_the_same_through_a_real_server(
    server: RealServer, pages: str, tmp_path: Path
) -> None:
    script = tmp_path / "lines.domsh"
    lines = SESSION.format(pages=pages).splitlines()
    script.write_text("".join(f"-{line}\n" for line in lines), encoding="utf-8")
    here, there = both(server, "run", str(script))
    assert len(here) > 40
    for one, other in zip(here, there, strict=True):
        assert other == one


def test_each_command_is_the_same_through_the_text_of_a_real_server(
    text_server: RealServer, pages: str, tmp_path: Path
) -> None:
    script = tmp_path / "lines.domsh"
    lines = SESSION.format(pages=pages).splitlines()
    script.write_text(
        "".join(f"-{line}\n" for line in lines if line not in IN_TEXT), encoding="utf-8"
    )
    here, there = both(text_server, "run", str(script))
    assert len(here) > 40
    dropped = _IDS | _NOT_IN_TEXT
    for one, other in zip(here, there, strict=True):
        assert masked(other, dropped) == masked(one, dropped)


def test_the_tour_succeeds_through_the_text_of_a_real_server(
    text_server: RealServer, tmp_path: Path
) -> None:
    tour, cut = _QUESTIONS_AND_FRAMES.subn("", TOUR.read_text(encoding="utf-8"))
    assert cut == 1
    tour = re.sub(r"^dialog .*\n", "", tour, flags=re.MULTILINE)
    (tmp_path / "tour.domsh").write_text(tour, encoding="utf-8")
    ran = domsh(
        "--server", text_server.url, "run", "--site", str(ROOT / "examples" / "site"),
        str(tmp_path / "tour.domsh"), environment={"DOMSHELL_TOKEN": text_server.token},
    )  # fmt: skip
    assert ran.status == 0, ran.err
