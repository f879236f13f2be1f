"""The probe's lines are one line of printable ASCII; its answers are believed only when whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.choices import Option
from domsh_repl.errors import Denied, DomshError, Failed, Lost, Stale, Unsupported
from domsh_repl.link.domshell import probe
from domsh_repl.link.domshell.probe import Acted, Ask, Field, Looked

NONCE = "n0nce"
SELECT = {
    "tag": "select",
    "labels": [["aria-label", "Country"], ["contents", "x"]],
    "states": ["required", "checked", "unheard-of"],
    "type": "",
    "editable": False,
    "value": "us",
    "secret": False,
    "filled": True,
    "maximum": None,
    "shown": True,
    "cover": "",
    "multiple": False,
    "options": [["United States", "us", False, True], ["Japan", "jp", True, False]],
}


def _said(data: object, nonce: str = NONCE) -> str:
    return f"@{nonce}@{json.dumps(data)}@{nonce}@"


@given(st.text())
def test_any_text_goes_into_a_line_as_letters_and_escapes(text: str) -> None:
    line = probe.arm(NONCE, Ask.INSERT, tag="input", text=text)
    assert line.isascii()
    assert line.isprintable()
    given_part = line[line.rindex('"text":') :]
    assert json.loads(given_part.removeprefix('"text":').removesuffix("})")) == text
    assert not set(given_part[8:-3]) & set("'\"|%- ")


def test_a_line_of_the_probe_fits_into_a_request() -> None:
    assert len(probe.arm(NONCE, Ask.CARD)) < 20_000
    assert len(probe.arm_all(NONCE, Ask.BRIEF)) < 20_000
    with pytest.raises(Unsupported):
        probe.arm(NONCE, Ask.FILL, tag="input", text="é" * 30_000)


def test_what_acts_must_know_what_it_acts_on_and_acts_on_one() -> None:
    for ask in (Ask.INSERT, Ask.FILL, Ask.TOGGLE, Ask.CHOOSE, Ask.CLICK, Ask.SUBMIT):
        with pytest.raises(ValueError, match="must know the tag"):
            probe.arm(NONCE, ask)
        with pytest.raises(ValueError, match="for one element"):
            probe.arm_all(NONCE, ask, tag="a")


def test_an_answer_tells_label_states_and_field() -> None:
    looked = probe.read_looked(_said(SELECT), NONCE)
    assert looked.states == ("checked", "required")
    assert looked.label("country_select", "combobox") == ("Country", "aria-label")
    assert looked.facts("country_select_2", "combobox").label == "Country"
    assert looked.field == Field(
        type="", editable=False, value="us", secret=False, filled=True, maximum=None, shown=True,
        cover="", multiple=False,
        options=(
            Option("United States", "us", disabled=False, selected=True),
            Option("Japan", "jp", disabled=True, selected=False),
        ),
    )  # fmt: skip


def test_a_label_counts_only_where_the_name_proves_it() -> None:
    looked = Looked("button", (("title", "Other"), ("contents", "Go on")), ())
    assert looked.label("go_on_btn", "button") == ("Go on", "contents")
    assert looked.label("elsewhere_btn", "button") == ("", "")
    assert looked.label("go_on", "paragraph") == ("", "")
    assert Looked("main", (("contents", "日本"),), ()).label("main_22", "main") == ("", "")
    assert Looked("td", (("contents", "日本"),), ()).label("cell_22", "cell") == (
        "日本",
        "contents",
    )


def test_a_card_tells_attributes_and_text() -> None:
    card = {**SELECT, "attributes": {"id": "c"}, "description": "d", "url": "u", "text": "t"}
    looked = probe.read_looked(_said(card), NONCE)
    assert (looked.attributes, looked.description, looked.url, looked.text) == (
        (("id", "c"),), "d", "u", "t",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("EmailPassword", Unsupported),
        ("", Unsupported),
        (_said(SELECT, "0ther"), Unsupported),
        (_said(SELECT)[:-3], Unsupported),
        (_said(SELECT) + " more", Unsupported),
        (f"@{NONCE}@", Unsupported),
        (f"@{NONCE}@not json@{NONCE}@", Lost),
        (f"@{NONCE}@[1]@{NONCE}@", Lost),
        (_said({"tag": "a"}), Lost),
        (_said({"error": "TypeError: x"}), Failed),
        (_said({"moved": True}), Stale),
    ],
)
def test_what_is_no_whole_answer_is_not_believed(text: str, kind: type[DomshError]) -> None:
    with pytest.raises(DomshError) as raised:
        probe.read_looked(text, NONCE)
    assert type(raised.value) is kind


def test_what_an_action_did_is_read_back() -> None:
    acted = probe.read_acted(
        _said({"done": True, "changed": True, "value": "é", "filled": True}), NONCE
    )
    assert acted == Acted(done=True, changed=True, value="é", filled=True)
    assert probe.read_acted(_said({"before": "mixed", "after": "true"}), NONCE).after == "true"
    assert probe.read_acted(_said({"chosen": ["Japan"]}), NONCE).chosen == ("Japan",)
    with pytest.raises(Stale):
        probe.read_acted(_said({"moved": True}), NONCE)


def test_texts_and_selectors_have_their_answers() -> None:
    assert probe.read_text(_said({"text": "a\nb"}), NONCE) == "a\nb"
    assert probe.read_matches(_said({"matches": True}), NONCE)
    assert not probe.read_matches(_said({"matches": False}), NONCE)


def test_a_page_that_lets_no_probe_in_is_told_and_so_is_a_server() -> None:
    probe.read_armed("armed")
    with pytest.raises(Unsupported):
        probe.read_armed('{"error":"TypeError: Cannot redefine property: textContent"}')
    with pytest.raises(Denied):
        probe.read_armed("Error: Write commands (click/focus/type) are disabled. Start …")
