"""Names: DOMShell's rule is known, and what is shown here is stable, different and typable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.engine.naming import Nameable, names_of
from domsh_repl.link.domshell.names import base_name, label_fits, shown_names, slug
from domsh_repl.link.domshell.sorts import value_of


@pytest.mark.parametrize(
    ("role", "label", "name"),
    [
        ("button", "Load late", "load_late_btn"),
        ("cell", "1 | 2", "1_2"),
        ("cell", 'Pear "big"', "pear_big"),
        ("StaticText", "Alpha paragraph one with ", "alpha_paragraph_one_with"),
        ("button", "日本語ボタン", "button_btn"),
        ("main", "日本", ""),
        ("button", "a/b/c", "abc_btn"),
        ("button", "../up", "up_btn"),
        ("button", "--json", "--json_btn"),
        ("button", "-n 5", "-n_5_btn"),
        ("button", "X" * 300, "x" * 40 + "_btn"),
        ("spinbutton", "Age", "age"),
    ],
)
def test_a_name_is_made_as_domshell_makes_it(role: str, label: str, name: str) -> None:
    assert base_name(role, label) == name


@pytest.mark.parametrize(
    ("siblings", "shown"),
    [
        ([("banner_21", "banner"), ("main_area", "main")], ["banner_1", "main_area"]),
        (
            [("paragraph_25", "paragraph"), ("intro", "paragraph"), ("paragraph_27", "paragraph")],
            ["paragraph_1", "intro", "paragraph_3"],
        ),
        ([("docs_link", "link"), ("docs_link_2", "link"), ("docs_2_link", "link")],
         ["docs_link", "docs_link_2", "docs_2_link"]),
        ([("button_btn", "button"), ("button_btn_2", "button")], ["button_btn", "button_btn_2"]),
        ([("search", "search"), ("search_2", "search")], ["search", "search_2"]),
        ([("x", "cell"), ("x_2", "cell"), ("x_2", "cell")], ["x", "x_2", "x_2_2"]),
        ([("--json_btn", "button"), ("json_btn", "button")], ["json_btn", "json_btn_2"]),
        ([("---_btn", "button")], ["button_btn"]),
        ([("---", "main")], ["main_1"]),
        ([("StaticText_63", "StaticText"), ("and", "StaticText")], ["StaticText_1", "and"]),
        ([("InlineTextBox_-1000000024", "InlineTextBox")], ["InlineTextBox_1"]),
    ],
)  # fmt: skip
def test_entries_are_called_without_node_ids(
    siblings: list[tuple[str, str]], shown: list[str]
) -> None:
    assert shown_names(siblings) == shown


_WIRE = st.tuples(
    st.sampled_from(["main_7", "main_87", "main", "x", "x_2", "-x", "--", "a_btn", "--_btn", "1"]),
    st.sampled_from(["main", "button", "cell", "StaticText"]),
)


@given(st.lists(_WIRE, max_size=8))
def test_no_two_siblings_are_called_alike_and_none_like_a_flag(
    siblings: list[tuple[str, str]],
) -> None:
    names = shown_names(siblings)
    assert len(set(names)) == len(siblings)
    assert all(name and not name.startswith("-") for name in names)


_LABELS = st.text(st.sampled_from("ab 12-_./é"), max_size=6)
_ROLES = st.sampled_from(["button", "link", "cell", "region", "heading"])


@given(st.lists(st.tuples(_ROLES, _LABELS), max_size=5))
def test_ascii_labels_give_the_names_that_the_built_in_engine_gives(
    siblings: list[tuple[str, str]],
) -> None:
    plain = [(role, label.replace("é", "e").replace("-", "")) for role, label in siblings]
    bases = [
        base_name(role, label) or f"{role}_{700 + at}" for at, (role, label) in enumerate(plain)
    ]
    if len(set(bases)) < len(bases):
        return  # how DOMShell numbers those is told by its own names
    wire = [(base, role) for base, (role, _) in zip(bases, plain, strict=True)]
    assert shown_names(wire) == names_of([Nameable(role, label) for role, label in plain])


@given(st.text(), st.sampled_from(["button", "region", "cell"]))
def test_the_label_that_made_a_name_fits_it_also_when_it_is_a_duplicate(
    label: str, role: str
) -> None:
    base = base_name(role, label)
    name = base or f"{role}_22"
    assert label_fits(label, name, role) == bool(base or label.strip())
    if base:
        assert label_fits(label, f"{base}_2", role)


def test_another_label_does_not_fit() -> None:
    assert not label_fits("Save", "cancel_btn", "button")
    assert not label_fits("Text inside", "main_22", "main")
    assert slug("  spaced   out ") == "spaced_out"


@pytest.mark.parametrize(
    ("role", "said", "value"),
    [
        ("spinbutton", "7", 7),
        ("slider", "0.5", 0.5),
        ("slider", "loud", "loud"),
        ("spinbutton", 7, 7),
        ("textbox", "7", "7"),
        ("textbox", "•••", PASSWORD_MASK),
        ("textbox", "", ""),
        ("textbox", None, None),
    ],
)
def test_values_are_those_of_the_tree(role: str, said: object, value: object) -> None:
    assert value_of(role, said) == value  # type: ignore[arg-type]
