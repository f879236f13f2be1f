"""Programs of the system in a pipeline: ``!prog ARG…`` and ``| !prog ARG…``. No shell is asked.

Starts processes and waits for their ends. On a terminal a program that comes last has it for
itself, and Ctrl-C means the program. Where this process's streams are no files, as in the daemon,
what a program prints is handed on to them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, TextIO

from domsh_repl.commands.pipeline import Enough, Outcome, Stage
from domsh_repl.ending import held_back
from domsh_repl.errors import DomshError, Failed, Interrupted, NotFound, UsageError
from domsh_repl.foreground import Guest, Terminal, is_file, is_terminal, left_to_it
from domsh_repl.language import ExpandedWord
from domsh_repl.safetext import one_line

__all__ = ["GuestStage", "ProgramStage", "program_arguments", "run_elsewhere", "run_program"]

_PATIENCE = 1.0
"""Seconds that a program has to end when its pipeline was interrupted."""
_CHUNK = 65_536


def program_arguments(words: Sequence[ExpandedWord]) -> list[str]:
    """Return the arguments of a program, its name first.

    Raises ``UsageError`` for what a command printed where it would be an option of the program.
    """
    for word in words[1:]:
        if word.printed and word.text.startswith("-"):
            raise UsageError(
                f"printed text would be an option of {words[0].text}: {one_line(word.text, 40)}",
                "join it with text of your own: id=$x",
            )
    return [word.text for word in words]


class ProgramStage:
    """A program that reads lines; what it prints goes to ``following``, or to ``out`` by itself."""

    def __init__(
        self, arguments: Sequence[str], following: Stage | None, out: IO[bytes] | None = None
    ) -> None:
        stdout = subprocess.PIPE if following is not None else out
        self._name = arguments[0]
        self._following = following
        self._process = _started(arguments, subprocess.PIPE, stdout)
        self._failure: BaseException | None = None
        self._is_read = True
        self._reader = threading.Thread(target=self._read, name="domsh-program", daemon=True)
        if following is not None:
            self._reader.start()

    def put(self, line: str) -> None:
        """Write a line to the program."""
        self._written(lambda pipe: pipe.write(f"{line}\n".encode(errors="backslashreplace")))

    def flush(self) -> None:
        """Hand on what waits."""
        self._written(lambda pipe: pipe.flush())

    def end(self) -> tuple[Outcome, ...]:
        """Close the program's input and wait for its end."""
        self._close_input()
        status = _ended(self._process, owns_terminal=self._following is None)
        if self._following is None:
            return (_outcome(self._name, status),)
        self._reader.join()
        if self._failure is not None:
            raise self._failure
        stopped = not self._is_read and status == -signal.SIGPIPE
        return (0 if stopped else _outcome(self._name, status), *self._following.end())

    def abort(self) -> None:
        """Close the program's input; one that does not end then is ended."""
        self._close_input()
        if self._following is None and is_terminal(sys.stdout):
            _ended(self._process, owns_terminal=True)  # it puts the terminal in order itself
        else:
            _end_now(self._process)
        if self._following is not None:
            self._reader.join(_PATIENCE)
            self._following.abort()

    def _written(self, write: Callable[[IO[bytes]], object]) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            write(pipe)
        except (BrokenPipeError, ValueError) as error:
            raise Enough from error

    def _close_input(self) -> None:
        with contextlib.suppress(OSError):  # it reads no more
            if self._process.stdin is not None:
                self._process.stdin.close()

    def _read(self) -> None:
        assert self._following is not None
        assert self._process.stdout is not None
        with self._process.stdout as printed:
            try:
                _push(printed, self._following)
            except Enough:
                self._is_read = False
            except BaseException as error:  # noqa: BLE001  (it belongs to the main thread)
                self._failure = error


def run_program(arguments: Sequence[str], following: Stage | None, out: IO[bytes] | None) -> int:
    """Run a program that reads the terminal, or nothing where there is none.

    What it prints goes to ``following``, else to ``out``, else to where this process prints.
    Returns 0; raises ``Failed``, ``NotFound``, ``Interrupted``, and ``Enough``.
    """
    # before it starts: it may print, and be stopped, before this thread comes on
    with left_to_it() if following is None else contextlib.nullcontext():
        outcome = _outcome(arguments[0], _run(arguments, following, out))
    if isinstance(outcome, DomshError):
        raise outcome
    return outcome


def _run(arguments: Sequence[str], following: Stage | None, out: IO[bytes] | None) -> int:
    stdin = None if is_terminal(sys.stdin) else subprocess.DEVNULL
    stdout = subprocess.PIPE if following is not None else out
    process = _started(arguments, stdin, stdout)
    try:
        if following is not None and process.stdout is not None:
            with process.stdout as printed:
                _push(printed, following)
        return process.wait()
    except BaseException:
        _end_now(process)
        raise


def _started(
    arguments: Sequence[str], stdin: int | None, stdout: int | IO[bytes] | None
) -> _Process:
    """Start a program; one in whose start a signal came is ended."""
    process: _Process | None = None
    try:
        with held_back():
            process = _Process(arguments, stdin, stdout)
    except BaseException:
        if process is not None:
            _end_now(process)
        raise
    return process


def _push(printed: IO[bytes], following: Stage) -> None:
    for line in printed:
        following.put(line.decode(errors="backslashreplace").rstrip("\r\n"))
        following.flush()


def _check(name: str) -> None:
    if shutil.which(name) is None:
        raise NotFound(f"there is no program {one_line(name, 60)}", "! runs programs of the system")


def _cannot_run(name: str, error: Exception) -> Failed:
    reason = getattr(error, "strerror", None) or str(error)
    return Failed(f"cannot run {one_line(name, 60)}: {reason}")


class _Process:
    """A program that was started; raises ``NotFound`` and ``Failed`` where it cannot be."""

    def __init__(
        self, arguments: Sequence[str], stdin: int | None, stdout: int | IO[bytes] | None
    ) -> None:
        name = arguments[0]
        _check(name)
        hands_on = stdout is None and not is_file(sys.stdout)
        out = subprocess.PIPE if hands_on else stdout
        err = None if is_file(sys.stderr) else subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603
                list(arguments), stdin=stdin, stdout=out, stderr=err
            )
        except (OSError, ValueError) as error:
            raise _cannot_run(name, error) from error
        self.stdin = self._process.stdin
        self.stdout = None if hands_on else self._process.stdout
        self.terminate, self.kill = self._process.terminate, self._process.kill
        printed = [(self._process.stdout, sys.stdout)] if hands_on else []
        printed.append((self._process.stderr, sys.stderr))
        self._relays = [_Relay(pipe, stream) for pipe, stream in printed if pipe is not None]

    def wait(self, seconds: float | None = None) -> int:
        """Wait for its end, and until what it printed is where it belongs."""
        status = self._process.wait(seconds)
        for relay in self._relays:
            relay.wait()
        return status


class _Relay:
    """Hands on what a program prints to a stream that is no file."""

    def __init__(self, pipe: IO[bytes], stream: TextIO) -> None:
        stream.flush()  # what was shown before is read before
        self._pipe = pipe
        self._stream = stream
        self._count = 0
        self._thread = threading.Thread(target=self._hand_on, name="domsh-relay", daemon=True)
        self._thread.start()

    def _hand_on(self) -> None:
        with self._pipe as pipe, contextlib.suppress(OSError, ValueError):  # nobody reads it
            while data := os.read(pipe.fileno(), _CHUNK):
                self._stream.buffer.write(data)
                self._stream.flush()
                self._count += 1

    def wait(self) -> None:
        """Wait for the end of what is printed, unless others than the program hold it open."""
        before = -1
        while self._thread.is_alive() and self._count != before:
            before = self._count
            self._thread.join(_PATIENCE)


class GuestStage:
    """A program that reads lines and writes on a terminal that is not this process's own."""

    def __init__(self, arguments: Sequence[str], terminal: Terminal) -> None:
        self._name = arguments[0]
        _check(self._name)
        self._guest: Guest = terminal.lend(arguments, {})
        self._lines: list[str] = []
        self._size = 0

    def put(self, line: str) -> None:
        """Write a line to the program, some time."""
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Hand on what waits."""
        text = "".join(f"{line}\n" for line in self._lines)
        self._lines, self._size = [], 0
        try:
            if text:
                self._guest.write(text.encode(errors="backslashreplace"))
        except BrokenPipeError as error:
            raise Enough from error

    def end(self) -> tuple[Outcome, ...]:
        """Let the program read the rest and wait for its end."""
        with contextlib.suppress(Enough):
            self.flush()
        try:
            return (_outcome(self._name, self._guest.end()),)
        except OSError as error:
            return (_cannot_run(self._name, error),)

    def abort(self) -> None:
        """Let it come to its end."""
        self._guest.abort()


def run_elsewhere(arguments: Sequence[str], terminal: Terminal) -> int:
    """Run a program on a terminal that is not this process's own; raises as ``run_program``."""
    _check(arguments[0])
    try:
        outcome = _outcome(arguments[0], terminal.run(arguments))
    except OSError as error:
        raise _cannot_run(arguments[0], error) from error
    if isinstance(outcome, DomshError):
        raise outcome
    return outcome


def _ended(process: _Process, *, owns_terminal: bool) -> int:
    """Wait for the end; Ctrl-C means the program where it has the terminal."""
    with left_to_it() if owns_terminal else contextlib.nullcontext():
        return process.wait()


def _end_now(process: _Process) -> None:
    try:
        process.wait(_PATIENCE if process.stdin is not None else 0)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most of the real-time signals have none
        return f"signal {number}"


def _outcome(name: str, status: int) -> Outcome:
    """Return what a program's status means: its numbers are its own, ours say what went wrong."""
    if not status:
        return 0
    if status == -signal.SIGINT:
        return Interrupted("interrupted")
    if status < 0:
        return Failed(f"{one_line(name, 60)} was ended by {_signal_name(-status)}")
    return Failed(f"{one_line(name, 60)} ended with status {status}")
