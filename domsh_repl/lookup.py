"""What a step of a path takes among the entries of a directory, and how a failure is worded.

The built-in engine and the snapshots of a DOMShell server walk differently, and must agree.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeVar

from domsh_repl.errors import Ambiguous, NotFound
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.safetext import escape

__all__ = [
    "ambiguous",
    "fitting",
    "folded",
    "missing",
    "nothing_inside",
    "nothing_matches",
    "unlabelled",
]

S = TypeVar("S")
_SHOWN_NAMES = 6
_SHOWN_CANDIDATES = 8
_LEAST_LIKENESS = 0.5


def folded(text: str) -> str:
    """Return a label as labels are compared without case."""
    return " ".join(text.casefold().split())


def fitting(
    children: Sequence[S], segment: Segment, named: Callable[[S], tuple[str, str]]
) -> Sequence[S]:
    """Return the children that a name, a glob or an index takes; ``named`` gives name and role."""
    if segment.kind is SegmentKind.NAME:
        return [child for child in children if named(child)[0] == segment.text]
    if segment.kind is SegmentKind.GLOB:
        return [child for child in children if fnmatchcase(named(child)[0], segment.text)]
    same_role = [child for child in children if named(child)[1] == segment.text]
    return same_role[segment.index : segment.index + 1]


def ambiguous(path: Path, found: Sequence[str]) -> Ambiguous:
    """Return the error for a path that means several nodes where one is needed."""
    left = len(found) - _SHOWN_CANDIDATES
    more = f" and {left} more" if left > 0 else ""
    return Ambiguous(
        f"{escape(str(path))} means {len(found)} nodes:"
        f" {', '.join(found[:_SHOWN_CANDIDATES])}{more}",
        "name one of them by its path",
    )


def missing(place: str, segment: Segment, names: Sequence[str]) -> NotFound:
    """Return the error for what is not among the ``names`` of a directory."""
    near = difflib.get_close_matches(segment.text, names, 1, _LEAST_LIKENESS)
    there = ", ".join(names[:_SHOWN_NAMES]) or "nothing"
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    wanted = escape(str(segment))
    hint = f"did you mean {near[0]}?" if near else f"`ls {place}` shows what is there"
    if segment.kind is SegmentKind.NAME and not near:
        is_name = "_" in segment.text  # as ls prints them; labels have none
        below = f"`find {place} --name {wanted}` looks further down"
        hint += f"; {below}" if is_name else f'; a label stands in quotes: "{wanted}"'
    return NotFound(f"no {wanted} in {place} (there is {there}{more})", hint, reached=place)


def nothing_inside(place: str, segment: Segment) -> NotFound:
    """Return the error for a step into what holds nothing."""
    return NotFound(
        f"{place} has nothing inside, so no {escape(str(segment))}",
        f"`cat {place}` shows it",
        reached=place,
    )


def nothing_matches(segment: Segment) -> NotFound:
    """Return the error for a pattern that fits nothing."""
    return NotFound(f"nothing matches {escape(str(segment))}", "`ls` shows what is there")


def unlabelled(place: str, text: str) -> NotFound:
    """Return the error for quoted text that is neither a name nor a label."""
    return NotFound(
        f"nothing below {place} is called or labelled {escape(text)!r}",
        f"`find --label` looks for a part of a label, `ls {place}` shows what is there",
        reached=place,
    )
