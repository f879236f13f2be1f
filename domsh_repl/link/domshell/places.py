"""From a path to the nodes of a snapshot: names, indexes, globs, ``..``, and labels in quotes.

The answers and the wording of the errors are the built-in engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from domsh_repl.errors import NotFound
from domsh_repl.link.domshell.names import base_name, without_number
from domsh_repl.link.domshell.snapshot import Snapshot, Spot
from domsh_repl.lookup import (
    ambiguous,
    fitting,
    folded,
    missing,
    nothing_inside,
    nothing_matches,
    unlabelled,
)
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.roles import TEXT_LEAVES

__all__ = ["Places", "Resolved", "without_inner_text"]

Suitable = Callable[[Spot], bool]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The nodes that a path means, in document order.

    ``certain`` is false where a label was compared with names only: the labels must be had
    before one of these is believed.
    """

    spots: tuple[Spot, ...]
    certain: bool = True


@dataclass(slots=True)
class _Resolving:
    """One path on its way: what narrows its labels, and whether one was guessed by its name."""

    suitable: Suitable | None = None
    certain: bool = field(default=True)


class Places:
    """Finds what paths mean in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def one(self, path: Path, *, suitable: Suitable | None = None) -> Resolved:
        """Return the only node that the path means.

        ``suitable`` narrows labels to the nodes that an action can act on. Raises ``NotFound``
        and ``Ambiguous``, which lists the candidates: an action never takes the first. Several
        that were guessed by their names are no error yet: with labels they may be one.
        """
        found = self.all(path, suitable=suitable)
        if len(found.spots) == 1 or not found.certain:
            return found
        raise ambiguous(path, [spot.path for spot in found.spots])

    def all(self, path: Path, *, suitable: Suitable | None = None) -> Resolved:
        """Return every node that the path means; never none."""
        state = _Resolving(suitable)
        spots: Sequence[Spot] = (self._snapshot.root,)
        for segment in path.segments:
            spots = self._step(spots, segment, state)
        if path.may_match_many:
            spots = sorted(spots, key=lambda spot: spot.at)
        return Resolved(tuple(spots), state.certain)

    def _step(self, spots: Sequence[Spot], segment: Segment, state: _Resolving) -> list[Spot]:
        if segment.kind is SegmentKind.PARENT:
            return _distinct([self._snapshot.parent(spot) for spot in spots])
        found: list[Spot] = []
        failures: list[NotFound] = []
        for spot in spots:
            try:
                found += self._below(spot, segment, state)
            except NotFound as failure:
                failures.append(failure)
        if not found and failures:
            raise failures[0]
        if not found:
            raise nothing_matches(segment)
        return _distinct(found)

    def _below(self, spot: Spot, segment: Segment, state: _Resolving) -> Sequence[Spot]:
        if segment.kind is SegmentKind.QUOTED:
            return self._quoted(spot, segment.text, state)
        if segment.kind is SegmentKind.ANY_DEPTH:
            return (spot, *self._snapshot.below(spot))
        children = self._enter(spot, segment)
        found = fitting(children, segment, _name_and_role)
        if not found:
            raise missing(spot.path, segment, [child.node.name for child in children])
        return found

    def _enter(self, spot: Spot, segment: Segment) -> Sequence[Spot]:
        if not spot.node.enterable:
            raise nothing_inside(spot.path, segment)
        return self._snapshot.children(spot)

    def _quoted(self, spot: Spot, text: str, state: _Resolving) -> Sequence[Spot]:
        """Take quoted text as a name or a path of names; failing that as a label."""
        found = self._named(spot, text, state) if text.strip() else ()
        if found:
            return found
        labelled = self._labelled(spot, text, state)
        suitable = state.suitable
        if suitable is not None:
            meant = list(filter(suitable, labelled)) or labelled
        else:
            meant = self._outermost(labelled) if state.certain else labelled
        if not meant:
            raise unlabelled(spot.path, text)
        return meant

    def _named(self, spot: Spot, text: str, state: _Resolving) -> Sequence[Spot]:
        path = Path.of_names(text)
        found: Sequence[Spot] = (self._snapshot.root,) if path.absolute else (spot,)
        try:
            for segment in path.segments:
                found = self._step(found, segment, state)
        except NotFound:
            return ()
        return found

    def _labelled(self, top: Spot, text: str, state: _Resolving) -> list[Spot]:
        """Return the nodes below ``top`` with that label: exactly, else without case."""
        if not text.strip():
            return []
        below = self._snapshot.below(top)
        if not self._snapshot.facts_known:
            state.certain = False
            named = [spot for spot in below if _may_be_labelled(spot, text)]
            return without_inner_text(self._snapshot, named)
        alike = [spot for spot in below if folded(spot.node.label) == folded(text)]
        exact = [spot for spot in alike if spot.node.label == text]
        return without_inner_text(self._snapshot, exact or alike)

    def _outermost(self, spots: Sequence[Spot]) -> list[Spot]:
        """Leave out what is inside another one: a region and its heading are called alike."""
        found = {spot.at for spot in spots}
        above = self._snapshot.above
        return [spot for spot in spots if found.isdisjoint(one.at for one in above(spot))]


def without_inner_text(snapshot: Snapshot, spots: Sequence[Spot]) -> list[Spot]:
    """Drop the text inside a node that matched itself: no second match (docs/language.md §2)."""
    matched = {spot.at for spot in spots}
    return [
        spot
        for spot in spots
        if spot.node.role not in TEXT_LEAVES
        or matched.isdisjoint(above.at for above in snapshot.above(spot))
    ]


def _may_be_labelled(spot: Spot, text: str) -> bool:
    """Tell whether DOMShell would have made this name of such a label; case is lost in it."""
    base = base_name(spot.node.role, text)
    if not base:
        return False
    return base.lstrip("-") in (spot.node.name, without_number(spot.node.name))


def _name_and_role(spot: Spot) -> tuple[str, str]:
    return spot.node.name, spot.node.role


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    return list({spot.at: spot for spot in spots}.values())
