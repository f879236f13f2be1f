"""Two replies become one tree with the values that the built-in engine gives for the same page."""

from __future__ import annotations

import pytest

from domsh_repl.errors import Stale
from domsh_repl.link.domshell.replies import read_reply
from domsh_repl.link.domshell.snapshot import (
    Facts,
    Snapshot,
    rows_of_entries,
    rows_of_read,
    zip_rows,
)
from domsh_repl.link.domshell.told import DeepLines, Entries, TreeLines
from domsh_repl.nodes import Kind, Node
from tests.link.domshell.recordings import recorded
from tests.link.domshell.trees import planted, recorded_snapshot, replies_of, rows_of

_LETTERS = {Kind.DIRECTORY: "d", Kind.INTERACTIVE: "x", Kind.STATIC: "-"}


def _shown(snapshot: Snapshot) -> list[str]:
    """Return each node below the document as ``path role kind[/] value``, as the engine has it."""
    lines = []
    for spot in snapshot.spots[1:]:
        node = spot.node
        kind = _LETTERS[node.kind] + ("/" if node.enterable else "")
        value = "" if node.value is None else f" {node.value!r}"
        lines.append(f"{node.path} {node.role} {kind}{value}")
    return lines


def test_the_form_page_has_the_values_that_the_built_in_engine_gives() -> None:
    assert _shown(recorded_snapshot("form", "tree abc", "read")) == [
        "/LabelText_1 LabelText d/",
        "/LabelText_1/email StaticText -",
        "/email_input textbox x",
        "/LabelText_2 LabelText d/",
        "/LabelText_2/password StaticText -",
        "/password_input textbox x",
        "/bio_input textbox x",
        "/i_agree_chk checkbox x",
        "/plan group d/",
        "/plan/Legend_1 Legend d/",
        "/plan/Legend_1/plan StaticText -",
        "/plan/free_radio radio x",
        "/plan/pro_radio radio x",
        "/country_select combobox x 'United States'",
        "/search_site_search searchbox x",
        "/disabled_thing_btn button x",
        "/increment_btn button x",
        "/save_btn button x",
    ]


def test_the_table_page_has_the_values_that_the_built_in_engine_gives() -> None:
    assert _shown(recorded_snapshot("table", "tree 6", "read -d 9")) == [
        "/main_1 main d/",
        "/main_1/prices table d/",
        "/main_1/prices/caption_1 caption d/",
        "/main_1/prices/caption_1/prices StaticText -",
        "/main_1/prices/rowgroup_1 rowgroup d/",
        "/main_1/prices/rowgroup_1/row_1 row d/",
        "/main_1/prices/rowgroup_1/row_1/item columnheader d/",
        "/main_1/prices/rowgroup_1/row_1/item/item StaticText -",
        "/main_1/prices/rowgroup_1/row_1/price columnheader d/",
        "/main_1/prices/rowgroup_1/row_1/price/price StaticText -",
        "/main_1/prices/row_1 row d/",
        "/main_1/prices/row_1/apple cell d/",
        "/main_1/prices/row_1/apple/apple StaticText -",
        "/main_1/prices/row_1/1_2 cell d/",
        "/main_1/prices/row_1/1_2/1_2 StaticText -",
        "/main_1/prices/row_2 row d/",
        "/main_1/prices/row_2/pear_big cell d/",
        "/main_1/prices/row_2/pear_big/pear_big StaticText -",
        "/main_1/prices/row_2/350 cell d/",
        "/main_1/prices/row_2/350/350 StaticText -",
        "/main_1/prices/row_3 row d/",
        # the engine keeps the letters that DOMShell drops: it says 日本 twice here
        "/main_1/prices/row_3/cell_1 cell d/",
        "/main_1/prices/row_3/cell_1/StaticText_1 StaticText -",
        "/main_1/prices/row_3/cell_2 cell -",
        "/main_1/list_1 list d/",
        "/main_1/list_1/listitem_1 listitem d/",
        "/main_1/list_1/listitem_1/1 ListMarker -",
        "/main_1/list_1/listitem_1/one StaticText -",
        "/main_1/list_1/listitem_2 listitem d/",
        "/main_1/list_1/listitem_2/2 ListMarker -",
        "/main_1/list_1/listitem_2/two StaticText -",
        "/main_1/list_1/listitem_2/list_1 list d/",
        "/main_1/list_1/listitem_2/list_1/listitem_1 listitem d/",
        "/main_1/list_1/listitem_2/list_1/listitem_1/ListMarker_1 ListMarker -",
        "/main_1/list_1/listitem_2/list_1/listitem_1/nested StaticText -",
    ]


def test_three_links_of_one_name_in_three_items_keep_their_ways() -> None:
    snapshot = recorded_snapshot("nav", "tree 4", "read -d 9")
    links = [spot for spot in snapshot.spots if spot.node.role == "link"]
    assert [(spot.path, spot.wire) for spot in links] == [
        ("/list_1/listitem_1/read_more_link", "list_8/listitem_9/read_more_link"),
        ("/list_1/listitem_2/read_more_link", "list_8/listitem_11/read_more_link"),
        ("/list_1/listitem_3/read_more_link", "list_8/listitem_13/read_more_link"),
        ("/list_1/listitem_4/form_link", "list_8/listitem_15/form_link"),
    ]


def test_shadow_roots_are_part_of_the_tree() -> None:
    snapshot = planted(
        "[d] shadow_heading heading",
        "  [d] shadow StaticText",
        "    [-] shadow InlineTextBox",
        "[d] card region",
        "  [x] shadow_button_btn button",
        "  [d] slotted StaticText",
        "    [-] slotted InlineTextBox",
        "[x] closed_button_btn button",
    )
    assert _shown(snapshot) == [
        "/shadow_heading heading d/",
        "/shadow_heading/shadow StaticText -",
        "/card region d/",
        "/card/shadow_button_btn button x",
        "/card/slotted StaticText -",
        "/closed_button_btn button x",
    ]


def test_numbers_are_numbers_and_passwords_are_masked() -> None:
    snapshot = planted(
        "[d] main_8 main",
        '  [x] age spinbutton "7"',
        '  [x] volume_slider slider "50"',
        '  [-] prog progressbar "3"',
        '  [x] pw_input textbox "•••"',
    )
    assert [spot.node.value for spot in snapshot.spots[2:]] == [7, 50, 3, "••••••••"]


def test_the_inside_of_a_field_is_dropped_and_dates_are_interactive() -> None:
    snapshot = planted(
        "[d] day Date",
        "  [x] month spinbutton",
        "[d] more DisclosureTriangle",
        "  [d] t StaticText",
    )
    assert _shown(snapshot) == ["/day Date x", "/more DisclosureTriangle x"]


@pytest.mark.parametrize(
    "value", ['say "x"', "one\ntwo\nthree", 'x"\n  fake [button]', "", '"', "a [b]"]
)
def test_a_value_may_hold_quotes_and_line_breaks(value: str) -> None:
    snapshot = planted(f'[x] bio_input textbox "{value}"', "[x] go_btn button")
    assert [spot.node.value for spot in snapshot.spots[1:]] == [value, None]


def test_a_value_with_a_line_break_of_the_wire_is_put_together_again() -> None:
    drawn, deep = replies_of('[x] a_input textbox "X"', "[x] go_btn button")
    forged = deep.replace("X", 'one\r\n  fake_btn [button] "two"\r\n"')
    assert [row.value for row in rows_of(drawn, forged)] == [
        'one\r\n  fake_btn [button] "two"\r\n"',
        None,
    ]


def test_a_value_that_could_be_the_next_node_is_not_believed() -> None:
    drawn, deep = replies_of('[x] a_input textbox "X"', "[x] go_btn button")
    forged = deep.replace("X", 'one\r\n  go_btn [link] "two')
    with pytest.raises(Stale):
        rows_of(drawn, forged)


def test_two_replies_about_different_trees_are_refused() -> None:
    drawn, _ = replies_of("[x] go_btn button", "[x] b_btn button")
    for nodes in (["[x] go_btn button"], ["[x] go_btn button", "[x] c_btn button"], []):
        with pytest.raises(Stale):
            rows_of(drawn, replies_of(*nodes)[1])
    with pytest.raises(Stale):
        rows_of(replies_of()[0], replies_of("[x] go_btn button")[1])


def test_the_document_is_the_root_and_an_empty_page_has_nothing_else() -> None:
    snapshot = Snapshot.of_rows(zip_rows(TreeLines("page", ()), _deep("page [RootWebArea]")))
    assert snapshot.spots == (snapshot.root,)
    assert snapshot.root.node == Node("/", "/", "RootWebArea", "", Kind.DIRECTORY, enterable=True)
    assert snapshot.root.wire == ""
    assert snapshot.parent(snapshot.root) is snapshot.root


def test_the_second_of_two_entries_with_one_wire_name_cannot_be_addressed() -> None:
    snapshot = planted("[d] x region", "  [x] a_btn button", "[d] x region", "  [x] a_btn button")
    assert [(spot.path, spot.wire) for spot in snapshot.spots[1:]] == [
        ("/x", "x"),
        ("/x/a_btn", "x/a_btn"),
        ("/x_2", None),
        ("/x_2/a_btn", None),
    ]


def test_levels_know_their_entries_and_everything_below() -> None:
    snapshot = planted("[d] a region", "  [d] b region", "    [x] c_btn button", "[x] d_btn button")
    a = snapshot.spots[1]
    assert [spot.path for spot in snapshot.children(snapshot.root)] == ["/a", "/d_btn"]
    assert [spot.path for spot in snapshot.below(a)] == ["/a/b", "/a/b/c_btn"]
    assert [spot.path for spot in snapshot.above(snapshot.spots[3])] == ["/a/b", "/a"]
    assert snapshot.below(snapshot.spots[3]) == ()


def test_what_a_probe_knows_goes_into_the_nodes() -> None:
    snapshot = planted("[x] a_btn button", "[x] b_btn button")
    assert not snapshot.facts_known
    known = snapshot.with_facts({1: Facts("A!", ("disabled",))})
    assert known.facts_known
    assert [(spot.node.label, spot.node.states) for spot in known.spots[1:]] == [
        ("A!", ("disabled",)),
        ("", ()),
    ]


def test_a_card_that_is_a_link_is_entered_once_its_inside_was_read() -> None:
    snapshot = planted("[d] list_3 list", "  [x] card_link link", "[x] z_btn button")
    deep = _deep("card_link [link]", "  article_9 [article]", "    t_heading [heading]")
    grown = snapshot.grafted(snapshot.spots[2], rows_of_read(deep))
    assert _shown(grown) == [
        "/list_1 list d/",
        "/list_1/card_link link x/",
        "/list_1/card_link/article_1 article d/",
        "/list_1/card_link/article_1/t_heading heading -",
        "/z_btn button x",
    ]
    assert grown.spots[4].wire == "list_3/card_link/article_9/t_heading"


def test_a_link_with_only_text_inside_stays_closed() -> None:
    snapshot = planted("[x] a_link link")
    grown = snapshot.grafted(
        snapshot.spots[1], rows_of_read(_deep("a_link [link]", "  a [StaticText]"))
    )
    assert _shown(grown) == ["/a_link link x"]


def test_a_read_part_gives_lines_that_are_none_to_the_value_before() -> None:
    deep = _deep("f [form]", '  a_input [textbox] "one', '      deep [button]"', "  b_btn [button]")
    assert [(row.name, row.value) for row in rows_of_read(deep)] == [
        ("a_input", "one\r\n      deep [button]"),
        ("b_btn", None),
    ]


def test_a_listing_with_what_is_inside_gives_rows() -> None:
    entries = recorded("ext-1.3.0-form", "ls -r --json").reading().get()
    assert isinstance(entries, Entries)
    shown = _shown(Snapshot.of_rows(rows_of_entries(entries)))
    assert shown[:2] == ["/signup_form form d/", "/signup_form/LabelText_1 LabelText d/"]
    assert "/signup_form/country_select combobox x 'United States'" in shown
    assert shown[-4:] == [
        "/paragraph_1/count StaticText -",
        "/paragraph_1/counter status d/",
        "/load_late_btn button x",
        "/events log d/",
    ]


def test_a_page_of_three_thousand_nested_groups_is_no_trouble() -> None:
    depth = 3000
    snapshot = planted(*(f"{'  ' * level}[d] g group" for level in range(depth)))
    assert len(snapshot.spots) == depth + 1
    assert snapshot.spots[-1].path == "/g" * depth
    assert snapshot.root.end == depth + 1


def _deep(*lines: str) -> DeepLines:
    found = read_reply("read", "\r\n".join(lines)).get()
    assert isinstance(found, DeepLines)
    return found
