"""Full garbage collections only while nobody types: they stop every thread.

On a page of 20,000 links one takes 0.4 s, and they come while such a page is read, which
completion does behind the prompt. Changes how this process collects, for good.
"""

from __future__ import annotations

import gc

__all__ = ["postpone", "sweep"]

_NEVER = 1_000_000
_DUE = 40
"""Collections of the middle generation after which it is worth it: 280,000 new objects."""


def postpone() -> None:
    """Let full collections wait for ``sweep``."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _NEVER)


def sweep() -> None:
    """Make up for a full collection that is due; call it where a command ends."""
    if gc.get_count()[2] >= _DUE:
        gc.collect()
