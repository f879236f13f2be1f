r"""Snapshots of a page as text that compares well, and the same text read back. Pure.

A node a line, indented by two blanks a level: role, label as a JSON string, a heading's level,
states. No ids, no values, no addresses: what stands there is what a release changes. Labels are
the page's own: controls, bidirectional signs and quotes are escaped (``\u001b``, ``\"``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domsh_repl.errors import Failed
from domsh_repl.nodes import Branch
from domsh_repl.roles import TEXT_LEAVES
from domsh_repl.safetext import json_text

__all__ = ["Shape", "Snapshot", "parse_snapshot", "snapshot_of", "write_snapshot"]

_HEAD = "# domsh snapshot 1"
_CUT = "# cut: "
_INDENT = "  "
_LINE = re.compile(
    r'(?P<indent>(?:  )*)(?P<role>[^\s"\[\]=]+)(?: (?P<label>"(?:[^"\\]|\\.)*"))?'
    r"(?: level=(?P<level>[0-9]{1,9}))?(?: \[(?P<states>[a-z]+(?: [a-z]+)*)\])?"
)
_NOT_IN_A_ROLE = re.compile(r'[\s"\[\]=]')
_VOLATILE = frozenset({"focused", "busy"})
"""States that say where somebody is, or when the snapshot was taken, and nothing of the page."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A node as a snapshot has it; ``level`` is a heading's, 0 for others.

    ``depth`` counts from the snapshot's top, ``path`` is where it is now, "" in a file.
    """

    depth: int
    role: str
    label: str
    level: int = 0
    states: tuple[str, ...] = ()
    path: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The nodes in document order; ``cut`` says what is missing, "" where nothing is."""

    shapes: tuple[Shape, ...]
    cut: str = ""


def snapshot_of(top: Branch, levels: Mapping[str, int]) -> Snapshot:
    """Return the snapshot of a tree; ``levels`` are those of headings by path."""
    shapes: list[Shape] = []
    more = 0
    waiting = [(0, top)]
    while waiting:
        depth, branch = waiting.pop()
        shapes.append(_shape(depth, branch, levels))
        more += branch.more
        told = [child for child in branch.children if not _says_again(child, branch)]
        waiting += [(depth + 1, child) for child in reversed(told)]
    return Snapshot(tuple(shapes), f"{more} nodes and what is in them" if more else "")


def _says_again(child: Branch, branch: Branch) -> bool:
    """Tell whether a text is but the label of what is around it."""
    return child.role in TEXT_LEAVES and child.label.strip() == branch.label.strip()


def _shape(depth: int, branch: Branch, levels: Mapping[str, int]) -> Shape:
    states = tuple(sorted(set(branch.states) - _VOLATILE))
    role = _NOT_IN_A_ROLE.sub("-", branch.role) or "unknown"
    return Shape(depth, role, branch.label, levels.get(branch.path, 0), states, branch.path)


def write_snapshot(snapshot: Snapshot) -> str:
    """Return the text of a snapshot."""
    return "".join(f"{line}\n" for line in _lines(snapshot))


def _lines(snapshot: Snapshot) -> Iterator[str]:
    yield _HEAD
    if snapshot.cut:
        yield _CUT + snapshot.cut
    for shape in snapshot.shapes:
        label = f" {json_text(shape.label)}" if shape.label else ""
        level = f" level={shape.level}" if shape.level else ""
        states = f" [{' '.join(shape.states)}]" if shape.states else ""
        yield f"{_INDENT * shape.depth}{shape.role}{label}{level}{states}"


def parse_snapshot(text: str) -> Snapshot:
    """Return the snapshot that a text is; raises ``Failed`` for what is none, with the line."""
    head, *rest = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if head != _HEAD:
        raise Failed("it is no snapshot", "`snapshot -o FILE` writes one")
    cut = ""
    shapes: list[Shape] = []
    for number, line in enumerate(rest, 2):
        if line.startswith(_CUT):
            cut = line.removeprefix(_CUT)
        elif line.strip() and not line.startswith("#"):
            shapes.append(_read(line, number, shapes))
    if not shapes:
        raise Failed("the snapshot is empty", "`snapshot -o FILE` writes one")
    return Snapshot(tuple(shapes), cut)


def _read(line: str, number: int, before: list[Shape]) -> Shape:
    found = _LINE.fullmatch(line)
    depth = len(found["indent"]) // len(_INDENT) if found else 0
    deepest = before[-1].depth + 1 if before else 0
    if found is None or depth > deepest or (before and not depth):
        raise _broken(number)
    try:
        label = json.loads(found["label"] or '""')
    except ValueError as error:
        raise _broken(number) from error
    states = tuple((found["states"] or "").split())
    return Shape(depth, found["role"], label, int(found["level"] or 0), states)


def _broken(number: int) -> Failed:
    return Failed(f"line {number} is none of a snapshot", "`snapshot -o FILE --force` writes it")
