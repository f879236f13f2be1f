"""A pager for what is longer than the terminal: the user's own, else less.

Starts that program and waits for its end. Never for a pipe, and not where a terminal can move no
cursor.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain

from domsh_repl.foreground import left_to_it
from domsh_repl.render.ink import Line, line_cells
from domsh_repl.render.screen import Screen

__all__ = ["Pager"]

_LESS = "less"
_LESS_OPTIONS = "FRX"
"""Ends by itself where all fits, takes colours, and leaves what was read on the screen."""
_KEPT_LINES = 2
"""Lines of the terminal for the command that was typed and the next prompt."""


class Pager:
    """Paints on a screen, through the pager where that is needed and ``is_on``."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self.is_on = True

    def switch(self, is_on: bool) -> None:
        """Use the pager from now on, or not."""
        self.is_on = is_on

    def paint(self, screen: Screen, lines: Iterable[Line]) -> None:
        """Paint lines; raises ``CannotWrite``."""
        command = self._command() if screen.is_terminal and self.is_on else []
        if not command:
            screen.paint(lines)
            return
        waiting = iter(lines)
        first = list(_screenful(waiting, screen))
        rest = next(waiting, None)
        shown = chain(first, () if rest is None else (rest,), waiting)
        process = None if rest is None else self._started(command)
        if process is None:
            screen.paint(shown)
        else:
            screen.flush()
            _paged(process, screen, shown)

    def _command(self) -> list[str]:
        """Return the program and its arguments; nothing where there is none to use."""
        if self._environment.get("TERM", "").casefold() in ("", "dumb", "unknown"):
            return []
        try:
            words = shlex.split(self._environment.get("PAGER", _LESS))
        except ValueError:  # a quote in it has no end
            return []
        return words if words and shutil.which(words[0]) and words != ["cat"] else []

    def _started(self, command: list[str]) -> subprocess.Popen[bytes] | None:
        environment = {"LESS": _LESS_OPTIONS, **self._environment}
        try:
            return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603
        except (OSError, ValueError):
            return None


def _screenful(lines: Iterator[Line], screen: Screen) -> Iterator[Line]:
    """Yield lines as long as they fit."""
    size = screen.size
    left = size.lines - _KEPT_LINES
    for line in lines:
        yield line
        left -= max(-(-line_cells(line) // size.columns), 1)
        if left <= 0:
            return


def _paged(process: subprocess.Popen[bytes], screen: Screen, lines: Iterable[Line]) -> None:
    assert process.stdin is not None
    stream = io.TextIOWrapper(process.stdin, screen.encoding, errors="backslashreplace")
    with left_to_it():
        with suppress(BrokenPipeError):  # the reader has seen enough
            screen.onto(stream).paint(lines)
        with suppress(BrokenPipeError):
            stream.close()
        process.wait()
