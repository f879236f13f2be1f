"""Paths on a snapshot mean what they mean to the built-in engine, errors included."""

from __future__ import annotations

import pytest

from domsh_repl.errors import Ambiguous, NotFound
from domsh_repl.link.domshell.places import Places
from domsh_repl.link.domshell.snapshot import Facts, Snapshot
from domsh_repl.paths import Path
from tests.link.domshell.trees import planted, recorded_snapshot

TABLE = recorded_snapshot("table", "tree 6", "read -d 9")
PAGE = planted(
    "[d] main_22 main",
    "  [d] signup_form form",
    "    [x] email_input textbox",
    "    [x] save_btn button",
    "    [x] save_btn_2 button",
    "  [x] sign_in_btn button",
    "    [d] sign_in StaticText",
    "  [d] sign_in StaticText",
    "[d] contentinfo_39 contentinfo",
    "  [x] --json_btn button",
)
LABELS = {
    "/main_1": "",
    "/main_1/signup_form": "Signup form",
    "/main_1/signup_form/email_input": "Email",
    "/main_1/signup_form/save_btn": "Save",
    "/main_1/signup_form/save_btn_2": "save",
    "/main_1/sign_in_btn": "Sign in",
    "/main_1/sign_in": "Sign  in",
    "/contentinfo_1/json_btn": "--json",
}
KNOWN = PAGE.with_facts(
    {spot.at: Facts(LABELS[spot.path]) for spot in PAGE.spots if spot.path in LABELS}
)


def _found(snapshot: Snapshot, text: str) -> list[str]:
    return [spot.path for spot in Places(snapshot).all(Path.parse(text)).spots]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("/", ["/"]),
        ("/main_1/prices", ["/main_1/prices"]),
        ("/main[0]/table[0]/row[2]", ["/main_1/prices/row_3"]),
        ("/main_1/prices/row_[13]", ["/main_1/prices/row_1", "/main_1/prices/row_3"]),
        ("/main_1/list_1/*/*/listitem_1", ["/main_1/list_1/listitem_2/list_1/listitem_1"]),
        ("/**/nested", ["/main_1/list_1/listitem_2/list_1/listitem_1/nested"]),
        ("/main_1/prices/row_?/..", ["/main_1/prices"]),
        ('/"main_1"/"prices"', ["/main_1/prices"]),
        ('/"main_1/prices"', ["/main_1/prices"]),
        ("/main_1/list_1/listitem_1/*", [
            "/main_1/list_1/listitem_1/1", "/main_1/list_1/listitem_1/one"]),
    ],
)  # fmt: skip
def test_a_path_means_these_nodes(text: str, paths: list[str]) -> None:
    assert _found(TABLE, text) == paths


def test_any_depth_holds_the_directory_itself_and_all_below_in_document_order() -> None:
    assert _found(PAGE, "/main_1/**") == [spot.path for spot in PAGE.spots[1:8]]
    assert _found(PAGE, "/**/save_btn*") == [
        "/main_1/signup_form/save_btn",
        "/main_1/signup_form/save_btn_2",
    ]


def test_every_shown_path_leads_to_its_own_node_and_its_wire_path_is_domshells() -> None:
    for spot in TABLE.spots:
        assert Places(TABLE).one(Path.of_names(spot.path)).spots == (spot,)
    assert Places(PAGE).one(Path.parse("/contentinfo_1/json_btn")).spots[0].wire == (
        "contentinfo_39/--json_btn"
    )


def test_what_is_missing_is_told_with_what_is_there_and_the_nearest_name() -> None:
    with pytest.raises(NotFound) as raised:
        _found(TABLE, "/main_1/price/row_1")
    assert raised.value.message == "no price in /main_1 (there is prices, list_1)"
    assert raised.value.hint == "did you mean prices?"
    assert raised.value.reached == "/main_1"
    with pytest.raises(NotFound) as raised:
        _found(TABLE, "/main_1/zzz")
    hint = '`ls /main_1` shows what is there; a label stands in quotes: "zzz"'
    assert raised.value.hint == hint


def test_what_looks_like_a_name_is_told_to_be_looked_for_below() -> None:
    with pytest.raises(NotFound) as raised:
        _found(TABLE, "/main_1/quantity_input")
    hint = (
        "`ls /main_1` shows what is there; `find /main_1 --name quantity_input` looks further down"
    )
    assert raised.value.hint == hint


def test_many_names_are_cut() -> None:
    many = planted(*(f"[x] b{n}_btn button" for n in range(9)))
    with pytest.raises(NotFound) as raised:
        _found(many, "/zzz")
    assert raised.value.message.endswith("b5_btn and 3 more)")


def test_nothing_is_inside_a_leaf() -> None:
    with pytest.raises(NotFound) as raised:
        _found(PAGE, "/main_1/signup_form/save_btn/x")
    assert raised.value.message == "/main_1/signup_form/save_btn has nothing inside, so no x"
    assert raised.value.reached == "/main_1/signup_form/save_btn"


def test_an_action_never_takes_the_first_of_many() -> None:
    with pytest.raises(Ambiguous) as raised:
        Places(PAGE).one(Path.parse("/main_1/signup_form/*"))
    assert raised.value.message == (
        "/main_1/signup_form/* means 3 nodes: /main_1/signup_form/email_input, "
        "/main_1/signup_form/save_btn, /main_1/signup_form/save_btn_2"
    )


def test_a_label_is_found_exactly_then_without_case() -> None:
    assert _found(KNOWN, '/"Save"') == ["/main_1/signup_form/save_btn"]
    assert _found(KNOWN, '/"SAVE"') == [
        "/main_1/signup_form/save_btn",
        "/main_1/signup_form/save_btn_2",
    ]
    assert Places(KNOWN).one(Path.parse('/main_1/"Sign in"')).certain


def test_an_action_looks_at_labels_of_what_it_can_act_on() -> None:
    resolved = Places(KNOWN).one(
        Path.parse('/"SIGN IN"'), suitable=lambda spot: spot.node.role == "button"
    )
    assert [spot.path for spot in resolved.spots] == ["/main_1/sign_in_btn"]


def test_without_labels_names_give_candidates_that_are_not_certain() -> None:
    resolved = Places(PAGE).one(Path.parse('/"Save"'))
    assert [spot.path for spot in resolved.spots] == [
        "/main_1/signup_form/save_btn",
        "/main_1/signup_form/save_btn_2",
    ]
    assert not resolved.certain
    assert not Places(PAGE).one(Path.parse('/"--json"')).certain
    assert Places(PAGE).one(Path.parse('/main_1/"signup_form"')).certain


def test_a_label_that_nothing_has_is_not_found() -> None:
    for snapshot in (PAGE, KNOWN):
        with pytest.raises(NotFound) as raised:
            _found(snapshot, '/main_1/"No such"')
        assert raised.value.message == "nothing below /main_1 is called or labelled 'No such'"
        assert raised.value.reached == "/main_1"
        with pytest.raises(NotFound):
            _found(snapshot, '/"  "')
