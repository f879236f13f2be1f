"""The lines of earlier shells: a file that only the user can read, or nothing but a warning.

May create the state directory and the file, and append to it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from prompt_toolkit.history import FileHistory

from domsh_repl.safetext import has_unsafe
from domsh_repl.shell.lines import split_lines
from domsh_repl.userfiles import make_private, state_file

__all__ = ["LineHistory", "history_file"]

_LOOKED_AT = 10_000
"""Lines that are looked through for a suggestion; that takes a millisecond or two."""
_MOST_BYTES = 4_000_000
"""Of the end of the file; what is before that is old."""


def history_file() -> Path:
    """Return where the platform keeps such a file (XDG base directories: the state)."""
    return Path(state_file("history", os.environ))


class LineHistory(FileHistory):
    """Lines, oldest first in the file; a line with a blank in front is kept nowhere.

    A line goes into the file when it has run, since it can turn out to hold a password.

    What goes wrong with the file is told once to ``warn``, and the lines stay in memory.
    """

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        super().__init__(path)
        self._path = path
        self._warn = warn
        self._usable = True
        self._waiting: set[str] = set()
        self._private: set[str] = set()
        self._hosts: dict[str, str] = {}
        self.is_new = not path.exists()
        self._try(lambda: make_private(str(path)))

    def lines(self) -> list[str]:
        """Return the lines that are known, oldest first."""
        if not self._loaded:
            self._loaded_strings = list(self.load_history_strings())
            self._loaded = True
        return self.get_strings()

    def load_history_strings(self) -> Iterable[str]:
        """Return what the file holds, newest first."""
        found: list[str] = []
        if self._path.exists():
            self._try(lambda: found.extend(_kept(self._path)))
        return reversed(found)

    def append_string(self, string: str) -> None:
        """Keep what was accepted for now, each line of a block by itself."""
        for line in split_lines(string):
            if not line[0].isspace() and self.lines()[-1:] != [line]:
                self._loaded_strings.insert(0, line)
                self._waiting.add(line)

    def settle(self, line: str, *, in_file: bool, forget: bool, host: str = "") -> None:
        """Write a line that has run to the file, leave it in memory, or forget it.

        ``host`` is that of the page that it ran on.
        """
        self._hosts[line] = host
        if not in_file:
            self._private.add(line)
        elif line in self._waiting:
            self._try(lambda: super(LineHistory, self).store_string(line))
        if forget:
            self._loaded_strings = [kept for kept in self._loaded_strings if kept != line]
        self._waiting.discard(line)

    def suggested(self, typed: str, host: str) -> str:
        """Return the last line that begins as typed, one of this host before others; "" for none.

        What may hold a password is not among them.
        """
        found = ""
        for line in islice(self._loaded_strings, _LOOKED_AT):
            if line.startswith(typed) and self._may_be_shown(line) and line != typed:
                if self._hosts.get(line) == host:
                    return line
                found = found or line
        return found

    def _may_be_shown(self, line: str) -> bool:
        return line not in self._private and not has_unsafe(line)

    def _try(self, work: Callable[[], None]) -> None:
        if not self._usable:
            return
        try:
            work()
        except OSError as error:
            self._usable = False
            reason = error.strerror or type(error).__name__
            self._warn(f"lines are not kept for the next shell: {self._path}: {reason}")


def _kept(path: Path) -> Iterator[str]:
    """Yield what the end of a file holds, in the form of ``FileHistory``; raises ``OSError``."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _MOST_BYTES, 0))
        if size > _MOST_BYTES:
            file.readline()  # the end of a line
        data = file.read(_MOST_BYTES)
    lines: list[str] = []
    for line in (*data.decode(errors="replace").split("\n"), ""):
        if line.startswith("+"):
            lines.append(line[1:])
        elif lines:
            yield "\n".join(lines)
            lines = []
