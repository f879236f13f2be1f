"""Searches a snapshot for what ``find`` and ``grep`` want; DOMShell's own search is not used.

Its patterns crash on numeric values and its ``grep`` gives no paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from domsh_repl import patterns
from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.link.asks import Wanted
from domsh_repl.link.domshell.places import without_inner_text
from domsh_repl.link.domshell.snapshot import Snapshot, Spot

__all__ = ["Pattern", "find", "grep", "needs_facts"]

_LONGEST_PATTERN = 1000


@dataclass(frozen=True, slots=True)
class Pattern:
    """The regular expression of ``grep``; ``inverted`` turns its answer round."""

    expression: patterns.Pattern
    inverted: bool = False

    @classmethod
    def of(cls, source: str, *, ignore_case: bool = False, inverted: bool = False) -> Pattern:
        """Return the pattern of a regular expression; raises ``UsageError`` on a broken one."""
        if not source or len(source) > _LONGEST_PATTERN:
            raise UsageError(
                "grep needs a regular expression", "usage: grep [-ivcn] [-r] RE [PATH]"
            )
        return cls(patterns.compile_pattern(source, ignore_case=ignore_case), inverted)

    def fits(self, spot: Spot) -> bool:
        """Tell whether name, label or value of a node match."""
        node = spot.node
        texts = filter(None, (node.name, node.label, "" if node.value is None else str(node.value)))
        return any(map(self.expression.search, texts)) != self.inverted


def needs_facts(wanted: Wanted) -> bool:
    """Tell whether only labels and states can answer."""
    return bool(wanted.label or wanted.state)


def find(
    snapshot: Snapshot,
    tops: Iterable[Spot],
    wanted: Wanted,
    *,
    selected: frozenset[int] | None = None,
    limit: int = 0,
) -> tuple[Spot, ...]:
    """Return every node below ``tops`` that has all the wanted features, in document order.

    ``selected`` are the places that fit the wanted CSS selector, which the page alone can tell;
    ``limit`` 0 is all. Raises ``Unsupported`` where the snapshot lacks what would answer.
    """
    if needs_facts(wanted) and not snapshot.facts_known:
        raise Unsupported(
            "labels and states cannot be read from this DOMShell server now",
            "--name and --type still find",
        )
    if wanted.css and selected is None:
        raise Unsupported(
            "CSS selectors cannot be asked through this DOMShell server now", "use --type, --name"
        )
    return _cut(
        snapshot,
        [
            spot
            for spot in _below(snapshot, tops)
            if _fits(spot, wanted) and (selected is None or spot.at in selected)
        ],
        limit,
    )


def grep(
    snapshot: Snapshot, tops: Iterable[Spot], pattern: Pattern, *, below: bool, limit: int = 0
) -> tuple[Spot, ...]:
    """Return the entries of ``tops``, or all nodes ``below`` them, that match a pattern."""
    if below:
        return _cut(snapshot, list(filter(pattern.fits, _below(snapshot, tops))), limit)
    entries = [child for top in tops for child in snapshot.children(top)]
    return tuple(filter(pattern.fits, entries))


def _below(snapshot: Snapshot, tops: Iterable[Spot]) -> list[Spot]:
    places = {spot.at: spot for top in tops for spot in snapshot.below(top)}
    return [places[at] for at in sorted(places)]


def _cut(snapshot: Snapshot, spots: Sequence[Spot], limit: int) -> tuple[Spot, ...]:
    kept = without_inner_text(snapshot, spots)
    return tuple(kept[: limit or None])


def _fits(spot: Spot, wanted: Wanted) -> bool:
    node = spot.node
    return (
        (not wanted.role or node.role == wanted.role)
        and (not wanted.name or fnmatchcase(node.name, wanted.name))
        and (not wanted.label or wanted.label.casefold() in node.label.casefold())
        and (not wanted.state or wanted.state in node.states)
    )
