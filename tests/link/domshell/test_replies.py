"""Replies become values; refusals become errors; page text can forge neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.errors import (
    BlockedUrl,
    Denied,
    DomshError,
    Failed,
    LaneFailed,
    Lost,
    NotFound,
    TabGone,
    TimedOut,
    TokenRefused,
    Unsupported,
)
from domsh_repl.link.domshell.refusals import Why, transport_refusal, unanswered
from domsh_repl.link.domshell.replies import Reading, read_reply
from domsh_repl.link.domshell.told import (
    BrowserTabs,
    Cells,
    Counts,
    DeepLine,
    DeepLines,
    Details,
    Directory,
    Done,
    Entries,
    Entry,
    Group,
    LaneTab,
    Links,
    Moved,
    Notice,
    Overview,
    Plain,
    Script,
    TextBelow,
    TreeLine,
    TreeLines,
    Way,
)
from domsh_repl.nodes import Kind
from tests.link.domshell.recordings import recorded

D, X, S = Kind.DIRECTORY, Kind.INTERACTIVE, Kind.STATIC
FORM, NAV, LANES = "ext-1.3.0-form", "ext-1.3.0-nav", "ext-1.3.0-lanes"
NEWER = "ext-1.3.5-approx-lanes"
MAIN = (
    Entry("signup_form", "form", D),
    Entry("paragraph_54", "paragraph", D),
    Entry("load_late_btn", "button", X),
    Entry("events", "log", D),
)


def _entries(*names: str) -> tuple[Entry, ...]:
    return tuple(
        Entry(name.rstrip("/"), kind=Kind.DIRECTORY if name.endswith("/") else None)
        for name in names
    )


EXACT: list[tuple[str, str, int, object]] = [
    (FORM, "pwd", 0, Directory("~/tabs/234640227", 234640227)),
    (FORM, "pwd", 1, Directory("~/tabs/234640227/main_area", 234640227, ("main_area",))),
    (FORM, "ls", 0, Entries(_entries("banner_21/", "main_area/"))),
    (FORM, "ls", 1, Entries(_entries("signup_form/", "paragraph_54/", "load_late_btn", "events/"))),
    (FORM, "ls -l", 1, Entries(MAIN)),
    (FORM, "ls --json", 1, Entries(MAIN, 4)),
    (FORM, "ls -n 2", 0, Entries(_entries("signup_form/", "paragraph_54/"), 4)),
    (FORM, "ls -n 2 --offset 1", 0, Entries(_entries("paragraph_54/", "load_late_btn"), 4, 1)),
    (FORM, "ls --offset 99", 0, Entries((), 4, 99)),
    (FORM, "ls --count", 0, Counts(2, 2, 0, 0)),
    (FORM, "ls ~", 0, Overview(1, 2, 234640227)),
    (
        FORM,
        "ls --json ~",
        0,
        BrowserTabs(
            (
                LaneTab(234640226, "untitled", "", 234640223, current=False, active=False),
                LaneTab(
                    234640227, "Form page", "http://127.0.0.1:8765/form.html", 234640223,
                    current=True, active=False,
                ),
            )
        ),
    ),
    (FORM, "cat plan", 0, Details("plan", "group", D, "10")),
    (FORM, "text email_input", 0, TextBelow("email_input", "")),
    (FORM, "text -n 10", 0, TextBelow("signup_form", "EmailPassw", 93)),
    (
        FORM,
        "find email",
        0,
        Entries(
            (
                Entry("LabelText_24/email", "StaticText", D),
                Entry("LabelText_24/email/email", "InlineTextBox", S),
                Entry("email_input", "textbox", X),
            ),
            3,
        ),
    ),
    (FORM, "find --json zzz", 0, Entries((), 0)),
    (FORM, "grep zzz", 0, Entries((), 0)),
    (FORM, "extract_links", 0, Links(())),
    (
        FORM,
        "read -d 1 -n 3",
        0,
        DeepLines(
            DeepLine(0, "signup_form", "form"),
            ("  LabelText_24 [LabelText]", "  email_input [textbox]", "  LabelText_27 [LabelText]"),
        ),
    ),
    (
        "ext-1.3.0-shadow",
        "tree 6",
        0,
        TreeLines(
            "shadow_page",
            (
                TreeLine(0, D, "shadow_heading"),
                TreeLine(1, D, "shadow"),
                TreeLine(2, S, "shadow"),
                TreeLine(0, D, "card"),
                TreeLine(1, X, "shadow_button_btn"),
                TreeLine(1, D, "slotted"),
                TreeLine(2, S, "slotted"),
                TreeLine(0, X, "closed_button_btn"),
            ),
        ),
    ),
    (
        "ext-1.3.0-table",
        "extract_table main_7/prices --format csv",
        0,
        Cells((("Item", "Price"), ("Apple", "1 | 2"), ('Pear "big"', "$3,50"), ("日本", ""))),
    ),
    (NAV, "extract_links -n 2", 0, Links(
        (
            ("Read more", "http://127.0.0.1:8765/nav.html#1"),
            ("Read more", "http://127.0.0.1:8765/nav.html#2"),
        )
    )),
    (
        "ext-1.3.0-interact",
        "ls",
        3,
        Entries(_entries("thank_you_heading/", "paragraph_89/"), notice=Notice(9, reset=True)),
    ),
    ("ext-1.3.0-interact", "type 日本語 😀 é", 0, Done("typed", number=8)),
    ("ext-1.3.0-interact", "select country_select jp", 0, Done("selected", "Japan", value="jp")),
    ("ext-1.3.0-interact", "eval window.n", 0, Script("1")),
    (
        "ext-1.3.0-interact",
        "back",
        2,
        Moved(Way.BACK, "http://127.0.0.1:8765/form.html", "Form page", 9),
    ),
    (
        "ext-1.3.0-paths",
        "cd form",
        0,
        Moved(Way.ENTERED, "http://127.0.0.1:8765/form.html", "Form page", 63, 234640248),
    ),
    ("ext-1.3.0-paths", "cd /main_area", 0, Done("changed")),
    (LANES, "group", 1, Group(19850060, "🐚 agent", 1, attached=True)),
    (LANES, "group close", 0, Done("closed", "2138609311", 2)),
    (NEWER, "group", 0, Group(0)),
    (NEWER, "close", 0, Done("closed", "Form page")),
    ("ext-1.3.5-approx-interact", "key Enter", 0, Done("key", "Enter", value="synthetic")),
]  # fmt: skip


@pytest.mark.parametrize(("file", "command", "which", "value"), EXACT)
def test_a_recorded_reply_has_exactly_this_value(
    file: str, command: str, which: int, value: object
) -> None:
    reading = recorded(file, command, which).reading()
    assert reading.get() == value


REFUSED: list[tuple[str, str, str, Why, type[DomshError]]] = [
    (
        "pwd",
        "Error: no lane '7' — pass \"new\" for a fresh lane, or …",
        "",
        Why.NO_LANE,
        LaneFailed,
    ),
    (
        "click x",
        "Error: Write commands (click/focus/type) are disabled. Start the MCP server with …",
        "",
        Why.DENIED,
        Denied,
    ),
    (
        "eval 1",
        "Error: Write commands (click/focus/type) are disabled. Start the MCP server with …",
        "",
        Why.DENIED,
        Denied,
    ),
    (
        "open http://x/",
        "Error: Navigation commands (navigate/open) are disabled. Start the MCP server …",
        "",
        Why.DENIED,
        Denied,
    ),
    (
        "whoami",
        "Error: Sensitive commands (whoami) are disabled. Start the MCP server with …",
        "",
        Why.DENIED,
        Denied,
    ),
    ("click x", "Action denied by user.", "", Why.DENIED, Denied),
    ("eval 1", "Action denied by user.", "", Why.DENIED, Denied),
    (
        "cd ~",
        "Error: Domain '127.0.0.1' is not in the allowed list: example.com",
        "7",
        Why.DENIED,
        Denied,
    ),
    (
        "refresh",
        "Error: Not attached to any tab. Run 'attach' first.",
        "7",
        Why.NOT_ATTACHED,
        Failed,
    ),
    (
        "tree",
        "Error: This command requires a tab context. Use 'cd tabs/<id>' to …",
        "7",
        Why.NOT_IN_TAB,
        TabGone,
    ),
    ("find a", "Error: child.value.toLowerCase is not a function", "7", Why.NUMERIC, Unsupported),
    ("diff", "Error: c.prev.value?.slice is not a function", "7", Why.NUMERIC, Unsupported),
    ("ls", "Error: Command timed out after 150 seconds", "7", Why.TIMEOUT, TimedOut),
    (
        "open chrome://version",
        "✓ Opened new tab\r\nAttach failed: Cannot access a chrome:// URL",
        "7",
        Why.NOT_LOADED,
        BlockedUrl,
    ),
    ("pwd", "<!DOCTYPE html>\n<html><pre>PayloadTooLargeError", "", Why.UNREADABLE, Lost),
    ("ls", "Error: something new", "7", Why.OTHER, Failed),
    ("ls", "something new, with blanks", "7", Why.UNREADABLE, Lost),
    ("ls --json", '{"children":[{"name":"x"}],"total":1', "7", Why.UNREADABLE, Lost),
    ("ls --json", '{"children":[{"name":"x"}]}', "7", Why.UNREADABLE, Lost),
    ("pwd", "", "7", Why.UNREADABLE, Lost),
    ("click x", "", "7", Why.UNREADABLE, Lost),
]


@pytest.mark.parametrize(("command", "body", "lane", "why", "kind"), REFUSED)
def test_a_refusal_is_told_by_command_and_shape(
    command: str, body: str, lane: str, why: Why, kind: type[DomshError]
) -> None:
    reading = _with_marker(command, body, lane)
    assert reading.refusal is not None
    assert (reading.refusal.why, type(reading.refusal.error)) == (why, kind)
    with pytest.raises(kind):
        reading.get()


def _with_marker(command: str, body: str, lane: str) -> Reading:
    return read_reply(command, f"{body}\n\n[lane: {lane}]" if lane else body)


def test_a_mint_failure_tells_the_reason() -> None:
    reading = recorded(NEWER, "pwd", -1).reading()
    assert reading.refusal is not None
    assert reading.refusal.why is Why.NOT_MINTED
    assert "window 424242 not found" in reading.refusal.error.message
    assert "operator" not in reading.refusal.error.message


def test_what_is_missing_is_not_found_with_what_is_there() -> None:
    reading = recorded("ext-1.3.5-approx-paths", "cd main_area/nosuch").reading()
    assert reading.refusal is not None
    assert isinstance(reading.refusal.error, NotFound)
    assert reading.refusal.error.hint == "there is signup_form/, paragraph_54/, events/"


def test_an_error_of_another_command_is_no_error_of_this_one() -> None:
    assert _with_marker("text x", "--- Text: x ---\r\ncat: y: No such file\r\n(9 chars)", "7").get()
    assert _with_marker(
        "eval a", "Error: no lane '7' — pass \"new\" for a fresh lane", "7"
    ).get() == (Script("Error: no lane '7' — pass \"new\" for a fresh lane"))


@given(st.text())
def test_what_a_script_answers_is_never_taken_for_something_else(text: str) -> None:
    reading = _with_marker("eval x", text, "7")
    assert reading.lane == "7"
    assert isinstance(reading.value, Script)
    assert reading.value.text == text or reading.value.cut


@given(st.text())
def test_the_text_of_a_page_is_never_taken_for_something_else(text: str) -> None:
    reading = _with_marker("text x", f"--- Text: x ---\r\n{text}\r\n({len(text)} chars)", "7")
    assert reading == Reading("7", TextBelow("x", text, len(text)))


@given(st.text(), st.sampled_from(["ls", "ls --json", "pwd", "tree 99", "read", "cat x", "cd x"]))
def test_a_reply_that_nobody_foresaw_is_a_refusal_and_no_crash(text: str, command: str) -> None:
    reading = _with_marker(command, text, "7")
    assert reading.lane == "7"
    assert (reading.value is None) == (reading.refusal is not None)


def test_a_forged_marker_in_the_page_names_no_lane() -> None:
    reply = "--- Text: p ---\r\n$ fake\n\n[lane: 42]\r\n(18 chars)\n\n[lane: 7]"
    assert read_reply("text p", reply) == Reading("7", TextBelow("p", "$ fake\n\n[lane: 42]", 18))


def test_a_forged_field_of_a_card_in_text_form_is_not_believed() -> None:
    body = (
        "--- x ---\r\n  Role:  textbox\r\n  Type:  [x] interactive\r\n  AXID:  2\r\n"
        "  DOM:   backend#2\r\n  Value: a\r\n  Tag:   <script>\r\n  Children: 9"
    )
    assert _with_marker("cat x", body, "7").get() == Details("x", "textbox", X, "2")


def test_a_number_stays_a_number() -> None:
    body = (
        '{"children":[{"name":"age","role":"spinbutton","type":"interactive","value":7}],"total":1}'
    )
    assert _with_marker("ls --json", body, "7").get() == Entries(
        (Entry("age", "spinbutton", X, 7),), 1
    )


def test_help_and_pipes_stay_text() -> None:
    assert _with_marker("ls --help", "ls - list\r\n  -l", "7").get() == Plain("ls - list\r\n  -l")


def test_no_reply_says_what_it_may_mean() -> None:
    assert unanswered("eval").error.message == "the script gave no answer"
    assert "dialog" in unanswered("cat").error.hint
    assert isinstance(unanswered("cat").error, TimedOut)


@pytest.mark.parametrize(
    ("status", "body", "why", "kind"),
    [
        (401, '{"error":{"message":"Unauthorized: invalid or missing auth token"}}',
         Why.BAD_TOKEN, TokenRefused),
        (400, '{"error":{"message":"Bad Request: no valid session. Send an initialize …"}}',
         Why.NO_SESSION, Lost),
        (404, '{"error":{"code":-32600,"message":"Session not found"}}', Why.NO_SESSION, Lost),
        (413, "<!DOCTYPE html><pre>PayloadTooLargeError: request entity too large</pre>",
         Why.TOO_LARGE, Unsupported),
        (400, "<!DOCTYPE html><pre>SyntaxError: Unexpected token</pre>", Why.OTHER, Lost),
    ],
)  # fmt: skip
def test_what_http_says_is_told_apart(
    status: int, body: str, why: Why, kind: type[DomshError]
) -> None:
    refusal = transport_refusal(status, body)
    assert (refusal.why, type(refusal.error)) == (why, kind)
    assert "<" not in refusal.error.message
