from __future__ import annotations

from wcwidth import wcswidth

from domsh_repl.nodes import Card, Kind
from tests.render.render_samples import CARD, HOSTILE_CARD, lines, shown

PLAIN_TERMINAL = {"NO_COLOR": "1"}


def test_a_pipe_gets_key_value_lines_and_no_page_text_where_a_key_stands() -> None:
    out, _ = shown(CARD)

    assert lines(out) == [
        "name: country_select",
        "path: /main_area/signup_form/country_select",
        "role: combobox",
        "kind: interactive",
        "label: Country",
        "value: United States",
        "states: required, focused",
        "description: Where the invoice goes",
        "name_from: aria-label",
        "tag: select",
        "attributes.name: country",
        "attributes.id: country",
        "attributes.aria-label: Country",
        "attributes.class: field field--wide js-validate",
        "attributes.required:",
        "properties.haspopup: menu",
        "properties.level: 2",
        "properties.options: United States",
        "  Japan",
        "  Germany",
        "text: United States",
        "  Japan",
        "  Germany",
        "  … cut; all of it: text",
    ]
    forged = [line for line in lines(shown(HOSTILE_CARD)[0]) if line.startswith("role:")]
    assert forged == ["role: link"]


def test_a_terminal_gets_a_heading_and_aligned_values() -> None:
    out, _ = shown(CARD, terminal=True, environment=PLAIN_TERMINAL)

    assert lines(out) == [
        "country_select  combobox",
        "  path         /main_area/signup_form/country_select",
        "  label        Country",
        "  value        United States",
        "  states       required, focused",
        "  description  Where the invoice goes",
        "  label from   aria-label",
        '  tag          <select name="country" id="country" aria-label="Country"',
        '               class="field field--wide js-validate" required>',
        "  haspopup     menu",
        "  level        2",
        "  options      United States",
        "               Japan",
        "               Germany",
        "  text         United States",
        "               Japan",
        "               Germany",
        "               … cut; all of it: text",
    ]
    assert all(wcswidth(line) <= 80 for line in lines(out))


def test_what_is_not_known_has_no_row() -> None:
    bare = Card("note_1", "/note_1", "note", "", Kind.STATIC, enterable=False)

    out, _ = shown(bare, terminal=True, environment=PLAIN_TERMINAL)

    assert lines(out) == ["note_1  note", "  path  /note_1"]


def test_an_empty_value_is_a_value() -> None:
    empty = Card("a_input", "/a_input", "textbox", "", Kind.INTERACTIVE, enterable=False, value="")

    assert "value:" in lines(shown(empty)[0])


def test_numbers_truth_and_records_among_the_properties_read_like_json() -> None:
    properties = {"level": 2, "busy": False, "options": [{"label": "Japan", "selected": True}]}
    card = Card(
        "x", "/x", "textbox", "", Kind.INTERACTIVE, enterable=False, value=7, properties=properties
    )

    assert lines(shown(card)[0])[4:] == [
        "value: 7",
        "properties.level: 2",
        "properties.busy: false",
        'properties.options: label="Japan" selected=true',
    ]
