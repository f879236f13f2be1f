"""What two snapshots differ in: nodes are paired by role and label, never by place alone. Pure.

Below a pair the children are paired in their order; then those of one role with another label
(renamed), then, all over the page, those that went elsewhere (moved). What is left was added or
removed: a whole branch is told by its top.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from domsh_repl.commands.snapshottext import Shape, Snapshot
from domsh_repl.reports import Comparison, Difference, Differences
from domsh_repl.safetext import one_line

__all__ = ["compare"]

K = TypeVar("K")
_ALIKE = 0.6
"""The ratio from which two labels count as one that was changed (``difflib``)."""
_MOST_ALIKE = 40
"""Children of one role that are compared label by label: it takes the square of them."""
_LONGEST_LABEL = 200
_SHOWN = 60


@dataclass(eq=False, slots=True)
class _Node:
    shape: Shape
    parent: _Node | None = None
    children: list[_Node] = field(default_factory=list)
    other: _Node | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.shape.role, self.shape.label

    @property
    def told(self) -> str:
        label = f' "{one_line(self.shape.label, _SHOWN)}"' if self.shape.label else ""
        return f"{self.shape.role}{label}"

    @property
    def place(self) -> str:
        """What is around it, from the outside in, without the top."""
        way, above = [], self.parent
        while above is not None and above.parent is not None:
            way.append(above.told)
            above = above.parent
        return " / ".join(reversed(way)) or "/"


def compare(before: Snapshot, now: Snapshot) -> Comparison:
    """Return what came, went and changed between two snapshots."""
    old, new = _nodes(before), _nodes(now)
    _pair(old[0], new[0])
    _pair_moved(old, new)
    changed = [one for node in new if node.other for one in _changes(node.other, node)]
    added = [_difference(node, "added") for node in new if _is_top(node)]
    removed = [_difference(node, "removed") for node in old if _is_top(node)]
    cuts = dict.fromkeys(cut for cut in (before.cut, now.cut) if cut)
    differences = Differences(tuple(added), tuple(removed), tuple(changed))
    return Comparison(differences, f"not compared: {'; '.join(cuts)}" if cuts else "")


def _nodes(snapshot: Snapshot) -> list[_Node]:
    way: list[_Node] = []
    nodes = []
    for shape in snapshot.shapes:
        del way[shape.depth :]
        node = _Node(shape, way[-1] if way else None)
        if way:
            way[-1].children.append(node)
        way.append(node)
        nodes.append(node)
    return nodes


def _pair(old: _Node, new: _Node) -> None:
    """Pair two nodes, and below them what is alike."""
    waiting = [(old, new)]
    while waiting:
        one, other = waiting.pop()
        one.other, other.other = other, one
        waiting += _pairs_of_children(one.children, other.children)


def _pairs_of_children(old: Sequence[_Node], new: Sequence[_Node]) -> list[tuple[_Node, _Node]]:
    by_key = _grouped(old, lambda node: node.key)
    pairs = []
    for node in new:
        same = by_key.get(node.key)
        if same:
            pairs.append((same.pop(0), node))
    taken = {id(node) for pair in pairs for node in pair}
    left_old = _grouped((one for one in old if id(one) not in taken), lambda node: node.shape.role)
    left_new = _grouped((one for one in new if id(one) not in taken), lambda node: node.shape.role)
    for role, nodes in left_new.items():
        pairs += _renamed(left_old.get(role, []), nodes)
    return pairs


def _grouped(nodes: Iterable[_Node], key: Callable[[_Node], K]) -> dict[K, list[_Node]]:
    groups: dict[K, list[_Node]] = defaultdict(list)
    for node in nodes:
        groups[key(node)].append(node)
    return groups


def _renamed(old: Sequence[_Node], new: Sequence[_Node]) -> list[tuple[_Node, _Node]]:
    """Pair children of one role whose labels differ: one for one, or the most alike."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    if max(len(old), len(new)) > _MOST_ALIKE:
        return []
    rated = sorted(
        ((_alike(one, other), at, place) for at, one in enumerate(old)
         for place, other in enumerate(new)), key=lambda item: (-item[0], item[1:]),
    )  # fmt: skip
    pairs: dict[int, int] = {}
    for ratio, at, place in rated:
        if ratio >= _ALIKE and at not in pairs and place not in pairs.values():
            pairs[at] = place
    return [(old[at], new[place]) for at, place in pairs.items()]


def _alike(one: _Node, other: _Node) -> float:
    was, now = (node.shape.label[:_LONGEST_LABEL] for node in (one, other))
    return float(difflib.SequenceMatcher(None, was, now, autojunk=False).ratio())


def _pair_moved(old: Sequence[_Node], new: Sequence[_Node]) -> None:
    """Pair what has a label and went elsewhere."""
    left = _grouped((one for one in old if not one.other and one.shape.label), lambda one: one.key)
    for node in new:
        if node.other is None and left.get(node.key):
            other = next((one for one in left[node.key] if one.other is None), None)
            if other is not None:
                _pair_again(other, node)


def _pair_again(old: _Node, new: _Node) -> None:
    """Pair two nodes, and below them what has no pair yet."""
    waiting = [(old, new)]
    while waiting:
        one, other = waiting.pop()
        one.other, other.other = other, one
        free = [[child for child in node.children if child.other is None] for node in (one, other)]
        waiting += _pairs_of_children(*free)


def _changes(old: _Node, new: _Node) -> list[Difference]:
    was, is_now = old.shape, new.shape
    found = []
    if was.label != is_now.label or was.role != is_now.role:
        found.append(_difference(new, "renamed", old.told, new.told))
    if was.level != is_now.level:
        found.append(_difference(new, "level", str(was.level or ""), str(is_now.level or "")))
    if was.states != is_now.states:
        found.append(_difference(new, "states", " ".join(was.states), " ".join(is_now.states)))
    if old.parent and new.parent and old.parent.other is not new.parent:
        found.append(_difference(new, "moved", old.place, new.place))
    return found


def _is_top(node: _Node) -> bool:
    """Tell whether a node has no pair, and what is around it has one."""
    return node.other is None and (node.parent is None or node.parent.other is not None)


def _difference(node: _Node, what: str, was: str = "", now: str = "") -> Difference:
    inside = 0 if node.other is not None else _unpaired(node) - 1
    shape = node.shape
    path = shape.path or None
    return Difference(what, shape.role, shape.label, node.place, path, was, now, inside)


def _unpaired(top: _Node) -> int:
    count, waiting = 0, [top]
    while waiting:
        node = waiting.pop()
        if node.other is None:
            count += 1
        waiting += node.children
    return count
