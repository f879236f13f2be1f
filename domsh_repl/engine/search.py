"""Searches the page without reading its whole tree, and answers as if it had (docs/design.md, 8).

One scan in the page reports every element and text with its computed name; ``Prefilter``
keeps what could match; only those are looked up in the accessibility tree, which has the last
word. What a scan cannot see into (media controls, generated text, list markers) is looked at
in the tree around it. Where a browser computes no names for us, the tree is walked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.axnode import shown_id
from domsh_repl.engine.cdp import CdpError, user_error
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.mutations import MutationWatch
from domsh_repl.engine.naming import NAME_LIMIT
from domsh_repl.engine.needs import DROPPED, UNSTEADY, needs_of
from domsh_repl.engine.page import Page
from domsh_repl.engine.prefilter import Prefilter, Row, accepted_roles
from domsh_repl.engine.query import CURRENT, Query, without_inner_text
from domsh_repl.engine.roots import ClosedRoots, items_at
from domsh_repl.engine.survey import CURRENT_SELECTOR
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.engine.worlds import document_of, element_of
from domsh_repl.errors import Stale, UsageError
from domsh_repl.roles import FRAMES, SUFFIXES, TEXT_LEAVES

__all__ = ["Found", "Search"]

_MOST_LOOKED_UP = 1500
_NODES_A_LOOK_UP = 8
"""Looking up one candidate costs what walking over so many nodes does; few are always looked up."""
_SCANS = 6
"""Times that a page which replaces what is being looked up is scanned."""
_BATCH = 100
_INSIDE_KINDS = frozenset({"z", "f"})
_AROUND_KINDS = frozenset({"l", "g"})
_REPORT = """function() {
  return { rows: this.rows, flags: this.flags, refused: this.refused === true };
}"""


@dataclass(frozen=True, slots=True)
class Found:
    """The matches in document order, up to the limit; ``total`` as in ``nodes.Matches``."""

    spots: tuple[Spot, ...]
    total: int

    @classmethod
    def of(cls, spots: Sequence[Spot], limit: int) -> Found:
        """Return as many as are wanted (0: all) of what was found."""
        return cls(tuple(spots[:limit] if limit else spots), len(spots))


@dataclass(frozen=True, slots=True)
class _Area:
    """A part of the page that one scan sees: a DOM root and the tree node it hangs from."""

    frame: Frame
    object_id: str
    base: Spot
    scope: Spot


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A match and where it stands in document order."""

    key: tuple[int, ...]
    spot: Spot


@dataclass(frozen=True, slots=True)
class _Scan:
    """What one scan reported; ``nodes`` counts all that it saw."""

    locator: _Locator
    items_id: str
    rows: Sequence[Row]
    nodes: int
    transforms: bool

    @property
    def area(self) -> _Area:
        """Where it looked."""
        return self.locator.area

    def around(self, place: int) -> Iterator[int]:
        """Yield the rows of the elements around a text, from the inside out; none for others."""
        around = self.rows[place][3] if self.rows[place][0] == "t" else -1
        while around >= 0:
            yield around
            around = self.rows[around][3]


class _TooMany(Exception):  # noqa: N818  (a signal, not an error)
    """So many candidates that a walk is cheaper."""


class Search:
    """Finds nodes of one page's tree."""

    def __init__(self, page: Page, tree: Tree, *, names_computed: bool) -> None:
        self._page = page
        self._tree = tree
        self._names_computed = names_computed

    async def find(self, top: Spot, query: Query, limit: int = 0) -> Found:
        """Return what matches below ``top``; at most ``limit`` (0: all) nodes."""
        if self._must_walk(query):
            return await self.walk(top, query, limit)
        try:
            spots = await self._scan_at_rest(top, query)
        except _TooMany:
            return await self.walk(top, query, limit)
        except CdpError as error:
            if error.page_changed or query.in_page:
                raise user_error(error) from error
            return await self.walk(top, query, limit)  # the tree knows all that a scan does
        if top.is_root and not query.in_page:
            spots = await self._with_bubbles(top, query, spots)
        return Found.of(without_inner_text(spots), limit)

    async def _with_bubbles(self, top: Spot, query: Query, spots: list[Spot]) -> list[Spot]:
        """Add what Chromium itself shows beside the document: why it rejects a field."""
        known = {spot.path for spot in spots}
        found: list[Spot] = []
        for child in await self._tree.children(top):
            if child.node.role != "alert":
                continue
            inside = [child, *[spot async for spot in self._tree.walk(child)]]
            found += [one for one in inside if one.path not in known and query.matches(one)]
        if not found:
            return spots
        keyed = [(await self._tree.key(spot), spot) for spot in (*spots, *found)]
        return [spot for _, spot in sorted(keyed, key=lambda pair: pair[0])]

    async def walk(self, top: Spot, query: Query, limit: int = 0) -> Found:
        """Return what matches by looking at every node below ``top``, to the one past ``limit``."""
        found: list[Spot] = []
        async for spot in self._tree.walk(top):
            if query.matches(spot) and await self._is_current(spot, query):
                found.append(spot)
                if limit and len(without_inner_text(found)) > limit:
                    break
        return Found.of(without_inner_text(found), limit)

    async def _is_current(self, spot: Spot, query: Query) -> bool:
        return query.state != CURRENT or CURRENT in await self._tree.states(spot)

    async def labelled(self, top: Spot, text: str) -> list[Spot]:
        """Return the nodes below ``top`` with that label: exactly, else without case.

        The text of a field's label, or of a heading, counts only where nothing else is called so.
        """
        if not text.strip():
            return []
        folded = (await self.find(top, Query(folded_label=text))).spots
        exact = [spot for spot in folded if spot.node.name == text]
        found = without_inner_text(exact or folded)
        return [spot for spot in found if spot.node.role not in TEXT_LEAVES] or found

    async def locate(self, near: Spot, object_id: str, *, nearest: bool = False) -> Spot | None:
        """Return the node of an element in the document of ``near``; None where none shows it.

        ``nearest`` takes the closest node around it that is shown.
        """
        area = await self._area_of(near)
        if area is None:
            return None
        return await _Locator(self._tree, area).locate(object_id, nearest=nearest)

    def _must_walk(self, query: Query) -> bool:
        """Tell whether no scan can answer: no names, or what matches has no letter or element."""
        if query.in_page:
            return False
        label = query.label or query.exact_label or query.folded_label
        if label and not label.strip():
            return True
        text_role = query.role in TEXT_LEAVES
        return not self._names_computed or query.inverted or text_role or bool(query.state)

    async def _scan_at_rest(self, top: Spot, query: Query) -> list[Spot]:
        """Scan until no candidate was replaced while it was looked up: it may well be there."""
        for _ in range(_SCANS):
            watch, area = await asyncio.gather(MutationWatch.of(self._page), self._area_of(top))
            spots, lost = await self._scan(area, query)
            if not lost:
                watch.give_up()
                return spots
            if not await watch.saw_change():
                return spots
            await self._tree.validate()
        raise Stale("the page changes too fast to be searched", "a path finds what it names")

    async def _scan(self, top: _Area | None, query: Query) -> tuple[list[Spot], bool]:
        """Return the matches, and whether the tree did not know some candidate."""
        found: dict[str, _Keyed] = {}
        lost = False
        areas = [top]
        while areas:
            area = areas.pop()
            if area is not None:
                scan = await self._scanned(area, query)
                places = self._worth_looking_up(scan, query)
                await self._look_up(scan, query, places, found)
                areas += await self._zones_and_frames(scan, query, found)
                lost = lost or scan.locator.lost
        return [keyed.spot for keyed in sorted(found.values(), key=lambda keyed: keyed.key)], lost

    def _worth_looking_up(self, scan: _Scan, query: Query) -> list[int]:
        prefilter = Prefilter(query, transforms=scan.transforms, nodes=scan.nodes)
        places = list(prefilter.candidates(scan.rows))
        most = max(_MOST_LOOKED_UP, scan.nodes // _NODES_A_LOOK_UP)
        if len(places) > most and not query.in_page:
            raise _TooMany
        return places

    async def _look_up(
        self, scan: _Scan, query: Query, places: Sequence[int], found: dict[str, _Keyed]
    ) -> None:
        """Look up the candidates, elements first: a text inside a match need not be looked at."""
        matched: set[int] = set()
        elements = [place for place in places if scan.rows[place][0] != "t"]
        texts = [place for place in places if scan.rows[place][0] == "t"]
        for kind in (elements, texts):
            for start in range(0, len(kind), _BATCH):
                batch = kind[start : start + _BATCH]
                left = [place for place in batch if matched.isdisjoint(scan.around(place))]
                objects = await items_at(scan.area.frame.session, scan.items_id, left)
                looked_up = await asyncio.gather(
                    *(
                        self._looked_up(scan, query, object_id, scan.rows[place][0])
                        for place, object_id in zip(left, objects, strict=True)
                    )
                )
                for place, part in zip(left, looked_up, strict=True):
                    found.update((keyed.spot.path, keyed) for keyed in part)
                    if part and scan.rows[place][0] not in _AROUND_KINDS:
                        matched.add(place)

    async def _zones_and_frames(
        self, scan: _Scan, query: Query, found: dict[str, _Keyed]
    ) -> list[_Area | None]:
        """Search what the scan did not see into; return the documents of its frames."""
        areas: list[_Area | None] = []
        places = [place for place, row in enumerate(scan.rows) if row[0] in _INSIDE_KINDS]
        objects = await items_at(scan.area.frame.session, scan.items_id, places)
        for place, object_id in zip(places, objects, strict=True):
            if scan.rows[place][0] == "z":
                # no selector and no attribute of the page is inside Chromium's own controls
                zone = [] if query.in_page else await self._zone(scan.locator, query, object_id)
                found.update((keyed.spot.path, keyed) for keyed in zone)
            else:
                areas.append(await self._area_in_frame(scan.locator, object_id))
        return areas

    async def _area_of(self, top: Spot) -> _Area | None:
        root = await self._tree.root()
        if top.is_root:
            return _Area(top.frame, await document_of(top.frame), root, top)
        if top.node.role in FRAMES:
            return await self._frame_area(top, top)
        base = root
        for depth in range(1, len(top.entries)):
            above = Spot(top.document, top.root, top.entries[:depth])
            if above.node.role in FRAMES:
                base = above
        return _Area(top.frame, await element_of(top.frame, top.node.backend), base, top)

    async def _area_in_frame(self, locator: _Locator, object_id: str) -> _Area | None:
        spot = await locator.locate(object_id)
        if spot is None or spot.node.role not in FRAMES:
            return None
        return await self._frame_area(spot, locator.area.scope)

    async def _frame_area(self, frame: Spot, scope: Spot) -> _Area | None:
        inner = await self._page.frames.shown_by(frame.session, backendNodeId=frame.node.backend)
        return None if inner is None else _Area(inner, await document_of(inner), frame, scope)

    async def _scanned(self, area: _Area, query: Query) -> _Scan:
        """Run the scan; again as long as there are closed shadow roots that it did not see into."""
        roots = ClosedRoots(area.frame)
        want = _wanted(query)
        rows: list[Row] = []
        while True:
            items_id, value = await roots.scanned("scan", area.object_id, want, _REPORT)
            if value["refused"]:
                raise UsageError(
                    f"{query.css!r} is no CSS selector", "for example: --css 'nav a[href]'"
                )
            rows = [tuple(row) for row in value["rows"]]
            hosts = [place for place, row in enumerate(rows) if row[0] == "h"]
            hosts.sort(key=lambda place: rows[place][1] != "custom")
            if not await roots.more_in(items_id, hosts):
                flags, locator = value["flags"], _Locator(self._tree, area)
                return _Scan(locator, items_id, rows, flags["nodes"], flags["transforms"])

    async def _looked_up(
        self, scan: _Scan, query: Query, object_id: str, kind: str
    ) -> list[_Keyed]:
        locator = scan.locator
        if kind in _AROUND_KINDS:
            around = await locator.locate(object_id, nearest=True)
            spots = [] if around is None else await self._text_leaves(around)
        else:
            spot = await locator.locate(object_id)
            spots = [] if spot is None else [spot]
        return await self._matching(locator, query, spots)

    async def _matching(
        self, locator: _Locator, query: Query, spots: Sequence[Spot]
    ) -> list[_Keyed]:
        return [
            _Keyed(await self._tree.key(spot), spot)
            for spot in spots
            if spot.inside(locator.area.scope) and query.matches(spot)
        ]

    async def _text_leaves(self, spot: Spot) -> list[Spot]:
        return [one for one in await self._tree.listed(spot) if one.node.role in TEXT_LEAVES]

    async def _zone(self, locator: _Locator, query: Query, object_id: str) -> list[_Keyed]:
        top = await locator.locate(object_id)
        if top is None:
            return []
        inside = [spot async for spot in self._tree.walk(top)]
        return await self._matching(locator, query, [top, *inside])


class _Locator:
    """Finds the spot of a DOM node by the chain of its accessible ancestors."""

    def __init__(self, tree: Tree, area: _Area) -> None:
        self.area = area
        self.lost = False
        self._tree = tree

    async def locate(self, object_id: str, *, nearest: bool = False) -> Spot | None:
        """Return the spot of a DOM node; None where the tree does not show it.

        ``nearest`` takes the closest node around it that is shown.
        """
        spot = await self._located(object_id, nearest=nearest)
        self.lost = self.lost or spot is None
        return spot

    async def _located(self, object_id: str, *, nearest: bool) -> Spot | None:
        try:
            reply = await self.area.frame.session.call(
                "Accessibility.getAXNodeAndAncestors", objectId=object_id
            )
        except CdpError:
            return None
        chain = [shown_id(item) for item in reply["nodes"]]
        if not chain or (chain[0] is None and not nearest):
            return None
        spot = self.area.base
        for ax_id in reversed(chain[:-1]):  # the last one is the document
            if ax_id is None:
                continue
            if not self._tree.may_list(spot.node) or not await self._tree.enterable(spot):
                return None
            level = await self._tree.level(spot)
            entry = level.entry_of(ax_id)
            if entry is None:
                return None
            spot = spot.child(entry)
        return spot


def _wanted(query: Query) -> dict[str, Any]:
    """Return what ``scan.js`` is told of a query."""
    needs, current = needs_of(query), query.state == CURRENT
    by_label = bool(query.label or query.exact_label or query.folded_label or query.pattern)
    return {
        "texts": (by_label or bool(query.name)) and not (query.role or query.roles),
        "needsRoles": bool(query.role or query.roles or query.name or query.pattern),
        "roles": accepted_roles(query),
        "values": query.pattern is not None,
        "selectors": [*filter(None, [query.css]), *([CURRENT_SELECTOR] if current else [])],
        "needs": needs.any_of,
        "whole": needs.whole,
        "names": needs.names,
        "suffixes": SUFFIXES,
        "longest": NAME_LIMIT,
        "dropped": DROPPED,
        "unsteady": UNSTEADY,
    }
