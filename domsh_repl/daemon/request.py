"""What a client says first: who it is, what it wants, and the surroundings that it runs in.

Read by the thin client: imports ``os`` and ``sys`` only. Fields are divided by NUL, which none
of them can hold.
"""

from __future__ import annotations

import os
import sys

from domsh_repl import __version__
from domsh_repl.daemon.frames import DamagedError

__all__ = ["RUN", "STATUS", "STOP", "Request"]

RUN = "run"
STATUS = "status"
STOP = "stop"
_MARK = "domsh"
_PLAIN_FIELDS = 10


class Request:
    """A command line with its working directory, environment and terminal.

    ``terminals`` tells of each of the three streams whether it is one; ``columns`` is 0 where
    that is not known. A plain class, so that nothing is imported for it.
    """

    def __init__(  # noqa: PLR0913  (it is a record)
        self,
        purpose: str,
        words: list[str],
        *,
        token: str = "",
        version: str = __version__,
        pid: int = 0,
        cwd: str = "",
        terminals: tuple[bool, ...] = (False, False, False),
        columns: int = 0,
        encodings: tuple[str, ...] = ("utf-8", "utf-8", "utf-8"),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.purpose = purpose
        self.words = words
        self.token = token
        self.version = version
        self.pid = pid
        self.cwd = cwd
        self.terminals = terminals
        self.columns = columns
        self.encodings = encodings
        self.environment = environment or {}

    @classmethod
    def here(cls, words: list[str]) -> Request:
        """Return the request of this process."""
        streams = (sys.stdin, sys.stdout, sys.stderr)
        terminals = tuple(os.isatty(fd) for fd in range(3))
        return cls(
            RUN,
            words,
            pid=os.getpid(),
            cwd=_cwd(),
            terminals=terminals,
            columns=os.get_terminal_size(1).columns if terminals[1] else 0,
            encodings=tuple(getattr(stream, "encoding", None) or "utf-8" for stream in streams),
            environment=dict(os.environ),
        )

    def encode(self) -> bytes:
        """Return the payload; raises ``ValueError`` for a word with a NUL in it."""
        if any("\0" in word for word in self.words):
            raise ValueError("a word holds NUL")
        fields = [
            _MARK, self.version, self.token, self.purpose, str(self.pid), self.cwd,
            "".join("01"[one] for one in self.terminals), str(self.columns),
            " ".join(self.encodings), str(len(self.words)), *self.words,
            *(f"{name}={value}" for name, value in self.environment.items()),
        ]  # fmt: skip
        return "\0".join(fields).encode("utf-8", "surrogateescape")

    @classmethod
    def decode(cls, payload: bytes) -> Request:
        """Return the request; raises ``DamagedError`` for what is none.

        Of another version's only the first fields are read, which all versions have.
        """
        fields = payload.decode("utf-8", "surrogateescape").split("\0")
        if fields[0] != _MARK or len(fields) < _PLAIN_FIELDS:
            raise DamagedError
        version, token, purpose = fields[1:4]
        if version != __version__:
            return cls(purpose, [], token=token, version=version)
        pid, cwd, terminals, columns, encodings, count = fields[4:_PLAIN_FIELDS]
        try:
            first_variable = _PLAIN_FIELDS + int(count)
            return cls(
                purpose,
                fields[_PLAIN_FIELDS:first_variable],
                token=token,
                pid=int(pid),
                cwd=cwd,
                terminals=tuple(one == "1" for one in terminals),
                columns=int(columns),
                encodings=tuple(encodings.split(" ")),
                environment=dict(map(_variable, fields[first_variable:])),
            )
        except ValueError:
            raise DamagedError from None


def _cwd() -> str:
    try:
        return os.getcwd()  # noqa: PTH109  (pathlib costs more)
    except OSError:  # it was removed
        return ""


def _variable(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value
