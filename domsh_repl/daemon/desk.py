"""What the main thread is to do, in order, and how it is told to stop doing it.

The door's thread puts things on the desk, the main thread takes them. Neither waits for the
other: each writes before it looks (``give_up`` against ``begin``), so one of them sees.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING

from domsh_repl.daemon import frames
from domsh_repl.daemon.messages import LineWanted
from domsh_repl.daemon.place import Refusal
from domsh_repl.daemon.request import Request
from domsh_repl.ending import put_off
from domsh_repl.errors import Interrupted

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["Client", "Desk", "Job"]

_ROOM = 32
"""Frames that may wait for a client which does not read."""


class Client:
    """A client as the main thread sees it: it sends, and waits for room and for input.

    ``programs`` holds how those ended that the client ran in its terminal; ``reads_enough`` tells
    that the one which runs there reads no more.
    ``wake`` tells the door's thread that there is something to send.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self.waiting: deque[bytes] = deque()
        self.input: SimpleQueue[bytes] = SimpleQueue()
        self.programs: SimpleQueue[bytes] = SimpleQueue()
        self.reads_enough = False
        self.output_error: OSError | None = None
        self.is_gone = False
        self.room = threading.Event()
        self.room.set()

    def send(self, kind: int, payload: bytes = b"") -> None:
        """Send a frame, some time; one for a client that is gone is dropped."""
        if self.is_gone:
            return
        self.waiting.append(frames.pack(kind, payload))
        if len(self.waiting) > _ROOM:
            self.room.clear()
        with suppress(RuntimeError):  # the door is closed
            self._wake()

    def refuse(self, code: str, message: str, hint: str = "") -> None:
        """Tell the client why what it wants is not done."""
        self.send(frames.REFUSED, Refusal(code, message, hint).encode())

    def program_said(self, payload: bytes) -> None:
        """Take how a program in the client's terminal ended; nothing: that it reads no more."""
        if payload:
            self.programs.put(payload)
        else:
            self.reads_enough = True

    def leave(self) -> None:
        """Let nobody wait for this client any more: it is gone."""
        self.is_gone = True
        self.waiting.clear()
        self.room.set()
        self.input.put(b"")
        self.programs.put(b"")


@dataclass(eq=False, slots=True)
class Job:
    """A command line of a client, or a ``line`` of a client that is a shell."""

    client: Client
    request: Request
    line: LineWanted | None = None
    is_begun: bool = False
    is_given_up: bool = False
    is_done: bool = False


class Desk:
    """The one queue of the main thread; ``told_to_stop`` is called when it is to end."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Job | Callable[[], None] | None] = SimpleQueue()
        self._current: Job | None = None
        self._main = threading.main_thread()
        self.is_stopping = False
        self.told_to_stop: Callable[[], object] = bool

    # --- for the door's thread ---

    @property
    def is_busy(self) -> bool:
        """Whether a command runs."""
        return self._current is not None

    def add(self, job: Job) -> None:
        """Let a job be done when it is its turn."""
        self._items.put(job)

    def later(self, work: Callable[[], None]) -> None:
        """Let something short be done between two commands."""
        self._items.put(work)

    def give_up(self, job: Job) -> None:
        """Stop a job: it is interrupted, or never begun."""
        if job.is_done:
            return
        job.is_given_up = True
        if self._current is job:
            self._interrupt()
        else:
            job.client.refuse("interrupted", "interrupted")

    def stop(self) -> None:
        """Let the main thread end, also from the middle of a command. For signals, too."""
        self.is_stopping = True
        current = self._current
        if current is not None:
            self.give_up(current)
        self._items.put(None)
        self.told_to_stop()

    def end(self) -> None:
        """Let the main thread end when the command that runs has ended."""
        self.is_stopping = True
        self._items.put(None)

    def part(self) -> None:
        """Wait no longer for the client whose command runs, which may not read any more."""
        current = self._current
        if current is not None:
            current.client.leave()
            self.give_up(current)

    def _interrupt(self) -> None:
        if sys.platform == "win32":
            signal.raise_signal(signal.SIGINT)
        elif self._main.ident is not None:
            signal.pthread_kill(self._main.ident, signal.SIGINT)

    # --- for the main thread ---

    def listen(self) -> None:
        """Take the signals of this process: one to interrupt, others to stop."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda _number, _frame: self.stop())

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        job = self._current
        if job is not None and job.is_given_up and not put_off(number, frame):
            job.is_given_up = False
            raise KeyboardInterrupt

    def next(self) -> Job | Callable[[], None] | None:
        """Wait for what is to be done next; None when it is time to end."""
        return None if self.is_stopping else self._items.get()

    def rest(self) -> list[Job]:
        """Return the jobs that nobody will do."""
        found = []
        while not self._items.empty():
            item = self._items.get()
            if isinstance(item, Job):
                found.append(item)
        return found

    def run(self, job: Job, work: Callable[[], int]) -> int | None:
        """Do a job, which can be given up meanwhile, and return its status.

        None where it was given up before it began. Raises what ``work`` raises.
        """
        try:
            try:
                self._current = job
                job.is_begun = True
                if job.is_given_up or job.client.is_gone or self.is_stopping:
                    return None
                signal.signal(signal.SIGINT, self._on_interrupt)  # a run may have ignored it
                return work()
            finally:
                self._current = None
                job.is_done = True
        except KeyboardInterrupt:
            self._current = None
            job.is_done = True
            return Interrupted.exit_status
