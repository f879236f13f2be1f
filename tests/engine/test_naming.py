"""Names of entries: DOMShell's slugs and suffixes, and what differs where that loses something."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.engine.naming import NAME_LIMIT, Nameable, base_name, names_of, slug
from domsh_repl.roles import SUFFIXES


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Sign in", "sign_in"),
        ("   spaced   out   ", "spaced_out"),
        ("a/b/c", "abc"),
        ("../up", "up"),
        ("--json", "json"),
        ("-n 5", "n_5"),
        ("_link", "_link"),
        ("C++", "c"),
        ("it's fine", "its_fine"),
        ("line one\nline two", "line_one_line_two"),
        ("X" * 300, "x" * NAME_LIMIT),
        ("登录", "登录"),
        ("हिन्दी", "हिन्दी"),
        ("العربية", "العربية"),
        ("Ünïcödé", "ünïcödé"),
        ("E\u0301tude", "étude"),
        ("emoji 😀 party", "emoji_party"),
        ("❤️", ""),
        ("‼️", ""),
        ("❤️ Save 1️⃣", "save_1"),
        ("\u3164", ""),
        ("zero\u200bwidth", "zerowidth"),
        ("\u202ertl", "rtl"),
        ("\x1b[31mred\x1b[0m", "31mred0m"),
        ("..", ""),
        ("!!!", ""),
        ("@bookmark", "bookmark"),
        ("~tilde", "tilde"),
        ("*star?", "star"),
        ("", ""),
    ],
)
def test_a_slug_keeps_letters_and_digits_of_every_script(label: str, name: str) -> None:
    assert slug(label) == name


def test_a_name_is_slug_and_suffix_cut_before_the_suffix() -> None:
    assert base_name(Nameable("button", "Save")) == "save_btn"
    assert base_name(Nameable("link", "y" * 50)) == "y" * NAME_LIMIT + "_link"
    assert base_name(Nameable("region", "News")) == "news"


def test_a_node_without_a_label_takes_its_description_or_its_role() -> None:
    assert base_name(Nameable("button", "", "Title only")) == "title_only_btn"
    assert base_name(Nameable("button", "🚀")) == "button_btn"
    assert names_of([Nameable("paragraph", ""), Nameable("paragraph", "")]) == [
        "paragraph_1",
        "paragraph_2",
    ]


def test_duplicates_are_numbered_in_document_order() -> None:
    docs = [Nameable("link", label) for label in ("Docs", "Docs", "Docs 2", "docs_link_2")]
    assert names_of(docs) == ["docs_link", "docs_link_2", "docs_2_link", "docs_link_2_link"]


def test_a_numbered_duplicate_makes_way_for_a_name_that_is_there() -> None:
    regions = [Nameable("region", label) for label in ("x", "x", "x 2", "x")]
    assert names_of(regions) == ["x", "x_2", "x_2_2", "x_3"]


def test_a_role_is_counted_over_all_its_siblings() -> None:
    mixed = [
        Nameable("list", "Named"),
        Nameable("paragraph", "list 3"),
        Nameable("list", ""),
        Nameable("list", ""),
    ]
    assert names_of(mixed) == ["named", "list_3_2", "list_2", "list_3"]


_LABELS = st.text(st.sampled_from("ab12 _-./*é日😀\u200b\ufe0f\u3164\n"), max_size=6) | st.text(
    max_size=60
)
_ROLES = st.sampled_from([*SUFFIXES, "region", "paragraph", "StaticText", "option"])
_SIBLINGS = st.lists(st.builds(Nameable, _ROLES, _LABELS, _LABELS), max_size=12)


@given(_SIBLINGS)
def test_names_of_siblings_are_different_and_can_be_typed(siblings: list[Nameable]) -> None:
    names = names_of(siblings)
    assert [name for name, count in Counter(names).items() if count > 1] == []
    for name in names:
        assert name
        assert name not in (".", "..")
        assert name[0] not in "-~@"
        assert not set(name) & set("*?[]/\\\"' \t\n\r\u200b😀")


@given(_SIBLINGS, _SIBLINGS)
def test_what_follows_never_changes_a_numbered_role(
    siblings: list[Nameable], more: list[Nameable]
) -> None:
    before, after = names_of(siblings), names_of([*siblings, *more])
    for node, old, new in zip(siblings, before, after, strict=False):
        if not base_name(node):
            assert old == new
