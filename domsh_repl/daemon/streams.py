"""A client's standard streams as this process's own, and its surroundings, while it is served.

Output goes to the client frame by frame; input is asked for when it is read.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from domsh_repl.daemon import frames
from domsh_repl.daemon.desk import Client
from domsh_repl.daemon.messages import LineWanted
from domsh_repl.daemon.request import Request

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

__all__ = ["standing_in"]

_CHUNK = 65_536
_NO_STREAMS = frozenset({"idna", "punycode", "undefined", "rot13"})
"""Codecs of text that no stream can have."""


class _Output(io.RawIOBase):
    """Standard output or error of a client; ``mute`` drops what still comes."""

    def __init__(self, client: Client, kind: int, *, is_terminal: bool) -> None:
        self._client = client
        self._kind = kind
        self._is_terminal = is_terminal
        self.mute = False

    def writable(self) -> bool:
        """Tell that it takes bytes."""
        return True

    def isatty(self) -> bool:
        """Tell whether the client's is a terminal."""
        return self._is_terminal

    def write(self, data: ReadableBuffer) -> int:
        """Send bytes; raises ``OSError`` where the client could not write what came before."""
        chunk = bytes(data)[:_CHUNK]
        if self.mute:
            return len(chunk)
        self._client.room.wait()
        if self._kind == frames.OUT:
            self._check()
        self._client.send(self._kind, chunk)
        return len(chunk)

    def _check(self) -> None:
        if self._client.is_gone:
            raise BrokenPipeError
        error = self._client.output_error
        if error is not None:
            raise OSError(error.errno, error.strerror)


class _Input(io.RawIOBase):
    """Standard input of a client; where there is nothing ``to_read`` it is at its end."""

    def __init__(self, client: Client, *, is_terminal: bool, to_read: bool) -> None:
        self._client = client
        self._is_terminal = is_terminal
        self._is_asked_for = False
        self._is_over = not to_read
        self._rest = b""

    def readable(self) -> bool:
        """Tell that it gives bytes."""
        return True

    def isatty(self) -> bool:
        """Tell whether the client's is a terminal."""
        return self._is_terminal

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Ask the client for what it has, unless some is left; 0 at the end."""
        if not self._rest and not self._is_over:
            if not self._is_asked_for:
                self._client.send(frames.WANT_STDIN)
                self._is_asked_for = True
            self._rest = self._client.input.get()
            self._is_asked_for = False
            self._is_over = not self._rest
        view = memoryview(buffer).cast("B")
        part, self._rest = self._rest[: len(view)], self._rest[len(view) :]
        view[: len(part)] = part
        return len(part)


@contextmanager
def standing_in(client: Client, request: Request, line: LineWanted | None) -> Iterator[None]:
    """Give this process the streams, the directory and the environment of a client.

    With a ``line`` it is a shell: its standard input is the terminal, where nothing is read here.
    """
    output = [
        _Output(client, kind, is_terminal=terminal)
        for kind, terminal in zip((frames.OUT, frames.ERR), request.terminals[1:], strict=True)
    ]
    entrance = _Input(client, is_terminal=request.terminals[0], to_read=line is None)
    before = sys.stdin, sys.stdout, sys.stderr
    reading, *writing = map(_known_encoding, request.encodings)
    made = [
        io.TextIOWrapper(
            io.BufferedWriter(raw, _CHUNK),
            encoding,
            "backslashreplace",
            line_buffering=raw.isatty() or raw is output[1],
        )
        for raw, encoding in zip(output, writing, strict=True)
    ]
    columns, rows = (request.columns, 0) if line is None else (line.columns, line.rows)
    with _surroundings(request, {"COLUMNS": columns, "LINES": rows}):
        sys.stdin = io.TextIOWrapper(io.BufferedReader(entrance, _CHUNK), reading)
        sys.stdout, sys.stderr = made
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
            for raw, text in zip(output, made, strict=True):
                raw.mute = True  # it was flushed, or there is no use in that
                text.close()


def _known_encoding(name: str) -> str:
    """Return the encoding if it is one that any text can be written in, else UTF-8."""
    try:
        found = codecs.lookup(name)
        "a\n".encode(found.name)  # raises for codecs of bytes, and of names of hosts
    except (LookupError, ValueError):
        return "utf-8"
    return found.name if found.name not in _NO_STREAMS else "utf-8"


@contextmanager
def _surroundings(request: Request, size: Mapping[str, int]) -> Iterator[None]:
    home, before = os.getcwd(), dict(os.environ)  # noqa: PTH109  (pairs with chdir)
    known = {name: str(number) for name, number in size.items() if number}
    _become({**known, **request.environment})
    with suppress(OSError):  # it was removed: then nothing can be found in it anyway
        os.chdir(request.cwd)
    try:
        yield
    finally:
        _become(before)
        with suppress(OSError):
            os.chdir(home)


def _become(environment: Mapping[str, str]) -> None:
    """Change the environment of this process to that one, and no more than that."""
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    for name, value in environment.items():
        if os.environ.get(name) != value:
            with suppress(ValueError, OSError):  # no name of a variable
                os.environ[name] = value
