"""Runs a line, a file or a stream of lines and gives the exit status (LANGUAGE.md §1, §6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from domsh_repl.commands.executor import Executor, check_line
from domsh_repl.commands.session import Quit
from domsh_repl.errors import DomshError, ParseError, UsageError
from domsh_repl.language import (
    Line,
    Script,
    ScriptError,
    ScriptErrors,
    parse_file,
    parse_line,
    print_line,
)

__all__ = ["Tally", "load_script", "parse_command", "run_line", "run_lines", "run_script"]


@dataclass(slots=True)
class Tally:
    """What the last line of a run counts."""

    passed: int = 0
    failed: int = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, 0 skipped"


def parse_command(text: str) -> Line:
    """Return the line of ``-c``, checked as a whole: raises ``ParseError``, ``UsageError``."""
    if "\n" in text.strip("\n"):
        raise UsageError("-c takes one line", "`domsh run -` reads lines from standard input")
    line = parse_line(text.strip("\n"))
    for error in check_line(line):
        raise error
    return line


def load_script(name: str, stdin: TextIO) -> Script:
    """Read and check a batch file (``-``: standard input); nothing has run when it raises.

    Raises ``ScriptErrors`` with every error found, and ``UsageError`` when it cannot be read.
    """
    try:
        data = stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 (byte {error.start})") from error
    shown = "stdin" if name == "-" else name
    script = parse_file(text, shown)
    wrong = [
        ScriptError(line.number, error.column, error.length, line.text, error)
        for line in script.lines
        for error in check_line(line)
    ]
    if wrong:
        raise ScriptErrors(shown, tuple(wrong))
    return script


def run_line(executor: Executor, line: Line) -> int:
    """Run one line; ``quit`` ends it with the status so far."""
    try:
        return executor.run(line)
    except Quit:
        return 0


def run_script(
    executor: Executor, script: Script, echo: Callable[[str], None] | None
) -> tuple[int, Tally]:
    """Run a checked script to its end or its first failure; return status and counts."""
    tally = Tally()
    status = 0
    try:
        for line in script.lines:
            if echo is not None:
                echo(print_line(line))
            status = _run_parts(executor, line, f"{script.name}:{line.number}", tally)
            if status:
                break
    except Quit:
        status = 0
    if not tally.passed + tally.failed:
        tally = Tally(int(not status), int(bool(status)))
    elif status and not tally.failed:
        tally.failed += 1
    return status, tally


def _run_parts(executor: Executor, line: Line, where: str, tally: Tally) -> int:
    for part in line.parts:
        before = executor.verdicts
        status = executor.run_part(part, line, where=where)
        if not part[0].command.forgiving:
            tally.passed += executor.verdicts.met - before.met
            tally.failed += executor.verdicts.unmet - before.unmet
        if status:
            return status
    return 0


def run_lines(executor: Executor, lines: Iterable[str]) -> int:
    """Run each line as it arrives, up to the first failure."""
    try:
        for number, text in enumerate(lines, 1):
            status = _run_text(executor, text.rstrip("\r\n"), f"stdin:{number}")
            if status:
                return status
    except Quit:
        return 0
    return 0


def _run_text(executor: Executor, text: str, where: str) -> int:
    try:
        line = parse_line(text)
        errors: Sequence[ParseError] = tuple(check_line(line))
        if errors:
            raise errors[0]
    except DomshError as error:
        executor.show_error(error, where=where)
        return error.exit_status
    return executor.run(line, where=where)
