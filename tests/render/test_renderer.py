from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from domsh_repl.errors import CannotWrite, Failed, NotFound, ServerRefused, TimedOut
from domsh_repl.nodes import Message, Output, PageInfo, ScriptValue, Text, View
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer
from tests.render.render_samples import (
    BUSY,
    CARD,
    CLICKED,
    EVERYTHING,
    FORM,
    FORM_LISTING,
    HOSTILE,
    MATCHES,
    PASSED,
    SENT,
    TABS,
    TREE,
    WHERE,
    WIDE_LISTING,
    Terminal,
    as_json,
    listing,
    node,
    shown,
)

VIEWS = [View(), View(long=True), View(single=True), View(highlight="evil|\x1b|line")]
NAMED = pytest.mark.parametrize("value", EVERYTHING.values(), ids=EVERYTHING.keys())
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
ENTRY = ["name", "path", "role", "label", "kind", "enterable", "value", "states"]


@NAMED
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    ("terminal", "environment", "color"),
    [
        (False, {}, ColorMode.AUTO),
        (True, {"NO_COLOR": "1"}, ColorMode.AUTO),
        (True, {"TERM": "dumb"}, ColorMode.AUTO),
        (True, {}, ColorMode.NEVER),
    ],
)
def test_no_escape_where_none_is_wanted(
    *, value: object, view: View, terminal: bool, environment: Mapping[str, str], color: ColorMode
) -> None:
    for text in shown(value, view, terminal=terminal, environment=environment, color=color):
        assert not FORBIDDEN.search(text)


@NAMED
@pytest.mark.parametrize("view", VIEWS)
def test_colours_are_the_only_escapes_and_change_no_text(value: object, view: View) -> None:
    colored, _ = shown(value, view, terminal=True)
    plain, _ = shown(value, view, terminal=True, environment={"NO_COLOR": "1"})

    assert not FORBIDDEN.search(COLOR.sub("", colored))
    assert COLOR.sub("", colored) == plain.expandtabs()


def test_colours_are_among_the_sixteen() -> None:
    used = {
        int(number)
        for value in EVERYTHING.values()
        for codes in re.findall(r"\x1b\[([0-9;]*)m", shown(value, terminal=True)[0])
        for number in codes.split(";")
    }

    assert used <= {0, 1, 2, *range(30, 38), *range(90, 98)}
    assert not used & {30, 33, 34, 37, 90, 93, 97}  # faint on white or on black


@pytest.mark.parametrize("name", [key for key in EVERYTHING if key.startswith("hostile")])
@pytest.mark.parametrize("color", ColorMode)
def test_hostile_text_is_shown_and_not_obeyed(name: str, color: ColorMode) -> None:
    out, _ = shown(EVERYTHING[name], View(long=True), color=color)

    for part in (r"\u001b]52;c;cHduZWQ=\u0007", r"\u009b31m", r"\u202eevil\u202c", r"\u2028"):
        assert part in out
    assert "[red]x[/red] :smile:" in out
    assert not FORBIDDEN.search(COLOR.sub("", out))


@NAMED
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
@pytest.mark.parametrize("terminal", [True, False])
def test_no_encoding_is_too_small(*, value: object, encoding: str, terminal: bool) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding, newline="")
    color = ColorMode.ALWAYS if terminal else ColorMode.NEVER
    renderer = Renderer(stream, stream, color=color, environment={})

    for view in VIEWS:
        renderer.show(value, view)
    renderer.error(NotFound("日本 is gone", "try 한국어"))
    renderer.note("日本", warning=True)

    japan = "日本" if encoding == "utf-8" else r"\u65e5\u672c"
    assert f"{japan} is gone" in written.getvalue().decode(encoding)


def test_signs_become_ascii_where_the_encoding_has_no_others() -> None:
    class AsciiTerminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    written = io.BytesIO()
    stream = AsciiTerminal(written, encoding="ascii")
    renderer = Renderer(stream, stream, width=40, environment={"NO_COLOR": "1"})

    renderer.show(TREE)
    renderer.show(listing(node("save_btn", "button"), node("é", "list")))

    text = written.getvalue().decode()
    assert "|-- signup_form/  form\n|   |-- email_input  textbox" in text
    assert text.endswith("> save_btn    \\xe9\n")


@NAMED
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_json_is_one_safe_line_in_every_encoding(value: object, encoding: str) -> None:
    line = as_json(value, encoding)

    assert line.endswith("\n")
    assert not FORBIDDEN.search(line.removesuffix("\n"))
    assert "\n" not in line.removesuffix("\n")
    assert json.loads(line) == json.loads(as_json(value))


def test_json_stays_readable_where_it_can() -> None:
    assert '"label":"日本語ボタン"' in as_json(WIDE_LISTING)
    assert r'"label":"emoji \ud83d\ude00 party"' in as_json(WIDE_LISTING, "ascii")


def test_json_of_ls_find_tree_and_cat() -> None:
    ls = json.loads(as_json(FORM_LISTING))
    assert list(ls) == ["path", "entries", "total", "offset"]
    assert ls["entries"][1] == {
        "name": "email_input",
        "path": f"{FORM}/email_input",
        "role": "textbox",
        "label": "Email",
        "kind": "interactive",
        "enterable": False,
        "value": "ada@example.org",
        "states": ["focused", "required"],
    }
    find = json.loads(as_json(MATCHES))
    assert list(find) == ["matches", "total"]
    assert list(find["matches"][0]) == ENTRY
    tree = json.loads(as_json(TREE))
    assert list(tree) == ["path", "tree"]
    assert list(tree["tree"]["children"][0]) == [*ENTRY, "children", "more"]
    assert tree["tree"]["children"][0]["more"] == 12
    assert list(json.loads(as_json(CARD))) == [
        *ENTRY, "description", "name_from", "text", "text_cut", "url", "tag", "attributes",
        "properties",
    ]  # fmt: skip


def test_json_of_an_effect_has_the_promised_keys_only() -> None:
    assert json.loads(as_json(CLICKED)) == {
        "action": "click",
        "path": f"{FORM}/save_btn",
        "effect": "seen",
        "url": "http://127.0.0.1:8000/thanks.html?ok=1",
        "title": "Thanks",
        "loading": False,
        "changes": {"added": ["/a", "/b", "/c"], "removed": ["/d"], "changed": []},
        "opened_tabs": [],
        "downloads": [],
        "dialog": None,
    }
    busy = json.loads(as_json(BUSY))
    assert busy["changes"] is None
    assert busy["opened_tabs"] == [
        {"id": 3, "url": "https://example.org/a", "title": "Report", "current": False}
    ]
    assert busy["downloads"] == ["report.pdf"]
    assert json.loads(as_json(SENT))["effect"] == "sent"


def test_json_of_the_small_values() -> None:
    assert list(json.loads(as_json(WHERE))) == [
        "url", "title", "path", "tab", "lane", "loading", "http", "elements",
    ]  # fmt: skip
    assert list(json.loads(as_json(TABS))["tabs"][0]) == ["id", "url", "title", "current"]
    assert as_json(Text("/a", "b\nc")) == '{"path":"/a","text":"b\\nc"}\n'
    assert as_json(ScriptValue({"a": None})) == '{"value":{"a":null}}\n'
    assert as_json(Message("ready")) == '{"text":"ready"}\n'
    assert as_json(Message("ready", {"tabs": 2})) == '{"text":"ready","tabs":2}\n'
    assert as_json(Output("x")) == '{"output":"x"}\n'
    assert list(json.loads(as_json(PASSED))) == ["condition", "ok", "expected", "actual", "seconds"]


def test_a_view_changes_no_json_and_json_has_no_remarks() -> None:
    out, err = io.StringIO(), io.StringIO()
    renderer = Renderer(out, err, json=True)

    renderer.show(listing(path="/"), View(long=True, count_only=True))

    assert out.getvalue() == '{"path":"/","entries":[],"total":0,"offset":0}\n'
    assert err.getvalue() == ""


def test_an_error_is_a_line_and_a_hint_on_stderr() -> None:
    out, err = io.StringIO(), io.StringIO()
    renderer = Renderer(out, err)

    renderer.error(NotFound("no sav_btn\nhere\x1b", "nearest: save_btn"))
    renderer.error(TimedOut("late"), where="login.domsh:12")

    assert out.getvalue() == ""
    assert err.getvalue() == (
        "domsh: no sav_btn\\nhere\\u001b\nhint: nearest: save_btn\nlogin.domsh:12: late\n"
    )


def test_an_error_is_an_object_on_stdout_with_json() -> None:
    out, err = io.StringIO(), io.StringIO()

    Renderer(out, err, json=True).error(TimedOut("late\x9b", "wait longer"))

    assert err.getvalue() == ""
    assert out.getvalue() == (
        '{"error":{"code":"timeout","message":"late\\u009b","hint":"wait longer"},"exit":4}\n'
    )


def test_quiet_drops_remarks_but_no_warnings_errors_or_data() -> None:
    out, err = io.StringIO(), io.StringIO()
    renderer = Renderer(out, err, quiet=True)

    renderer.note("by the way")
    renderer.show(listing())
    renderer.show(Text("/", "data"))
    renderer.note("careful", warning=True)
    renderer.error(NotFound("gone"))

    assert out.getvalue() == "data\n"
    assert err.getvalue() == "warning: careful\ndomsh: gone\n"


@pytest.mark.parametrize("json_mode", [True, False])
def test_what_is_no_answer_is_not_shown(*, json_mode: bool) -> None:
    renderer = Renderer(io.StringIO(), io.StringIO(), json=json_mode)

    with pytest.raises(TypeError, match="PageInfo"):
        renderer.show(PageInfo())


def test_the_words_of_another_server_are_a_block_and_those_of_a_page_are_one_line() -> None:
    out, err = io.StringIO(), io.StringIO()
    Renderer(out, err).error(ServerRefused("click: no x\nhint: \x1b[31m look"))
    Renderer(out, err).error(Failed("no x\nhint: y"))
    assert err.getvalue().splitlines() == [
        "domsh: click: no x",
        "  hint: \\u001b[31m look",
        "domsh: no x\\nhint: y",
    ]


@pytest.mark.parametrize("json", [False, True])
def test_a_stream_that_takes_nothing_more_ends_the_run_and_is_no_failure_of_a_command(
    *, json: bool
) -> None:
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115  (its end fails, too)
    with pytest.raises(CannotWrite, match="No space left"):
        Renderer(full, io.StringIO(), json=json).show(Message("x"))
    with suppress(OSError):  # what is kept back fails again
        full.close()


@pytest.mark.parametrize(
    ("environment", "color", "colored"),
    [
        ({}, ColorMode.AUTO, True),
        ({"NO_COLOR": ""}, ColorMode.AUTO, True),
        ({"NO_COLOR": "1"}, ColorMode.AUTO, False),
        ({"NO_COLOR": "1"}, ColorMode.ALWAYS, True),
        ({"TERM": "dumb"}, ColorMode.AUTO, False),
        ({"FORCE_COLOR": "1"}, ColorMode.NEVER, False),
    ],
)
def test_an_option_is_stronger_than_the_environment(
    *, environment: Mapping[str, str], color: ColorMode, colored: bool
) -> None:
    out, _ = shown(PASSED, terminal=True, environment=environment, color=color)

    assert ("\x1b" in out) is colored


def test_the_width_follows_the_terminal() -> None:
    out = Terminal()
    renderer = Renderer(out, out, environment={"NO_COLOR": "1", "COLUMNS": "30"})

    renderer.show(FORM_LISTING)

    assert max(map(len, out.getvalue().splitlines())) <= 30


PLAIN_RUN = """
import io, sys
sys.path.insert(0, {folder!r})
from tests.render.render_samples import EVERYTHING
from domsh_repl.errors import NotFound
from domsh_repl.render.renderer import Renderer
for json in (False, True):
    renderer = Renderer(io.StringIO(), io.StringIO(), json=json)
    for value in EVERYTHING.values():
        renderer.show(value)
    renderer.error(NotFound("gone", "look"))
    renderer.note("by the way", warning=True)
print([name for name in ("rich", "asyncio", "prompt_toolkit") if name in sys.modules])
"""


def test_pipes_and_json_do_not_pay_for_rich(request: pytest.FixtureRequest) -> None:
    script = PLAIN_RUN.format(folder=str(request.path.parent))

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True
    )

    assert done.stdout == "[]\n"


def test_the_hostile_text_is_hostile() -> None:
    assert FORBIDDEN.search(HOSTILE)
