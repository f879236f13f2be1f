"""The outline of a page: headings, landmarks, fields and links, as a screen reader lists them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from domsh_repl.aria import LANDMARKS, NAMED_LANDMARKS, OUTLINED_FIELDS
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.query import Query
from domsh_repl.engine.tree import Spot
from domsh_repl.nodes import Node, Outline, OutlineEntry
from domsh_repl.paths import Path

__all__ = ["outline"]

_LISTED = {
    "--headings": frozenset({"heading"}),
    "--landmarks": LANDMARKS,
    "--fields": OUTLINED_FIELDS,
    "--links": frozenset({"link"}),
}
_UNTOLD = ("--headings", "--landmarks")
_UNLEVELLED_HEADING = 2
"""The level of a heading that names none (ARIA 1.3, aria-level)."""


async def outline(desk: Desk, line: CommandLine, path: Path) -> Outline:
    """Return what is listed of all below a node; headings and landmarks unless told otherwise."""
    wanted = [name for name in _LISTED if line.has(name)] or _UNTOLD
    roles = frozenset[str]().union(*(_LISTED[name] for name in wanted))
    top = await desk.resolver.one(path)
    found = (await desk.search.find(top, Query(roles=roles))).spots
    spots = [spot for spot in found if spot.node.role not in LANDMARKS or _is_landmark(spot)]
    nodes = await desk.tree.nodes(spots)
    pairs = zip(spots, nodes, strict=True)
    return Outline(tuple(_entry(node, _level(spot)) for spot, node in pairs))


def _is_landmark(spot: Spot) -> bool:
    role = spot.node.role
    return role in LANDMARKS and (role not in NAMED_LANDMARKS or bool(spot.node.name.strip()))


def _level(spot: Spot) -> int:
    if spot.node.role == "heading":
        level: Any = spot.node.properties.get("level")
        return int(level) if isinstance(level, (int, float)) and level else _UNLEVELLED_HEADING
    around, above = 0, spot.parent()
    while not above.is_root:
        around += _is_landmark(above)
        above = above.parent()
    return 1 + around


def _entry(node: Node, level: int) -> OutlineEntry:
    facts = {field.name: getattr(node, field.name) for field in fields(Node)}
    return OutlineEntry(**facts, level=level)
