"""Values to JSON and back: one walk, no loss, and nothing made of data of another shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.jsonform import decode, encode
from domsh_repl.nodes import (
    Branch,
    Card,
    Cards,
    Changes,
    Dialog,
    DialogShown,
    Effect,
    EffectKind,
    Kind,
    Listing,
    Matches,
    Node,
    PageInfo,
    Tab,
    Tabs,
    Tree,
    Where,
)

texts = st.text(max_size=20)
values = st.one_of(st.none(), texts, st.integers(), st.floats(allow_nan=False))
nodes = st.builds(
    Node, texts, texts, texts, texts, st.sampled_from(Kind), st.booleans(), values,
    st.lists(texts, max_size=3).map(tuple),
)  # fmt: skip
cards = st.builds(
    Card, texts, texts, texts, texts, st.sampled_from(Kind), st.booleans(), values,
    st.lists(texts, max_size=3).map(tuple), description=texts, name_from=texts, text=texts,
    text_cut=st.booleans(), url=st.none() | texts, tag=st.none() | texts,
    attributes=st.dictionaries(texts, texts, max_size=3),
    properties=st.dictionaries(texts, values, max_size=3),
)  # fmt: skip
tabs = st.builds(Tab, st.integers(), texts, texts, st.booleans())
dialogs = st.builds(Dialog, texts, texts, texts)
changes = st.builds(Changes, *[st.lists(texts, max_size=2).map(tuple)] * 3)
effects = st.builds(
    Effect, texts, texts, st.sampled_from(EffectKind), texts, texts, st.booleans(),
    st.none() | changes, st.lists(tabs, max_size=2).map(tuple),
    st.lists(texts, max_size=2).map(tuple), st.none() | dialogs, values,
    st.none() | st.integers(), st.booleans(),
)  # fmt: skip
branches = st.recursive(
    st.builds(Branch, texts, texts, texts, texts, st.sampled_from(Kind), st.booleans()),
    lambda inner: st.builds(
        Branch, texts, texts, texts, texts, st.sampled_from(Kind), st.booleans(), values,
        st.just(()), st.lists(inner, max_size=3).map(tuple), st.integers(),
    ),
    max_leaves=8,
)  # fmt: skip
pages = st.builds(
    PageInfo, texts, texts, st.integers(), st.booleans(), st.none() | st.integers(),
    st.none() | dialogs, texts, st.integers(), st.integers(),
    st.lists(texts, max_size=2).map(tuple),
)  # fmt: skip
anything = st.one_of(
    nodes, cards, effects, pages,
    st.builds(Listing, texts, st.lists(nodes, max_size=3).map(tuple), st.integers()),
    st.builds(Matches, st.lists(nodes, max_size=3).map(tuple), st.integers()),
    st.builds(Cards, st.lists(cards, max_size=2).map(tuple)),
    st.builds(Tabs, st.lists(tabs, max_size=3).map(tuple)),
    st.builds(Tree, texts, branches),
    st.builds(DialogShown, st.none() | dialogs),
    st.builds(
        Where, texts, texts, texts, st.integers(), texts, st.booleans(), st.none(), st.none()
    ),
)  # fmt: skip


@given(anything)
def test_every_value_survives_json(value: Any) -> None:
    assert decode(type(value), json.loads(json.dumps(encode(value)))) == value


def test_the_keys_are_the_names_of_the_fields() -> None:
    node = Node("save_btn", "/save_btn", "button", "Save", Kind.INTERACTIVE, enterable=False)
    assert encode(node) == {
        "name": "save_btn",
        "path": "/save_btn",
        "role": "button",
        "label": "Save",
        "kind": "interactive",
        "enterable": False,
        "value": None,
        "states": [],
    }


def test_a_deep_tree_is_no_problem() -> None:
    leaf = Branch("x", "/x", "group", "", Kind.DIRECTORY, enterable=True)
    for _ in range(5000):
        leaf = Branch("x", "/x", "group", "", Kind.DIRECTORY, enterable=True, children=(leaf,))
    again, depth = decode(Tree, encode(Tree("/", leaf))).tree, 0
    while again.children:
        again, depth = again.children[0], depth + 1
    assert depth == 5000


def test_what_a_newer_server_adds_is_ignored_and_what_it_leaves_out_is_the_default() -> None:
    data = {"url": "http://h/", "mood": "sunny"}
    assert decode(PageInfo, data) == PageInfo("http://h/")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (PageInfo, None),
        (PageInfo, "page"),
        (PageInfo, [1]),
        (Listing, {}),
        (Listing, {"path": "/", "entries": "abc", "total": 0}),
        (Listing, {"path": "/", "entries": [1], "total": 0}),
        (Node, {"name": "x"}),
        (Node, {**dict.fromkeys(("name", "path", "role", "label"), "x"), "kind": "huge"}),
        (DialogShown, {"dialog": "x"}),
    ],
)
def test_data_of_another_shape_is_refused(kind: type, data: object) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        decode(kind, data)
