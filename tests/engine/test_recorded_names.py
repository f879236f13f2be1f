"""The names, roles, kinds and values that DOMShell 1.3.0 gave for the same pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from domsh_repl.nodes import Branch, Kind
from domsh_repl.roles import TEXT_LEAVES
from tests.conftest import LaneRunner
from tests.engine.walking import open_page

RECORDINGS = Path(__file__).parents[1] / "data" / "wire"
PAGES = ("form", "nav", "table", "shadow", "numeric")

TEXT_IS_A_LEAF = {"StaticText", "ListMarker"}
"""DOMShell gives each text a directory with its InlineTextBox inside, which says the same again."""

OTHER_SCRIPTS = {("table", "日本")}
"""DOMShell drops letters that are not ASCII and falls back on the node id; here they stay."""

_SIGNS = {"[d]": Kind.DIRECTORY, "[x]": Kind.INTERACTIVE, "[-]": Kind.STATIC}
_TREE_LINE = re.compile(r"((?:│   |    )*)[├└]── (\[[dx-]\]) (.+?)/?$")
_READ_LINE = re.compile(r'((?:  )*)(\S+) \[(\w+)\](?: "(.*)")?$')
_LONG_LINE = re.compile(r"(\[[dx-]\]) (\w+) +(.+?)/?$")


@dataclass(slots=True)
class Recorded:
    """An entry as it was recorded; what its reply does not tell is None."""

    name: str
    role: str | None = None
    kind: Kind | None = None
    value: str | None = None
    children: list[Recorded] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reply shows of the directory ``cwd``, ``depth`` levels deep."""

    command: str
    cwd: str
    depth: int
    children: list[Recorded]


def _replies(page: str) -> Iterator[Reply]:
    cwd: tuple[str, ...] = ()
    for text in (RECORDINGS / f"ext-1.3.0-{page}.jsonl").read_text().splitlines():
        exchange: dict[str, Any] = json.loads(text)
        command = str(exchange["command"])
        body = re.sub(r"\n\n\[lane: \w+\]$", "", exchange["reply"])
        if command.startswith("cd ") and body == "" and exchange["page"] == f"{page}.html":
            cwd = cwd[:-1] if command == "cd .." else (*cwd, command[3:])
        elif found := _parsed(command, body.replace("\r\n", "\n")):
            yield Reply(command, "/" + "/".join(cwd), *found)
        if command == "cd .." and not cwd:
            return  # the next one leaves the tab


def _parsed(command: str, body: str) -> tuple[int, list[Recorded]] | None:
    if command in ("ls --json", "ls -r --json"):
        return _listed(json.loads(body)["children"])
    if command == "ls -l":
        lines = map(_LONG_LINE.match, body.splitlines())
        return 1, [Recorded(m[3], m[2], _SIGNS[m[1]]) for m in lines if m]
    if re.fullmatch(r"tree( \d+)?", command):
        depth = int(command[5:] or 2)
        lines = map(_TREE_LINE.match, body.splitlines()[1:])
        return depth, _nested(
            (len(m[1]) // 4, Recorded(m[3], None, _SIGNS[m[2]])) for m in lines if m
        )
    if re.fullmatch(r"read( -d \d+)?", command):
        lines = map(_READ_LINE.match, body.splitlines()[1:])
        return 9, _nested(
            (len(m[1]) // 2 - 1, Recorded(m[2], m[3], None, m[4])) for m in lines if m
        )
    return None


def _listed(entries: list[dict[str, Any]]) -> tuple[int, list[Recorded]]:
    made = [
        Recorded(
            entry["name"],
            entry["role"],
            Kind(entry["type"]),
            str(entry["value"]) if "value" in entry else "",
        )
        for entry in entries
    ]
    top = [one for one in made if "/" not in one.name]
    by_name = {one.name: one for one in top}
    for one in made:
        parent, slash, name = one.name.partition("/")
        if slash:
            one.name = name
            by_name[parent].children.append(one)
    return (2 if len(top) < len(made) else 1), top


def _nested(lines: Iterator[tuple[int, Recorded]]) -> list[Recorded]:
    top = Recorded("")
    way = [top]
    for depth, one in lines:
        del way[depth + 1 :]
        way[-1].children.append(one)
        way.append(one)
    return top.children


CASES = [
    pytest.param(page, reply, id=f"{page}{reply.cwd}: {reply.command}")
    for page in PAGES
    for reply in _replies(page)
]


def test_the_recordings_hold_something_to_compare() -> None:
    assert len(CASES) >= 17


@pytest.mark.parametrize(("page", "reply"), CASES)
def test_an_entry_is_called_what_domshell_called_it(
    page: str, reply: Reply, lane: LaneRunner, pages: str
) -> None:
    open_page(lane, f"{pages}/{page}.html")
    tree: Branch = lane.value(f"tree {reply.cwd} -a -L {reply.depth}").tree
    _compare(page, tree, reply.children, reply.depth)


def _compare(page: str, ours: Branch, recorded: list[Recorded], depth: int) -> None:
    assert len(ours.children) == len(recorded), ours.path
    for mine, other in zip(ours.children, recorded, strict=True):
        _compare_entry(page, mine, other)
        if depth > 1 and mine.role not in TEXT_LEAVES:
            _compare(page, mine, other.children, depth - 1)


def _compare_entry(page: str, mine: Branch, other: Recorded) -> None:
    numbered = re.fullmatch(rf"{mine.role}_-?\d+", other.name)
    if (page, mine.name) in OTHER_SCRIPTS:
        assert numbered, other.name
    elif numbered:
        assert re.fullmatch(rf"{mine.role}_\d+", mine.name), mine.path
    else:
        assert mine.name == other.name, mine.path
    if other.role is not None:
        assert mine.role == other.role, mine.path
    if other.value is not None:
        assert str("" if mine.value is None else mine.value) == other.value, mine.path
    if other.kind is not None:
        expected = Kind.STATIC if mine.role in TEXT_IS_A_LEAF else other.kind
        assert mine.kind is expected, mine.path
