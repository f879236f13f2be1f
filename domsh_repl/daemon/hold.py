"""The background process: one link, one session, one command at a time, until it is told to stop.

The main thread runs the commands, because only there Ctrl-C ends a wait.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from domsh_repl import __version__
from domsh_repl.commands.session import Keep, Session
from domsh_repl.daemon import frames
from domsh_repl.daemon.desk import Client, Desk, Job
from domsh_repl.daemon.door import Answering, Door, open_door
from domsh_repl.daemon.guests import ClientTerminal
from domsh_repl.daemon.lock import Lock
from domsh_repl.daemon.messages import (
    LineWanted,
    OwnSettings,
    Question,
    Ran,
    Standing,
    error_of,
    write,
)
from domsh_repl.daemon.place import Place, Refusal, State
from domsh_repl.daemon.request import Request
from domsh_repl.daemon.streams import standing_in
from domsh_repl.errors import DomshError, Interrupted, NotConnected
from domsh_repl.foreground import Terminal
from domsh_repl.link.link import Link
from domsh_repl.nodes import Message

__all__ = ["Host", "hold"]

_KEPT_LINES = 1000
_QUIET = 2.0
"""Seconds of a start after which it is told what is being waited for."""
_TELL_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class Host:
    """What runs a client's words, with its streams in place, in a session that is lent to it.

    ``run`` returns the exit status, or what the callable that it is given returns, where the
    words ask for a shell. ``run_line`` runs a line of such a shell, whose terminal is given for
    programs. ``warm`` imports what they need.
    """

    run: Callable[[Sequence[str], Session, Callable[[], int]], int]
    run_line: Callable[[Sequence[str], Session, LineWanted, Terminal], Ran]
    warm: Callable[[], None]


def hold(link: Link, session: Session, host: Host) -> int:
    """Be the daemon of this user until told to stop; return the exit status.

    Whoever started this hears on standard output, as JSON Lines, how that goes.
    """
    place = Place()
    try:
        place.make()
    except Refusal as refusal:
        raise error_of(refusal) from None
    lock = Lock(place.lock)
    if not lock.take():
        _report(taken=True)
        return 0
    with suppress(OSError):
        os.ftruncate(sys.stderr.fileno(), 0)  # the log of the one before
    keeper = _Keeper(link, session, host)
    try:
        return keeper.run(place, lock)
    except (DomshError, OSError) as error:
        told = error if isinstance(error, DomshError) else NotConnected(str(error))
        _report(error={"code": told.code, "message": told.message, "hint": told.hint})
        return told.exit_status
    finally:
        keeper.close(place, lock)


class _Keeper:
    """Holds the session, and serves it to one client after the other."""

    def __init__(self, link: Link, session: Session, host: Host) -> None:
        self._link = link
        self._session = session
        self._host = host
        self._desk = Desk()
        self._door: Door | None = None
        self._since = time.time()
        self._is_ready = False
        self._is_shell = False
        self._ran: Ran | None = None
        self._noted: set[str] = set()

    def run(self, place: Place, lock: Lock) -> int:
        """Start, tell that, and serve to the end."""
        self._desk.listen()
        self._session.daemon = _Inside(self._desk)
        listening, token = open_door(place)
        port = 0 if place.takes_socket else listening.getsockname()[1]
        _write_private(place.state, State(os.getpid(), __version__, port, token).text)
        self._door = Door(
            listening,
            token,
            self._desk,
            facts=self._facts,
            asking=self._ask,
            is_findable=lock.is_in_place,
        )
        self._door.open()
        self._link.start()
        self._host.warm()  # told to stop meanwhile, it does not begin: nothing is broken off
        beginning = Job(Client(bool), Request("start", []))  # can be given up as commands can
        if self._desk.run(beginning, self._start) != 0:
            raise Interrupted("the daemon was stopped while it started")
        while (item := self._desk.next()) is not None:
            self._session.note = _say_nothing
            if isinstance(item, Job):
                self._serve(item)
            else:
                item()
        return 0

    def close(self, place: Place, lock: Lock) -> None:
        """Let nobody find it any more, part from all, and leave the server."""
        if lock.is_in_place():  # else the files are another daemon's
            for path in (place.state, place.socket):
                with suppress(OSError):
                    Path(path).unlink()
        if self._door is None:
            return
        for job in self._desk.rest():
            job.client.refuse("not_connected", "the daemon was stopped", "`domsh daemon start`")
        self._door.close()
        self._session.close()
        self._link.close()

    def _start(self) -> int:
        """Wait for the server, and tell when it is there."""
        done = threading.Event()
        telling = threading.Thread(target=self._tell_progress, args=(done,), daemon=True)
        telling.start()
        try:
            self._link.wait_ready(self._note)
        finally:
            done.set()
            telling.join()
        gc.freeze()
        self._is_ready = True
        _report(ready=True)
        os.dup2(2, 1)  # nobody listens any more: into the log
        return 0

    def _tell_progress(self, done: threading.Event) -> None:
        pause = _QUIET
        while not done.wait(pause):
            self._note(self._link.progress)
            pause = _TELL_EVERY

    def _note(self, text: str) -> None:
        """Tell the starter something that it was not told before."""
        if text not in self._noted:
            self._noted.add(text)
            _report(note=text)

    def _facts(self) -> dict[str, object]:
        session = self._session
        return {
            "pid": os.getpid(),
            "version": __version__,
            "ready": self._is_ready,
            "server": self._link.server,
            "lane": self._link.lane,
            "url": session.state.page.url,
            "path": session.state.cwd,
            "busy": self._desk.is_busy,
            "read_only": self._link.is_read_only,
            "since": self._since,
        }

    def _ask(self, question: Question) -> Answering:
        if not self._link.is_ready:
            raise NotConnected("the server is not there now")  # the door waits for nothing
        future = self._link.ask_soon(
            question.ask, document=question.document, deadline=question.deadline
        )

        def adopt() -> None:
            if future.done() and not future.cancelled() and not future.exception():
                page = future.result().page
                known = page and replace(page, notices=())  # the shell has told them
                self._session.adopt(known, expected=True)

        future.add_done_callback(lambda _: self._desk.later(adopt))
        return future

    def _serve(self, job: Job) -> None:
        self._ran, self._is_shell = None, False
        with standing_in(job.client, job.request, job.line):
            status = self._desk.run(job, partial(self._status, job))
        self._session.note = _say_nothing
        del self._session.lines[:-_KEPT_LINES]
        if status is None:
            job.client.refuse("interrupted", "interrupted")
        elif self._is_shell:
            job.client.send(frames.SHELL, self._standing(job, status))
        elif job.line is not None:
            job.client.send(frames.DONE, self._standing(job, status))
        else:
            job.client.send(frames.DONE, str(status).encode())

    def _status(self, job: Job) -> int:
        """Do a job and return its status; raises nothing but ``KeyboardInterrupt``."""
        try:
            if job.line is None:
                return self._host.run(job.request.words, self._session, self._offer_shell)
            return self._run_line(job, job.line)
        except Exception:  # noqa: BLE001  (it comes with --debug, and the daemon goes on)
            traceback.print_exc()
            return 1

    def _offer_shell(self) -> int:
        self._is_shell = True
        return self._session.status

    def _run_line(self, job: Job, line: LineWanted) -> int:
        session = self._session
        session.keep = Keep.ALWAYS
        session.status = line.status
        session.variables["status"] = str(line.status)
        if line.site:
            session.variables["site"] = line.site
        terminal = ClientTerminal(job.client)
        self._ran = self._host.run_line(job.request.words, session, line, terminal)
        return self._ran.status

    def _standing(self, job: Job, status: int) -> bytes:
        """Return where the session stands; a line that was stopped has changed no settings."""
        own = OwnSettings() if job.line is None else job.line.own
        return write(Standing.of(self._session, self._ran or Ran(status, own)))


class _Inside:
    """What ``session daemon-start`` and ``session daemon-stop`` do in the daemon itself."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start(self, note: Callable[[str], None]) -> Message:
        """Tell that it runs."""
        del note
        return Message(f"this is the daemon (pid {os.getpid()})", {"started": False})

    def stop(self) -> Message:
        """Let it end after this line."""
        self._desk.end()
        return Message(f"the daemon stops (pid {os.getpid()})", {"stopped": True})


def _say_nothing(_text: str) -> None:
    """Drop a remark: no client is there to read it."""


def _report(**facts: object) -> None:
    """Tell whoever has started this, if it still listens."""
    with suppress(OSError):
        print(json.dumps(facts), flush=True)  # noqa: T201  (the pipe to the starter)


def _write_private(path: str, text: str) -> None:
    """Write a file whole, which nobody else can read at any time."""
    beside = f"{path}.new"
    with suppress(FileNotFoundError):
        Path(beside).unlink()
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    Path(beside).replace(path)
