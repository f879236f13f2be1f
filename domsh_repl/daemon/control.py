"""Starts the daemon, stops it and asks how it is; what ``domsh daemon`` does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from domsh_repl import __version__
from domsh_repl.daemon import frames
from domsh_repl.daemon.client import connect
from domsh_repl.daemon.lock import is_locked
from domsh_repl.daemon.messages import error_of
from domsh_repl.daemon.place import NOT_RUNNING, Place, Refusal
from domsh_repl.daemon.request import STATUS, STOP, Request
from domsh_repl.errors import (
    DomshError,
    Failed,
    Interrupted,
    NotConnected,
    TimedOut,
    Unsupported,
    error_for,
)
from domsh_repl.nodes import Message
from domsh_repl.safetext import one_line

__all__ = ["daemon_status", "start", "stop"]

_ANSWERS_WITHIN = 5.0
_SLACK = 15.0
"""Seconds that a start may take beyond the server's own time."""
_STOPS_WITHIN = 15.0
_DIES_WITHIN = 5.0
_PAUSE = 0.05
_LOG_BYTES = 4096

Note = Callable[[str], None]
Facts = Mapping[str, Any]


def start(words: Sequence[str], seconds: float, note: Note) -> Message:
    """Start a daemon unless one runs, wait until it can be used, and tell.

    ``words`` are its options, ``seconds`` how long its server may take, and ``note`` is given
    what there is to say meanwhile. Raises ``NotConnected``, ``TimedOut``, ``Unsupported`` beside
    one of another version, and ``Interrupted``, after which there is none.
    """
    place = Place()
    try:
        place.make()
    except Refusal as refusal:
        raise error_of(refusal) from None
    until = time.monotonic() + seconds + _SLACK
    silent_until = time.monotonic() + _ANSWERS_WITHIN + _SLACK
    started = False
    while time.monotonic() < until:
        facts = _facts(place, STATUS)
        if facts is not None and facts["ready"]:
            return _started(facts, words, new=started)
        if facts is None and not is_locked(place.lock):
            with _Starting(place, words) as starting:
                started = starting.heard(until, note)
        elif facts is None and time.monotonic() > silent_until and place.read_state() is not None:
            raise NotConnected("a daemon is running that does not answer", "`domsh daemon stop`")
        else:
            _pause()  # another one is just starting, or ending
    raise TimedOut("the daemon that is starting is not ready", "`domsh daemon status`")


def stop() -> Message:
    """Stop the daemon and wait until it is gone; raises ``Failed`` where it does not go."""
    place = Place()
    try:
        place.check()
        return _stopped(place)
    except Refusal as refusal:
        if refusal is not NOT_RUNNING:
            raise error_of(refusal) from None
    return Message("no daemon is running", {"stopped": False})


def _pause() -> None:
    try:
        time.sleep(_PAUSE)
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None


def daemon_status() -> tuple[Message, int]:
    """Return what there is to say of the daemon, and the exit status: 3 without one."""
    place = Place()
    facts = _facts(place, STATUS)
    if facts is None:
        told: dict[str, object] = {"running": False}
        with suppress(Refusal):
            place.check()
            state = place.read_state()
            if state is not None and is_locked(place.lock):
                told = {"running": True, "pid": state.pid, "answers": False}
        return _message(told), NotConnected.exit_status
    since = datetime.fromtimestamp(facts["since"], UTC).astimezone().isoformat(timespec="seconds")
    return _message({"running": True, **facts, "since": since}), 0


def _message(facts: Mapping[str, object]) -> Message:
    width = max(map(len, facts))
    lines = (f"{name:<{width}}  {one_line(_said(fact))}" for name, fact in facts.items())
    return Message("\n".join(lines), facts)


def _said(fact: object) -> str:
    return ("no", "yes")[fact] if isinstance(fact, bool) else str(fact)


def _facts(place: Place, purpose: str) -> Facts | None:
    """Ask the daemon for its facts; None when there is none, or none that answers."""
    try:
        connection = connect(Request(purpose, [], pid=os.getpid()), place)
    except Refusal as refusal:
        if refusal is NOT_RUNNING:
            return None
        raise error_of(refusal) from None
    connection.socket.settimeout(_ANSWERS_WITHIN)
    try:
        while True:
            for kind, payload in connection.receive():
                if kind == frames.REPLY:
                    facts: Facts = json.loads(payload)
                    return facts
    except (Refusal, ValueError):
        return None
    finally:
        connection.close()


def _started(facts: Facts, words: Sequence[str], *, new: bool) -> Message:
    pid, version = facts["pid"], facts["version"]
    if version != __version__:
        raise Unsupported(
            f"a daemon of domsh {one_line(str(version))} is running (pid {pid})",
            "`domsh daemon stop` ends it",
        )
    if new:
        return Message(f"the daemon is running (pid {pid})", {"started": True, "pid": pid})
    rest = "; its options stay as they were" if words else ""
    return Message(f"a daemon is running already (pid {pid}){rest}", {"started": False, "pid": pid})


class _Starting:
    """The process that is to be the daemon, until it is."""

    def __init__(self, place: Place, words: Sequence[str]) -> None:
        self._log = Path(place.log)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        log = os.open(place.log, flags, 0o600)
        self._log_start = os.fstat(log).st_size
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self._process = subprocess.Popen(  # noqa: S603  (domsh itself)
                [sys.executable, "-P", "-m", "domsh_repl", "daemon", "hold", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                **apart,
            )
        finally:
            os.close(log)
        self._reports: SimpleQueue[Facts | None] = SimpleQueue()
        self._is_daemon = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the daemon alone, and nothing else."""
        if self._is_daemon:
            self._process.returncode = 0  # it is no child to wait for any more
            return
        self._process.terminate()
        try:
            self._process.wait(_STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_DIES_WITHIN)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as reports:
            for line in reports:
                with suppress(ValueError):
                    self._reports.put(json.loads(line))
        self._reports.put(None)

    def heard(self, until: float, note: Note) -> bool:
        """Hear what it reports; tell whether it is the daemon, or has found another one."""
        try:
            while True:
                report = self._next(until)
                if report is None:
                    raise self._died()
                if "ready" in report:
                    self._is_daemon = True
                    return True
                if "taken" in report:
                    return False
                if "error" in report:
                    raise error_for(**report["error"])
                note(str(report.get("note", "")))
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None

    def _next(self, until: float) -> Facts | None:
        try:
            return self._reports.get(timeout=max(until - time.monotonic(), 0))
        except Empty:
            raise TimedOut(
                "the daemon did not get ready in time", f"its log: {self._log}"
            ) from None

    def _died(self) -> DomshError:
        """Return what there is to say of a process that ended without a word."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_DIES_WITHIN)
        with self._log.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            start = self._log_start if size > self._log_start else 0
            log.seek(max(start, size - _LOG_BYTES))
            lines = log.read().decode("utf-8", "replace").split("\n")
        said = [one_line(line) for line in lines if line.strip()]
        reason = said[-1] if said else f"exit status {self._process.returncode}"
        return NotConnected(f"the daemon ended while it started: {reason}", f"its log: {self._log}")


def _stopped(place: Place) -> Message:
    until = time.monotonic() + _ANSWERS_WITHIN
    while (facts := _facts(place, STOP)) is None:
        if not is_locked(place.lock):
            return Message("no daemon is running", {"stopped": False})
        if time.monotonic() > until:
            return _killed(place)
        _pause()
    if _is_free(place, _STOPS_WITHIN):
        return _gone(facts["pid"], "stopped")
    return _killed(place)


def _killed(place: Place) -> Message:
    """Kill the process that holds the lock: nobody else's number stands in the state then."""
    state = place.read_state()
    if state is not None and is_locked(place.lock):
        with suppress(ProcessLookupError):
            os.kill(state.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        if _is_free(place, _DIES_WITHIN):
            return _gone(state.pid, "did not answer, so it was killed")
    raise Failed("the daemon does not end", f"its folder: {place.folder}")


def _gone(pid: int, how: str) -> Message:
    return Message(f"the daemon {how} (pid {pid})", {"stopped": True, "pid": pid})


def _is_free(place: Place, seconds: float) -> bool:
    """Wait until no process holds the lock."""
    until = time.monotonic() + seconds
    while is_locked(place.lock):
        if time.monotonic() > until:
            return False
        _pause()
    return True
