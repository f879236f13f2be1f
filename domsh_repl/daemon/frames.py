"""How a client and the daemon talk: a byte for the kind, four for the length, the payload.

Read by the thin client: imports nothing.
"""

from __future__ import annotations

__all__ = [
    "ACCEPTED", "ANSWER", "ASK", "CANCEL", "DONE", "ERR", "HEAD", "HELLO", "INTERRUPT", "LINE",
    "MOST", "OUT", "OUT_FAILED", "PROGRAM", "PROGRAM_ABORT", "PROGRAM_DONE", "PROGRAM_ENOUGH",
    "PROGRAM_INPUT", "REFUSED", "REPLY", "SHELL", "STDIN", "WANT_STDIN",
    "DamagedError", "Unpacker", "pack",
]  # fmt: skip

HEAD = 5
"""Bytes before the payload."""
MOST = 1 << 26
"""Bytes of the longest payload."""

# from a client
HELLO = 1
"""Who it is and what it wants: a ``request``."""
INTERRUPT = 2
STDIN = 3
"""What its standard input gave; nothing at the end."""
OUT_FAILED = 4
"""Its standard output takes nothing more: the error's number."""
LINE = 5
"""A line of its shell to run, as JSON."""
ASK = 6
"""What its completion asks, as JSON with an ``id``."""
CANCEL = 7
"""The number of such a question that nobody waits for any more."""
PROGRAM_ENOUGH = 8
"""The program that runs in its terminal reads no more."""
PROGRAM_DONE = 9
"""How that program ended, as JSON."""

# from the daemon
ACCEPTED = 65
"""It has understood the ``HELLO``, and the command waits for its turn."""
OUT = 66
ERR = 67
WANT_STDIN = 68
DONE = 69
"""The exit status; after a ``LINE`` JSON that tells the state, too."""
SHELL = 70
"""It takes lines, one ``LINE`` each: the client is a shell. The state, as JSON."""
REFUSED = 71
"""Why not: an error's code, message and hint."""
REPLY = 72
"""Facts, as JSON, that need no turn."""
ANSWER = 73
PROGRAM = 74
"""A program that the shell is to run in its terminal, as JSON."""
PROGRAM_INPUT = 75
"""What that program is to read; nothing at the end."""
PROGRAM_ABORT = 76
"""There is nothing more for it to read, and nobody waits for its end."""


class DamagedError(Exception):
    """What came is no frame."""


def pack(kind: int, payload: bytes = b"") -> bytes:
    """Return a frame."""
    return bytes((kind,)) + len(payload).to_bytes(4, "big") + payload


class Unpacker:
    """Takes frames out of a stream of bytes."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the frames that are complete with this; raises ``DamagedError``."""
        self._data += data
        frames = []
        while len(self._data) >= HEAD:
            length = int.from_bytes(self._data[1:HEAD], "big")
            if length > MOST:
                raise DamagedError
            end = HEAD + length
            if len(self._data) < end:
                break
            frames.append((self._data[0], bytes(self._data[HEAD:end])))
            del self._data[:end]
        return frames
