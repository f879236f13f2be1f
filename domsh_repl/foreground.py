"""Programs that have this terminal for a while: whom Ctrl-C means then. Standard library only."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["left_to_it"]


@contextmanager
def left_to_it() -> Iterator[None]:
    """Let a program that runs in this terminal deal with Ctrl-C, as shells do.

    Without a terminal nobody else is told of it, so that it means this process.
    """
    has_terminal = sys.stdin is not None and sys.stdin.isatty()
    if not has_terminal or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
