"""From a path to the nodes of a snapshot: names, indexes, globs, ``..``, and labels in quotes.

The answers and the wording of the errors are the built-in engine's.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from domsh_repl.errors import Ambiguous, NotFound
from domsh_repl.link.domshell.names import base_name, without_number
from domsh_repl.link.domshell.roles import TEXT_LEAVES
from domsh_repl.link.domshell.snapshot import Snapshot, Spot
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.safetext import escape

__all__ = ["Places", "Resolved", "folded", "without_inner_text"]

_SHOWN_NAMES = 6
_SHOWN_CANDIDATES = 8

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
        shown = ", ".join(spot.path for spot in found.spots[:_SHOWN_CANDIDATES])
        left = len(found.spots) - _SHOWN_CANDIDATES
        more = f" and {left} more" if left > 0 else ""
        raise Ambiguous(
            f"{escape(str(path))} means {len(found.spots)} nodes: {shown}{more}",
            "name one of them by its path",
        )

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
            raise NotFound(f"nothing matches {segment}", "`ls` shows what is there")
        return _distinct(found)

    def _below(self, spot: Spot, segment: Segment, state: _Resolving) -> Sequence[Spot]:
        if segment.kind is SegmentKind.QUOTED:
            return self._quoted(spot, segment.text, state)
        if segment.kind is SegmentKind.ANY_DEPTH:
            return (spot, *self._snapshot.below(spot))
        children = self._enter(spot, segment)
        found = _fitting(children, segment)
        if not found:
            raise _missing(spot, segment, children)
        return found

    def _enter(self, spot: Spot, segment: Segment) -> Sequence[Spot]:
        if not spot.node.enterable:
            raise NotFound(
                f"{spot.path} has nothing inside, so no {escape(str(segment))}",
                f"`cat {spot.path}` shows it",
                reached=spot.path,
            )
        return self._snapshot.children(spot)

    def _quoted(self, spot: Spot, text: str, state: _Resolving) -> Sequence[Spot]:
        """Take quoted text as a name or a path of names; failing that as a label."""
        found = self._named(spot, text, state) if text.strip() else ()
        if found:
            return found
        labelled = self._labelled(spot, text, state)
        suitable = state.suitable
        if suitable is not None:
            fitting = list(filter(suitable, labelled)) or labelled
        else:
            fitting = self._outermost(labelled) if state.certain else labelled
        if not fitting:
            raise NotFound(
                f"nothing below {spot.path} is called or labelled {escape(text)!r}",
                f"`find --label` looks for a part of a label, `ls {spot.path}` shows what is there",
                reached=spot.path,
            )
        return fitting

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


def folded(text: str) -> str:
    """Return a label as labels are compared without case."""
    return " ".join(text.casefold().split())


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


def _fitting(children: Sequence[Spot], segment: Segment) -> Sequence[Spot]:
    if segment.kind is SegmentKind.NAME:
        return [child for child in children if child.node.name == segment.text]
    if segment.kind is SegmentKind.GLOB:
        return [child for child in children if fnmatchcase(child.node.name, segment.text)]
    same_role = [child for child in children if child.node.role == segment.text]
    return same_role[segment.index : segment.index + 1]


def _missing(spot: Spot, segment: Segment, children: Sequence[Spot]) -> NotFound:
    names = [child.node.name for child in children]
    near = difflib.get_close_matches(segment.text, names, 1, 0.5)
    there = ", ".join(names[:_SHOWN_NAMES]) or "nothing"
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    wanted = escape(str(segment))
    hint = f"did you mean {near[0]}?" if near else f"`ls {spot.path}` shows what is there"
    if segment.kind is SegmentKind.NAME and not near:
        hint += f'; a label stands in quotes: "{wanted}"'
    return NotFound(f"no {wanted} in {spot.path} (there is {there}{more})", hint, reached=spot.path)


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    return list({spot.at: spot for spot in spots}.values())
