"""A real terminal for tests: domsh in a pty, its screen as pyte sees it, everything it sent."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pexpect
import psutil
import pyte

DEADLINE = 20.0
"""Seconds until anything that a test waits for must have come."""

KEYS = {
    "Enter": "\r",
    "Tab": "\t",
    "Right": "\x1b[C",
    "Up": "\x1b[A",
    "Alt-Left": "\x1b[1;3D",
    "Alt-Right": "\x1b[1;3C",
    "Alt-Up": "\x1b[1;3A",
    "F1": "\x1bOP",
    "F5": "\x1b[15~",
    "Backspace": "\x7f",
    "Ctrl-A": "\x01",
    "Ctrl-E": "\x05",
    "Ctrl-L": "\x0c",
    "Ctrl-R": "\x12",
    "Ctrl-X": "\x18",
    "Ctrl-C": "\x03",
    "Ctrl-D": "\x04",
}

_A_MOMENT = 1.0


class Terminal:
    """One run of domsh in a terminal of its own; ``home`` holds its state."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        columns: int = 100,
        rows: int = 30,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        clean = {key: value for key, value in os.environ.items() if key not in _OURS}
        settings = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "TERM": "xterm"}
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            ["-m", "domsh_repl", *arguments],
            env={**clean, **settings, **(environment or {})},
            dimensions=(rows, columns),
            timeout=DEADLINE,
        )
        self.child.delaybeforesend = None
        self.raw = b""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.ended = False

    @property
    def screen(self) -> str:
        """The lines that are on the screen now, without blanks at their ends."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def line(self) -> str:
        """The line that the cursor is in."""
        return str(self._screen.display[self._screen.cursor.y]).rstrip()

    def wait(self, holds: Callable[[], bool], what: str = "") -> None:
        """Read until something holds; fails with the screen when the time is over."""
        end = time.monotonic() + DEADLINE
        while not holds():
            assert not self.ended, f"it ended before {what}:\n{self.screen}"
            assert time.monotonic() < end, f"no {what} within {DEADLINE:g} s:\n{self.screen}"
            self._read()

    def see(self, text: str) -> None:
        """Wait until a text is on the screen."""
        self.wait(lambda: text in self.screen, repr(text))

    def see_line(self, text: str) -> None:
        """Wait until the cursor stands in a line that is just that text."""
        self.wait(lambda: self.line == text.rstrip(), f"line {text!r}")

    def prompt(self) -> None:
        """Wait until a prompt waits for a line."""
        self.wait(lambda: self.line.endswith(" >"), "prompt")

    @property
    def pid(self) -> int:
        """The process that domsh is."""
        assert self.child.pid is not None
        return self.child.pid

    def type(self, text: str, *keys: str) -> None:
        """Send text and then named keys."""
        self.child.send(text + "".join(KEYS[key] for key in keys))

    def paste(self, text: str) -> None:
        """Send a text as terminals send what is pasted."""
        self.child.send(f"\x1b[200~{text}\x1b[201~")

    def run(self, line: str) -> None:
        """Type a line, Enter, and wait for the prompt after it."""
        self._end_line(line, "Enter")

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def press(self, key: str) -> None:
        """Press a key that runs something, and wait for the prompt after it."""
        self._end_line("", key)

    def press_until(self, text: str, holds: Callable[[], bool]) -> None:
        """Send keys again and again, to a program that may not take them at once."""
        end = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < end, f"{text!r} did nothing:\n{self.screen}"
            self.type(text)
            look = time.monotonic() + _A_MOMENT
            while not holds() and time.monotonic() < look:
                self._read()

    def give_up_line(self) -> None:
        """Press Ctrl-C in a line, and wait for the prompt after it."""
        self._end_line("", "Ctrl-C")

    @property
    def prompts(self) -> int:
        """How many times a prompt has begun to wait for keys."""
        return self.raw.count(b"\x1b[?2004h")

    def _end_line(self, text: str, key: str) -> None:
        before = self.prompts
        self.type(text, key)
        self.wait(lambda: self.prompts > before, "next prompt")
        self.prompt()

    def wait_for_end(self) -> int:
        """Wait until the process has ended and return its exit status."""
        end = time.monotonic() + DEADLINE
        while not self.ended:
            assert time.monotonic() < end, f"it did not end:\n{self.screen}"
            self._read()
        self.child.wait()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)

    def processes(self) -> list[psutil.Process]:
        """Return the process and all that it has started."""
        root = psutil.Process(self.pid)
        return [root, *root.children(recursive=True)]

    def browser(self) -> psutil.Process:
        """Wait for the browser and return its main process."""
        found: list[psutil.Process] = []

        def there() -> bool:
            found[:] = [one for one in self.processes() if _is_browser(one)]
            return bool(found)

        self.wait(there, "browser")
        return found[0]

    def close(self) -> None:
        """End the process if it has not ended."""
        self.child.close(force=True)

    def _read(self) -> None:
        try:
            got = self.child.read_nonblocking(65_536, timeout=0.05)
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            self.ended = True
            return
        self.raw += got
        self._stream.feed(got)


_OURS = frozenset({"NO_COLOR", "COLUMNS", "LINES", "PROMPT_TOOLKIT_NO_CPR"})


def _is_browser(process: psutil.Process) -> bool:
    try:
        command = process.cmdline()
    except psutil.NoSuchProcess:
        return False
    return "--remote-debugging-pipe" in command and "chrom" in command[0]


def wait_until_gone(processes: list[psutil.Process], seconds: float) -> None:
    """Wait until none of the processes runs any more; fails with those that do."""
    end = time.monotonic() + seconds
    while running := [one for one in processes if _runs(one)]:
        assert time.monotonic() < end, f"still there after {seconds:g} s: {running}"
        time.sleep(0.05)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
