"""Programs of the system in a pipeline: ``!prog ARG…`` and ``| !prog ARG…``. No shell is asked.

Starts processes and waits for their ends. On a terminal a program that comes last has it for
itself, and Ctrl-C means the program.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO

from domsh_repl.commands.pipeline import Enough, Outcome, Stage
from domsh_repl.errors import DomshError, Failed, Interrupted, NotFound, UsageError
from domsh_repl.foreground import left_to_it
from domsh_repl.language import ExpandedWord
from domsh_repl.safetext import one_line

__all__ = ["ProgramStage", "program_arguments", "run_program"]

_PATIENCE = 1.0
"""Seconds that a program has to end when its pipeline was interrupted."""


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
        if self._following is None and sys.stdout.isatty():
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
    stdin = None if _has_terminal() else subprocess.DEVNULL
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


def _push(printed: IO[bytes], following: Stage) -> None:
    for line in printed:
        following.put(line.decode(errors="backslashreplace").rstrip("\r\n"))
        following.flush()


def _has_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _started(
    arguments: Sequence[str], stdin: int | None, stdout: int | IO[bytes] | None
) -> subprocess.Popen[bytes]:
    name = arguments[0]
    if shutil.which(name) is None:
        raise NotFound(f"there is no program {one_line(name, 60)}", "! runs programs of the system")
    try:
        return subprocess.Popen(list(arguments), stdin=stdin, stdout=stdout)  # noqa: S603
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failed(f"cannot run {one_line(name, 60)}: {reason}") from error


def _ended(process: subprocess.Popen[bytes], *, owns_terminal: bool) -> int:
    """Wait for the end; Ctrl-C means the program where it has the terminal."""
    with left_to_it() if owns_terminal else contextlib.nullcontext():
        return process.wait()


def _end_now(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE if process.stdin is not None else 0)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _outcome(name: str, status: int) -> Outcome:
    """Return what a program's status means: its numbers are its own, ours say what went wrong."""
    if not status:
        return 0
    if status == -signal.SIGINT:
        return Interrupted("interrupted")
    if status < 0:
        return Failed(f"{one_line(name, 60)} was ended by {signal.Signals(-status).name}")
    return Failed(f"{one_line(name, 60)} ended with status {status}")
