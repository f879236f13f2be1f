"""Long searches in parts, so that a reader who has seen enough ends them early. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domsh_repl.nodes import Matches

__all__ = ["in_parts"]

_FIRST = 50
_GROWTH = 8
"""Each part looks again for what was found before, so that there must be few of them."""
_LARGEST = 20_000


def in_parts(look: Callable[[int | None], Matches]) -> Iterator[Matches]:
    """Yield what a search finds, up to a growing limit each time, the last time without one.

    What was there before is not told twice when the page has changed between two looks.
    """
    limit: int | None = _FIRST
    seen: set[str] = set()
    while True:
        found = look(limit)
        new = tuple(node for node in found.matches if node.path not in seen)
        seen.update(node.path for node in new)
        is_all = limit is None or found.total <= limit
        if new or is_all:
            yield Matches(new, len(new) if seen else 0)
        if is_all:
            return
        assert limit is not None
        limit = limit * _GROWTH if limit < _LARGEST else None
