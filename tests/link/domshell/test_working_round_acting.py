"""Acting through a DOMShell at its worst: nothing is done twice, elsewhere, or only claimed."""

from __future__ import annotations

import time

import pytest

from domsh_repl.commands.session import Settings
from domsh_repl.errors import (
    DialogOpen,
    Failed,
    Stale,
    TimedOut,
    Unsupported,
)
from domsh_repl.link.asks import Ask
from domsh_repl.nodes import EffectKind
from tests.conftest import LaneRunner
from tests.link.domshell.plain import PlainServer
from tests.link.domshell.provoking import FORM, ODD_TEXT, in_page, quoted, shell_on
from tests.sessions import Shell


@pytest.mark.parametrize(
    "source",
    ["throw new Error('no')", "1 +", "nosuch", "Promise.reject('no')", "(() => { throw 1 })()"],
)
def test_a_script_that_throws_is_told_at_once(form: Shell, source: str) -> None:
    started = time.monotonic()
    with pytest.raises(Failed, match="the script failed"):
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


def test_a_text_that_no_request_can_carry_is_unsupported_and_nothing_of_it_is_sent(
    form: Shell, server: PlainServer
) -> None:
    assert form.value(f"fill {FORM}/bio_input {'x' * 40_000}").value == "x" * 40_000
    error = form.error(f"fill {FORM}/bio_input {'é' * 40_000}")
    assert isinstance(error, Unsupported)
    assert "too long for one request" in error.message
    assert len(in_page(form, "document.querySelector('textarea').value")) == 40_000
    assert max(len(line) for line in server.sent) < 100_000
