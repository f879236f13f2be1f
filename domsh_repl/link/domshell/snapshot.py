"""One page's tree as DOMShell tells it in two replies, with the names that are shown here.

``tree`` gives the nodes' sorts and nothing that page text could forge; ``read`` gives roles and
values of the same nodes in the same order. Put together they are the whole page.
Names made of a node id become ``role_N``; each node keeps the path that DOMShell knows it by.
Labels and states are not in those replies: a probe adds them where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from domsh_repl.errors import Stale
from domsh_repl.link.domshell.names import shown_names
from domsh_repl.link.domshell.replies import read_deep_line
from domsh_repl.link.domshell.sorts import kind_of, value_of
from domsh_repl.link.domshell.told import DeepLine, DeepLines, Entries, TreeLine, TreeLines
from domsh_repl.nodes import Changes, Kind, Node, Value
from domsh_repl.roles import FIELDS, INTERACTIVE, TEXT_BOX, TEXT_LEAVES

__all__ = [
    "Facts",
    "Row",
    "Snapshot",
    "Spot",
    "difference",
    "rows_of_entries",
    "rows_of_read",
    "zip_rows",
]

_ROOT_ROLE = "RootWebArea"


@dataclass(frozen=True, slots=True)
class Row:
    """A node as the wire tells it: depth below the root from 0, DOMShell's name, role, value.

    ``kind`` is DOMShell's sort where it is told.
    """

    depth: int
    name: str
    role: str
    kind: Kind | None = None
    value: Value = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a probe knows of one node: its label, if that is certain, and its states."""

    label: str
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A node in its snapshot: ``at`` is its place in document order, the document's is 0.

    ``wire`` is DOMShell's path to it ("" for the document), None where DOMShell's path leads to
    another node, because two siblings have one name there. All below it stands before ``end``.
    ``row`` is its place among the snapshot's rows, -1 for the document.
    """

    at: int
    node: Node
    wire: str | None
    parent: int
    end: int
    row: int = -1

    @property
    def path(self) -> str:
        """The printed absolute path."""
        return self.node.path

    @property
    def is_root(self) -> bool:
        """True for the document."""
        return self.at == 0


@dataclass(frozen=True)
class Snapshot:
    """The tree of one page at one moment, in document order.

    ``facts_known`` says that labels and states are the page's own; else they are empty.
    """

    rows: tuple[Row, ...]
    spots: tuple[Spot, ...]
    facts_known: bool = False

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Snapshot:
        """Return the snapshot of a page's rows, in document order."""
        return cls(tuple(rows), tuple(_Planting(rows).spots()))

    @property
    def root(self) -> Spot:
        """The document."""
        return self.spots[0]

    @cached_property
    def _children(self) -> Mapping[int, tuple[Spot, ...]]:
        found: dict[int, list[Spot]] = {}
        for spot in self.spots[1:]:
            found.setdefault(spot.parent, []).append(spot)
        return {parent: tuple(spots) for parent, spots in found.items()}

    def children(self, spot: Spot) -> tuple[Spot, ...]:
        """Return the entries of a directory; of anything else none."""
        return self._children.get(spot.at, ())

    def below(self, spot: Spot) -> tuple[Spot, ...]:
        """Return everything below a node."""
        return self.spots[spot.at + 1 : spot.end]

    def parent(self, spot: Spot) -> Spot:
        """Return the node above; the document's parent is the document."""
        return self.spots[spot.parent]

    def above(self, spot: Spot) -> Iterator[Spot]:
        """Yield the nodes above, from the inside out, without the document."""
        while not (spot := self.parent(spot)).is_root:
            yield spot

    def with_facts(self, facts: Mapping[int, Facts]) -> Snapshot:
        """Return the snapshot with what a probe knows of the nodes at these places."""
        spots = [
            replace(spot, node=replace(spot.node, label=told.label, states=told.states))
            if (told := facts.get(spot.at)) is not None
            else spot
            for spot in self.spots
        ]
        return Snapshot(self.rows, tuple(spots), facts_known=True)

    def grafted(self, spot: Spot, rows: Sequence[Row]) -> Snapshot:
        """Return the snapshot with the inside of an interactive node, which ``tree`` leaves out.

        ``rows`` are those of ``read`` below that node.
        """
        wire = spot.wire or ""
        depth = wire.count("/") + 1
        place = _place_of(self.rows, wire)
        inside = [replace(row, depth=row.depth + depth) for row in rows]
        return Snapshot.of_rows((*self.rows[: place + 1], *inside, *self.rows[place + 1 :]))


def _place_of(rows: Sequence[Row], wire: str) -> int:
    way: list[str] = []
    for place, row in enumerate(rows):
        del way[row.depth :]
        way.append(row.name)
        if "/".join(way) == wire:
            return place
    raise Stale("the element is no longer in the page", "`ls` shows what is there now")


def zip_rows(drawn: TreeLines, deep: DeepLines) -> tuple[Row, ...]:
    """Return the rows that both replies are about.

    Raises ``Stale`` when they are not about one tree, or when a value holds line breaks that
    could be read in two ways: then no value and no role can be believed.
    """
    found = _anchors(drawn.lines, deep.lines)
    rows = []
    for number, (line, place) in enumerate(zip(drawn.lines, found, strict=True)):
        end = found[number + 1] if number + 1 < len(found) else len(deep.lines)
        told = read_deep_line("\r\n".join(deep.lines[place:end]))
        assert told is not None
        value = value_of(told.role, _value_in(told.rest))
        rows.append(Row(line.depth, line.name, told.role, line.kind, value))
    return tuple(rows)


def _anchors(drawn: Sequence[TreeLine], lines: Sequence[str]) -> list[int]:
    """Return where each drawn node's line begins: the only way in which all of them fit."""
    if len(drawn) == len(lines):
        if all(map(_is_of, drawn, lines)):
            return list(range(len(lines)))
        raise _two_trees()
    first = _embedded(drawn, lines)
    last = _embedded(drawn[::-1], lines[::-1])
    if not first or not last or first[0]:
        raise _two_trees()
    if first != [len(lines) - 1 - place for place in reversed(last)]:
        raise _two_trees()
    return first


def _embedded(drawn: Sequence[TreeLine], lines: Sequence[str]) -> list[int] | None:
    """Return the earliest places at which the nodes' lines stand in order; None without any."""
    found: list[int] = []
    place = 0
    for node in drawn:
        while place < len(lines) and not _is_of(node, lines[place]):
            place += 1
        if place == len(lines):
            return None
        found.append(place)
        place += 1
    return found


def _is_of(node: TreeLine, line: str) -> bool:
    return line.startswith(f"{'  ' * (node.depth + 1)}{node.name} [")


def _two_trees() -> Stale:
    return Stale("the page's tree came in two shapes that do not fit", "try again, or `refresh`")


def _value_in(rest: str) -> str | None:
    """Return the value that stands in quotes behind a role; it may hold quotes itself."""
    text = rest.removeprefix(" ")
    begin, end = text.find('"'), text.rfind('"')
    return text[1:end] if begin == 0 and end > 0 else None


def rows_of_read(deep: DeepLines) -> tuple[Row, ...]:
    """Return the rows of ``read`` alone, for a part that ``tree`` cannot draw.

    Lines that cannot be a node's go to the value before; a page could forge a node here, so
    what is read this way is checked before it is acted on.
    """
    told: list[DeepLine] = []
    for line in deep.lines:
        found = read_deep_line(line)
        if found is not None and 0 < found.depth <= (told[-1].depth if told else 0) + 1:
            told.append(found)
        elif told:
            last = told[-1]
            told[-1] = replace(last, rest=f"{last.rest}\r\n{line}")
        else:
            raise _two_trees()
    return tuple(
        Row(one.depth - 1, one.name, one.role, None, value_of(one.role, _value_in(one.rest)))
        for one in told
    )


def rows_of_entries(entries: Entries) -> tuple[Row, ...]:
    """Return the rows of ``ls -r --json``: the entries, each followed by those inside it.

    Of two directories with one name, the first has the entries of both: DOMShell's paths do not
    tell them apart either.
    """
    inside: dict[str, list[Row]] = {}
    for entry in entries.entries:
        parent, slash, name = entry.name.rpartition("/")
        value = value_of(entry.role, entry.value)
        row = Row(1 if slash else 0, name, entry.role, entry.kind, value)
        inside.setdefault(parent, []).append(row)
    rows: list[Row] = []
    for row in inside.pop("", ()):
        rows += [row, *inside.pop(row.name, ())]
    return tuple(rows)


class _Planting:
    """Makes spots of rows: drops what is not listed, names what is left, and finds the ways."""

    def __init__(self, rows: Sequence[Row]) -> None:
        listed = list(_listed(rows))
        self._places = [place for place, _ in listed]
        self._rows = [row for _, row in listed]
        self._parents = _parents_of(self._rows)
        self._inside: list[list[int]] = [[] for _ in range(len(self._rows) + 1)]
        for place, parent in enumerate(self._parents):
            self._inside[parent].append(place + 1)

    def spots(self) -> Iterator[Spot]:
        """Yield the document and everything below it that a listing shows."""
        made: list[Spot] = []
        waiting: list[tuple[int, str, str | None, str, int]] = [(0, "/", "", "/", 0)]
        while waiting:
            place, name, wire, path, parent = waiting.pop()
            node = self._node(place, name, path)
            at = len(made)
            row = self._places[place - 1] if place else -1
            made.append(Spot(at, node, wire, parent, 0, row))
            if node.enterable:
                waiting += reversed(self._entries(place, wire, path, at))
        ends = [spot.at + 1 for spot in made]
        for spot in reversed(made[1:]):
            ends[spot.parent] = max(ends[spot.parent], ends[spot.at])
        for spot, end in zip(made, ends, strict=True):
            yield replace(spot, end=end)

    def _node(self, place: int, name: str, path: str) -> Node:
        if place == 0:
            return Node(name, path, _ROOT_ROLE, "", Kind.DIRECTORY, enterable=True)
        row = self._rows[place - 1]
        kind = _kind(row, holds=bool(self._inside[place]))
        return Node(
            name, path, row.role, "", kind, enterable=self._enterable(place, kind), value=row.value
        )

    def _enterable(self, place: int, kind: Kind) -> bool:
        if kind is Kind.DIRECTORY:
            return True
        roles = (self._rows[child - 1].role for child in self._inside[place])
        return kind is Kind.INTERACTIVE and any(role not in TEXT_LEAVES for role in roles)

    def _entries(
        self, place: int, wire: str | None, path: str, at: int
    ) -> list[tuple[int, str, str | None, str, int]]:
        children = self._inside[place]
        rows = [self._rows[child - 1] for child in children]
        names = shown_names([(row.name, row.role) for row in rows])
        found = []
        met: set[str] = set()
        for child, row, name in zip(children, rows, names, strict=True):
            way = None if wire is None or row.name in met else f"{wire}/{row.name}".lstrip("/")
            met.add(row.name)
            found.append((child, name, way, f"{path.rstrip('/')}/{name}", at))
        return found


def _kind(row: Row, *, holds: bool) -> Kind:
    if row.kind is None or row.role in INTERACTIVE or row.role in TEXT_LEAVES:
        return kind_of(row.role, holds=holds)
    return row.kind


def _listed(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Yield rows with their places, without text boxes and what is inside texts and fields."""
    closed_at: int | None = None
    for place, row in enumerate(rows):
        if closed_at is not None and row.depth > closed_at:
            continue
        closed_at = row.depth if row.role in TEXT_LEAVES or row.role in FIELDS else None
        if row.role != TEXT_BOX:
            yield place, row


def _parents_of(rows: Sequence[Row]) -> list[int]:
    """Return each row's parent as its number from 1, 0 for the document."""
    way: list[int] = []
    parents = []
    for number, row in enumerate(rows, 1):
        del way[row.depth :]
        parents.append(way[-1] if way else 0)
        way.append(number)
    return parents


def difference(before: Snapshot, now: Snapshot) -> Changes:
    """Return what came, went and changed between two looks at one document."""
    old = {spot.path: spot.node for spot in before.spots}
    new = {spot.path: spot.node for spot in now.spots}
    return Changes(
        tuple(path for path in new if path not in old),
        tuple(path for path in old if path not in new),
        tuple(
            path
            for path, node in new.items()
            if path in old and (node.role, node.value) != (old[path].role, old[path].value)
        ),
    )
