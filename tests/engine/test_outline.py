from __future__ import annotations

import pytest

from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import foreign


def listed(lane: LaneRunner, line: str) -> list[tuple[str, int, str]]:
    return [(one.role, one.level, one.label) for one in lane.value(line).outline]


@pytest.fixture
def report(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/report.html")
    return lane


def test_headings_are_listed_with_their_levels_in_document_order(report: LaneRunner) -> None:
    assert listed(report, "outline --headings") == [
        ("heading", 1, "Report"),
        ("heading", 2, "Prices"),
        ("heading", 3, "Contact"),
        ("heading", 5, "Deep"),
        ("heading", 4, ""),
        ("heading", 2, "Inside"),
    ]


def test_landmarks_are_listed_by_how_deep_they_are_nested(report: LaneRunner) -> None:
    assert listed(report, "outline --landmarks") == [
        ("banner", 1, ""),
        ("navigation", 2, "Sections"),
        ("main", 1, ""),
        ("form", 2, "Contact"),
        ("region", 2, "Extra"),
        ("main", 1, ""),
        ("contentinfo", 1, ""),
    ]


def test_without_a_flag_headings_stand_among_landmarks(report: LaneRunner) -> None:
    both = listed(report, "outline")
    assert both == listed(report, "outline --headings --landmarks")
    assert both[:3] == [("banner", 1, ""), ("heading", 1, "Report"), ("navigation", 2, "Sections")]


def test_fields_and_links_tell_their_states_and_places(report: LaneRunner) -> None:
    fields = report.value("outline --fields").outline
    assert [(one.role, one.label) for one in fields] == [
        ("checkbox", "done"), ("textbox", "Mail"), ("combobox", "Topic"), ("textbox", "Loose"),
    ]  # fmt: skip
    assert fields[0].states == ("checked",)
    assert "required" in fields[1].states
    for one in (*fields, *report.value("outline --links").outline):
        assert report.value(f"cat {one.path}").cards[0].label == one.label


def test_an_outline_is_of_what_is_below_a_path(report: LaneRunner) -> None:
    assert listed(report, "outline --headings /inner") == [("heading", 2, "Inside")]
    assert listed(report, "outline --links /inner")[0][1:] == (2, "Away")
    assert listed(report, "outline --links /main_1") == []


def test_frames_of_other_sites_are_outlined_too(isolated_engine: EngineRunner, pages: str) -> None:
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(
        "js new Promise((done) => { const f = document.createElement('iframe');"
        f" f.onload = done; f.src = '{foreign(pages)}/report.html'; document.body.append(f) }})"
    )
    assert ("heading", 5, "Deep") in listed(lane, "outline --headings")
    lane.close()


def test_a_heading_without_a_level_is_of_level_two(lane: LaneRunner, shown: Show) -> None:
    shown("<div role=heading>Plain</div>")
    assert listed(lane, "outline --headings") == [("heading", 2, "Plain")]
