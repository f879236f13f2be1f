"""Paths to nodes: names, indexes, globs, ``**``, ``..``, quoted names, paths and labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

import pytest

from domsh_repl.errors import Ambiguous, NotFound
from domsh_repl.paths import Path
from domsh_repl.roles import INTERACTIVE
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.walking import open_page
from tests.site_server import serving

_PAGE = """<!doctype html><title>Shop</title>
<nav aria-label=Top><a href=#>Sign in</a><a href=#>Dragon Well</a></nav>
<main aria-label=Main><form aria-label=Signup>
<button>Save</button><button>Save</button><button>save as</button><input aria-label=Name>
</form><p>Sign in</p><p>Save</p>
<table aria-label=Teas>
<tr><th scope=row>Dragon <b>Well</b></th><td><a href=#>Dragon Well</a></td></tr></table>
<section aria-label=Top><button>Only here</button><p>Say "hi" \\ there</p></section></main>"""


@pytest.fixture(scope="module")
def shop(engine: EngineRunner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LaneRunner]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.html").write_text(_PAGE)
    with serving(folder) as url:
        lane = LaneRunner(engine)
        open_page(lane, f"{url}/shop.html")
        yield lane
        lane.close()


def _all(lane: LaneRunner, path: str) -> list[str]:
    return [spot.path for spot in lane.run(lane.desk.resolver.all(Path.parse(path)))]


def _one(lane: LaneRunner, path: str, *, acting: bool = False) -> str:
    suitable = (lambda node: node.role in INTERACTIVE) if acting else None
    return str(lane.run(lane.desk.resolver.one(Path.parse(path), suitable=suitable)).path)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/", "/"),
        ("/main/signup/save_btn", "/main/signup/save_btn"),
        ("/main/signup/save_btn_2", "/main/signup/save_btn_2"),
        ("/main/form[0]/button[1]", "/main/signup/save_btn_2"),
        ("/main/signup/..", "/main"),
        ("/..", "/"),
        ("/main/../top", "/top"),
        ('"main/signup"', "/main/signup"),
        ('/main/"signup"/name_input', "/main/signup/name_input"),
        ('"Only here"', "/main/top/only_here_btn"),
        ('"only HERE"', "/main/top/only_here_btn"),
        ('/main/"Only   here"', "/main/top/only_here_btn"),
        ('/main/"save as"', "/main/signup/save_as_btn"),
        ('"Say \\"hi\\" \\\\ there"', "/main/top/paragraph_1/say_hi_there"),
    ],
)
def test_a_path_reaches_its_node(shop: LaneRunner, path: str, found: str) -> None:
    assert _one(shop, path) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/main/signup/save*", ["save_btn", "save_btn_2", "save_as_btn"]),
        ("/main/signup/save_btn?2", ["save_btn_2"]),
        ("/main/signup/[sn]*_input", ["name_input"]),
        ("/main/*/save_btn", ["save_btn"]),
    ],
)
def test_a_glob_matches_names_of_one_directory(
    shop: LaneRunner, path: str, found: list[str]
) -> None:
    assert _all(shop, path) == [f"/main/signup/{name}" for name in found]


def test_two_stars_match_at_any_depth_in_document_order(shop: LaneRunner) -> None:
    assert _all(shop, "/**/*_link") == [
        "/top/sign_in_link",
        "/top/dragon_well_link",
        "/main/teas/row_1/dragon_well_2/dragon_well_link",
    ]
    assert _all(shop, "/main/**/save_btn") == ["/main/signup/save_btn"]
    assert "/main" in _all(shop, "/main/**")


def test_an_exact_label_comes_before_one_in_another_case(shop: LaneRunner) -> None:
    assert _all(shop, '/main/signup/"Save"') == [
        "/main/signup/save_btn",
        "/main/signup/save_btn_2",
    ]


def test_mere_text_counts_only_where_nothing_else_is_called_so(shop: LaneRunner) -> None:
    assert _all(shop, '"SIGN IN"') == ["/top/sign_in_link"]
    assert _all(shop, '/main/"sign in"') == ["/main/paragraph_1/sign_in"]


def test_the_text_inside_a_match_is_no_second_match(shop: LaneRunner) -> None:
    assert _all(shop, '/top/"Sign in"') == ["/top/sign_in_link"]


def test_an_action_considers_what_it_can_act_on(shop: LaneRunner) -> None:
    assert _one(shop, '/"Sign in"', acting=True) == "/top/sign_in_link"
    cell_and_link = '/main/teas/"Dragon Well"'
    cells = ["/main/teas/row_1/dragon_well", "/main/teas/row_1/dragon_well_2"]
    assert _all(shop, cell_and_link) == cells  # the link is inside one of them
    assert _one(shop, cell_and_link, acting=True).endswith("/dragon_well_link")


def test_more_than_one_match_is_an_error_that_lists_the_candidates(shop: LaneRunner) -> None:
    with pytest.raises(Ambiguous) as caught:
        _one(shop, '"Save"', acting=True)
    assert "2 nodes: /main/signup/save_btn, /main/signup/save_btn_2" in caught.value.message
    with pytest.raises(Ambiguous) as caught:
        _one(shop, "/**")
    assert "and 1" in caught.value.message
    assert "more" in caught.value.message


_FORM = "/main/signup"


@pytest.mark.parametrize(
    ("path", "messages", "near", "reached"),
    [
        ("/mian/signup", ("no mian in /", "there is top, main"), "main", "/"),
        (f"{_FORM}/sav_btn", (f"no sav_btn in {_FORM}", "save_btn_2"), "save_btn", _FORM),
        (f"{_FORM}/Save_btn", ("no Save_btn", "save_btn"), "save_btn", _FORM),
        ("/main/button[3]", ("no button[3] in /main", "signup"), "ls /main", "/main"),
        ("/main/zz*", ("no zz* in /main", "signup"), "ls /main", "/main"),
        ("/top/sign_in_link/x", ("has nothing inside", ""), "cat", "/top/sign_in_link"),
        ('/main/"Nowhere"', ("below /main", "'Nowhere'"), "find --label", "/main"),
        ('/main/"  "', ("below /main", ""), "find --label", "/main"),
    ],
)
def test_what_is_not_there_names_the_segment_what_is_there_and_the_nearest(
    shop: LaneRunner, path: str, messages: tuple[str, str], near: str, reached: str
) -> None:
    segment, there = messages
    with pytest.raises(NotFound) as caught:
        _one(shop, path)
    assert segment in caught.value.message
    assert there in caught.value.message
    assert near in caught.value.hint
    assert caught.value.reached == reached


def test_a_label_of_the_page_cannot_break_the_message(
    lane: LaneRunner, served: tuple[FilePath, str]
) -> None:
    folder, url = served
    (folder / "evil.html").write_text("<button>x</button>")
    open_page(lane, f"{url}/evil.html")
    with pytest.raises(NotFound) as caught:
        _one(lane, '"\x1b]0;PWN\x07\n"')
    assert "\x1b" not in caught.value.message
    assert "\n" not in caught.value.message
