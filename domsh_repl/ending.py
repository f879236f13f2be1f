"""What ends a run from outside: on SIGTERM and SIGHUP all that is open is closed first.

Without that a lane would stay on a server that others use. No signal breaks off an import.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

__all__ = ["held_back", "in_good_order", "put_off", "send_interrupt"]

_ENDING = ("SIGTERM", "SIGHUP")
_AGAIN = 0.02
"""Seconds until a signal that came in an import is looked at again."""
_IMPORTING = "<frozen importlib"


class _Ended(SystemExit):
    """A signal that ends the run; event loops let this kind of exception through at once."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def put_off(number: int, frame: FrameType | None) -> bool:
    """Tell a signal's handler whether an import is under way; the signal comes again then.

    An exception that is raised in there can be lost, and leave a lock of the import system held:
    no other thread could import anything any more, as one that starts a server has to.
    """
    while frame is not None and not frame.f_code.co_filename.startswith(_IMPORTING):
        frame = frame.f_back
    if frame is None:
        return False
    again = threading.Timer(_AGAIN, _send, (number,))
    again.daemon = True
    again.start()
    return True


def send_interrupt() -> None:
    """Let the main thread be interrupted as by Ctrl-C; from any thread."""
    _send(signal.SIGINT)


def _send(number: int) -> None:
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        signal.raise_signal(number)
    else:
        signal.pthread_kill(main, number)  # it may wait for something


@contextmanager
def held_back() -> Iterator[None]:
    """Let no signal break off what stands inside; the first that came is raised at its end.

    Whoever starts a process would not know it otherwise when the signal comes right then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = [getattr(signal, name) for name in ("SIGINT", *_ENDING) if hasattr(signal, name)]
    handled = {number: signal.getsignal(number) for number in numbers}
    held = [number for number, handler in handled.items() if callable(handler)]
    for number in held:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, handled[number])
        if came:
            signal.raise_signal(came[0])


@contextmanager
def in_good_order(*, interruptible: bool = False) -> Iterator[None]:
    """Let signals that end a process be exceptions meanwhile, and die of them after that.

    A second signal ends it at once, and one that was ignored stays so. Ctrl-C raises
    ``KeyboardInterrupt`` as always; no event loop may care for it where it is ``interruptible``.
    """
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def give_back() -> None:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)

    def end(number: int, frame: FrameType | None) -> None:
        if not put_off(number, frame):
            give_back()
            raise _Ended(number)

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not put_off(number, frame):
            raise KeyboardInterrupt

    try:
        for number in taken:
            signal.signal(number, end)
        if interruptible and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt)
        yield
    except _Ended as ended:
        with suppress(OSError, ValueError):  # the terminal may be gone
            sys.stdout.flush()
        os.kill(os.getpid(), ended.number)
        raise
    finally:
        give_back()
