"""What it costs to have a shell: until the first prompt, for each key, and in memory.

Run it by hand: ``python -m tests.bench.startup [SECTIONS LINKS]``. It prints each number beside
its target in docs/design.md. Programs that start are compared by the best of many runs, which take
turns, so that a busy moment of the machine meets all of them. Keys are typed while a page of
20,000 links loads, is listed by completion and is searched by it; the time of one runs from the
byte that is written to the terminal until the line on the screen holds it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pexpect
import psutil

from tests.bench.pages import LARGE, nested_links
from tests.bench.peers import BARE_PROMPT, BARE_PYTHON, ptpython
from tests.program import DOMSH
from tests.shell.terminal import DEADLINE, Terminal
from tests.site_server import serving

_REPEATS = 15
_KEYS = 40
"""How many keys are typed in each phase."""
_EDITOR_IS_UP = b"\x1b[?2004h"
"""What prompt_toolkit sends together with the first prompt: mark what is pasted."""
_PAUSE = 0.03
"""Seconds between two keys, so that the typing lasts as long as what it meets."""
_LETTER, _DELETE = "Q", "\x7f"


@dataclass(frozen=True, slots=True)
class Row:
    """One number, its unit, and the target it should not go beyond; None where there is none."""

    name: str
    value: float
    unit: str
    target: float | None = None

    def __str__(self) -> str:
        said = f"{self.name:<46}{self.value:8.2f} {self.unit:<6}"
        if self.target is None:
            return said.rstrip()
        verdict = "ok" if self.value <= self.target else "TOO MUCH"
        return f"{said} (at most {self.target:g}) {verdict}"


def starts(home: Path, repeats: int = _REPEATS) -> Iterator[Row]:
    """Compare how long programs take until they are of use."""
    lines = {"domsh --version": (*DOMSH, "--version"), "python": BARE_PYTHON}
    prompts = {"domsh": (*DOMSH, "--quiet"), "PromptSession": BARE_PROMPT, "ptpython": ptpython()}
    if not prompts["ptpython"]:
        del prompts["ptpython"]
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it each start compiles the program
    took: dict[str, list[float]] = {name: [] for name in (*lines, *prompts)}
    for _ in range(1 + repeats):  # the first of them fills the caches
        for name, command in lines.items():
            took[name].append(_until_end(command))
        for name, command in prompts.items():
            took[name].append(_until_prompt(command, home))
    best = {name: min(times) for name, times in took.items()}
    yield Row(
        "domsh --version / python -c pass", best["domsh --version"] / best["python"], "times", 3
    )
    yield Row("first prompt", best["domsh"], "ms")
    yield Row("first prompt / python -c pass", best["domsh"] / best["python"], "times")
    beside = best["domsh"] / best["PromptSession"]
    yield Row("first prompt / a bare PromptSession's", beside, "times", 1.5)
    if "ptpython" in best:
        yield Row("first prompt / ptpython's", best["domsh"] / best["ptpython"], "times")
    else:
        print("no ptpython: it is not here and pip cannot install it")


def _until_end(command: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - begun)


def _until_prompt(command: Sequence[str], home: Path) -> float:
    begun = time.perf_counter()
    child: pexpect.spawn[bytes] = pexpect.spawn(
        command[0], list(command[1:]), env=_environment(home), timeout=DEADLINE
    )
    try:
        child.expect_exact(_EDITOR_IS_UP)
        return 1000 * (time.perf_counter() - begun)
    finally:
        child.close(force=True)


def _environment(home: Path) -> Mapping[str, str]:
    """Nobody answers where the cursor is, so nobody shall ask."""
    own = {"HOME": str(home), "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    return {**os.environ, "XDG_STATE_HOME": str(home / "state"), **own}


def keys_and_memory(home: Path, sections: int, links: int, keys: int = _KEYS) -> Iterator[Row]:
    """Type while the browser and completion are busy with a large page; then weigh the shell."""
    page = nested_links(home, sections, links)
    section = f"/contents/sections/listitem_{sections}/links_of_section_{sections - 1}/"
    phases = {
        "loads": ("js location.reload()", "ls ", ""),
        "completes": (f"ls {section}", f"ls {section}li", "\t"),
        "is searched": ("pwd", 'cat "Needle in th', "\t"),
    }
    with serving(home) as url:
        terminal = Terminal(home, "--quiet", columns=120)
        try:
            terminal.prompt()
            terminal.run(f"open {url}/{page.name}")
            echoes = []
            for name, (before, begun, asking) in phases.items():
                terminal.run(before)
                times = _echoes(terminal, begun, asking, keys)
                echoes += times
                yield Row(f"key while a large page {name}: p95", _percentile(times, 95), "ms")
            yield Row("key echo, all of them: p50", statistics.median(echoes), "ms")
            yield Row("key echo, all of them: p95", _percentile(echoes, 95), "ms", 30)
            used = psutil.Process(terminal.pid).memory_info().rss / 2**20
            yield Row("memory of the shell after that", used, "MiB", 120)
        finally:
            terminal.close()


def _echoes(terminal: Terminal, begun: str, asking: str, keys: int) -> list[float]:
    """Begin a line and ask for its completion; return the milliseconds of each key after that.

    A letter and its deletion take turns: the line comes back to where completion was asked for.
    """
    terminal.type(begun)
    terminal.wait(lambda: _typed(terminal).endswith(begun), begun)
    terminal.type(asking)
    times = []
    for _ in range(keys // 2):
        times += [_echo(terminal, _LETTER), _echo(terminal, _DELETE)]
    terminal.give_up_line()
    return times


def _echo(terminal: Terminal, key: str) -> float:
    next_key = time.perf_counter() + _PAUSE
    terminal.wait(lambda: time.perf_counter() > next_key, "pause")
    begun = time.perf_counter()
    terminal.type(key)
    is_letter = key == _LETTER
    terminal.wait(lambda: _typed(terminal).endswith(_LETTER) is is_letter, repr(key))
    return 1000 * (time.perf_counter() - begun)


def _typed(terminal: Terminal) -> str:
    """Return the line up to the cursor: behind it there can be a suggestion."""
    cursor = terminal._screen.cursor
    return str(terminal._screen.display[cursor.y])[: cursor.x]


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def main() -> None:
    """Measure and print."""
    sections, links = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else LARGE
    with tempfile.TemporaryDirectory(prefix="domsh-t") as folder:
        for row in starts(Path(folder)):
            print(row)
        for row in keys_and_memory(Path(folder), sections, links):
            print(row, flush=True)


if __name__ == "__main__":
    main()
