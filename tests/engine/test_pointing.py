"""Hovering, scrolling, and clicks of other kinds than the plain one."""

from __future__ import annotations

import pytest

from domsh_repl.errors import Covered, Disabled, Hidden, UsageError
from domsh_repl.nodes import EffectKind
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import asked, foreign


@pytest.fixture
def games(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/pointer_games.html")
    return lane


def test_what_opens_under_the_pointer_stays_open_for_the_next_click(games: LaneRunner) -> None:
    games.value("ls")
    effect = games.value("hover '\"Menu\"'")
    assert (effect.action, effect.path, effect.effect) == ("hover", "/menu_btn", EffectKind.SEEN)
    assert effect.changes.added
    assert games.value("click '\"Inside\"'").url.endswith("/thanks.html")


def test_a_disabled_element_can_be_hovered_and_a_covered_one_cannot(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        "<button disabled title=why>Off</button><button id=under>Under</button>"
        "<div style='position:fixed;inset:50px 0 0 0;background:red'>cover</div>"
        "<style>#under{position:fixed;top:200px}</style>"
    )
    assert lane.value("hover /off_btn").effect is EffectKind.SEEN
    with pytest.raises(Covered, match="cover"):
        lane.value("hover /under_btn")


@pytest.mark.parametrize(
    ("line", "log", "value"),
    [
        ("click /twice_btn --double", "click click dblclick ", "double"),
        ("click /right_btn --right", "contextmenu ", "right"),
        ("click /twice_btn --mod ctrl", "click+ctrl ", "ctrl"),
        ("click /twice_btn --mod=shift+ctrl", "click+ctrl+shift ", "shift+ctrl"),
        ("click /twice_btn", "click ", None),
    ],
)
def test_a_click_is_what_it_was_asked_to_be(
    games: LaneRunner, line: str, log: str, value: str | None
) -> None:
    effect = games.value(line)
    assert asked(games, "log.textContent") == log
    assert (effect.action, effect.effect, effect.value) == ("click", EffectKind.SEEN, value)


def test_ctrl_click_on_a_link_opens_a_tab(games: LaneRunner) -> None:
    effect = games.value("click /away_link --mod ctrl")
    (opened,) = effect.opened_tabs
    assert opened.url.endswith("/thanks.html")
    assert effect.url.endswith("/pointer_games.html")


def test_a_double_click_that_gets_lost_is_not_called_done(lane: LaneRunner, shown: Show) -> None:
    shown("<button onclick='this.remove()'>Once</button>")
    assert lane.value("click /once_btn --double").effect is not EffectKind.SENT


@pytest.mark.parametrize(
    ("line", "hint"),
    [("click /twice_btn --mod hyper", "modifiers are"), ("click /x --double --right", "click")],
)
def test_what_is_no_way_to_click_is_told(games: LaneRunner, line: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        games.value(line)
    assert hint in raised.value.hint


def test_a_disabled_element_is_not_clicked_in_any_way(games: LaneRunner) -> None:
    with pytest.raises(Disabled):
        games.value("click /off_btn --double")


def test_scrolling_goes_by_views_and_says_where_it_stands(games: LaneRunner) -> None:
    effect = games.value("scroll down")
    assert (effect.effect, effect.path) == (EffectKind.SEEN, "")
    assert asked(games, "scrollY") > 300
    assert games.value("scroll bottom").value == "the bottom"
    again = games.value("scroll bottom")
    assert (again.effect, again.value) == (EffectKind.SENT, "the bottom")
    assert games.value("scroll top").value == "the top"
    assert asked(games, "scrollY") == 0
    assert games.value("scroll up").effect is EffectKind.SENT
    assert games.value("scroll").effect is EffectKind.SEEN


def test_a_page_that_fits_has_nothing_to_scroll(lane: LaneRunner, shown: Show) -> None:
    shown("<p>short</p>")
    effect = lane.value("scroll bottom")
    assert (effect.effect, effect.value) == (EffectKind.SENT, "nothing to scroll")


def test_where_the_page_is_held_the_box_in_its_middle_moves(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<style>html,body{height:100%;margin:0;overflow:hidden}</style>"
        "<main style='height:100%;overflow:auto'><div style='height:5000px'>x</div></main>"
    )
    assert lane.value("scroll bottom").value == "the bottom"
    assert asked(lane, "document.querySelector('main').scrollTop") > 1000


def test_an_element_is_brought_into_view_through_boxes(games: LaneRunner) -> None:
    for label in ("Far", "Deep"):
        effect = games.value(f"scroll '\"{label}\"'")
        assert effect.effect is EffectKind.SEEN
        box = f"[...document.querySelectorAll('button')].find(b => b.textContent === '{label}')"
        seen = f"(b => b.top >= 0 && b.bottom <= innerHeight)({box}.getBoundingClientRect())"
        assert asked(games, seen) is True
    assert asked(games, "document.querySelector('.box').scrollTop") > 500


def test_what_has_no_place_cannot_be_scrolled_to(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<input type=checkbox style='display:none' id=c aria-label=c><svg width=0></svg>"
        "<button style='width:0;height:0;border:0;padding:0;overflow:hidden'>Nothing</button>"
    )
    with pytest.raises(Hidden):
        lane.value("scroll /nothing_btn")


def test_an_entry_that_is_called_as_a_way_is_reached_by_its_path(
    lane: LaneRunner, shown: Show
) -> None:
    shown("<div style='height:3000px'>x</div><section aria-label=down>here</section>")
    assert lane.value("scroll /down").path == "/down"
    assert asked(lane, "scrollY") > 1000


def test_hovering_works_in_frames_of_other_sites(isolated_engine: EngineRunner, pages: str) -> None:
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(
        "js new Promise((done) => { const f = document.createElement('iframe'); f.width = 600;"
        " f.height = 300; f.title = 'Games'; f.onload = done;"
        f" f.src = '{foreign(pages)}/pointer_games.html'; document.body.append(f) }})"
    )
    assert lane.value("hover '\"Menu\"'").effect is EffectKind.SEEN
    assert lane.value("find --label Inside").matches
    assert lane.value("scroll '\"Far\"'").effect is EffectKind.SEEN
    lane.close()
