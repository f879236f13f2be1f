"""A pager for what is longer than the terminal: the user's own, else less.

Starts that program and waits for its end. Never for a pipe, and not where a terminal can move no
cursor.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TextIO, cast

from domsh_repl.foreground import Guest, LocalGuest, Terminal, left_to_it
from domsh_repl.render.ink import Line, line_cells
from domsh_repl.render.screen import Screen

__all__ = ["Pager"]

_LESS = "less"
_LESS_OPTIONS = "FRXPs?e(END) q leaves:Space goes on, q leaves."
"""It ends by itself where all fits, takes colours, leaves what was read, and tells its keys."""
_KEPT_LINES = 2
"""Lines of the terminal for the command that was typed and the next prompt."""


class Pager:
    """Paints on a screen, through the pager where that is needed and ``is_on``.

    It runs in this process's terminal unless there is another ``terminal`` for it.
    """

    def __init__(
        self, environment: Mapping[str, str] = os.environ, *, terminal: Terminal | None = None
    ) -> None:
        self._environment = environment
        self._terminal = terminal
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
        guest = None if rest is None else self._started(command, screen)
        if guest is None:
            screen.paint(shown)
        else:
            _paged(guest, screen, shown)

    def _command(self) -> list[str]:
        """Return the program and its arguments; nothing where there is none to use."""
        if self._environment.get("TERM", "").casefold() in ("", "dumb", "unknown"):
            return []
        try:
            words = shlex.split(self._environment.get("PAGER", _LESS))
        except ValueError:  # a quote in it has no end
            return []
        return words if words and shutil.which(words[0]) and words != ["cat"] else []

    def _started(self, command: list[str], screen: Screen) -> Guest | None:
        screen.flush()
        settings = {"LESS": self._environment.get("LESS", _LESS_OPTIONS)}
        try:
            if self._terminal is not None:
                return self._terminal.lend(command, settings)
            return LocalGuest(command, {**self._environment, **settings})
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


def _paged(guest: Guest, screen: Screen, lines: Iterable[Line]) -> None:
    stream = cast("TextIO", _GuestStream(guest, screen.encoding))
    with left_to_it():
        with suppress(BrokenPipeError):  # the reader has seen enough
            screen.onto(stream).paint(lines)
        with suppress(OSError):  # it was found a moment ago
            guest.end()


class _GuestStream:
    """What a program reads, as a stream to write text to."""

    def __init__(self, guest: Guest, encoding: str) -> None:
        self._guest = guest
        self.encoding = encoding

    def isatty(self) -> bool:
        """Tell that this is no terminal."""
        return False

    def write(self, text: str) -> int:
        """Hand text on; raises ``BrokenPipeError``."""
        self._guest.write(text.encode(self.encoding, "backslashreplace"))
        return len(text)

    def flush(self) -> None:
        """Nothing waits here."""
