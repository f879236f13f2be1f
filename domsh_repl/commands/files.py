"""Files that answers are written to: ``> FILE`` and ``>> FILE``. Opens and writes these files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from domsh_repl.errors import Failed, UsageError
from domsh_repl.language import ExpandedWord
from domsh_repl.safetext import one_line

__all__ = ["Target", "file_of"]

_MODE = os.O_WRONLY | os.O_CREAT


def file_of(word: ExpandedWord) -> Path:
    """Return the file that a word names; ``~`` without quotes is the home directory.

    Raises ``UsageError`` for a name that a command printed: no page says what is written where.
    """
    if word.printed:
        hint = "write the file's name yourself"
        raise UsageError("printed text names no file", hint, word=word.text)
    if not word.text:
        raise UsageError("an empty name names no file", "ls > names.txt")
    first, quoted = word.pieces[0]
    if first.startswith("~") and not quoted:
        with suppress(RuntimeError):  # no such user: it is a name like any other
            return Path(word.text).expanduser()
    return Path(word.text)


class Target:
    """A file as a stream; it is emptied only when there is something to put in its place.

    Errors are ``Failed``: they end the command, and not the run.
    """

    encoding = "utf-8"

    def __init__(self, path: Path, *, append: bool) -> None:
        self._path = path
        self._is_whole = append
        try:
            self._file: IO[bytes] = os.fdopen(
                os.open(path, _MODE | (os.O_APPEND * append), 0o666), "wb"
            )
        except (OSError, ValueError) as error:
            raise self._failure(error) from error

    def isatty(self) -> bool:
        """Tell that nothing is drawn for a terminal here."""
        return False

    @property
    def file(self) -> IO[bytes]:
        """The file itself, for a program that writes into it."""
        self._begin()
        return self._file

    def write(self, text: str) -> int:
        """Write text."""
        self._begin()
        try:
            self._file.write(text.encode(errors="backslashreplace"))
        except OSError as error:
            raise self._failure(error) from error
        return len(text)

    def flush(self) -> None:
        """Let what was written be seen by others."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from error

    def finish(self) -> None:
        """Say that all went well: what printed nothing leaves an empty file."""
        self._begin()
        self.flush()

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # it was told when it was written
            self._file.close()

    def _begin(self) -> None:
        if not self._is_whole:
            self._is_whole = True
            with suppress(OSError):  # devices and pipes have no length
                os.ftruncate(self._file.fileno(), 0)

    def _failure(self, error: Exception) -> Failed:
        reason = getattr(error, "strerror", None) or str(error)
        return Failed(f"cannot write {one_line(str(self._path), 100)}: {reason}")
