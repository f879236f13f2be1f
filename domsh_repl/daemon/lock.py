"""The lock that a daemon holds as long as it lives: what tells it from files that it left behind.

The file stays when the lock goes; only a lock on it means something.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

__all__ = ["Lock", "is_locked"]

_PATIENCE = 1.0
"""Seconds that taking is tried: somebody may just be looking whether it is taken."""
_PAUSE = 0.02


class Lock:
    """The lock of one folder, for the process that takes it."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._descriptor = -1

    def take(self) -> bool:
        """Take the lock for as long as this process lives; tell whether it was free."""
        until = time.monotonic() + _PATIENCE
        descriptor = _opened(self._path)
        while not _locked(descriptor):
            if time.monotonic() > until:
                os.close(descriptor)
                return False
            time.sleep(_PAUSE)
        self._descriptor = descriptor
        return True

    def is_in_place(self) -> bool:
        """Tell whether the file is still there that was locked: others look for it by its name."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._descriptor))
        except OSError:
            return False


def is_locked(path: str) -> bool:
    """Tell whether a process holds the lock now."""
    try:
        descriptor = _opened(Path(path))
    except OSError:
        return False
    try:
        return not _locked(descriptor)
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, 0o600)


if sys.platform == "win32":
    import msvcrt

    def _locked(descriptor: int) -> bool:
        with contextlib.suppress(OSError):
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            return True
        return False

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
