"""``ls`` and ``tree``: what is an entry, what can be entered, and how much is shown at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domsh_repl.engine.tree import Tree
from domsh_repl.errors import NotEnterable, UsageError
from domsh_repl.jsonform import decode, encode
from domsh_repl.nodes import Branch, Kind, Node
from domsh_repl.nodes import Tree as TreeValue
from domsh_repl.safetext import json_text
from tests.conftest import LaneRunner
from tests.engine.walking import open_page


def _write(served: tuple[Path, str], markup: str) -> str:
    folder, url = served
    (folder / "page.html").write_text(f"<!doctype html><title>Page</title>{markup}")
    return f"{url}/page.html"


def _names(entries: tuple[Node, ...] | tuple[Branch, ...]) -> list[str]:
    return [entry.name for entry in entries]


def test_wrappers_give_way_to_what_they_hold(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/wrapped_levels.html")
    assert _names(lane.value("ls /main_1").entries) == ["box", "deep", "text", "deep_btn"]
    assert _names(lane.value("ls /main_1/box/list").entries) == ["listitem_1"]


def test_whatever_has_children_can_be_entered_interactive_or_not(
    lane: LaneRunner, pages: str
) -> None:
    open_page(lane, f"{pages}/widgets.html")
    card = lane.value("cat /link_link").cards[0]
    assert (card.kind, card.enterable) == (Kind.INTERACTIVE, True)
    assert _names(lane.value("ls /link_link/article_1").entries) == [
        "card_title_heading",
        "paragraph_1",
        "card_picture_img",
    ]
    assert lane.value("cd /files/src").path == "/files/src"


def test_the_inside_of_a_field_is_not_listed(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/stubborn_fields.html")
    for name in ("t_input", "day", "long_input", "rich_input"):
        with pytest.raises(NotEnterable):
            lane.value(f"cd /{name}")
        assert _names(lane.value(f"ls /{name}").entries) == [name]


def test_list_markers_are_shown_on_demand(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/lists.html")
    assert _names(lane.value("ls /plain/listitem_1").entries) == ["one"]
    assert _names(lane.value("ls -a /plain/listitem_1").entries) == ["1", "one"]


def test_a_directory_is_listed_in_pages(lane: LaneRunner, served: tuple[Path, str]) -> None:
    open_page(lane, _write(served, "".join(f"<button>b{n}</button>" for n in range(1200))))
    first = lane.value("ls /")
    assert (len(first.entries), first.total, first.offset) == (1000, 1200, 0)
    rest = lane.value("ls / --offset 1000")
    assert (_names(rest.entries)[0], len(rest.entries), rest.offset) == ("b1000_btn", 200, 1000)
    assert _names(lane.value("ls / -n 2 --offset 7").entries) == ["b7_btn", "b8_btn"]
    assert lane.value("ls / --offset 9999").entries == ()


def test_entries_of_one_role_are_counted_by_themselves(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/form.html")
    listing = lane.value("ls /main_area/signup_form --type button")
    assert (listing.total, _names(listing.entries)[-1]) == (3, "save_btn")


@pytest.mark.parametrize(("depth", "cut_at"), [(1, "/a"), (2, "/a/b"), (3, "/a/b/c")])
def test_a_tree_is_cut_at_its_depth_and_counts_what_is_inside(
    lane: LaneRunner, served: tuple[Path, str], depth: int, cut_at: str
) -> None:
    open_page(lane, _write(served, _groups("abcd")))
    branch: Branch = lane.value(f"tree / -L {depth}").tree
    for _ in range(depth):
        assert (len(branch.children), branch.more) == (1, 0)
        branch = branch.children[0]
    assert (branch.path, branch.children, branch.more) == (cut_at, (), 1)


def test_a_tree_is_three_levels_deep_unless_asked(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    open_page(lane, _write(served, _groups("abcd")))
    assert lane.value("tree /") == lane.value("tree / -L 3")
    with pytest.raises(UsageError):
        lane.value("tree / -L 0")


def test_a_tree_of_many_branches_keeps_each_with_its_own(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    rows = "".join(f"<ul aria-label=u{n}>{'<li>x</li>' * (n % 3)}</ul>" for n in range(6))
    open_page(lane, _write(served, rows))
    tree = lane.value("tree / -L 2").tree
    assert [len(branch.children) for branch in tree.children] == [0, 1, 2, 0, 1, 2]
    assert all(child.path.startswith(b.path + "/") for b in tree.children for child in b.children)


def test_a_page_of_three_hundred_nested_groups_is_no_trouble(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    open_page(lane, _write(served, "".join("<div role=group aria-label=g>" for _ in range(300))))
    bottom = "/g" * 300
    assert lane.value(f"cat {bottom}").cards[0].path == bottom
    value = lane.value("tree / -L 300")
    text = json_text(encode(value))
    assert json_text(encode(decode(TreeValue, json.loads(text)))) == text
    assert not lane.reply("tree / -L 300 --envelope").failed
    assert not lane.reply("tree / -L 300").failed
    branch = lane.value("tree / -L 100000").tree
    depth = 0
    while branch.children:
        branch, depth = branch.children[0], depth + 1
    assert (depth, branch.more) == (300, 0)
    assert len(lane.value("find --label g").matches) == 300


def test_current_is_a_state_though_the_tree_does_not_know_it(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    markup = (
        "<nav aria-label=Top><a href=#>Home</a><a href=# aria-current=page>Teas</a>"
        "<a href=# aria-current=false>Cart</a></nav><ul aria-label=Steps>"
        "<li aria-current=step aria-label=two>x</li></ul><x-a></x-a><iframe title=in srcdoc="
        "'<a href=# aria-current=page>There</a>'></iframe><script>"
        "document.querySelector('x-a').attachShadow({mode: 'closed'}).innerHTML ="
        " '<button aria-current=true>Shut in</button>'</script>"
    )
    open_page(lane, _write(served, markup))
    states = {node.name: node.states for node in lane.value("ls /top").entries}
    assert states == {"home_link": (), "teas_link": ("current",), "cart_link": ()}
    assert lane.value("cat /steps/two").cards[0].states == ("current",)
    found = lane.value("find --state current").matches
    assert [match.path for match in found] == [
        "/top/teas_link",
        "/steps/two",
        "/shut_in_btn",
        "/in/there_link",
    ]
    assert all(match.states == ("current",) for match in found)


def test_many_spots_are_valued_in_one_flight(lane: LaneRunner, pages: str) -> None:
    open_page(lane, f"{pages}/nav.html")
    tree: Tree = lane.desk.tree
    spots = lane.run(tree.children(lane.run(tree.root())))
    assert lane.run(tree.nodes(spots)) == tuple(lane.run(tree.node(spot)) for spot in spots)


def _groups(names: str) -> str:
    return "".join(f"<div role=group aria-label={name}>" for name in names)
