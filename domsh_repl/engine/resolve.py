"""From a path to nodes: names, indexes, globs, ``..``, and quoted text that may be a label."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.search import Search
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.errors import Ambiguous, NotEnterable, NotFound
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.safetext import escape

__all__ = ["Resolver"]

_SHOWN_NAMES = 6
_SHOWN_CANDIDATES = 8

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
        shown = ", ".join(spot.path for spot in found[:_SHOWN_CANDIDATES])
        more = (
            f" and {len(found) - _SHOWN_CANDIDATES} more" if len(found) > _SHOWN_CANDIDATES else ""
        )
        raise Ambiguous(
            f"{escape(str(path))} means {len(found)} nodes: {shown}{more}",
            "name one of them by its path",
        )

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
            raise NotFound(f"nothing matches {segment}", "`ls` shows what is there")
        return _distinct(found)

    async def _below(self, spot: Spot, segment: Segment, suitable: Suitable | None) -> list[Spot]:
        if segment.kind is SegmentKind.QUOTED:
            return await self._quoted(spot, segment.text, suitable)
        if segment.kind is SegmentKind.ANY_DEPTH:
            return [spot, *[below async for below in self._tree.walk(spot)]]
        children = await self._enter(spot, segment)
        if segment.kind is SegmentKind.NAME:
            found = [child for child in children if child.entries[-1].name == segment.text]
        elif segment.kind is SegmentKind.GLOB:
            found = [
                child for child in children if fnmatchcase(child.entries[-1].name, segment.text)
            ]
        else:
            same_role = [child for child in children if child.node.role == segment.text]
            found = same_role[segment.index : segment.index + 1]
        if not found:
            raise self._missing(spot, segment, children)
        return found

    async def _enter(self, spot: Spot, segment: Segment) -> list[Spot]:
        if not await self._tree.enterable(spot):
            raise NotFound(
                f"{spot.path} has nothing inside, so no {escape(str(segment))}",
                f"`cat {spot.path}` shows it",
                reached=spot.path,
            )
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
            fitting = _outermost(labelled)
        else:
            fitting = [one for one in labelled if suitable(one.node)] or labelled
        if not fitting:
            raise NotFound(
                f"nothing below {spot.path} is called or labelled {escape(text)!r}",
                f"`find --label` looks for a part of a label, `ls {spot.path}` shows what is there",
                reached=spot.path,
            )
        return fitting

    @staticmethod
    def _missing(spot: Spot, segment: Segment, children: Sequence[Spot]) -> NotFound:
        names = [child.entries[-1].name for child in children]
        near = difflib.get_close_matches(segment.text, names, 1, 0.5)
        there = ", ".join(names[:_SHOWN_NAMES]) or "nothing"
        more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
        wanted = escape(str(segment))
        hint = f"did you mean {near[0]}?" if near else f"`ls {spot.path}` shows what is there"
        if segment.kind is SegmentKind.NAME and not near:
            hint += f'; a label stands in quotes: "{wanted}"'
        return NotFound(
            f"no {wanted} in {spot.path} (there is {there}{more})", hint, reached=spot.path
        )


def _outermost(spots: Sequence[Spot]) -> list[Spot]:
    """Leave out what is inside another one: a region and its heading are called alike."""
    return [spot for spot in spots if not any(spot.inside(other) for other in spots)]


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    return list({spot.path: spot for spot in spots}.values())
