r"""One line on a terminal that says what is being waited for, and is gone before anything else.

It is drawn with blanks and ``\r`` only, so that any terminal can do it.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from domsh_repl.commands.executor import Screen
from domsh_repl.errors import DomshError, Interrupted
from domsh_repl.nodes import View
from domsh_repl.render.ink import cells, cut

__all__ = ["CarefulScreen", "Progress"]

_PATIENCE = 0.5
"""Seconds of silence after which the line appears, and between two drawings of it."""
_TOLD_AT = (2, 10, 30)
"""Seconds after which it is said in words, once each, where nothing may be redrawn."""
_ECHO = 2
"""Cells of ``^C``, with which the terminal answers to that key."""
_PLAIN_VIEW = View()


class Progress:
    """The line; where ``stream`` is no terminal there is none.

    Where ``is_plain`` says so there are lines that stay instead, and nothing is taken away.
    """

    def __init__(self, stream: TextIO, is_plain: Callable[[], bool] = lambda: False) -> None:
        self._stream = stream
        self._is_plain = is_plain
        self._lock = threading.RLock()  # a screen that was lent may still be shown on
        self._is_drawn = False
        self._quiet_since = 0.0

    @contextmanager
    def waiting(self, what: Callable[[], str]) -> Iterator[None]:
        """Show what is being waited for while the block runs, when it takes long."""
        if not self._stream.isatty():
            yield
            return
        done = threading.Event()
        started = self._quiet_since = time.monotonic()
        target = self._say_until if self._is_plain() else self._draw_until
        thread = threading.Thread(
            target=target, args=(done, started, what), name="domsh-progress", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            done.set()
            with self.aside():
                pass

    @contextmanager
    def aside(self, *, echoed: bool = False) -> Iterator[None]:
        """Take the line away while the block writes something else.

        ``echoed`` tells that the terminal has shown a key that was pressed: it goes, too.
        """
        with self._lock:
            if echoed and self._is_plain():
                self._write("\n")
            elif self._is_drawn or echoed:
                self._write(f"\r{' ' * _room()}\r")
                self._is_drawn = False
            yield
            self._quiet_since = time.monotonic()

    def _draw_until(self, done: threading.Event, started: float, what: Callable[[], str]) -> None:
        while not done.wait(_PATIENCE):
            with self._lock:
                now = time.monotonic()
                if not done.is_set() and now - self._quiet_since >= _PATIENCE:
                    self._draw(what(), f" {now - started:.0f} s, Ctrl-C stops it")

    def _say_until(self, done: threading.Event, started: float, what: Callable[[], str]) -> None:
        for seconds in _TOLD_AT:
            if done.wait(max(started + seconds - time.monotonic(), 0)):
                return
            with self._lock:
                if not done.is_set() and time.monotonic() - self._quiet_since >= _PATIENCE:
                    said = what().removesuffix(":")
                    self._write(f"{said}, {seconds} seconds, Ctrl-C stops it\n")

    def _draw(self, what: str, ending: str) -> None:
        room = max(_room() - _ECHO, 1)
        text = cut(what, max(room - cells(ending), 1), "...") + ending
        self._write(f"\r{cut(text, room, '')}")
        self._is_drawn = True

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _room() -> int:
    """Return the cells of a line; the last one makes some terminals go to the next line."""
    return max(shutil.get_terminal_size().columns - 1, 1)


class CarefulScreen:
    """A screen that takes the progress line away before it shows anything."""

    def __init__(self, screen: Screen, progress: Progress) -> None:
        self._screen = screen
        self._progress = progress

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        with self._progress.aside():
            self._screen.show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        with self._progress.aside(echoed=isinstance(error, Interrupted)):
            self._screen.error(error, where=where)

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let somebody else write on the terminal meanwhile."""
        with self._progress.aside(), self._screen.lent():
            yield

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""
        with self._progress.aside():
            self._screen.note(text, warning=warning)
