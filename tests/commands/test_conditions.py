"""Conditions on a real page: what holds, what does not, and what is said about it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from domsh_repl.errors import DialogOpen, Failed, Misused, TimedOut
from domsh_repl.nodes import Verdict
from tests.sessions import Shell, running_shell
from tests.site_server import serving

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Form  page</title><main>
<input aria-label=Name value="Ada  Lovelace"><input type=number value=7 aria-label=Age>
<input type=number value=12345.678 aria-label=Ratio>
<input type=number value=1234567 aria-label=Large>
<label><input type=checkbox checked>Agree</label>
<button disabled>Off</button><button>Save</button><button>Send</button>
<p aria-label=Note role=status>It <b>works</b>,
mostly</p><ul aria-label=Fruit><li>Apple<li>Pear</ul></main>"""
LATE = """<!doctype html><html lang=en><meta charset=utf-8><title>Late</title><main id=m></main>
<p role=status aria-label=Count id=c>0</p>
<script>setTimeout(() => { m.innerHTML = '<button>Late</button>' }, 500);
setInterval(() => { c.textContent = +c.textContent + 1 }, 100)</script>"""

BUSY = """<!doctype html><html lang=en><meta charset=utf-8><title>Busy</title><main>
<button onclick="setTimeout(() => { const end = Date.now() + 6000; while (Date.now() < end); })"
>Work</button></main>"""


@pytest.fixture(scope="module")
def running() -> Iterator[Shell]:
    with running_shell() as shell:
        yield shell


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("conditions")
    (folder / "form.html").write_text(PAGE, encoding="utf-8")
    (folder / "busy.html").write_text(BUSY, encoding="utf-8")
    (folder / "late.html").write_text(LATE, encoding="utf-8")
    with serving(folder) as url:
        yield url


@pytest.fixture
def shell(running: Shell, address: str) -> Shell:
    """Stand in the main part of the form."""
    running.run(f"open {address}/form.html && cd main_1")
    return running


HOLDS = [
    "exists age", "exists /main_1/age", "exists .", "exists ..", "exists *_btn",
    'exists "Save"', "exists button[2]", "not exists nosuch", "not exists nosuch/deeper",
    "gone nosuch", "not gone save_btn", "gone button[3]", "gone *_slider",
    "value name_input is 'Ada Lovelace'", 'value name_input contains "da Lo"',
    "value age is 7", "value age matches '^\\d$'", "value age not is 8",
    "not value age is 8", "value save_btn is ''",
    "text note is 'It works, mostly'", "text note contains works", "text . contains Apple",
    "text fruit matches /Apple\\s+Pear/", "text note not contains broken",
    "text note not matches /^works/", 'text "Note" contains mostly',
    'state "Agree" checked', "state off_btn disabled", "not state save_btn disabled",
    "url contains form.html", "url matches '/form\\.html$'", "url not contains https",
    "title is 'Form page'", "title is 'Form  page'", "title not is Other",
    "count *_btn == 3", "count *_btn >= 3", "count *_btn <= 3", "count *_btn != 2",
    "count *_btn > 2", "count *_btn < 4", "count *_slider == 0",
    "count age == 1", "count fruit/* > 1",
    "count --type button == 3", "count fruit/*_btn == 0", "count **/*_slider == 0",
    "count fruit/**/*_btn == 0", "value ratio is 12345.678", "value large is 1234567",
    "count --type listitem fruit == 2", "count --type link / == 0",
]  # fmt: skip
FAILS = [
    ("exists nosuch", "no nosuch in /main_1"),
    ("not exists age", "it is there"),
    ("gone age", "it is there"),
    ("value age is 8", "7"),
    ("value nosuch is 8", "it is not there"),
    ("not value nosuch is 8", "it is not there"),
    ("text nosuch contains x", "it is not there"),
    ("not text nosuch contains x", "it is not there"),
    ("state nosuch disabled", "it is not there"),
    ("not state nosuch disabled", "it is not there"),
    ("state save_btn disabled", "no state"),
    ("state *_btn disabled", "disabled"),
    ("text note is 'It works'", "It works, mostly"),
    ("title is form", "Form page"),
    ("not title contains Form", "Form page"),
    ("url contains nowhere", "/form.html"),
    ("count *_btn == 2", "3"),
    ("count --type button fruit == 1", "0"),
    ("count nosuch/* == 0", "it is not there"),
    ("count fruti/*_btn == 0", "it is not there"),
    ("count nosuch/**/*_btn == 0", "it is not there"),
    ("not count nosuch/* == 1", "it is not there"),
    ("count --type button nosuch == 0", "it is not there"),
    ("value ratio is 12345.7", "12345.678"),
]


@pytest.mark.parametrize("condition", HOLDS)
def test_a_condition_that_holds_is_a_verdict_that_says_so(shell: Shell, condition: str) -> None:
    verdict = shell.value(f"expect {condition}")
    assert isinstance(verdict, Verdict)
    assert verdict.ok
    assert verdict.expected


@pytest.mark.parametrize(("condition", "seen"), FAILS)
def test_a_condition_that_does_not_hold_fails_with_what_was_seen(
    shell: Shell, condition: str, seen: str
) -> None:
    error = shell.error(f"expect {condition}")
    assert isinstance(error, Failed)
    assert error.exit_status == 1
    assert error.message.startswith("expected ")
    assert seen in error.message


def test_wait_comes_back_when_it_becomes_true(shell: Shell, address: str) -> None:
    shell.run(f"open {address}/late.html")
    verdict = shell.value("wait --timeout 10 exists main_1/late_btn")
    assert verdict.ok
    assert 0.1 < verdict.seconds < 5
    assert shell.run("wait --timeout 10 text count matches '^[1-9]'") == 0


def test_wait_is_over_at_its_timeout_and_shows_the_last_value_seen(
    shell: Shell, address: str
) -> None:
    shell.run(f"open {address}/late.html")
    started = time.monotonic()
    error = shell.error("wait --timeout 500ms text count is never")
    assert 0.4 < time.monotonic() - started < 3
    assert isinstance(error, TimedOut)
    assert error.exit_status == 4
    last = int(error.message.partition("but saw '")[2].partition("'")[0])
    assert last > 0


@pytest.mark.parametrize("flag", ["", "--json"])
def test_a_page_that_is_too_busy_to_answer_is_not_yet_what_is_waited_for(
    shell: Shell, address: str, flag: str
) -> None:
    shell.run(f"open {address}/busy.html; click button[0]")
    started = time.monotonic()
    assert shell.run(f"wait {flag} --timeout 2s exists main_1/nosuch_btn") == 4
    assert time.monotonic() - started < 4
    if flag:
        (verdict,) = shell.json_screen.values
        assert not verdict.ok
    else:
        (error,) = shell.screen.errors
        assert isinstance(error, TimedOut)
        assert "did not end" not in error.message
    shell.run("tab close")


def test_the_condition_is_told_with_its_role(shell: Shell) -> None:
    verdict = shell.value("expect --type link not count / == 5")
    assert verdict.condition == "not count --type link / == 5"


def test_wait_with_no_time_looks_once(shell: Shell) -> None:
    assert shell.run("wait --timeout 0 exists save_btn") == 0
    assert shell.run("wait --timeout 0 exists nosuch") == 4


def test_a_failed_verdict_in_json_is_a_verdict(shell: Shell) -> None:
    assert shell.run("expect --json title is x") == 1
    (verdict,) = shell.json_screen.values
    assert (verdict.ok, verdict.actual, verdict.condition) == (False, "Form page", "title is x")
    assert shell.json_screen.errors == []


def test_verdicts_are_counted(shell: Shell) -> None:
    before = shell.executor.verdicts
    shell.run("expect exists nosuch; expect exists save_btn; wait exists save_btn; ls")
    after = shell.executor.verdicts
    assert (after.met - before.met, after.unmet - before.unmet) == (2, 1)


def test_a_page_that_asks_something_fails_a_condition_on_its_tree(shell: Shell, pages: str) -> None:
    shell.run(f"open {pages}/dialogs.html && click alert_btn")
    assert isinstance(shell.error("expect exists confirm_btn"), DialogOpen)
    assert isinstance(shell.error("wait --timeout 1 exists confirm_btn"), DialogOpen)
    assert shell.run("dialog accept && expect exists confirm_btn") == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("wait late_btn", "'late_btn' is no condition"),
        ("wait 'exists' x", "a condition is missing"),
        ("expect not", "a condition is missing"),
        ("expect title", "'nothing' is no comparison"),
        ("expect title is", "needs VALUE"),
        ("expect exists", "needs a PATH"),
        ("expect title is a b", "ends before 'b'"),
        ("expect state x tired", "'tired' is no state"),
        ("expect count x", "'nothing' is no comparison"),
        ("expect count x ==", "needs N"),
        ("expect --type link title is x", "--type belongs to count"),
    ],
)
def test_a_broken_condition_says_what_is_missing(shell: Shell, line: str, message: str) -> None:
    with pytest.raises(Misused, match=message) as caught:
        shell.run(line)
    assert caught.value.exit_status == 2
    assert caught.value.hint


def test_what_a_live_region_says_is_a_condition_until_the_next_action(
    shell: Shell, pages: str
) -> None:
    shell.run(f"open {pages}/live.html; cd main_1")
    shell.error("expect announced contains Saved")
    shell.run("click late_btn")
    assert shell.value("wait announced is 'Saved late'").ok
    assert shell.value("expect announced matches /late$/").ok
    assert "Saved late" in shell.error("expect announced is Sold").message
    shell.run("click nothing_btn")
    assert shell.value("expect not announced contains Saved").ok
