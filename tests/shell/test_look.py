from __future__ import annotations

import pytest

from domsh_repl.nodes import Dialog, PageInfo
from domsh_repl.render.ink import cells
from domsh_repl.render.theme import ASCII_SIGNS, SIGNS, Signs
from domsh_repl.shell.look import Standing, continuation, prompt_text
from domsh_repl.state import PageState


def shown(
    url: str, cwd: str = "/", *, status: int = 0, columns: int = 100, signs: Signs = SIGNS
) -> str:
    """Return the prompt's text for a page at a URL."""
    return text_of(PageInfo(url=url, tab=1, entry=1), cwd, status, columns, signs)


def text_of(
    page: PageInfo, cwd: str = "/", status: int = 0, columns: int = 100, signs: Signs = SIGNS
) -> str:
    """Return the prompt's text for a page."""
    return told(page, Standing(status), cwd, columns, signs)


def told(  # noqa: PLR0913  (a row of a table)
    page: PageInfo,
    standing: Standing,
    cwd: str = "/",
    columns: int = 100,
    signs: Signs = SIGNS,
    *,
    short: bool = False,
) -> str:
    """Return the prompt's text as things stand."""
    state = PageState().arrived(page).changed_directory(cwd)
    return "".join(text for _, text in prompt_text(state, standing, columns, signs, short=short))


def test_before_a_page_is_open_it_says_so() -> None:
    assert text_of(PageInfo()) == "no page > "
    assert shown("about:blank") == "no page > "


def test_host_and_directory_are_shown() -> None:
    assert shown("https://shop.example/a?b#c", "/main_1") == "shop.example /main_1 > "
    assert shown("http://localhost:8000/") == "localhost:8000 / > "
    assert shown("file:///tmp/a.html") == "file: / > "


def test_a_password_in_the_address_is_not_shown() -> None:
    assert shown("https://ada:secret@shop.example/") == "shop.example / > "


def test_a_status_that_is_not_0_is_shown() -> None:
    assert shown("https://a.example/", status=4) == "a.example / [4] > "


def test_a_load_that_goes_on_and_an_open_dialog_are_marked() -> None:
    loading = PageInfo(url="http://a/", tab=1, entry=1, loading=True)
    assert text_of(loading) == "a / loading… > "
    asking = PageInfo(url="http://a/", tab=1, entry=1, dialog=Dialog("alert", "?"))
    assert text_of(asking) == "a / dialog! > "


def test_the_connection_has_its_marks_the_most_dangerous_first() -> None:
    page = PageInfo(url="http://a/", tab=1, entry=1)
    shared = Standing(risky_lane="shared", is_read_only=True)
    assert told(page, shared) == "a / lane shared! read-only > "
    assert told(page, Standing(3, is_lost=True)) == "a / lost! [3] > "


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize(
    ("cwd", "name"),
    [("/", "/"), ("/main_1/form_2", "form_2"), ("/a/日本語のとても長い名前_form", "日本")],
)
def test_a_short_prompt_has_the_directory_s_own_name(cwd: str, name: str, columns: int) -> None:
    page = PageInfo(url="http://shop.example/", tab=1, entry=1)
    text = told(page, Standing(4), cwd, columns, short=True)
    assert text.startswith(name)
    assert text.endswith(" [4] > ")
    assert cells(text) <= max(columns // 2, 20)


def test_a_long_path_keeps_its_end() -> None:
    path = "/main_1/section_2/article_3/form_4"
    assert shown("http://shop.example/", path, columns=80) == "shop.example …/article_3/form_4 > "
    assert shown("http://shop.example/", path, columns=80, signs=ASCII_SIGNS) == (
        "shop.example .../article_3/form_4 > "
    )


@pytest.mark.parametrize("columns", [20, 30, 40, 60, 80, 200])
@pytest.mark.parametrize(
    "cwd", ["/", "/main_1/" + "x" * 60, "/日本語のとても長い名前/登録フォーム_form"]
)
def test_half_of_the_line_at_most_is_the_prompt(columns: int, cwd: str) -> None:
    text = shown("http://very-long-name.of.a.host.example:8080/", cwd, columns=columns)
    assert cells(text) <= max(columns // 2, 20)
    assert text.endswith("> ")


def test_page_text_in_it_is_made_safe() -> None:
    text = shown("http://a\x1b\u202e.example/", "/a\x9bb\u200b")
    assert "\x1b" not in text
    assert "\\u001b" in text
    assert "\x9b" not in text
    assert "\u202e" not in text
    assert "\u200b" not in text


def test_a_wrapped_line_has_nothing_in_front() -> None:
    assert continuation(10, 1, 0) == "... "
    assert continuation(10, 0, 1) == ""
