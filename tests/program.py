"""The program as users run it: ``domsh`` in a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

from domsh_repl.cli import main

ROOT = Path(__file__).parent.parent
DOMSH = (str(Path(sys.executable).parent / "domsh"),)
LONGEST = 60.0
"""Seconds after which a run is a hang."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run left: its exit status and its output."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The output as JSON Lines."""
        found = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(one, dict) for one in found)
        return found


def domsh(
    *arguments: str,
    stdin: str | bytes | IO[bytes] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path = ROOT,
) -> Run:
    """Run domsh to its end; without ``stdin`` it reads ``/dev/null``."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    source: Any = {"stdin": data or subprocess.DEVNULL}
    if isinstance(data, bytes):
        source = {"input": data}
    done = subprocess.run(
        [*DOMSH, *arguments],
        capture_output=True,
        timeout=LONGEST,
        check=False,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        **source,
    )
    out: bytes = done.stdout
    err: bytes = done.stderr
    return Run(done.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def domsh_here(*arguments: str, stdin: str = "") -> Run:
    """Run domsh to its end within this process, which has loaded its libraries already."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(arguments)
    finally:
        sys.stdin = before
    return Run(status, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextmanager
def started(*arguments: str, stdin: int = subprocess.DEVNULL) -> Iterator[subprocess.Popen[bytes]]:
    """Start domsh and give the process; it is killed in the end if it still runs."""
    process = subprocess.Popen(
        [*DOMSH, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        with process:
            try:
                yield process
            finally:
                process.kill()
    finally:
        process.wait(LONGEST)


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the running processes that it started, and theirs."""
    return psutil.Process(process.pid).children(recursive=True)


def gone(processes: list[psutil.Process], seconds: float = 10.0) -> bool:
    """Tell whether all end within that time; one that only waits to be reaped has ended."""
    until = time.monotonic() + seconds
    while alive := [process for process in processes if _lives(process)]:
        if time.monotonic() > until:
            return False
        psutil.wait_procs(alive, timeout=0.05)
    return True


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
