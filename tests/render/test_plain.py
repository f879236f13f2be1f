"""The plain layout: lines of words, for every kind of value that there is."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

import pytest

from domsh_repl.checks import Check, Diagnosis, Result
from domsh_repl.errors import NotFound
from domsh_repl.nodes import (
    Card,
    Changes,
    CheckedLink,
    CheckedLinks,
    Dialog,
    DialogShown,
    Diff,
    Kind,
    Lines,
    Link,
    Links,
    Listing,
    Matches,
    Message,
    Outline,
    OutlineEntry,
    Output,
    ScriptValue,
    Tab,
    Table,
    Tabs,
    Text,
    TextListing,
    TextNode,
    Tree,
    Verdict,
    View,
    Where,
)
from domsh_repl.render.color import ColorMode
from domsh_repl.render.pager import Pager
from domsh_repl.render.renderer import _DRAWERS, _PLAIN_DRAWERS, Renderer
from domsh_repl.reports import (
    Comparison,
    Console,
    ConsoleEntry,
    Difference,
    Differences,
    Finding,
    Findings,
    Lane,
    Lanes,
    Request,
    Requests,
    SavedFile,
    SavedPicture,
)
from tests.render.render_samples import (
    CARD,
    CLICKED,
    EVERYTHING,
    FORM,
    FORM_LISTING,
    HOSTILE,
    MATCHES,
    PASSED,
    TABS,
    TREE,
    WHERE,
    WITH_DIALOG,
    Terminal,
    lines,
    shown,
)

URL = "http://127.0.0.1:8000/a"
LINK = ("Teas", URL, "/main_1/teas_link")
SAMPLES: dict[type, object] = {
    Card: CARD,
    CheckedLinks: CheckedLinks(
        "/",
        (
            CheckedLink(*LINK, ok=True, http=200),
            CheckedLink("", None, "/x_link", ok=False, http=404, problem="not found"),
            CheckedLink(*LINK),
        ),
    ),
    Comparison: Comparison(
        Differences(
            (Difference("added", "link", "Teas", "/", "/teas_link"),),
            (Difference("removed", "form", "", "main", inside=3),),
            (Difference("moved", "button", "Go", "main", "/main_1/go_btn", "/", "main"),),
        ),
        "not compared: 9 nodes and what is in them",
    ),
    Console: Console((ConsoleEntry("error", "no tea", URL, 12, 1, 0.0),), 3),
    Diagnosis: Diagnosis(
        (
            Check("browser", Result.FAIL, "none found", "install chromium"),
            Check("npx", Result.NOT_APPLICABLE, ""),
        ),
        ok=False,
    ),
    DialogShown: DialogShown(Dialog("prompt", "Your name?", "Ada")),
    Diff: Diff(Changes(("/a",), ("/b",), ("/c",))),
    type(CLICKED): WITH_DIALOG,
    Findings: Findings(
        (
            Finding("control-label", "fail", "4.1.2", "/a_btn", "it has no label", "button"),
            Finding("link-vague", "review", None, "/more_link", "it says nothing", "link", "More"),
        ),
        ("contrast", "captions"),
        old=2,
    ),
    Lane: Lane("2", "17"),
    Lanes: Lanes((Lane("1", "16"), Lane("2", "", current=True))),
    Lines: Lines(("one", "two")),
    Links: Links("/", (Link(*LINK), Link(" ", None, "/b_link"))),
    Listing: FORM_LISTING,
    Matches: Matches((MATCHES.matches[0], MATCHES.matches[2]), 7),
    Message: Message("color    auto\ntimeout  30s\n  -l    a table", {}),
    Outline: Outline(
        (
            OutlineEntry(
                "main_1", "/main_1", "main", "", Kind.DIRECTORY, enterable=True, level=1
            ),
            OutlineEntry(
                "h", "/main_1/h", "heading", "", Kind.STATIC, enterable=False, level=2
            ),
            OutlineEntry(
                "e", "/main_1/e", "textbox", "Email", Kind.INTERACTIVE, enterable=False,
                value="ada@example.org", states=("required", "invalid"), level=2,
            ),
        )
    ),
    Output: Output("raw text"),
    Requests: Requests(
        (
            Request("GET", URL, "Document", 200, "", 12, 1),
            Request("POST", URL, "Fetch", None, "refused", 3, 1),
            Request("GET", URL, "Image", tab=1),
        ),
        3,
    ),
    SavedFile: SavedFile("shop.snapshot", "12 nodes"),
    SavedPicture: SavedPicture("domsh-1.png", 800, 600),
    ScriptValue: ScriptValue("Leaf"),
    Table: Table("/t", ("Tea", "Price"), (("Sencha", "4.50"), ("", "3"))),
    Tabs: TABS,
    Text: Text("/", "one\ntwo"),
    TextListing: TextListing(
        "/",
        (TextNode("p_1", "/p_1", "paragraph", "", Kind.STATIC, enterable=False, text="Leaves"),),
        1,
    ),
    Tree: TREE,
    Verdict: Verdict("text /out is 3", ok=False, expected="3", actual="2", seconds=5.0),
    Where: WHERE,
}  # fmt: skip
VIEWS = {"short": View(), "long": View(long=True), "single": View(single=True)}
NOT_WORDS = re.compile(
    r"[›▸·✓→•│├└─—…|]|\S {2,}\S|(?<!\S)[-+~*>?](?!\S)"  # noqa: RUF001  (the sign of listings)
)
HAS_WORDS = re.compile(r"\w")


def plain(
    value: object, view: View | None = None, *, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Return what a terminal gets of a value, remarks last."""
    out, err = Terminal(), Terminal()
    Renderer(out, err, environment=environment or {}, plain=True).show(value, view or View())
    return lines(out.getvalue()) + lines(err.getvalue())


def test_each_kind_of_value_has_a_sample_here() -> None:
    assert set(SAMPLES) == set(_DRAWERS)
    assert set(_PLAIN_DRAWERS) <= set(_DRAWERS)


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("kind", _DRAWERS, ids=lambda kind: kind.__name__)
def test_every_kind_is_lines_of_words_without_columns_signs_and_colours(
    kind: type, view: View
) -> None:
    said = plain(SAMPLES[kind], view)
    assert said
    for line in said:
        assert "\x1b" not in line
        assert not NOT_WORDS.search(line), line
        assert HAS_WORDS.search(line), line


@pytest.mark.parametrize("value", EVERYTHING.values(), ids=EVERYTHING)
def test_text_of_a_page_is_as_harmless_as_elsewhere(value: object) -> None:
    for view in VIEWS.values():
        assert not re.search(
            "[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u202e]", "".join(plain(value, view))
        )


@pytest.mark.parametrize("kind", _DRAWERS, ids=lambda kind: kind.__name__)
def test_a_pipe_gets_what_it_always_gets(kind: type) -> None:
    out, err = io.StringIO(), io.StringIO()
    Renderer(out, err, environment={}, plain=True).show(SAMPLES[kind])
    assert (out.getvalue(), err.getvalue()) == shown(SAMPLES[kind])


def test_an_entry_is_its_name_its_role_and_whether_one_can_go_in() -> None:
    assert plain(FORM_LISTING)[1:5:3] == ["email_input, textbox", "i_agree_chk, checkbox"]
    assert "plan, group, directory" in plain(FORM_LISTING)
    assert plain(FORM_LISTING, View(single=True))[1] == "email_input"


def test_a_long_entry_has_label_states_and_value() -> None:
    said = plain(FORM_LISTING, View(long=True))
    assert said[1] == 'email_input, textbox "Email", focused, required, value "ada@example.org"'
    assert 'disabled_thing_btn, button "Disabled thing", disabled' in said
    assert 'password_input, textbox "Password", value hidden' in said
    assert 'volume_slider, slider "Volume", value 50' in said


def test_what_has_no_label_and_needs_one_says_so() -> None:
    entry = OutlineEntry("b", "/b", "button", "", Kind.INTERACTIVE, enterable=False)
    assert plain(Listing("/", (entry,), 1), View(long=True)) == ["b, button, no label"]
    assert plain(Outline((entry,))) == ["button, no label, /b"]


def test_an_outline_says_what_each_thing_is_and_then_where() -> None:
    assert plain(SAMPLES[Outline]) == [
        "main landmark, /main_1",
        "heading level 2, no label, /main_1/h",
        'textbox "Email", required, invalid entry, value "ada@example.org", /main_1/e',
    ]


def test_matches_begin_with_the_path() -> None:
    said = plain(MATCHES)
    assert said[0] == f'{FORM}/save_btn, button "Save"'
    assert said[-1] == "3 of 7 shown; for more: -n 7"
    assert plain(MATCHES, View(count_only=True))[0] == "7"
    assert plain(MATCHES, View(numbered=True))[0].startswith(f"1: {FORM}/save_btn, ")


def test_a_tree_tells_levels_in_words() -> None:
    said = plain(TREE)
    assert said[0] == '/main_area, main landmark "Main area", level 1'
    assert said[1] == 'signup_form, form landmark "Signup form", 12 more inside, level 2'
    assert said[3] == 'plan, group "Plan", 2 more inside, level 3'


def test_a_card_is_a_fact_a_line() -> None:
    assert plain(CARD)[:7] == [
        "name: country_select",
        f"path: {FORM}/country_select",
        "role: combobox",
        "label: Country",
        "value: United States",
        "states: required, focused",
        "description: Where the invoice goes",
    ]
    assert "attribute class: field field--wide js-validate" in plain(CARD)
    assert plain(CARD)[-1].strip() == "the rest is cut; text shows all of it"


def test_each_cell_of_a_table_follows_its_header() -> None:
    assert plain(SAMPLES[Table]) == [
        "row 1, Tea Sencha, Price 4.50",
        "row 2, Tea blank, Price 3",
    ]
    assert plain(SAMPLES[Table], View(format="csv"))[0] == "Tea,Price"


def test_reports_are_sentences() -> None:
    assert plain(SAMPLES[CheckedLinks])[1] == "broken 404 not found, no label, no address, /x_link"
    assert plain(SAMPLES[Console])[0].startswith(f"error: no tea, at {URL} line 12, tab 1, ")
    assert plain(SAMPLES[Requests])[:2] == [
        f"GET {URL}, status 200, Document, 12 milliseconds, tab 1",
        f"POST {URL}, failed: refused, Fetch, 3 milliseconds, tab 1",
    ]
    assert plain(SAMPLES[Diff]) == ["added /a", "gone /b", "changed /c"]
    assert plain(SAMPLES[Lanes]) == ["lane 1, id 16", "lane 2, current, not used yet"]
    assert plain(SAMPLES[Tabs])[0] == 'tab 1, "Form page", http://127.0.0.1:8000/'
    assert plain(SAMPLES[Diagnosis])[:2] == [
        "failed, browser, none found",
        "hint: install chromium",
    ]
    assert plain(PASSED) == ["ok, text /out is 3, 0.3 seconds"]


def test_an_action_is_one_sentence_and_a_dialog_another() -> None:
    assert plain(CLICKED) == [
        f'clicked {CLICKED.path.rpartition("/")[2]}, 3 added, 1 gone, /thanks.html?ok=1 "Thanks"'
    ]
    assert plain(WITH_DIALOG)[1] == (
        'confirm: "Delete everything?", answer with dialog accept or dialog dismiss'
    )


def test_the_columns_of_a_message_become_commas_and_its_wrapped_lines_one() -> None:
    wrapped = "Acting          click hover\n                drag\n"
    wrapped += 'alias x = find "a  b"\n\nkey = 1   # why'
    assert plain(Message(wrapped, {})) == [
        "Acting, click hover drag",
        'alias x = find "a  b"',
        "",
        "key = 1 # why",
    ]


def test_signs_in_a_message_become_words() -> None:
    said = plain(Message("→ http://x/  X\n  http://y/  Y\nAlt-→  forward\nls [PATH…]", {}))
    assert said == ["current, http://x/, X", "http://y/, Y", "Alt-Right, forward", "ls [PATH...]"]


def test_nothing_is_paged() -> None:
    out = Terminal()
    pager = Pager({"PAGER": "/bin/false", "TERM": "xterm"})
    long = Lines(tuple(map(str, range(500))))
    Renderer(out, Terminal(), environment={}, pager=pager, plain=True).show(long)
    assert len(lines(out.getvalue())) == 500


def test_colours_are_shown_only_when_they_are_asked_for() -> None:
    error = NotFound("there is no x", "ls")
    for color, coloured in ((ColorMode.AUTO, False), (ColorMode.ALWAYS, True)):
        err = Terminal()
        Renderer(Terminal(), err, environment={}, color=color, plain=True).error(error)
        assert ("\x1b[" in err.getvalue()) is coloured


def test_it_can_be_switched_on_and_off() -> None:
    out = Terminal()
    renderer = Renderer(out, Terminal(), environment={"NO_COLOR": "1"}, width=80)
    for is_plain in (True, False):
        renderer.simplify(is_plain=is_plain)
        renderer.show(Tabs((Tab(1, URL, "A"),)))
    assert lines(out.getvalue()) == [f'tab 1, "A", {URL}', f"   1  A  {URL}"]


def test_a_hostile_title_stays_in_its_line() -> None:
    assert len(plain(Tabs((Tab(1, HOSTILE, HOSTILE),)))) == 1
