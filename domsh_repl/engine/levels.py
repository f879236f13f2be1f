"""Levels: the entries of one directory of the accessibility tree, as fetched and kept.

A level is read with one call of ``Accessibility.getChildAXNodes``, and one more for each
unnamed generic in it, whose children take its place (a reply stops there). What is
read is kept until Chromium says that one of its nodes was updated.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from domsh_repl.engine.axnode import AxNode, parse_ax_node
from domsh_repl.engine.cdp import CdpError, Params, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.naming import Nameable, names_of
from domsh_repl.errors import Stale

__all__ = ["Entry", "Level", "LevelStore", "Place"]

_SETTLED_AFTER = 0.5
"""Seconds after the first reading of a document in which updates may be held back: Chromium
sends none in the quarter of a second after the first (tried; kNodeSyncThrottlePeriod)."""
_READINGS = 3
_TEXT_NOISE = frozenset({"InlineTextBox"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where children are read: a node of the tree of one frame."""

    frame: Frame
    ax_id: str

    @property
    def session(self) -> Session:
        """The session of the frame."""
        return self.frame.session

    @property
    def key(self) -> tuple[str, str]:
        """What a level is kept under: AX ids are unique in a session only."""
        return (self.frame.session.id, self.ax_id)


@dataclass(frozen=True, slots=True)
class Entry:
    """A node with its name among its siblings and the place of its own children."""

    node: AxNode
    name: str
    place: Place


@dataclass(slots=True)
class Level:
    """The entries of one place, in document order, and every node id that the reading met."""

    entries: tuple[Entry, ...]
    ids: frozenset[str]
    _places: dict[str, int] = field(default_factory=dict)

    def place_of(self, ax_id: str) -> int | None:
        """Return the place of a node among the entries."""
        if not self._places and self.entries:
            self._places = {entry.node.id: at for at, entry in enumerate(self.entries)}
        return self._places.get(ax_id)

    def entry_of(self, ax_id: str) -> Entry | None:
        """Return the entry of a node."""
        place = self.place_of(ax_id)
        return None if place is None else self.entries[place]


class LevelStore:
    """Reads levels, keeps them, and drops what Chromium reports as updated.

    ``fetched`` counts the nodes received, for those who promise to read little.
    """

    def __init__(self) -> None:
        self.fetched = 0
        self.updates = 0
        self._levels: dict[tuple[str, str], Level] = {}
        self._unsettled: set[tuple[str, str]] = set()
        self._contacts: dict[tuple[str, str], float] = {}
        self._holders: dict[tuple[str, str], set[tuple[str, str]]] = {}
        self._followed: set[str] = set()
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}
        # what was updated while a level is being read, which takes more than one call
        self._watched: dict[tuple[str, str], set[str]] = {}

    def follow(self, session: Session) -> None:
        """Drop levels of this session as their nodes are updated."""
        if session.id in self._followed:
            return
        self._followed.add(session.id)

        def updated(event: Params) -> None:
            for node in event["nodes"]:
                self._updated((session.id, node["nodeId"]))

        session.on("Accessibility.nodesUpdated", updated)
        session.on("Accessibility.loadComplete", lambda _event: self.clear())
        session.on("DOM.documentUpdated", lambda _event: self.clear())

    def clear(self) -> None:
        """Forget everything (another document)."""
        self._levels.clear()
        self._unsettled.clear()
        self._contacts.clear()
        self._holders.clear()
        self._watched.clear()
        self.updates += 1

    def drop_unsettled(self) -> tuple[tuple[str, str], ...]:
        """Forget the levels that were read before Chromium was sure to tell of their changes.

        Returns what they were kept under.
        """
        dropped = tuple(self._unsettled)
        for key in dropped:
            self._drop(key)
        self._unsettled.clear()
        return dropped

    def kept(self, place: Place) -> Level | None:
        """Return the level if it was read and not updated since."""
        return self._levels.get(place.key)

    def kept_under(self, key: tuple[str, str]) -> Level | None:
        """Return the level kept under ``Place.key``."""
        return self._levels.get(key)

    async def read(self, place: Place) -> Level:
        """Return the entries of a place; raises ``Stale`` when the node is gone."""
        kept = self._levels.get(place.key)
        if kept is not None:
            return kept
        # many who look below one directory ask for its level at the same time
        lock = self._locks.setdefault(place.key, asyncio.Lock())
        async with lock:
            kept = self._levels.get(place.key)
            if kept is None:
                self._watched[place.key] = set()
                try:
                    kept = await self._read(place)
                finally:
                    self._watched.pop(place.key, None)
                    self._locks.pop(place.key, None)
        return kept

    async def _read(self, place: Place) -> Level:
        self.follow(place.session)
        nodes, met = await self._steady_children(place)
        names = names_of([Nameable(node.role, node.name, node.description) for node in nodes])
        entries = tuple(
            Entry(node, name, Place(place.frame, node.id))
            for node, name in zip(nodes, names, strict=True)
        )
        level = Level(entries, frozenset(met))
        updated = self._watched.get(place.key)
        if updated is not None and updated.isdisjoint(met):
            self._keep(place, level)
        return level

    async def _steady_children(self, place: Place) -> tuple[list[AxNode], set[str]]:
        """Read children although wrappers among them go while they are being read."""
        for _ in range(_READINGS - 1):
            with contextlib.suppress(CdpError):
                return await self._shown_children(place)
        try:
            return await self._shown_children(place)
        except CdpError as error:
            raise Stale(
                "the node is no longer in the page", "`ls` shows what is there now"
            ) from error

    def _keep(self, place: Place, level: Level) -> None:
        key, now = place.key, time.monotonic()
        self._levels[key] = level
        if now < self._contacts.setdefault((key[0], place.frame.id), now) + _SETTLED_AFTER:
            self._unsettled.add(key)
        for ax_id in level.ids:
            self._holders.setdefault((key[0], ax_id), set()).add(key)

    def _updated(self, key: tuple[str, str]) -> None:
        self.updates += 1
        for (session_id, _), updated in self._watched.items():
            if session_id == key[0]:
                updated.add(key[1])
        self._drop(key)
        for holder in tuple(self._holders.get(key, ())):
            self._drop(holder)

    def _drop(self, key: tuple[str, str]) -> None:
        level = self._levels.pop(key, None)
        if level is None:
            return
        for ax_id in level.ids:
            holders = self._holders.get((key[0], ax_id))
            if holders is not None:
                holders.discard(key)
                if not holders:
                    del self._holders[(key[0], ax_id)]

    async def _shown_children(self, place: Place) -> tuple[list[AxNode], set[str]]:
        """Return the nodes that a listing shows, unwrapping round by round."""
        known: dict[str, AxNode] = {}
        asked: set[str] = set()
        children = await self._children(place, place.ax_id, known)
        met = {place.ax_id, *known}
        while True:
            shown, unread = _unwrapped(children, known, asked)
            if not unread:
                return shown, met
            replies = await asyncio.gather(
                *(self._children(place, ax_id, known) for ax_id in unread)
            )
            for ax_id, found in zip(unread, replies, strict=True):
                known[ax_id] = replace(known[ax_id], child_ids=found)
            asked.update(unread)
            met.update(known)

    async def _children(
        self, place: Place, ax_id: str, known: dict[str, AxNode]
    ) -> tuple[str, ...]:
        reply = await place.session.call(
            "Accessibility.getChildAXNodes", id=ax_id, frameId=place.frame.id
        )
        nodes = [parse_ax_node(item) for item in reply["nodes"]]
        self.fetched += len(nodes)
        known.update((node.id, node) for node in nodes)
        return tuple(node.id for node in nodes if node.parent_id == ax_id)


def _is_noise(node: AxNode) -> bool:
    """Tell whether a node says nothing: the boxes of a text, and the blanks between two links."""
    return node.role in _TEXT_NOISE or (node.role == "StaticText" and not node.name.strip())


def _unwrapped(
    children: Iterable[str], known: Mapping[str, AxNode], asked: Container[str]
) -> tuple[list[AxNode], list[str]]:
    """Replace wrappers by their children; also return those whose children were not ``asked``."""
    shown: list[AxNode] = []
    unread: list[str] = []
    waiting = list(reversed(tuple(children)))
    while waiting:
        node = known.get(waiting.pop())
        if node is None or _is_noise(node):
            continue
        if not node.is_wrapper:
            shown.append(node)
        elif all(child in known for child in node.child_ids):
            waiting.extend(reversed(node.child_ids))
        elif node.id not in asked:
            unread.append(node.id)
    return shown, unread
