"""Daemons for tests, each in a runtime folder of its own, stopped after the test whatever comes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from domsh_repl.daemon.lock import is_locked
from domsh_repl.daemon.place import Place
from tests.program import DOMSH, LONGEST, ROOT, Run, domsh, gone

DEADLINE = 20.0


class Home:
    """A runtime folder: the programs that are run find a daemon there, or none."""

    def __init__(self, runtime: Path, home: Path) -> None:
        self.environment = {
            "XDG_RUNTIME_DIR": str(runtime),
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
        }
        self.place = Place(self.environment)
        self.folder = Path(self.place.folder)

    def domsh(self, *arguments: str, **options: Any) -> Run:
        """Run domsh to its end."""
        more = options.pop("environment", {})
        return domsh(*arguments, environment={**self.environment, **more}, **options)

    def in_daemon(self, line: str, *arguments: str) -> Run:
        """Run a line in the daemon."""
        return self.domsh("--daemon", *arguments, "-c", line)

    def start(self, *arguments: str) -> int:
        """Start the daemon and return its process."""
        ran = self.domsh("daemon", "start", "--json", *arguments)
        assert ran.status == 0, ran.err
        (told,) = ran.objects
        return int(told["pid"])

    def status(self) -> dict[str, Any]:
        """Return what ``daemon status`` tells."""
        (told,) = self.domsh("daemon", "status", "--json").objects
        return told

    @contextmanager
    def begun(self, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
        """Start domsh and give the process; it is killed in the end if it still runs."""
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen(
            [*DOMSH, *arguments],
            **{**streams, **options},
            cwd=ROOT,
            env={**os.environ, **self.environment},
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for something with a deadline."""
        end = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < end, f"no {what} within {DEADLINE:g} s"
            time.sleep(0.02)

    def wait_until_busy(self) -> None:
        """Wait until the daemon runs a command."""
        self.wait_until(lambda: self.status()["busy"] is True, "command that runs")

    def close(self) -> None:
        """Leave no daemon, also where stopping one does not work."""
        state = self.place.read_state()
        if state is None or not is_locked(self.place.lock):
            return
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            family = [psutil.Process(state.pid), *browsers(state.pid)]
            self.domsh("daemon", "stop")
            if not gone(family, 5):
                os.kill(state.pid, signal.SIGKILL)
                assert gone(family)


def browsers(pid: int) -> list[psutil.Process]:
    """Return the running processes below one."""
    return psutil.Process(pid).children(recursive=True)


def browser_count(pid: int) -> int:
    """Return how many browsers a process has started."""
    commands = [one.cmdline() for one in browsers(pid)]
    mains = [one for one in commands if one and "chrom" in one[0]]
    return sum(not any(word.startswith("--type=") for word in one) for one in mains)


def finished(process: subprocess.Popen[bytes], data: bytes | None = None) -> Run:
    """Wait for the end of a process and return what it left."""
    out, err = process.communicate(data, LONGEST)
    return Run(process.returncode, out.decode(), err.decode())


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """Give a runtime folder whose path is short enough for a Unix socket."""
    runtime = Path(tempfile.mkdtemp(prefix="domsh-t"))
    made = Home(runtime, tmp_path)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture
def far_home(tmp_path: Path) -> Iterator[Home]:
    """Give a runtime folder whose path is too long for a Unix socket."""
    runtime = tmp_path / ("long" * 25)
    runtime.mkdir()
    made = Home(runtime, tmp_path)
    try:
        yield made
    finally:
        made.close()
