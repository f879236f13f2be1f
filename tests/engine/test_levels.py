"""Only the levels on a path are read, and what is kept is never older than the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domsh_repl.errors import NotFound, Stale
from domsh_repl.nodes import Node
from tests.bench.pages import MEDIUM, nested_links
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.walking import open_page, script
from tests.site_server import serving

_SECTIONS, _LINKS = MEDIUM
_A_LEVEL = 2 * _LINKS + 2 * _SECTIONS + 60
"""Nodes of the levels from the root of the page of nested links to one section's links, at most."""


@pytest.fixture(scope="module")
def big(engine: EngineRunner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LaneRunner]:
    folder = tmp_path_factory.mktemp("big")
    name = nested_links(folder, *MEDIUM).name
    with serving(folder) as url:
        lane = LaneRunner(engine)
        open_page(lane, f"{url}/{name}")
        yield lane
        lane.close()


def _fetched(lane: LaneRunner, line: str) -> int:
    before = lane.desk.tree.store.fetched
    lane.value(line)
    return int(lane.desk.tree.store.fetched - before)


_SECTION = "/contents/sections/listitem_7/links_of_section_6"


@pytest.mark.parametrize(
    "line",
    [
        f"ls {_SECTION}",
        f"cd {_SECTION}",
        f"cat {_SECTION}/listitem_3/link_602_of_6_link",
        f"click {_SECTION}/listitem_4/link_603_of_6_link",
        f"ls {_SECTION} -l -n 5",
        "ls /contents/sections",
    ],
)
def test_a_command_reads_only_the_levels_on_its_path(big: LaneRunner, line: str) -> None:
    big.desk.tree.store.clear()
    assert 0 < _fetched(big, line) < _A_LEVEL


def test_what_was_read_is_not_read_again(big: LaneRunner) -> None:
    big.value(f"ls {_SECTION}")
    _let_settle(big)
    big.value(f"ls {_SECTION}")
    assert _fetched(big, f"ls {_SECTION}") == 0
    assert _fetched(big, f"cd {_SECTION}") == 0


def test_one_match_costs_little_more_than_its_path(big: LaneRunner) -> None:
    for line in (
        'find --label "needle in the"',
        'grep -r "^Needle" /',
        "find --name last_button_btn",
        "cat --escaped /%22Needle%20in%20the%20middle%22",
    ):
        big.desk.tree.store.clear()
        assert _fetched(big, line) < _A_LEVEL, line


def test_a_link_with_nothing_but_text_is_not_looked_into(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    folder, url = served
    links = "".join(f"<a href='#{n}'>Link <b>{n}</b></a>" for n in range(300))
    (folder / "flat.html").write_text(
        f"<main aria-label=Flat>{links}<a href=#><em>in</em></a></main>"
    )
    open_page(lane, f"{url}/flat.html")
    lane.value("ls /flat -n 1")
    _let_settle(lane)
    lane.value("ls /flat -n 1")
    assert _fetched(lane, "ls /flat -n 200") == 0
    assert _fetched(lane, "ls /flat -n 400") == 1
    assert [node.name for node in lane.value("ls /flat").entries if node.enterable] == ["in_link"]


_CHANGING = """<!doctype html><title>Changing</title><main aria-label=Main>
<div><section aria-label=Box><button id=b>First</button><p id=p>text</p></section></div>
<input aria-label=Field id=i value=old><input type=checkbox aria-label=Check id=c>
<a href=# id=a>Link</a><ul aria-label=List id=u><li>one</li></ul>
<iframe title=frame srcdoc="<button>Inner</button>"></iframe></main>
<script>
new_ = (tag, textContent) => Object.assign(document.createElement(tag), {textContent})
</script>
"""

_CHANGES = {
    "text": ("p.textContent = 'other'", "/main/box/paragraph_1", "other", "label"),
    "label": ("b.textContent = 'Renamed'", "/main/box", "renamed_btn", "name"),
    "aria-label": ("b.ariaLabel = 'Labelled'", "/main/box", "labelled_btn", "name"),
    "insert": ("b.before(new_('button', 'New'))", "/main/box", "new_btn", "name"),
    "insert into a wrapper": (
        "p.innerHTML = '<span><i><button>Deep</button></i></span>'",
        "/main/box/paragraph_1",
        "deep_btn",
        "name",
    ),
    "role": ("b.setAttribute('role', 'switch')", "/main/box", "switch", "role"),
    "disabled": ("b.disabled = true", "/main/box", "disabled", "states"),
    "value": ("i.value = 'new'", "/main", "new", "value"),
    "focus": ("i.focus()", "/main", "focused", "states"),
    "checked": ("c.checked = true", "/main", "checked", "states"),
    "current": ("a.setAttribute('aria-current', 'page')", "/main", "current", "states"),
    "item": ("u.append(new_('li', 'two'))", "/main/list", "listitem_2", "name"),
    "innerHTML": ("u.innerHTML = '<li aria-label=swapped>x</li>'", "/main/list", "swapped", "name"),
    "in a frame": (
        "frames[0].document.querySelector('button').textContent = 'Else'",
        "/main/frame",
        "else_btn",
        "name",
    ),
}


@pytest.mark.parametrize("kind", _CHANGES)
def test_a_kept_level_is_never_older_than_the_page(
    lane: LaneRunner, served: tuple[Path, str], kind: str
) -> None:
    change, where, expected, field = _CHANGES[kind]
    _open_changing(lane, served)
    assert expected not in _shown(lane, where, field)
    script(lane, f"void ({change})")
    assert expected in _shown(lane, where, field)


def test_a_link_that_gets_more_than_text_can_be_entered(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open_changing(lane, served)
    assert not lane.value("cat /main/link_link").cards[0].enterable
    script(lane, "void (a.innerHTML = '<span>Link <span id=s></span></span>')")
    assert not lane.value("cat /main/link_link").cards[0].enterable
    script(lane, "void (s.innerHTML = '<img alt=Picture src=\"data:,\">')")
    assert _shown(lane, "/main/link_picture_link", "name") == ["link", "picture_img"]


def test_many_changes_in_a_row_are_all_seen(lane: LaneRunner, served: tuple[Path, str]) -> None:
    _open_changing(lane, served)
    for number in range(60):
        script(lane, f"b.textContent = 'Number {number}'")
        assert f"number_{number}_btn" in _shown(lane, "/main/box", "name")


def test_what_is_removed_is_gone_and_its_parent_told(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open_changing(lane, served)
    assert "first_btn" in _shown(lane, "/main/box", "name")
    script(lane, "b.remove()")
    assert "first_btn" not in _shown(lane, "/main/box", "name")
    script(lane, "document.querySelector('section').remove()")
    with pytest.raises(NotFound) as caught:
        lane.value("ls /main/box")
    assert caught.value.reached == "/main"


def test_a_move_within_the_document_keeps_levels_and_a_new_document_drops_them(
    lane: LaneRunner, served: tuple[Path, str], pages: str
) -> None:
    _open_changing(lane, served)
    lane.value("ls /main")
    _let_settle(lane)
    lane.value("ls /main")
    script(lane, "history.pushState(0, '', '/elsewhere')")
    assert _fetched(lane, "ls /main") == 0
    script(lane, "history.back()")
    open_page(lane, f"{pages}/alpha.html")
    assert _shown(lane, "/", "name") == ["alpha_btn", "go_link"]


def test_a_frame_that_navigates_shows_its_new_document(
    lane: LaneRunner, served: tuple[Path, str], pages: str
) -> None:
    _open_changing(lane, served)
    assert "inner_btn" in _shown(lane, "/main/frame", "name")
    for url, name in ((f"{pages}/alpha.html", "alpha_btn"), (f"{pages}/beta.html", "beta_btn")):
        done = f"new Promise(r => {{ f.onload = r; f.removeAttribute('srcdoc'); f.src = '{url}' }})"
        _awaited(lane, f"f = document.querySelector('iframe'), {done}")
        assert name in _shown(lane, "/main/frame", "name")


def test_a_node_that_went_away_while_it_was_read_is_stale(
    lane: LaneRunner, served: tuple[Path, str]
) -> None:
    _open_changing(lane, served)
    store = lane.desk.tree.store
    root = lane.run(lane.desk.tree.root())
    level = lane.run(lane.desk.tree.level(root))
    script(lane, "document.querySelector('main').remove()")
    store.clear()
    with pytest.raises(Stale):
        lane.run(store.read(level.entries[0].place))


def _open_changing(lane: LaneRunner, served: tuple[Path, str]) -> None:
    folder, url = served
    (folder / "changing.html").write_text(_CHANGING)
    open_page(lane, f"{url}/changing.html")


def _let_settle(lane: LaneRunner) -> None:
    """Wait for the time after the first reading of a document in which nothing is kept."""
    _awaited(lane, "new Promise(r => setTimeout(r, 600))")


def _awaited(lane: LaneRunner, expression: str) -> None:
    async def evaluated() -> None:
        await lane.lane.page.main.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=False
        )

    lane.run(evaluated())


def _shown(lane: LaneRunner, where: str, field: str) -> list[object]:
    entries: tuple[Node, ...] = lane.value(f"ls {where} -a").entries
    values = [getattr(node, field) for node in entries]
    return [one for value in values for one in (value if isinstance(value, tuple) else [value])]
