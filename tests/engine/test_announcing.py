"""What live regions say since the last action, and what is no announcement."""

from __future__ import annotations

import pytest

from tests.conftest import LaneRunner


@pytest.fixture(autouse=True)
def opened(lane: LaneRunner, pages: str) -> None:
    lane.value(f"navigate {pages}/live.html")


def said(lane: LaneRunner) -> tuple[str, ...]:
    value: tuple[str, ...] = lane.value("announced").announced
    return value


def test_what_stood_there_when_the_page_came_was_not_said(lane: LaneRunner) -> None:
    assert said(lane) == ()


@pytest.mark.parametrize(
    ("button", "heard"),
    [
        ("status_btn", ("Saved",)),
        ("twice_btn", ("Saved", "Second")),
        ("log_btn", ("Joined: Ada",)),
        ("sum_btn", ("12",)),
        ("clock_btn", ("It is two o'clock",)),
        ("alert_btn", ("Out of stock",)),
        ("new_alert_btn", ("Sold out",)),
        ("show_alert_btn", ("Card refused",)),
        ("picture_btn", ("Green tick", "done")),
        ("quiet_btn", ()),
        ("nothing_btn", ()),
    ],
)
def test_what_a_click_makes_the_page_say(
    lane: LaneRunner, button: str, heard: tuple[str, ...]
) -> None:
    lane.value(f"click main_1/{button}")
    assert said(lane) == heard


def test_the_next_action_begins_anew_and_a_look_does_not(lane: LaneRunner) -> None:
    lane.value("click main_1/alert_btn")
    lane.value("ls main_1")
    lane.value("find --type button /")
    assert said(lane) == said(lane) == ("Out of stock",)
    lane.value("click main_1/nothing_btn")
    assert said(lane) == ()


def test_the_same_words_can_be_said_again(lane: LaneRunner) -> None:
    for _ in range(2):
        lane.value("click main_1/alert_btn")
        assert said(lane) == ("Out of stock",)


def test_a_script_of_the_user_is_an_action(lane: LaneRunner) -> None:
    lane.value("click main_1/alert_btn")
    lane.value("js by('status').textContent='Scripted'")
    assert said(lane) == ("Scripted",)


def test_a_new_document_is_listened_to_from_its_arrival(lane: LaneRunner) -> None:
    lane.value("click main_1/leave_btn")
    assert said(lane) == ()
    lane.value("js setTimeout(()=>by('status').textContent='There',1)")
    lane.value("wait --settled --timeout 5")
    assert said(lane) == ("There",)


def test_a_page_cannot_flood_what_was_said(lane: LaneRunner) -> None:
    lane.value(
        "js for(i=0;i<999;i++)by('list').append(Object.assign("
        "document.createElement('p'),{textContent:'x'.repeat(9999)}))"
    )
    heard = said(lane)
    assert (len(heard), {len(one) for one in heard}) == (200, {2000})
