"""``links table outline diff`` and ``ls --text`` at the prompt, on a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domsh_repl.errors import Failed
from domsh_repl.nodes import CheckedLinks, Links, Outline, Table, TextListing
from tests.sessions import Shell, running_shell


@pytest.fixture(scope="module")
def shared() -> Iterator[Shell]:
    with running_shell() as made:
        yield made


@pytest.fixture
def shell(shared: Shell, pages: str) -> Shell:
    shared.value(f"open {pages}/report.html")
    return shared


def test_links_are_listed_below_the_working_directory(shell: Shell) -> None:
    everything = shell.value("links")
    assert isinstance(everything, Links)
    shell.value("cd banner_1")
    assert shell.value("links").links == everything.links[:4]
    assert shell.value("links /").links == everything.links


def test_a_broken_link_makes_the_status_one(shell: Shell) -> None:
    assert shell.run("links --check banner_1") == 1
    (checked,) = shell.screen.values
    assert isinstance(checked, CheckedLinks)
    assert [link.ok for link in checked.links] == [True, False, None, True]
    assert shell.run("links --check main_1") == 0


def test_a_table_is_named_by_its_label_and_shown_as_asked(shell: Shell) -> None:
    table = shell.value('table "Prices by year" --format md')
    assert isinstance(table, Table)
    assert shell.screen.views[-1].format == "md"
    assert shell.value(f"table {table.path}") == table


def test_an_unknown_format_is_told_before_anything_runs(shell: Shell) -> None:
    with pytest.raises(Exception, match="no format") as raised:
        shell.run("table main_1 --format xml")
    assert "csv, md, json" in raised.value.hint  # type: ignore[attr-defined]


def test_an_outline_takes_several_kinds(shell: Shell) -> None:
    outline = shell.value("outline --fields --headings main_1")
    assert isinstance(outline, Outline)
    assert {one.role for one in outline.outline} == {
        "heading", "textbox", "combobox", "checkbox",
    }  # fmt: skip


def test_ls_text_tells_the_beginning_of_the_text_in_each(shell: Shell) -> None:
    listing = shell.value("ls --text main_1")
    assert isinstance(listing, TextListing)
    texts = {entry.name: entry.text for entry in listing.entries}
    assert texts["prices_heading"] == "Prices"
    assert texts["prices_by_year"].startswith("Prices by year Name 2024 Note Q1")
    assert all(len(text) <= 200 for text in texts.values())
    plain = shell.value("ls main_1")
    assert [entry.path for entry in plain.entries] == [entry.path for entry in listing.entries]


def test_text_links_tells_where_links_lead(shell: Shell, pages: str) -> None:
    assert f"[Prices]({pages}/report.html#prices)" in shell.value("text --links banner_1").text


def test_diff_compares_with_before_the_last_action(shared: Shell, pages: str) -> None:
    shared.value(f"open {pages}/form.html")
    error = shared.error("diff")
    assert isinstance(error, Failed)
    assert "nothing has been done" in error.message
    shared.value("ls main_area/signup_form")
    shared.value("select main_area/signup_form/country_select Japan")
    changes = shared.value("diff").changes
    assert changes.changed == ("/main_area/signup_form/country_select",)
    assert shared.value("diff").changes == changes
    shared.value("""js 'document.querySelector("form").append(document.createElement("button"))'""")
    assert shared.value("diff").changes.added
    shared.value(f"js 'void (location.href = \"{pages}/alpha.html\")'")
    shared.value("wait title is Alpha")
    assert shared.value("diff").changes is None
