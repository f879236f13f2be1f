"""What DOMShell does at its worst, provoked on a live page, and that nothing of it shows above.

What acts stands in ``test_working_round_acting``, how single replies are read in
``test_replies``, that all recorded ones are read right in ``test_recordings``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path as FilePath
from typing import Any

import pytest

from domsh_repl.errors import (
    DomshError,
    Failed,
    LaneFailed,
    TimedOut,
    Unsupported,
)
from domsh_repl.link.link import Manners
from domsh_repl.nodes import EffectKind
from tests.conftest import LaneRunner
from tests.link.domshell.plain import PlainServer
from tests.link.domshell.provoking import FORM, ODD_TEXT, in_page, quoted, shell_on
from tests.sessions import Shell

CRASH = "Error: child.value.toLowerCase is not a function"


def test_no_line_depends_on_where_the_lane_is_or_means_more_than_one_command(
    form: Shell, server: PlainServer, pages: str
) -> None:
    for line in (
        f"cd {FORM}", "ls", "ls -l ..", "cat email_input", "text", "text /", "tree /", "pwd",
        "find --type button", "find --label save /", "grep -r save /", "cd ..", "ls -R",
        f"fill {FORM}/email_input {quoted(ODD_TEXT)}", f"type {FORM}/bio_input {quoted(ODD_TEXT)}",
        f"select {FORM}/country_select Japan", f"check {FORM}/i_agree_chk",
        "wait exists /main_area", f"focus {FORM}/increment_btn",
        f"click {FORM}/increment_btn", f"open -n {pages}/nav.html", "tabs", "back", "reload",
        "refresh", "info",
    ):  # fmt: skip
        shell_status = form.run(line)
        assert shell_status == 0 or line == "back", (line, form.screen.errors)
    for line in server.sent:
        assert len(line.encode()) < 100_000
        assert line.isascii()
        assert line.isprintable()
        verb, _, rest = line.partition(" ")
        assert verb in {"pwd", "ls", "cd", "refresh", "tree", "read", "cat", "text", "eval",
                        "click", "focus", "open", "find", "select"}, line  # fmt: skip
        if verb == "eval":
            assert rest.startswith(("(", "location.", "history.", "window.", "delete "))
        elif verb == "cd":
            assert re.fullmatch(r"~/tabs/\d+", rest)
        elif verb == "ls":
            assert rest == "--json ~"
        elif verb not in ("open", "find"):
            assert not re.search(r"(?:^|[ /])(?:\.\.?(?:/|$)|/|~)", rest), line


@pytest.mark.parametrize(
    "way",
    [
        ("cd main_area",),
        ("cd main_area/signup_form", "cd ~/tabs", "cd {tab}"),  # pwd and cursor disagree
        ("cd main_area", "cd {tab}"),
        ("cd ~",),
        ("cd ~/windows",),
        ("cd main_area", "cd .."),  # which leaves the tab
        ("cd {tab}/main_area/signup_form",),  # which stops at the tab
        ("cd main_area/nosuch",),  # which keeps what worked
        ("cd %here%",),
    ],
)
def test_wherever_the_lane_was_led_the_next_command_means_what_it_says(
    form: Shell, server: PlainServer, way: tuple[str, ...]
) -> None:
    expected = [form.value(line) for line in ("ls /", f"ls {FORM}", f"text {FORM}")]
    tab = f"~/tabs/{form.session.state.page.tab}"
    for line in way:
        form.run(f"raw {line.replace('{tab}', tab)}")
        server.say(line.replace("{tab}", tab))
    assert [form.value(line) for line in ("ls /", f"ls {FORM}", f"text {FORM}")] == expected
    assert form.value(f"click {FORM}/increment_btn").effect is EffectKind.SEEN


def test_a_directory_that_the_server_left_by_itself_is_left_here_with_a_remark(
    form: Shell, pages: str
) -> None:
    form.value(f"cd {FORM}")
    in_page(form, f"setTimeout(()=>location.assign('{pages}/nav.html')),1")
    form.value("wait title contains Nav")
    form.value("ls")
    assert form.cwd == "/"
    assert "signup_form" not in str(form.screen.values)


def test_a_page_with_numbers_is_searched_here_and_not_by_the_server(
    shell: Shell, server: PlainServer, lane: LaneRunner, pages: str
) -> None:
    def crash(line: str) -> str | None:
        verb, _, rest = line.partition(" ")
        crashes = verb in ("grep", "wait", "submit") or (verb == "find" and "--type" not in rest)
        return CRASH if crashes else None

    server.before = crash
    shell.value(f"open {pages}/numeric.html")
    for mine, theirs in (
        ("find --label age", "find --label age /"), ("find --name 'go_*'", "find --name go_* /"),
        ("grep -r -i go", "grep -r -i go /"),
        ("find --type spinbutton", "find --type spinbutton /"),
    ):  # fmt: skip
        assert shell.value(mine) == lane.value(theirs), mine
        assert shell.screen.values
    shell.value("wait exists main_1/go_btn")
    (age,) = shell.value("find --type spinbutton").matches
    assert age.value == 7
    assert {"grep", "wait"}.isdisjoint(server.verbs())


def test_names_that_look_like_flags_are_read_and_clicked(
    shell: Shell, server: PlainServer, served: tuple[FilePath, str]
) -> None:
    folder, url = served
    (folder / "flags.html").write_text(
        "<title>Flags</title><button onclick=\"document.title='hit'\">--json</button>"
        '<input aria-label="-n 5" value=v><main><button>--help</button></main>'
    )
    shell.value(f"open {url}/flags.html")
    assert "--json_btn" in server.say("ls")
    found = shell.value("ls").entries
    assert [entry.label for entry in found if entry.role in ("button", "textbox")] == [
        "--json", "-n 5",
    ]  # fmt: skip
    for entry in found:
        assert shell.value(f"cat {entry.path}").label == entry.label
    assert shell.value('click "--json"').title == "hit"
    (helped,) = shell.value('find --label "--help" /').matches
    assert shell.value(f"cat {helped.path}").role == "button"


@pytest.mark.parametrize("line", ["ls", "click /main_area/load_late_btn"])
def test_the_server_s_own_deadline_is_a_timeout(
    form: Shell, server: PlainServer, line: str
) -> None:
    server.before = lambda sent: (
        "Error: Command timed out after 150 seconds" if sent.startswith(("tree", "click")) else None
    )
    error = form.error(line)
    assert isinstance(error, TimedOut)
    assert error.exit_status == 4
    assert "150 s" in error.message


@pytest.mark.parametrize("line", ["ls -l /main_1", "text /main_1", "tree", "find --type button /"])
def test_a_page_full_of_signs_is_read_as_the_engine_reads_it(
    shell: Shell, lane: LaneRunner, pages: str, line: str
) -> None:
    shell.value(f"open {pages}/weird.html")
    shell.value(line)
    assert shell.session.link.lane == "7"
    labels = {one.label for one in lane.value("ls -n 0 /main_1").entries}
    mine = {one.label for one in shell.value("ls -n 0 /main_1").entries}
    assert {"--json", "..", "a/b/c", "pipe|pipe", "日本語ボタン", "<b>tag</b>"} <= labels & mine


def test_a_password_is_told_by_nothing(form: Shell, server: PlainServer) -> None:
    def leak(line: str, reply: str) -> str:
        """Tell the clear text where DOMShell's ``cat`` does."""
        if not line.startswith("cat ") or "password" not in line:
            return reply
        told = json.loads(reply)
        html = '<input id="pw" type="password" value="hunter2">'
        return json.dumps({**told, "text": "hunter2", "html": html})

    server.after = leak
    form.value(f"fill {FORM}/password_input hunter2")
    reading = shell_on(server, Manners(read_only=True))
    for one in (form, reading):
        for line in (f"cat {FORM}/password_input", f"ls -l {FORM}", f"text {FORM}", "tree -L 9 /",
                     "grep -r hunter /", f"cat {FORM}"):  # fmt: skip
            one.run(line)
            assert "hunter2" not in str(one.screen.values + one.screen.errors), line
    assert "cat" in server.verbs()
    reading.session.link.leave_lane()
    reading.session.link.close()


def test_a_lane_that_died_with_its_last_tab_is_told_and_another_one_is_made(
    form: Shell, server: PlainServer
) -> None:
    gone = "Error: no lane '7' — pass \"new\" for a fresh lane, or run 'group list' to see them."
    server.after = lambda _line, _reply: gone
    answered = server.answer

    async def without_marker(arguments: dict[str, Any]) -> str:
        text = await answered(arguments)
        return gone if text.startswith(gone) else text

    server.answer = without_marker
    error = form.error(f"click {FORM}/increment_btn")
    assert isinstance(error, LaneFailed)
    assert "reconnect" in error.hint
    server.after = lambda _line, reply: reply
    assert "are still there" in form.value("reconnect").text
    assert form.value("ls").entries


def test_what_is_refused_in_words_fails_a_raw_line_and_a_picture_is_not_shown(
    form: Shell, server: PlainServer
) -> None:
    for line in ("click nosuch", "cat nosuch", "bogus", "cd nosuch"):
        error = form.error(f"raw {line}")
        assert isinstance(error, Failed)
        assert "nosuch" in error.message or "command not found" in error.message
    server.before = lambda line: (
        f"__SCREENSHOT_BASE64__{'iVBORw0KGgo' * 900}=" if line == "screenshot" else None
    )
    shown = form.value("raw screenshot").output
    assert "iVBOR" not in shown
    assert "picture of 7425 bytes" in shown


def test_what_the_server_cannot_tell_is_unsupported_and_never_an_empty_guess(
    form: Shell, pages: str
) -> None:
    for line in ("key Tab", "key a", "reload --hard", "dialog accept", "dialog dismiss", "tab new",
                 "tab close"):  # fmt: skip
        error: DomshError = form.error(line)
        assert isinstance(error, Unsupported), line
        assert error.hint
    form.value(f"open {pages}/frames.html")
    framed = [one for one in form.value("ls -R /").entries if one.role == "Iframe"]
    assert framed


def test_a_page_that_keeps_our_script_from_answering_is_read_and_left(
    shell: Shell, pages: str
) -> None:
    shell.value(f"open {pages}/script_keepers.html")
    assert shell.session.state.page.url == f"{pages}/script_keepers.html"
    names = [entry.name for entry in shell.value("ls").entries]
    assert "alpha_link" in names
    assert shell.value(f"open {pages}/form.html").title == "Form page"
