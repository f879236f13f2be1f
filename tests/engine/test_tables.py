from __future__ import annotations

import pytest

from domsh_repl.errors import Ambiguous, NotFound
from tests.conftest import LaneRunner
from tests.engine.conftest import Show


@pytest.fixture
def report(lane: LaneRunner, pages: str) -> LaneRunner:
    lane.value(f"navigate {pages}/report.html")
    return lane


def test_spans_headers_and_nested_text_become_plain_rows(report: LaneRunner) -> None:
    table = report.value("table '\"Prices by year\"'")
    assert table.path == "/main_1/prices_by_year"
    assert table.header == ("Name", "2024 / Q1", "2024 / Q2", "Note")
    assert table.rows == (
        ("A|b", "1", "2", 'He said "no", twice'),
        ("A|b", "3", "4", "First\nSecond"),
        ("Sum", "4", "6", ""),
    )


def test_a_grid_of_roles_is_a_table_and_fields_say_what_they_hold(report: LaneRunner) -> None:
    table = report.value("table /main_1/board")
    assert table.header == ("Who", "Done")
    assert table.rows == (("Ann", "checked"), ("nobody", "nobody"))


def test_a_table_without_headers_has_none_and_short_rows_are_filled(report: LaneRunner) -> None:
    table = report.value("table '\"Plain\"'")
    assert (table.header, table.rows) == ((), (("1", "yes"), ("2", "")))


def test_the_only_table_below_a_path_is_meant(lane: LaneRunner, shown: Show) -> None:
    shown("<main><div><table><tr><th>a</th></tr><tr><td>1</td></tr></table></div></main>")
    table = lane.value("table /main_1")
    assert (table.header, table.rows) == (("a",), (("1",),))
    assert lane.value(f"table {table.path}") == table


def test_of_several_none_is_taken(report: LaneRunner) -> None:
    with pytest.raises(Ambiguous, match="prices_by_year"):
        report.value("table /main_1")


def test_what_is_and_holds_no_table_is_not_found(report: LaneRunner) -> None:
    with pytest.raises(NotFound, match="no table"):
        report.value("table /banner_1")


def test_a_nested_table_is_text_of_its_cell(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<table aria-label=Outer><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>"
        "<table><tr><td>in</td><td>ner</td></tr></table></td></tr></table>"
    )
    table = lane.value("table '\"Outer\"'")
    assert table.header == ("x", "y")
    assert table.rows == (("1", "in\tner"),)


def test_a_span_to_the_end_stays_in_its_group(lane: LaneRunner, shown: Show) -> None:
    shown(
        "<table aria-label=T><tbody><tr><td rowspan=0>a</td><td>1</td></tr><tr><td>2</td></tr>"
        "</tbody><tbody><tr><td>b</td><td>3</td></tr></tbody></table>"
    )
    assert lane.value("table '\"T\"'").rows == (("a", "1"), ("a", "2"), ("b", "3"))


def test_a_table_in_shadow_roots_and_frames_is_read(lane: LaneRunner, shown: Show) -> None:
    shown(
        '<iframe title=f srcdoc="<table aria-label=T><tr><td>in frame</td></tr></table>"></iframe>'
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML="
        "'<table aria-label=S><tr><td>in shadow</td></tr></table>'</script>"
    )
    assert lane.value("table '\"T\"'").rows == (("in frame",),)
    assert lane.value("table '\"S\"'").rows == (("in shadow",),)
