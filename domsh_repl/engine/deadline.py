"""How long something may take, shared by all its parts."""

from __future__ import annotations

import time

__all__ = ["Deadline"]

_LEAST = 0.05


class Deadline:
    """A moment that many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; a little at least, so that a last look is possible."""
        return max(self._until - time.monotonic(), _LEAST)
