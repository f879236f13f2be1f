"""From a path to nodes: names, indexes, globs, ``..``, and quoted text that may be a label."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.search import Search
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.errors import NotEnterable, NotFound
from domsh_repl.lookup import (
    ambiguous,
    fitting,
    missing,
    nothing_inside,
    nothing_matches,
    unlabelled,
)
from domsh_repl.paths import Path, Segment, SegmentKind

__all__ = ["Resolver"]

Suitable = Callable[[AxNode], bool]


class Resolver:
    """Finds what a path means in one tree; quoted text is looked up by ``search``."""

    def __init__(self, tree: Tree, search: Search) -> None:
        self._tree = tree
        self._search = search

    async def one(self, path: Path, *, suitable: Suitable | None = None) -> Spot:
        """Return the only node that the path means.

        ``suitable`` narrows labels to the nodes that an action can act on. Raises ``NotFound``
        and ``Ambiguous``, which lists the candidates: an action never takes the first.
        """
        found = await self.all(path, suitable=suitable)
        if len(found) == 1:
            return found[0]
        raise ambiguous(path, [spot.path for spot in found])

    async def all(self, path: Path, *, suitable: Suitable | None = None) -> list[Spot]:
        """Return every node that the path means, in document order; never none."""
        spots = [await self._tree.root()]
        for segment in path.segments:
            spots = await self._step(spots, segment, suitable)
        if path.may_match_many and len(spots) > 1:
            keyed = [(await self._tree.key(spot), spot) for spot in spots]
            spots = [spot for _, spot in sorted(keyed, key=lambda pair: pair[0])]
        return spots

    async def _step(
        self, spots: Sequence[Spot], segment: Segment, suitable: Suitable | None
    ) -> list[Spot]:
        if segment.kind is SegmentKind.PARENT:
            return _distinct([spot.parent() for spot in spots])
        found: list[Spot] = []
        failures: list[NotFound | NotEnterable] = []
        for spot in spots:
            try:
                found += await self._below(spot, segment, suitable)
            except (NotFound, NotEnterable) as failure:
                failures.append(failure)
        if not found and failures:
            raise failures[0]
        if not found:
            raise nothing_matches(segment)
        return _distinct(found)

    async def _below(self, spot: Spot, segment: Segment, suitable: Suitable | None) -> list[Spot]:
        if segment.kind is SegmentKind.QUOTED:
            return await self._quoted(spot, segment.text, suitable)
        if segment.kind is SegmentKind.ANY_DEPTH:
            return [spot, *[below async for below in self._tree.walk(spot)]]
        children = await self._enter(spot, segment)
        found = fitting(children, segment, _name_and_role)
        if not found:
            raise missing(spot.path, segment, [child.entries[-1].name for child in children])
        return list(found)

    async def _enter(self, spot: Spot, segment: Segment) -> list[Spot]:
        if not await self._tree.enterable(spot):
            raise nothing_inside(spot.path, segment)
        return await self._tree.children(spot)

    async def _quoted(self, spot: Spot, text: str, suitable: Suitable | None) -> list[Spot]:
        """Take quoted text as a name or a path of names; failing that as a label."""
        try:
            path = Path.of_names(text)
            found = [await self._tree.root()] if path.absolute else [spot]
            for segment in path.segments:
                found = await self._step(found, segment, suitable)
        except (NotFound, NotEnterable):
            found = []
        if found and text.strip():
            return found
        labelled = await self._search.labelled(spot, text)
        if suitable is None:
            meant = _outermost(labelled)
        else:
            meant = [one for one in labelled if suitable(one.node)] or labelled
        if not meant:
            raise unlabelled(spot.path, text)
        return meant


def _name_and_role(spot: Spot) -> tuple[str, str]:
    return spot.entries[-1].name, spot.node.role


def _outermost(spots: Sequence[Spot]) -> list[Spot]:
    """Leave out what is inside another one: a region and its heading are called alike."""
    return [spot for spot in spots if not any(spot.inside(other) for other in spots)]


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    return list({spot.path: spot for spot in spots}.values())
