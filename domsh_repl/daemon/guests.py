"""Programs of a daemon's shell: they run in the client, which has the terminal.

``ClientTerminal`` is the daemon's side, ``Guests`` the client's. A program that reads what the
daemon has painted gets it frame by frame.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack

from domsh_repl.daemon import frames
from domsh_repl.daemon.desk import Client
from domsh_repl.daemon.messages import ProgramEnded, ProgramWanted, read, write
from domsh_repl.foreground import Guest, LocalGuest, left_to_it

__all__ = ["ClientTerminal", "Guests"]


class ClientTerminal:
    """The terminal of a client that is a shell: programs run there, one at a time."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def run(self, arguments: Sequence[str]) -> int:
        """Let a program have the terminal, and return its status; raises ``OSError``."""
        self._client.send(frames.PROGRAM, write(ProgramWanted(tuple(arguments))))
        return _ended(self._client)

    def lend(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Guest:
        """Let a program have the terminal, which reads what it is given."""
        wanted = ProgramWanted(tuple(arguments), dict(environment), reads=True)
        self._client.reads_enough = False
        self._client.send(frames.PROGRAM, write(wanted))
        return _FarGuest(self._client)


class _FarGuest:
    """A program that the client runs and that reads what is written here."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def write(self, data: bytes) -> None:
        """Send bytes; raises ``BrokenPipeError`` when they are not read any more."""
        if self._client.reads_enough or self._client.is_gone:
            raise BrokenPipeError
        self._client.room.wait()
        self._client.send(frames.PROGRAM_INPUT, data)

    def end(self) -> int:
        """Send the end, wait for the program's, and return its status; raises ``OSError``."""
        self._client.send(frames.PROGRAM_INPUT)
        return _ended(self._client)

    def abort(self) -> None:
        """Let the client wait for the end of the program."""
        self._client.send(frames.PROGRAM_ABORT)


def _ended(client: Client) -> int:
    payload = client.programs.get()
    if not payload:
        raise BrokenPipeError("the client is gone")
    told = read(ProgramEnded, payload)
    if told.problem:
        raise OSError(told.problem, os.strerror(told.problem))
    return told.status


class Guests:
    """Runs programs for the daemon; each answer goes out through ``send``.

    ``lent`` lets a program write on the terminal while the block runs; ``kinds`` are the frames
    that are for this.
    """

    kinds = frozenset({frames.PROGRAM, frames.PROGRAM_INPUT, frames.PROGRAM_ABORT})

    def __init__(
        self,
        send: Callable[[int, bytes], None],
        lent: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._send = send
        self._lent = lent
        self._guest: Guest | None = None
        self._is_read = False
        self._failure = ProgramEnded()
        self._stack = ExitStack()

    def take(self, kind: int, payload: bytes) -> None:
        """Do what a frame says; Ctrl-C means the program meanwhile."""
        if kind == frames.PROGRAM:
            self._start(read(ProgramWanted, payload))
        elif kind == frames.PROGRAM_ABORT:
            self.leave()
        elif self._guest is not None and payload:
            self._give(self._guest, payload)
        elif self._guest is not None:
            status = self._guest.end()
            self._let_go()
            self._tell(ProgramEnded(status))
        else:  # it could not be started, which is told when its end is waited for
            self._tell(self._failure)

    def leave(self) -> None:
        """Wait for a program that still runs: the daemon gives it no more."""
        guest = self._guest
        if guest is not None:
            guest.abort()
        self._let_go()

    def _start(self, wanted: ProgramWanted) -> None:
        try:
            if wanted.reads:
                self._begin(wanted)
            else:
                self._tell(ProgramEnded(self._run(wanted)))
        except (OSError, ValueError) as error:
            self._let_go()
            self._failure = ProgramEnded(problem=getattr(error, "errno", None) or 1)
            self._send(frames.PROGRAM_ENOUGH, b"")
            if not wanted.reads:
                self._tell(self._failure)

    def _run(self, wanted: ProgramWanted) -> int:
        with self._lent(), left_to_it():
            return subprocess.run(list(wanted.arguments), check=False).returncode  # noqa: S603

    def _begin(self, wanted: ProgramWanted) -> None:
        self._is_read = True
        self._stack.enter_context(self._lent())
        if wanted.environment:  # a pager: keys mean it from the first one on
            self._stack.enter_context(left_to_it())
        self._guest = LocalGuest(wanted.arguments, wanted.environment)

    def _give(self, guest: Guest, data: bytes) -> None:
        try:
            if self._is_read:
                guest.write(data)
        except OSError:
            self._is_read = False
            self._send(frames.PROGRAM_ENOUGH, b"")

    def _let_go(self) -> None:
        self._guest = None
        self._stack.close()

    def _tell(self, ended: ProgramEnded) -> None:
        self._send(frames.PROGRAM_DONE, write(ended))
