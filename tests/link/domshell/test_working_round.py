"""What DOMShell does at its worst, provoked on a live page, and that nothing of it shows above.

How single replies are read stands in ``test_replies``, that all recorded ones are read right in
``test_recordings``.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import pytest

from domsh_repl.commands.session import Settings
from domsh_repl.errors import (
    DialogOpen,
    DomshError,
    Failed,
    LaneFailed,
    Stale,
    TimedOut,
    Unsupported,
)
from domsh_repl.link.asks import Ask
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.owner import Deadlines
from domsh_repl.nodes import EffectKind, ScriptValue
from tests.conftest import LaneRunner
from tests.link.domshell.plain import PlainServer
from tests.sessions import Shell

FORM = "/main_area/signup_form"
CRASH = "Error: child.value.toLowerCase is not a function"
ODD_TEXT = "two  blanks, 'both' \"kinds\" | pipe --help %here% $x ; é 日本"


@pytest.fixture
def server(lane: LaneRunner) -> PlainServer:
    return PlainServer(lane)


@pytest.fixture
def shell(server: PlainServer) -> Iterator[Shell]:
    made = shell_on(server)
    yield made
    server.unmute()
    made.session.link.close()


def shell_on(server: PlainServer, manners: Manners | None = None) -> Shell:
    """Return a shell on a server."""
    link = Link(server, Deadlines(lane=3.0, close=5.0, grace=0.2), manners or Manners())
    return Shell(link, Settings(timeout=20.0))


@pytest.fixture
def form(shell: Shell, pages: str) -> Shell:
    shell.value(f"open {pages}/form.html")
    return shell


def quoted(text: str) -> str:
    """Return a text as a word of a line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"{escaped}"'


def evaluate(expression: str) -> Ask[ScriptValue]:
    """Ask for the value of an expression in the page."""
    return Ask("js", ScriptValue, (expression,), acts=True, on_nodes=False)


def in_page(shell: Shell, expression: str) -> Any:
    """Return what an expression gives in the page."""
    return shell.session.ask(evaluate(expression)).value


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


@pytest.mark.parametrize(
    "source",
    ["throw new Error('no')", "1 +", "nosuch", "Promise.reject('no')", "(() => { throw 1 })()"],
)
def test_a_script_that_throws_is_told_at_once(form: Shell, source: str) -> None:
    started = time.monotonic()
    with pytest.raises(Failed, match="the page threw"):
        in_page(form, source)
    assert time.monotonic() - started < 3


def test_an_action_that_the_page_went_away_from_does_nothing_to_the_next_page(
    form: Shell, server: PlainServer, pages: str
) -> None:
    form.value(f"ls {FORM}")
    armed = [True]

    def leave(line: str) -> str | None:
        if line.startswith("text ") and '","insert",' in server.sent[-2] and armed:
            armed.clear()
            server.say(f"eval location.assign('{pages}/form.html?again'),1")
            while "again" not in server.say("eval location.href"):
                pass
        return None

    server.before = leave
    error = form.error(f"type {FORM}/email_input secret")
    assert not armed
    assert isinstance(error, (Stale, Unsupported, Failed))
    server.before = lambda _line: None
    assert in_page(form, "document.getElementById('email').value") == ""


def test_a_write_that_is_never_answered_is_not_known_and_the_dialog_behind_it_is_guessed(
    form: Shell, server: PlainServer
) -> None:
    form.value("ls")
    server.mute_from = f"click {FORM[1:]}"
    form.session.settings = Settings(timeout=1.0)
    error = form.error(f"click {FORM}/increment_btn")
    assert isinstance(error, DialogOpen)
    assert "whether `click` was done is not known" in error.message
    assert "reconnect" in error.hint
    assert isinstance(form.error("ls"), TimedOut)
    server.unmute()
    form.session.settings = Settings(timeout=20.0)
    assert "still there" in form.value("reconnect").text
    assert form.value("ls").entries
    assert sum(line.startswith("click") for line in server.sent) == 1


def test_a_text_of_any_sort_is_typed_and_read_back(form: Shell, server: PlainServer) -> None:
    for text in (ODD_TEXT, "  edges  ", "--help", "-n", "a | b", "''", "it's"):
        form.value(f"fill {FORM}/bio_input ''")
        assert form.value(f"type {FORM}/bio_input -- {quoted(text)}").value == text
    assert "type" not in server.verbs()


def test_lines_go_into_a_textarea_and_nowhere_else(form: Shell, server: PlainServer) -> None:
    ask = Ask("type", type(form.value("pwd")), (f"{FORM}/bio_input", "one\ntwo"), acts=True)
    form.session.link.ask(ask)
    assert in_page(form, "document.querySelector('textarea').value") == "one\ntwo"
    assert not [line for line in server.sent if "\n" in line]


def test_where_the_page_keeps_the_probe_out_nothing_is_claimed(
    form: Shell, server: PlainServer, lane: LaneRunner
) -> None:
    in_page(
        form, "[Node, Text, HTMLElement, SVGElement].map(one => Object.freeze(one.prototype)), 1"
    )
    for line in (f"type {FORM}/email_input abc", f"click {FORM}/increment_btn"):
        error = form.error(line)
        assert isinstance(error, Unsupported)
        assert "--server builtin" in error.hint
    assert in_page(form, "[document.getElementById('email').value, window.n]") == ["", 0]
    assert {"type", "click"}.isdisjoint(server.verbs())
    theirs = lane.value(f"ls {FORM}").entries
    listed = form.value(f"ls {FORM}").entries
    assert "no labels and states" in form.notes[0]
    assert [(one.name, one.role) for one in listed] == [(one.name, one.role) for one in theirs]
    assert {(one.label, one.states) for one in listed} == {("", ())}
    assert form.value(f"cat {FORM}/save_btn").tag == "button"
    assert "Save" in form.value(f"text {FORM}").text
    assert isinstance(form.error("find --label save /"), Unsupported)


def test_a_tab_in_the_background_is_clicked_by_script_where_the_pointer_would_not_come(
    server: PlainServer, pages: str
) -> None:
    server.about["extension_version"] = "1.3.5"
    server.after = lambda line, reply: (
        reply.replace('"visible":true', '"visible":false') if line.startswith("eval") else reply
    )
    shell = shell_on(server)
    shell.value(f"open {pages}/form.html")
    assert shell.value(f"click {FORM}/increment_btn").effect is EffectKind.SEEN
    assert in_page(shell, "window.n") == 1
    assert "click" not in server.verbs()
    shell.session.link.close()


def test_a_link_to_a_new_tab_opens_one_though_a_click_would_not(shell: Shell, pages: str) -> None:
    shell.value(f"open {pages}/opens_tabs.html")
    effect = shell.value('click "New tab"')
    (tab,) = effect.opened_tabs
    assert tab.url == f"{pages}/beta.html"
    assert [one.id for one in shell.value("tabs").tabs][-1] == tab.id
    assert shell.value("pwd").title == "Opens tabs"


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


def test_a_text_that_no_request_can_carry_is_unsupported_and_nothing_of_it_is_sent(
    form: Shell, server: PlainServer
) -> None:
    assert form.value(f"fill {FORM}/bio_input {'x' * 40_000}").value == "x" * 40_000
    error = form.error(f"fill {FORM}/bio_input {'é' * 40_000}")
    assert isinstance(error, Unsupported)
    assert "too long for one request" in error.message
    assert len(in_page(form, "document.querySelector('textarea').value")) == 40_000
    assert max(len(line) for line in server.sent) < 100_000


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
