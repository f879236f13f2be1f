"""Every name that is shown can be typed back, from anywhere, and reaches that same node."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path as FilePath

import pytest

from domsh_repl.engine.tree import Spot
from domsh_repl.errors import NotEnterable
from domsh_repl.nodes import Branch, Node
from domsh_repl.paths import Path
from domsh_repl.safetext import has_unsafe
from tests.conftest import LaneRunner
from tests.engine.walking import QUIET_PAGES, all_below, open_page

_FORBIDDEN = re.compile(r"""^[-~@]|[*?\[\]/\\"'\s]|^\.{1,2}$""")


@pytest.mark.parametrize("page", QUIET_PAGES)
def test_every_name_of_a_page_reaches_its_node(lane: LaneRunner, pages: str, page: str) -> None:
    open_page(lane, f"{pages}/{page}")
    walked = {spot.path: spot for spot in lane.run(_walked(lane))}
    shown = _shown_paths(lane)
    assert shown["ls"] == list(walked), "ls -R shows what a walk finds"
    assert shown["tree"] == list(walked)
    assert set(shown["find"]) <= set(walked)
    assert set(shown["grep"]) <= set(walked)
    for spot in walked.values():
        _check_name(spot.entries[-1].name)
        _check_reached(lane, spot)


@pytest.mark.parametrize("page", QUIET_PAGES)
def test_siblings_never_share_a_name(lane: LaneRunner, pages: str, page: str) -> None:
    open_page(lane, f"{pages}/{page}")
    walked = lane.run(_walked(lane))
    assert len({spot.path for spot in walked}) == len(walked)


def test_names_of_a_frame_reach_nodes_of_the_frame(
    lane: LaneRunner, served: tuple[FilePath, str]
) -> None:
    folder, url = served
    inner = "<button>Pay</button><iframe title=deep srcdoc='<button>Pay</button>'></iframe>"
    (folder / "inner.html").write_text(inner)
    (folder / "outer.html").write_text(
        "<button>Pay</button><iframe title=card src=inner.html></iframe>"
    )
    open_page(lane, f"{url}/outer.html")
    paths = ["/pay_btn", "/card/pay_btn", "/card/deep/pay_btn"]
    assert [match.path for match in lane.value("find --name pay_btn").matches] == paths
    spots = [lane.run(lane.desk.resolver.one(Path.of_names(path))) for path in paths]
    assert len({(spot.session.id, spot.node.backend) for spot in spots}) == 3
    assert lane.value("cd /card/deep").path == "/card/deep"


async def _walked(lane: LaneRunner) -> list[Spot]:
    await lane.desk.tree.validate()
    return await all_below(lane, await lane.desk.tree.root())


def _shown_paths(lane: LaneRunner) -> dict[str, list[str]]:
    def paths(nodes: tuple[Node, ...]) -> list[str]:
        return [node.path for node in nodes]

    tree = lane.value("tree / -a -L 60").tree
    return {
        "ls": paths(lane.value("ls / -R -a -n 0").entries),
        "tree": [branch.path for child in tree.children for branch in _branches(child)],
        "find": paths(lane.value('find --name "*"').matches),
        "grep": paths(lane.value("grep -r . /").matches),
    }


def _branches(branch: Branch) -> list[Branch]:
    return [branch, *(below for child in branch.children for below in _branches(child))]


def _check_name(name: str) -> None:
    assert _FORBIDDEN.search(name) is None, name
    assert not has_unsafe(name), name
    assert all(
        unicodedata.category(character)[0] in "LMN" for character in re.sub("[-_]", "", name)
    )
    assert any(unicodedata.category(character)[0] in "LN" or character == "_" for character in name)


def _check_reached(lane: LaneRunner, spot: Spot) -> None:
    reached = lane.run(lane.desk.resolver.one(Path.parse(spot.path)))
    assert (reached.session.id, reached.node.id) == (spot.session.id, spot.node.id), spot.path
    card = lane.value(f"cat {spot.path}").cards[0]
    assert (card.path, card.role, card.label) == (spot.path, spot.node.role, spot.node.name)
    if card.enterable:
        assert lane.value(f"cd {spot.path}").path == spot.path
    else:
        with pytest.raises(NotEnterable):
            lane.value(f"cd {spot.path}")
