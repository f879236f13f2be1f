"""Facts of which only the latest are kept, since nobody tells when one is of no more use."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["remember"]

K = TypeVar("K")
V = TypeVar("V")
_KEPT = 64
"""Documents of which something is remembered; late events tell of recent ones only."""


def remember(kept: dict[K, V], key: K, fact: V, most: int = _KEPT) -> None:
    """Keep a fact, and let the oldest go where there are more than ``most``."""
    kept[key] = fact
    if len(kept) > most:
        kept.pop(next(iter(kept)))
