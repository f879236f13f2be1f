from __future__ import annotations

from dataclasses import replace

import pytest

from domsh_repl.nodes import Changes, Dialog, DialogShown, Effect, EffectKind, Tab
from tests.render.render_samples import BUSY, CLICKED, OPENED, SENT, WITH_DIALOG, lines, shown

SEEN, UNKNOWN = EffectKind.SEEN, EffectKind.UNKNOWN
FORM = Effect("", "", SEEN, "http://127.0.0.1/form.html", "Form")
PLACE = ' · /form.html "Form"'


def told(what: Effect, **changes: object) -> str:
    """Return the text of the effect with some fields changed."""
    return shown(replace(what, **changes))[0].removesuffix("\n")  # type: ignore[arg-type]


def test_a_click_tells_what_it_changed_and_where_it_led() -> None:
    assert told(CLICKED) == 'clicked save_btn · 3 added, 1 gone · /thanks.html?ok=1 "Thanks"'


def test_sent_and_seen_are_different_words() -> None:
    assert told(SENT) == "sent click to save_btn · no change seen"
    assert told(SENT, effect=SEEN) == "clicked save_btn"
    assert told(SENT, effect=UNKNOWN) == "sent click to save_btn · outcome unknown"
    assert told(SENT, changes=None) == "sent click to save_btn"


@pytest.mark.parametrize(
    ("action", "path", "value", "seen", "sent"),
    [
        ("click", "/a/b_btn", None, "clicked b_btn", "sent click to b_btn"),
        ("type", "/a/b_input", "x", 'typed into b_input · now "x"', "sent text to b_input"),
        ("type", "", None, "typed into the focused field", "sent text to the focused field"),
        ("fill", "/a/b_input", "", 'filled b_input · now ""', "sent text to b_input"),
        ("key", "", "ctrl+a", "pressed ctrl+a", "sent ctrl+a"),
        ("key", "/b_input", "Enter", "pressed Enter in b_input", "sent Enter to b_input"),
        ("focus", "/b_input", None, "focused b_input", "sent focus to b_input"),
        ("select", "/b", "Japan", 'selected "Japan" in b', 'sent selection of "Japan" to b'),
        ("select", "/b", None, "selected an option in b", "sent selection of an option to b"),
        ("check", "/b_chk", None, "checked b_chk", "sent check to b_chk"),
        ("uncheck", "/b_chk", None, "unchecked b_chk", "sent uncheck to b_chk"),
        ("dialog", "", "accept", "accepted the dialog", "sent accept to the dialog"),
        ("dialog", "", "dismiss", "dismissed the dialog", "sent dismiss to the dialog"),
        ("dialog", "", None, "answered the dialog", "sent answer to the dialog"),
        ("back", "/", None, f"went back{PLACE}", f"sent back{PLACE}"),
        ("back", "/main", None, f"went back{PLACE} · in /main", f"sent back{PLACE} · in /main"),
        ("forward", "/", None, f"went forward{PLACE}", f"sent forward{PLACE}"),
        ("reload", "/", None, f"reloaded{PLACE}", f"sent reload{PLACE}"),
        ("refresh", "/", None, "refreshed", "sent refresh"),
        ("tab", "/", 3, f"switched to tab 3{PLACE}", f"asked for tab 3{PLACE}"),
    ],
)
def test_every_action_has_its_words(
    action: str, path: str, value: str | int | None, seen: str, sent: str
) -> None:
    effect = replace(FORM, action=action, path=path, value=value)

    assert told(effect) == seen
    if action not in {"type", "fill"} or value is None:
        assert told(effect, effect=EffectKind.SENT) == sent
    else:
        assert told(effect, effect=EffectKind.SENT, value=None) == sent


def test_opening_shows_the_whole_url_and_a_status_that_is_not_200() -> None:
    assert told(OPENED) == 'opened http://127.0.0.1:8000/thanks.html?ok=1 "Thanks" · 404'
    assert told(OPENED, http=200, title="") == "opened http://127.0.0.1:8000/thanks.html?ok=1"
    assert told(OPENED, http=None).endswith('"Thanks"')


def test_the_status_of_a_page_that_stayed_is_no_news() -> None:
    assert "404" not in told(SENT, http=404)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://example.org", "/"),
        ("https://example.org/a?b=c#d", "/a?b=c#d"),
        ("about:blank", "about:blank"),
        ("data:text/html,x", "data:text/html,x"),
    ],
)
def test_places_are_path_and_query_on_the_web_and_whole_elsewhere(url: str, place: str) -> None:
    assert told(CLICKED, url=url, title="", changes=None) == f"clicked save_btn · {place}"


def test_a_download_leaves_the_page_where_it_is_and_a_failed_load_is_told() -> None:
    stayed = told(OPENED, http=None, downloads=("a.bin",), navigated=False)
    assert stayed == 'still at http://127.0.0.1:8000/thanks.html?ok=1 "Thanks" · download a.bin'
    lost = told(CLICKED, url="http://127.0.0.1:1/", title="", navigated=True, failure="no answer")
    assert lost.endswith(" · could not be loaded: no answer")


def test_new_tabs_downloads_and_loading_are_told() -> None:
    assert told(BUSY) == (
        'clicked report_link · opened tab 3 https://example.org/a "Report"'
        " · download report.pdf · still loading"
    )
    near = Tab(3, "http://127.0.0.1:8000/b", "")
    assert "opened tab 3 /b · " in told(BUSY, opened_tabs=(near,))


@pytest.mark.parametrize(
    ("dialog", "line"),
    [
        (Dialog("alert", "hi"), 'alert: "hi" — dialog accept'),
        (Dialog("confirm", "sure?"), 'confirm: "sure?" — dialog accept | dialog dismiss'),
        (
            Dialog("prompt", 'the "name"', "Ada"),
            r'prompt: "the \"name\"" [Ada] — dialog accept TEXT | dialog dismiss',
        ),
        (Dialog("beforeunload", ""), "leave this page — dialog accept | dialog dismiss"),
    ],
)
def test_an_open_dialog_says_how_to_answer_on_its_own_line(dialog: Dialog, line: str) -> None:
    assert lines(shown(replace(WITH_DIALOG, dialog=dialog))[0]) == [
        "sent click to delete_btn",
        line,
    ]
    assert lines(shown(DialogShown(dialog))[0]) == [line]


def test_changes_are_counted_by_kind() -> None:
    changes = Changes(changed=("/a", "/b"), removed=("/c",))

    assert told(SENT, changes=changes) == "sent click to save_btn · 1 gone, 2 changed"
