"""Tables as data: CSV, Markdown, JSON, and columns on a terminal."""

from __future__ import annotations

import csv
import io
import json

import pytest

from domsh_repl.nodes import Table, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.datatable import draw_table
from tests.render.render_samples import HOSTILE

TABLE = Table(
    "/prices",
    ("Name", "a|b", ""),
    (('say "no", twice', "1\n2", "x"), ("back\\slash|", "<b>", "日本")),
)
PIPE, TERMINAL = Canvas(), Canvas(60)


def drawn(table: Table, wanted: str, canvas: Canvas = PIPE) -> str:
    lines = draw_table(table, View(format=wanted), canvas).lines
    return "".join("".join(span.text for span in line) + "\n" for line in lines)


def test_csv_can_be_read_back() -> None:
    read = list(csv.reader(io.StringIO(drawn(TABLE, "csv"))))
    assert [tuple(row) for row in read] == [TABLE.header, *TABLE.rows]


def test_csv_is_what_a_pipe_gets() -> None:
    assert drawn(TABLE, "") == drawn(TABLE, "csv")
    assert drawn(TABLE, "", TERMINAL) != drawn(TABLE, "csv", TERMINAL)


def test_markdown_keeps_each_row_on_a_line_and_each_cell_in_its_column() -> None:
    assert drawn(TABLE, "md").splitlines() == [
        "| Name | a\\|b |  |",
        "| --- | --- | --- |",
        '| say "no", twice | 1<br>2 | x |',
        "| back\\\\slash\\| | \\<b> | 日本 |",
    ]


def test_markdown_without_a_header_has_an_empty_one() -> None:
    assert drawn(Table("/t", (), (("1", "2"),)), "md").splitlines()[0] == "|  |  |"
    assert drawn(Table("/t", (), ()), "md") == ""


def test_json_is_the_shape_of_the_language() -> None:
    assert json.loads(drawn(TABLE, "json")) == {
        "path": "/prices", "header": list(TABLE.header), "rows": [list(row) for row in TABLE.rows],
    }  # fmt: skip


@pytest.mark.parametrize("wanted", ["", "csv", "md", "json"])
@pytest.mark.parametrize("canvas", [PIPE, TERMINAL])
def test_nothing_that_a_terminal_obeys_comes_through(wanted: str, canvas: Canvas) -> None:
    shown = drawn(Table("/t", (HOSTILE,), ((HOSTILE,),)), wanted, canvas)
    assert not set(shown) & set("\x1b\x07\x9b\u202e\u202c\r\u2028")
    assert "\\u001b" in shown


def test_a_terminal_gets_aligned_columns_under_a_rule() -> None:
    name, rule, first, second = drawn(TABLE, "", TERMINAL).splitlines()
    assert name.startswith("Name")
    assert not rule.strip("—")
    assert first.index("1 2") == second.index("<b>") == name.index("a|b")


def test_an_empty_table_says_so() -> None:
    picture = draw_table(Table("/t", (), ()), View(), PIPE)
    assert picture.notes == ("the table is empty",)
    assert list(picture.lines) == []
