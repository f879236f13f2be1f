"""What an action changed among the levels that had been read before it."""

from __future__ import annotations

from dataclasses import dataclass

from domsh_repl.engine.levels import Entry, Level
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.errors import DomshError
from domsh_repl.nodes import Changes

__all__ = ["Snapshot", "changes_since", "snapshot"]

_MOST_LEVELS = 60
_LARGEST_LEVEL = 400
"""Bounds of what is read again after an action: looking must not cost more than acting."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The levels that were known before an action, and of which document."""

    document: str
    levels: tuple[tuple[Spot, Level], ...]


def snapshot(tree: Tree) -> Snapshot:
    """Return what is known now; nothing is read for it."""
    return Snapshot(tree.document, tuple(tree.known_levels()))


async def changes_since(before: Snapshot, tree: Tree) -> Changes | None:
    """Compare what was known with what is there now; None when nothing could be observed."""
    if tree.document != before.document or not before.levels:
        return None
    dropped = [(spot, level) for spot, level in before.levels if tree.dropped(spot, level)]
    if len(dropped) > _MOST_LEVELS:
        return None
    added: list[str] = []
    removed: list[str] = []
    changed: list[str] = []
    for spot, level in dropped:
        if len(level.entries) > _LARGEST_LEVEL:
            return None
        try:
            now = (await tree.level(spot)).entries
        except DomshError:
            continue  # the directory itself is gone: its own level tells that
        old = {entry.node.id: entry for entry in level.entries}
        new = {entry.node.id: entry for entry in now}
        added += [spot.child(entry).path for key, entry in new.items() if key not in old]
        removed += [spot.child(entry).path for key, entry in old.items() if key not in new]
        changed += [
            spot.child(entry).path
            for key, entry in new.items()
            if key in old and _shown(old[key]) != _shown(entry)
        ]
    return Changes(tuple(added), tuple(removed), tuple(changed))


def _shown(entry: Entry) -> tuple[object, ...]:
    """Return what a reader sees of a node; having the focus is no change of the page."""
    node = entry.node
    states = tuple(state for state in node.states if state != "focused")
    return (node.role, node.name, node.value, node.description, states)
