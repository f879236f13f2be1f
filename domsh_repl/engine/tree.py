"""The accessibility tree of one tab as directories: places, entries and the nodes they become.

Frames are linked in: the document of an iframe is the content of its entry, in the same
process or another. Nothing is read but the levels that are asked for (docs/design.md, 8).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from domsh_repl.engine.axnode import AxNode, parse_ax_node
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.levels import Entry, Level, LevelStore, Place
from domsh_repl.engine.page import Page
from domsh_repl.engine.survey import Survey
from domsh_repl.errors import Stale
from domsh_repl.nodes import Kind, Node
from domsh_repl.roles import FIELDS, FRAMES, TEXT_LEAVES

__all__ = ["Spot", "Tree"]

_MOST_RECALLED = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """A node in the tree with the way to it; ``names`` and ``entries`` start below the root."""

    document: AxNode
    root: Place
    entries: tuple[Entry, ...] = ()

    @property
    def path(self) -> str:
        """The printed absolute path."""
        return "/" + "/".join(entry.name for entry in self.entries)

    @property
    def node(self) -> AxNode:
        """The accessibility node itself."""
        return self.entries[-1].node if self.entries else self.document

    @property
    def place(self) -> Place:
        """Where its children are read, before frames are followed."""
        return self.entries[-1].place if self.entries else self.root

    @property
    def session(self) -> Session:
        """The session in which its DOM node lives."""
        return self.place.session

    @property
    def frame(self) -> Frame:
        """The frame in whose document its DOM node stands."""
        return self.place.frame

    @property
    def is_root(self) -> bool:
        """True for the document of the tab."""
        return not self.entries

    def child(self, entry: Entry) -> Spot:
        """Return the spot of one of its entries."""
        return Spot(self.document, self.root, (*self.entries, entry))

    def parent(self) -> Spot:
        """Return the spot above; the root's parent is the root."""
        return Spot(self.document, self.root, self.entries[:-1])

    def inside(self, ancestor: Spot) -> bool:
        """Tell whether the way to this spot leads through ``ancestor``."""
        depth = len(ancestor.entries)
        return len(self.entries) > depth and self.entries[:depth] == ancestor.entries


class Tree:
    """The tree of one page. Call ``validate`` once before a command reads kept levels."""

    def __init__(self, page: Page) -> None:
        self.store = LevelStore()
        self._page = page
        self._root: tuple[str, AxNode] | None = None
        self._frames: dict[tuple[str, int], Place] = {}
        self._read: dict[tuple[str, str], Spot] = {}
        self._forgotten: dict[tuple[str, str], Spot] = {}
        self._seen = ""
        self._survey = Survey()
        for session in page.sessions:
            self._follow(session)
        page.listeners.append(self._follow)

    def _follow(self, session: Session) -> None:
        """Drop levels as they are updated, and what is known of frames when one has navigated."""
        self.store.follow(session)
        session.on("Page.frameNavigated", lambda _event: self._frames.clear())

    @property
    def document(self) -> str:
        """The loader id of the document whose tree this is."""
        return self._page.load.document

    @property
    def validated(self) -> str:
        """The loader id of the document that the last ``validate`` saw."""
        return self._seen

    async def surroundings(self, spot: Spot) -> tuple[Level, ...]:
        """Return the levels on the way to a spot, the root's first."""
        ways = [spot.entries[:depth] for depth in range(len(spot.entries))]
        return tuple(
            [await self.level(Spot(spot.document, spot.root, entries)) for entries in ways]
        )

    def known_levels(self) -> Iterator[tuple[Spot, Level]]:
        """Yield the levels that are kept now, with the directories that they were read for."""
        for key, spot in self._read.items():
            level = self.store.kept_under(key)
            if level is not None:
                yield spot, level

    def dropped(self, spot: Spot, level: Level) -> bool:
        """Tell whether a level that was known has been updated since."""
        return self.store.kept_under(self._key(spot)) is not level

    async def validate(self, document: str = "") -> None:
        """Make sure that what is kept is what the page shows: one cheap call.

        Raises ``Stale`` when the tab does not show ``document`` (a loader id), which what
        follows is meant for; "" takes the one that is there.
        """
        self._page.require_usable()
        self._require(document)
        self._survey.clear()
        before = self.store.updates
        await self._page.barrier()
        self._require(document)  # a page that was being left has answered for the next one
        for key in self.store.drop_unsettled():
            if key in self._read:
                self._forgotten[key] = self._read[key]
        if self.store.updates != before:
            self._frames.clear()
            self._root = None
        if self._seen != self.document:
            self._seen = self.document
            self._read.clear()
            self._forgotten.clear()

    def _require(self, document: str) -> None:
        if document and self.document and document != self.document:
            raise Stale("the page has navigated since", "look again with `ls`")

    async def recall(self) -> None:
        """Read again what was forgotten while the document was new, to see it change."""
        spots, self._forgotten = tuple(self._forgotten.values())[:_MOST_RECALLED], {}
        reading = (self.level(spot) for spot in spots)
        await asyncio.gather(*reading, return_exceptions=True)  # some may be gone

    async def root(self) -> Spot:
        """Return the document of the tab; raises ``Stale`` when it is not the validated one."""
        self._require(self._seen)
        document, main = self.document, self._page.frames.main
        if self._root is None or self._root[0] != document:
            try:
                node = await self._root_node(main)
            except CdpError as error:
                raise Stale("the page has no document now", "try again, or `reload`") from error
            self._require(document)
            self._root = (document, node)
        node = self._root[1]
        return Spot(node, Place(main, node.id))

    async def level(self, spot: Spot) -> Level:
        """Return the entries of a directory, a frame's document for a frame."""
        place = spot.place
        if spot.node.role in FRAMES:
            framed = await self._frame(spot)
            if framed is None:
                return Level((), frozenset())
            place = framed
        level = await self.store.read(place)
        self._read[place.key] = spot
        return level

    def _key(self, spot: Spot) -> tuple[str, str]:
        framed = self._frames.get((spot.session.id, spot.node.backend))
        return spot.place.key if framed is None else framed.key

    async def children(self, spot: Spot) -> list[Spot]:
        """Return the spots of the entries that a listing of ``spot`` shows."""
        if not self.may_list(spot.node):
            return []
        return [spot.child(entry) for entry in (await self.level(spot)).entries]

    async def key(self, spot: Spot) -> tuple[int, ...]:
        """Return where a spot stands in document order, to sort by."""
        key = []
        above = Spot(spot.document, spot.root)
        for entry in spot.entries:
            key.append((await self.level(above)).place_of(entry.node.id) or 0)
            above = above.child(entry)
        return tuple(key)

    async def listed(self, spot: Spot) -> list[Spot]:
        """Return the children of ``spot`` if it can be entered, else none."""
        return await self.children(spot) if await self.enterable(spot) else []

    def may_list(self, node: AxNode) -> bool:
        """Tell whether the inside of such a node is ever listed (a field's is not)."""
        return node.role not in FIELDS and node.role not in TEXT_LEAVES

    async def enterable(self, spot: Spot) -> bool:
        """Tell whether ``cd`` goes in: a directory, or interactive with more than its text."""
        if spot.is_root or spot.node.kind is Kind.DIRECTORY:
            return True
        if not self._holds_more_perhaps(spot.node):
            return False
        await self.survey([spot])
        if self._survey.of(spot.place).bare:
            return False
        entries = (await self.level(spot)).entries
        return any(entry.node.role not in TEXT_LEAVES for entry in entries)

    def _holds_more_perhaps(self, node: AxNode) -> bool:
        return node.kind is Kind.INTERACTIVE and bool(node.child_ids) and self.may_list(node)

    async def survey(self, spots: Sequence[Spot]) -> None:
        """Look at many nodes in the DOM at once, before each is asked about (``Survey``)."""
        await self._survey.ask((spot.place, spot.node) for spot in spots)

    async def states(self, spot: Spot) -> tuple[str, ...]:
        """Return the states that hold; the document itself has none."""
        if spot.is_root:
            return ()
        await self.survey([spot])
        current = self._survey.of(spot.place).current
        return (*spot.node.states, "current") if current else spot.node.states

    async def node(self, spot: Spot) -> Node:
        """Return the value that listings show."""
        entry = spot.node
        return Node(
            name=spot.entries[-1].name if spot.entries else "/",
            path=spot.path,
            role=entry.role,
            label=entry.name,
            kind=entry.kind,
            enterable=await self.enterable(spot),
            value=entry.value,
            states=await self.states(spot),
        )

    async def nodes(self, spots: Sequence[Spot]) -> tuple[Node, ...]:
        """Return the values of many spots; what must be read for them is read together."""
        await self.survey(spots)
        unread = [one for one in spots if self._holds_more_perhaps(one.node) and self._unread(one)]
        await asyncio.gather(*map(self.level, unread))
        return tuple([await self.node(spot) for spot in spots])

    async def walk(self, top: Spot) -> AsyncIterator[Spot]:
        """Yield every node below ``top`` in document order, reading a batch ahead."""
        way = [_Siblings(await self.listed(top))]
        ahead = _FIRST_AHEAD
        while way:
            siblings = way[-1]
            if siblings.at == len(siblings.spots):
                way.pop()
                continue
            if siblings.at == siblings.ready:
                siblings.ready = min(siblings.at + ahead, len(siblings.spots))
                await self._read_ahead(siblings.spots[siblings.at : siblings.ready])
                ahead = min(2 * ahead, _MOST_AHEAD)
            spot = siblings.spots[siblings.at]
            siblings.at += 1
            yield spot
            way.append(_Siblings(await self.listed(spot)))

    async def _read_ahead(self, spots: Sequence[Spot]) -> None:
        """Ask for the levels of siblings at once: pipelined calls cost a third."""
        await self._survey_interactive(spots)
        unread = [spot for spot in spots if self._unread(spot)]
        await asyncio.gather(*map(self.level, unread))
        levels = [(spot, self.store.kept(spot.place)) for spot in spots]
        below = [spot.child(one) for spot, level in levels if level for one in level.entries]
        await self._survey_interactive(below)

    async def _survey_interactive(self, spots: Sequence[Spot]) -> None:
        await self.survey([spot for spot in spots if self._holds_more_perhaps(spot.node)])

    def _unread(self, spot: Spot) -> bool:
        return (
            bool(spot.node.child_ids)
            and self.may_list(spot.node)
            and spot.node.role not in FRAMES
            and self.store.kept(spot.place) is None
            and not self._survey.of(spot.place).bare
        )

    async def _frame(self, spot: Spot) -> Place | None:
        """Return the place of a frame's document."""
        key = (spot.session.id, spot.node.backend)
        kept = self._frames.get(key)
        if kept is not None:
            return kept
        frame = await self._page.frames.shown_by(spot.session, backendNodeId=spot.node.backend)
        if frame is None:
            return None
        try:
            place = Place(frame, (await self._root_node(frame)).id)
        except CdpError:
            return None
        self._frames[key] = place
        return place

    @staticmethod
    async def _root_node(frame: Frame) -> AxNode:
        reply = await frame.session.call("Accessibility.getRootAXNode", frameId=frame.id)
        return parse_ax_node(reply["node"])


_FIRST_AHEAD = 8
_MOST_AHEAD = 128
"""Siblings whose levels a walk asks for at once: few at first, for those who stop early."""


@dataclass(slots=True)
class _Siblings:
    """Where a walk stands in one directory; up to ``ready`` it has read ahead."""

    spots: list[Spot]
    at: int = 0
    ready: int = 0
