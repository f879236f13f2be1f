"""Searches the page without reading its whole tree, and answers as if it had (DESIGN 8).

One scan in the page reports every element and text with its computed name; ``Prefilter``
keeps what could match; only those are looked up in the accessibility tree, which has the last
word. What a scan cannot see into (media controls, generated text, list markers) is looked at
in the tree around it. Where a browser computes no names for us, the tree is walked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from domsh_repl.engine.axnode import parse_ax_node
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.prefilter import Prefilter, Row
from domsh_repl.engine.query import Query, without_inner_text
from domsh_repl.engine.roles import FRAMES, TEXT_LEAVES
from domsh_repl.engine.roots import closed_roots, element_of, release
from domsh_repl.engine.tree import Spot, Tree

__all__ = ["Found", "Search"]

_MOST_LOOKED_UP = 1500
"""Candidates beyond which a walk is cheaper than looking each one up."""
_BATCH = 100
_ZONE_KINDS = frozenset({"z"})
_AROUND_KINDS = frozenset({"l", "g"})


@dataclass(frozen=True, slots=True)
class Found:
    """The matches in document order; ``complete`` is false when the search stopped at a limit."""

    spots: tuple[Spot, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class _Area:
    """A part of the page that one scan sees: a DOM root and the tree node it hangs from."""

    session: Session
    object_id: str
    base: Spot
    scope: Spot


@cache
def _scan_source() -> str:
    return FilePath(__file__).with_name("scan.js").read_text(encoding="utf-8")


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
            spots = await self._scan(top, query)
        except _TooMany:
            return await self.walk(top, query, limit)
        kept = without_inner_text(spots)
        return Found(tuple(kept[:limit] if limit else kept), not limit or len(kept) <= limit)

    async def walk(self, top: Spot, query: Query, limit: int = 0) -> Found:
        """Return what matches by looking at every node below ``top``."""
        found: list[Spot] = []
        async for spot in self._tree.walk(top):
            if query.matches(spot):
                found.append(spot)
                if limit and len(without_inner_text(found)) >= limit:
                    return Found(tuple(without_inner_text(found)), complete=False)
        return Found(tuple(without_inner_text(found)))

    async def labelled(self, top: Spot, text: str) -> list[Spot]:
        """Return the nodes below ``top`` with that label: exactly, else without case."""
        folded = (await self.find(top, Query(folded_label=text))).spots
        exact = [spot for spot in folded if spot.node.name == text]
        return without_inner_text(exact or folded)

    def _must_walk(self, query: Query) -> bool:
        """Tell whether no scan can answer: no names, or a match means what was not found."""
        if query.css:
            return False
        text_role = query.role in TEXT_LEAVES
        return not self._names_computed or query.inverted or text_role or bool(query.state)

    async def _scan(self, top: Spot, query: Query) -> list[Spot]:
        keyed: dict[str, tuple[tuple[int, ...], Spot]] = {}
        areas = [await self._area_of(top)]
        while areas:
            area = areas.pop()
            if area is None:
                continue
            locator = _Locator(self._tree, area)
            items_id, rows, transforms = await self._scanned(area, query)
            picked = Prefilter(query, transforms=transforms, nodes=len(rows)).candidates(rows)
            places = list(picked)
            if len(places) + len(keyed) > _MOST_LOOKED_UP and not query.css:
                raise _TooMany
            for start in range(0, len(places), _BATCH):
                batch = places[start : start + _BATCH]
                looked_up = await asyncio.gather(
                    *(
                        self._looked_up(locator, query, items_id, place, rows[place][0])
                        for place in batch
                    )
                )
                keyed.update((spot.path, (key, spot)) for part in looked_up for key, spot in part)
            for place, row in enumerate(rows):
                if row[0] in _ZONE_KINDS:
                    zone = await self._zone(locator, query, items_id, place)
                    keyed.update((spot.path, (key, spot)) for key, spot in zone)
                elif row[0] == "f":
                    areas.append(await self._area_in_frame(locator, items_id, place))
            await release(area.session, items_id)
        return [spot for _, spot in sorted(keyed.values(), key=lambda pair: pair[0])]

    async def _area_of(self, top: Spot) -> _Area | None:
        root = await self._tree.root()
        if top.is_root:
            found = await self._page.main.call("Runtime.evaluate", expression="document")
            return _Area(self._page.main, str(found["result"]["objectId"]), root, top)
        if top.node.role in FRAMES:
            return await self._frame_area(top, top)
        base = root
        for depth in range(1, len(top.entries)):
            above = Spot(top.document, top.root, top.entries[:depth])
            if above.node.role in FRAMES:
                base = above
        object_id = await element_of(top.session, top.node.backend)
        return _Area(top.session, object_id, base, top)

    async def _area_in_frame(
        self, locator: _Locator, items_id: str, place: int
    ) -> _Area | None:
        object_id = await _item(locator.area.session, items_id, place)
        spot = await locator.locate(object_id)
        if spot is None or spot.node.role not in FRAMES:
            return None
        return await self._frame_area(spot, locator.area.scope)

    async def _frame_area(self, frame: Spot, scope: Spot) -> _Area | None:
        try:
            described = await frame.session.call(
                "DOM.describeNode", backendNodeId=frame.node.backend
            )
            node = described["node"]
            other = self._page.session_of_frame(str(node.get("frameId", "")))
            if other is not None:
                found = await other.call("Runtime.evaluate", expression="document")
                return _Area(other, str(found["result"]["objectId"]), frame, scope)
            content = node.get("contentDocument")
            if content is None:
                return None
            object_id = await element_of(frame.session, content["backendNodeId"])
        except CdpError:
            return None
        return _Area(frame.session, object_id, frame, scope)

    async def _scanned(self, area: _Area, query: Query) -> tuple[str, list[Row], bool]:
        """Run the scan; again with the closed shadow roots in it, when there are any."""
        by_label = bool(query.label or query.exact_label or query.folded_label or query.pattern)
        want = {
            "texts": (by_label or bool(query.name)) and not query.role,
            "roles": bool(query.role or query.name or query.pattern),
            "values": query.pattern is not None,
            "css": query.css,
        }
        pairs: list[dict[str, str]] = []
        while True:
            reply = await area.session.call(
                "Runtime.callFunctionOn",
                objectId=area.object_id,
                functionDeclaration=_scan_source(),
                arguments=[{"value": want}, *pairs],
            )
            if "exceptionDetails" in reply:
                raise CdpError("scan", str(reply["exceptionDetails"].get("text", "failed")))
            items_id = str(reply["result"]["objectId"])
            report = await area.session.call(
                "Runtime.callFunctionOn",
                objectId=items_id,
                functionDeclaration="function() { return {rows: this.rows, flags: this.flags} }",
                returnByValue=True,
            )
            value: dict[str, Any] = report["result"]["value"]
            rows: list[Row] = [tuple(row) for row in value["rows"]]
            hosts = [place for place, row in enumerate(rows) if row[0] == "h"]
            new = await closed_roots(area.session, items_id, hosts)
            if not new or len(new) <= len(pairs):
                return items_id, rows, bool(value["flags"]["transforms"])
            pairs = new
            await release(area.session, items_id)

    async def _looked_up(
        self, locator: _Locator, query: Query, items_id: str, place: int, kind: str
    ) -> list[tuple[tuple[int, ...], Spot]]:
        object_id = await _item(locator.area.session, items_id, place)
        if kind in _AROUND_KINDS:
            around = await locator.locate(object_id, nearest=True)
            spots = [] if around is None else await self._text_leaves(around)
        else:
            spot = await locator.locate(object_id)
            spots = [] if spot is None else [spot]
        return [
            (await locator.key(spot), spot)
            for spot in spots
            if spot.inside(locator.area.scope) and query.matches(spot)
        ]

    async def _text_leaves(self, spot: Spot) -> list[Spot]:
        return [one for one in await self._tree.listed(spot) if one.node.role in TEXT_LEAVES]

    async def _zone(
        self, locator: _Locator, query: Query, items_id: str, place: int
    ) -> list[tuple[tuple[int, ...], Spot]]:
        top = await locator.locate(await _item(locator.area.session, items_id, place))
        if top is None:
            return []
        found = [spot async for spot in self._tree.walk(top) if query.matches(spot)]
        return [
            (await locator.key(spot), spot)
            for spot in ([top] if query.matches(top) else []) + found
            if spot.inside(locator.area.scope)
        ]


class _Locator:
    """Finds the spot of a DOM node by the chain of its accessible ancestors."""

    def __init__(self, tree: Tree, area: _Area) -> None:
        self.area = area
        self._tree = tree

    async def locate(self, object_id: str, *, nearest: bool = False) -> Spot | None:
        """Return the spot of a DOM node; None where the tree does not show it.

        ``nearest`` takes the closest node around it that is shown.
        """
        try:
            reply = await self.area.session.call(
                "Accessibility.getAXNodeAndAncestors", objectId=object_id
            )
        except CdpError:
            return None
        chain = [parse_ax_node(item) for item in reply["nodes"]]
        if not chain or (chain[0].is_wrapper and not nearest):
            return None
        spot = self.area.base
        shown = [node for node in chain[:-1] if not node.is_wrapper]  # the last one is the document
        for node in reversed(shown):
            if not self._tree.may_list(spot.node) or not await self._tree.enterable(spot):
                return None
            level = await self._tree.level(spot)
            entry = next((one for one in level.entries if one.node.id == node.id), None)
            if entry is None:
                return None
            spot = spot.child(entry)
        return spot

    async def key(self, spot: Spot) -> tuple[int, ...]:
        """Return where the spot stands in document order."""
        key = []
        above = Spot(spot.document, spot.root)
        for entry in spot.entries:
            entries: Sequence[Any] = (await self._tree.level(above)).entries
            key.append(entries.index(entry))
            above = above.child(entry)
        return tuple(key)


async def _item(session: Session, items_id: str, place: int) -> str:
    reply = await session.call(
        "Runtime.callFunctionOn",
        objectId=items_id,
        functionDeclaration="function(place) { return this.items[place] }",
        arguments=[{"value": place}],
    )
    return str(reply["result"].get("objectId", ""))
