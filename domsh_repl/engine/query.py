"""What a search looks for, and when a node of the tree is a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from domsh_repl.engine.tree import Spot
from domsh_repl.lookup import folded
from domsh_repl.patterns import Pattern
from domsh_repl.roles import TEXT_LEAVES

__all__ = ["CURRENT", "Query", "without_inner_text"]

CURRENT = "current"
"""The state that stands in the DOM only (ARIA 1.3, aria-current)."""


@dataclass(frozen=True, slots=True)
class Query:
    """All that is set must hold. ``label`` is a part without case, ``exact_label`` the whole.

    ``pattern`` is grep's: it is looked for in name, label and value; ``inverted`` turns its
    answer round. ``roles`` are several, of which a node has one. ``css`` and the state
    ``current`` are answered by the page and are not looked at here.
    """

    role: str = ""
    roles: frozenset[str] = frozenset()
    name: str = ""
    label: str = ""
    exact_label: str = ""
    folded_label: str = ""
    css: str = ""
    state: str = ""
    pattern: Pattern | None = None
    inverted: bool = False

    @property
    def in_page(self) -> bool:
        """True when the page itself can tell the matches, however many they are."""
        return bool(self.css) or self.state == CURRENT

    def matches(self, spot: Spot) -> bool:
        """Tell whether the node at ``spot`` is what is looked for."""
        node, name = spot.node, spot.entries[-1].name
        return (
            (not self.role or node.role == self.role)
            and (not self.roles or node.role in self.roles)
            and (not self.name or fnmatchcase(name, self.name))
            and (not self.label or self.label.casefold() in node.name.casefold())
            and (not self.exact_label or node.name == self.exact_label)
            and (not self.folded_label or folded(node.name) == folded(self.folded_label))
            and (self.state in ("", CURRENT) or self.state in node.states)
            and (self.pattern is None or self._pattern_fits(spot, name))
        )

    def _pattern_fits(self, spot: Spot, name: str) -> bool:
        assert self.pattern is not None
        value = spot.node.value
        texts = filter(None, (name, spot.node.name, "" if value is None else str(value)))
        return any(map(self.pattern.search, texts)) != self.inverted


def without_inner_text(spots: Sequence[Spot]) -> list[Spot]:
    """Drop the text inside a node that matched: it is no second match (docs/language.md §2)."""
    matched = {spot.path for spot in spots}
    return [
        spot
        for spot in spots
        if spot.node.role not in TEXT_LEAVES or matched.isdisjoint(_paths_above(spot))
    ]


def _paths_above(spot: Spot) -> Iterable[str]:
    above = spot.parent()
    while not above.is_root:
        yield above.path
        above = above.parent()
