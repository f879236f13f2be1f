from __future__ import annotations

from wcwidth import wcswidth

from domsh_repl.nodes import Matches, View
from domsh_repl.render.color import ColorMode
from tests.render.render_samples import MATCHES, lines, node, shown


def test_a_pipe_gets_path_role_label_and_value() -> None:
    out, err = shown(MATCHES)

    assert lines(out) == [
        '/main_area/signup_form/save_btn  button  "Save"',
        '/banner/menu/save_as_link/  link  "Save as…"',
        '/main_area/signup_form/email_input  textbox  "Where to save" = "ada@example.org"',
    ]
    assert err == "3 of 7 shown; for more: -n 7\n"


def test_a_terminal_gets_aligned_columns() -> None:
    out, _ = shown(MATCHES, terminal=True, environment={"NO_COLOR": "1"})

    assert len({line.index('"') for line in lines(out)}) == 1
    assert all(wcswidth(line) <= 80 for line in lines(out))


def test_no_match_prints_nothing_and_says_so_aside() -> None:
    assert shown(Matches((), 0)) == ("", "no match\n")


def test_only_the_count_can_be_printed() -> None:
    assert shown(MATCHES, View(count_only=True)) == ("7\n", "")
    assert shown(Matches((), 0), View(count_only=True)) == ("0\n", "")


def test_what_matched_is_marked_in_the_last_name_and_in_the_label() -> None:
    found = Matches((node("save_btn", "button", "Save it", parent="/saves"),), 1)

    out, _ = shown(found, View(highlight="(?i)save"), terminal=True)

    assert out.count("\x1b[1;31msave\x1b[0m") == 1
    assert out.count("\x1b[1;31mSave\x1b[0m") == 1


def test_marking_never_lets_page_text_through_raw() -> None:
    found = Matches((node("a", "button", "x\x1b[31my\x9b"),), 1)

    out, _ = shown(found, View(highlight="\x1b|\x9b"), color=ColorMode.ALWAYS)

    assert "\x1b[1;31m\\u001b\x1b[0m" in out
    assert "\x9b" not in out


def test_a_pattern_that_is_none_here_or_matches_nothing_marks_nothing() -> None:
    found = Matches((node("a", "button", "b"),), 1)

    assert shown(found, View(highlight="("))[0] == shown(found)[0]
    assert shown(found, View(highlight="x*"))[0] == shown(found)[0]


def test_the_document_itself_can_match() -> None:
    root = node("", "RootWebArea", "", parent="", enterable=True)

    assert shown(Matches((root,), 1))[0] == "/  RootWebArea\n"
