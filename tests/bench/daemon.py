"""What a command in the daemon costs: the thin client beside a Python that does nothing.

Run it by hand: ``python -m tests.bench.daemon``. It prints milliseconds (the best and the median of
many) and how many times a bare ``python -c pass`` that is. ``ls`` should take at most 4 times as
long, and takes about twice as long.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from tests.program import DOMSH
from tests.site_server import PAGES, serving

_REPEATS = 30


def _milliseconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - begun)


def ratios(repeats: int = _REPEATS, *, told: bool = False) -> dict[str, float]:
    """Measure in a daemon that runs; return how many times a bare Python each command takes.

    The commands take turns, so that a busy moment of the machine meets all of them.
    """
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "--daemon -c ls": [*DOMSH, "--daemon", "-c", "ls"],
        "--daemon -c pwd": [*DOMSH, "--daemon", "-c", "pwd"],
        "--version": [*DOMSH, "--version"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            times[name].append(_milliseconds(command))
    bare = min(times["python -c pass"])
    if told:
        for name, all_times in times.items():
            best, median = min(all_times), statistics.median(all_times)
            print(f"{name:<16} {best:6.1f} ms (median {median:6.1f}), {best / bare:4.2f} times")
    return {name: min(all_times) / bare for name, all_times in times.items()}


def main() -> None:
    """Measure in a daemon of its own."""
    with tempfile.TemporaryDirectory(prefix="domsh-t") as folder, serving(PAGES) as url:
        os.environ["XDG_RUNTIME_DIR"] = folder
        try:
            subprocess.run([*DOMSH, "daemon", "start"], check=True)
            subprocess.run([*DOMSH, "--daemon", "-c", f"open {url}/nav.html"], check=True)
            ratios(told=True)
        finally:
            subprocess.run([*DOMSH, "daemon", "stop"], check=True)


if __name__ == "__main__":
    main()
