"""A table of a page as data."""

from __future__ import annotations

from typing import Any

from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.query import Query
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import call_on, element_of
from domsh_repl.errors import Failed, NotFound
from domsh_repl.lookup import ambiguous
from domsh_repl.nodes import Table
from domsh_repl.paths import Path

__all__ = ["table"]

_ROLES = frozenset({"table", "grid", "treegrid", "LayoutTable"})


async def table(desk: Desk, line: CommandLine, path: Path) -> Table:
    """Return the table that a path means, or the only one below it."""
    del line
    spot = await desk.resolver.one(path, suitable=_is_table)
    if not _is_table(spot.node):
        spot = await _only_one(desk, spot, path)
    found = await _read(spot)
    if found is None:
        raise NotFound(f"{spot.path} is no table", "`find --type table` lists them")
    if found.get("refused"):
        raise Failed(f"{spot.path} has more cells than a command gives", "`text` reads it")
    rows = tuple(tuple(map(str, row)) for row in found["rows"])
    return Table(spot.path, tuple(map(str, found["header"])), rows)


async def _only_one(desk: Desk, spot: Spot, path: Path) -> Spot:
    """Return the table below a node that is none; raises ``NotFound`` and ``Ambiguous``."""
    below = (await desk.search.find(spot, Query(roles=_ROLES))).spots
    tables = [one for one in below if not any(one.inside(other) for other in below)]
    if not tables:
        raise NotFound(
            f"{spot.path} is no table and holds none", "`find / --type table` lists those there are"
        )
    if len(tables) > 1:
        raise ambiguous(path, [one.path for one in tables])
    return tables[0]


async def _read(spot: Spot) -> dict[str, Any] | None:
    element = await element_of(spot.frame, spot.node.backend)
    read = await call_on(spot.session, element, "table", by_value=True)
    value: dict[str, Any] | None = read.get("value")
    return value


def _is_table(node: AxNode) -> bool:
    return node.role in _ROLES
