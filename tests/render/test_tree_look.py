from __future__ import annotations

import pytest
from wcwidth import wcswidth

from domsh_repl import safetext
from domsh_repl.nodes import Tree
from tests.render.render_samples import FORM, HOSTILE, TREE, branch, lines, node, shown

PLAIN_TERMINAL = {"NO_COLOR": "1"}


def test_a_terminal_gets_guides_roles_and_what_was_cut() -> None:
    out, err = shown(TREE, terminal=True, environment=PLAIN_TERMINAL)

    assert lines(out)[:-1] == [
        "/main_area/  main",
        "├── signup_form/  form",
        "│   ├── email_input  textbox",
        "│   ├── plan/  group  … 2 more",
        '│   ├── save_btn  button  "Save my account, please"',
        "│   └── … 12 more",
        "├── list_1/  list",
        "│   └── 日本語_link  link",
    ]
    assert lines(out)[-1].startswith(r'└── button_1  button  "\u001b]52')
    assert wcswidth(lines(out)[-1]) == 80
    assert err == ""


def test_a_pipe_gets_two_blanks_a_level_and_whole_labels() -> None:
    out, _ = shown(TREE)

    assert lines(out) == [
        "/main_area/  main",
        "  signup_form/  form",
        "    email_input  textbox",
        "    plan/  group  … 2 more",
        '    save_btn  button  "Save my account, please"',
        "    … 12 more",
        "  list_1/  list",
        "    日本語_link  link",
        f'  button_1  button  "{safetext.escape(HOSTILE)}"',
    ]


@pytest.mark.parametrize(
    ("name", "label", "told"),
    [
        ("sign_in_btn", "Sign in!", False),
        ("docs_link_2", "Docs", False),
        ("main_area", "Main area", False),
        ("日本語_btn", "日本語", False),
        ("button_1", "!!!", True),
        ("abc", "abc, and more", True),
        ("saved_btn", "Save", True),
        ("x" * 40 + "_btn", "x" * 60, True),
    ],
)
def test_a_label_is_shown_where_the_name_does_not_say_it(
    *, name: str, label: str, told: bool
) -> None:
    root = node("a", "main", parent="/", enterable=True)
    out, _ = shown(Tree("/a", branch(root, branch(node(name, "button", label)))))

    assert (f'"{label}"' in out) is told


def test_the_document_is_the_root() -> None:
    root = node("", "RootWebArea", "Form page", parent="", enterable=True)

    assert shown(Tree("/", branch(root)))[0] == '/  RootWebArea  "Form page"\n'


def test_a_tree_may_be_deeper_than_python_recurses() -> None:
    inner = branch(node("leaf", "button"))
    for _ in range(5000):
        inner = branch(node("d", "group", enterable=True), inner)

    assert len(lines(shown(Tree(FORM, inner))[0])) == 5001
