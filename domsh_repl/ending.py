"""What ends a run from outside: on SIGTERM and SIGHUP all that is open is closed first.

Without that a lane would stay on a server that others use.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

__all__ = ["in_good_order"]

_ENDING = ("SIGTERM", "SIGHUP")


class _Ended(SystemExit):
    """A signal that ends the run; event loops let this kind of exception through at once."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def in_good_order() -> Iterator[None]:
    """Let signals that end a process be exceptions meanwhile, and die of them after that.

    A second signal ends it at once, and one that was ignored stays so.
    """
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def give_back() -> None:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)

    def end(number: int, _frame: FrameType | None) -> None:
        give_back()
        raise _Ended(number)

    try:
        for number in taken:
            signal.signal(number, end)
        yield
    except _Ended as ended:
        with suppress(OSError, ValueError):  # the terminal may be gone
            sys.stdout.flush()
        os.kill(os.getpid(), ended.number)
        raise
    finally:
        give_back()
