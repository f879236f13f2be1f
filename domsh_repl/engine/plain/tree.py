"""DOMShell's tree of a page: the whole accessibility tree at one moment, with DOMShell's names.

Names hold node ids where there is no usable label (``main_22``), texts are directories, and
what is in frames is not there. Which nodes are left out, and what a name is made of, follows
from recorded replies of version 1.3.0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domsh_repl.engine.axnode import AxNode
from domsh_repl.nodes import Kind
from domsh_repl.roles import ALWAYS_DIRECTORY, DOMSHELLS_INTERACTIVE, SUFFIXES

__all__ = ["PlainNode", "PlainTree", "kind_of"]

_DROPPED = re.compile(r"[^a-z0-9\s_-]")
_BLANKS = re.compile(r"\s+")
_NAME_LIMIT = 40


@dataclass(slots=True)
class PlainNode:
    """A node with its name; ``children`` are those that DOMShell shows of it."""

    ax: AxNode
    name: str
    children: list[PlainNode] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        """How DOMShell sorts it."""
        return kind_of(self.ax)

    @property
    def shown(self) -> str:
        """The name, with a slash for a directory."""
        return f"{self.name}/" if self.kind is Kind.DIRECTORY else self.name

    @property
    def inside(self) -> Sequence[PlainNode]:
        """What is drawn below it: nothing of an interactive one."""
        return () if self.kind is Kind.INTERACTIVE else self.children

    def child(self, name: str) -> PlainNode | None:
        """Return the first child of that name."""
        return next((one for one in self.children if one.name == name), None)

    def below(self, path: str = "") -> Iterator[tuple[str, PlainNode]]:
        """Yield every node below with its path, in document order."""
        for child in self.inside:
            where = f"{path}/{child.name}" if path else child.name
            yield where, child
            yield from child.below(where)


@dataclass(frozen=True, slots=True)
class PlainTree:
    """A page's tree as it was; ``document`` tells whether it is still that page's."""

    document: str
    root: PlainNode
    count: int

    @classmethod
    def of(cls, document: str, nodes: Sequence[AxNode]) -> PlainTree:
        """Build the tree from all nodes of the main frame, the document first."""
        known = {node.id: node for node in nodes}
        root = PlainNode(nodes[0], _base_name(nodes[0]))
        waiting = [root]
        while waiting:
            parent = waiting.pop()
            parent.children = _named(list(_shown_below(parent.ax, known)))
            waiting += parent.children
        return cls(document, root, len(nodes))

    def at(self, names: Sequence[str]) -> PlainNode | None:
        """Return the node at a path of names, None where there is none."""
        node: PlainNode | None = self.root
        for name in names:
            node = None if node is None else node.child(name)
        return node


def kind_of(node: AxNode) -> Kind:
    """Return DOMShell's sort of a node (``AxNode.kind`` is the engine's own)."""
    if node.role in DOMSHELLS_INTERACTIVE:
        return Kind.INTERACTIVE
    if node.child_ids or node.role in ALWAYS_DIRECTORY:
        return Kind.DIRECTORY
    return Kind.STATIC


def _shown_below(node: AxNode, known: Mapping[str, AxNode]) -> Iterator[AxNode]:
    waiting = list(reversed(node.child_ids))
    while waiting:
        child = known.get(waiting.pop())
        if child is None:
            continue
        if child.is_wrapper:
            waiting += reversed(child.child_ids)
        else:
            yield child


def _named(nodes: Sequence[AxNode]) -> list[PlainNode]:
    seen: Counter[str] = Counter()
    named = []
    for node in nodes:
        base = _base_name(node)
        seen[base] += 1
        named.append(PlainNode(node, base if seen[base] == 1 else f"{base}_{seen[base]}"))
    return named


def _base_name(node: AxNode) -> str:
    suffix = SUFFIXES.get(node.role)
    found = _slug(node.name) or _slug(node.description) or (node.role if suffix else "")
    if not found:
        return f"{node.role}_{node.id}"
    return f"{found}_{suffix}" if suffix else found


def _slug(text: str) -> str:
    return _BLANKS.sub("_", _DROPPED.sub("", text.lower()).strip())[:_NAME_LIMIT]
