"""Programs that have the user's terminal for a while: whom Ctrl-C means then, what they read.

Standard library only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO

__all__ = ["Guest", "LocalGuest", "Terminal", "is_file", "is_terminal", "left_to_it"]


class Guest(Protocol):
    """A program that has the terminal and reads what it is given."""

    def write(self, data: bytes) -> None:
        """Give it bytes to read; raises ``BrokenPipeError`` when it reads no more."""

    def end(self) -> int:
        """Give it no more, wait for its end, return its status; raises ``OSError``."""

    def abort(self) -> None:
        """Give it no more, and wait until it has put the terminal in order."""


class Terminal(Protocol):
    """A terminal that is not this process's own, and where programs can have it.

    What cannot be started is an ``OSError``, at the latest when it should end.
    """

    def run(self, arguments: Sequence[str]) -> int:
        """Run a program that reads and writes there; return its status as ``subprocess`` does."""

    def lend(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Guest:
        """Start a program that reads what it is given; variables are added to its environment.

        With variables it is a pager, and Ctrl-C means it from now on.
        """


class LocalGuest:
    """A program that this process has started in its own terminal."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        known = {**os.environ, **environment}
        self._process = subprocess.Popen(  # noqa: S603  (the user's own program)
            list(arguments), stdin=subprocess.PIPE, env=known
        )
        assert self._process.stdin is not None
        self._stdin = self._process.stdin

    def write(self, data: bytes) -> None:
        """Give it bytes to read at once."""
        self._stdin.write(data)
        self._stdin.flush()

    def end(self) -> int:
        """Give it no more and wait for its end."""
        with suppress(OSError):  # it reads no more
            self._stdin.close()
        with left_to_it():
            return self._process.wait()

    def abort(self) -> None:
        """Give it no more and wait for its end."""
        self.end()


def is_file(stream: TextIO | None) -> bool:
    """Tell whether a stream is a file of this process, which the programs it starts can share."""
    try:
        return stream is not None and stream.fileno() >= 0
    except (OSError, ValueError, AttributeError):
        return False


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a stream is a terminal that programs of this process can have."""
    return stream is not None and is_file(stream) and stream.isatty()


@contextmanager
def left_to_it() -> Iterator[None]:
    """Let a program that runs in this terminal deal with Ctrl-C, as shells do.

    Without a terminal nobody else is told of it, so that it means this process.
    """
    has_terminal = is_terminal(sys.stdin)
    if not has_terminal or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
