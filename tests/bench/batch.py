"""A script of a hundred lines on the form page, beside the same steps through another program.

Run it by hand: ``python -m tests.bench.batch [RUNS]``. The other one is agent-browser, the fastest
of its kind that we know of; npm installs it into a folder that goes again. As domsh does, it finds
elements by what they are called where it can; once more by CSS, which costs it least. Steps go to
it as one batch, and one by one. Whole runs are measured, start and end of the browser among them,
and for domsh what a line costs when all is warm beyond the time in which it waits for the browser.
That should be at most 15 ms.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domsh_repl.engine import cdp
from domsh_repl.engine.browser_paths import find_browser
from tests.program import DOMSH
from tests.sessions import running_shell
from tests.site_server import PAGES, serving

PEER = "agent-browser"
_VERSION = "0.41.2"
_RUNS = 5
_ROUNDS = 11
_LONGEST = 300.0
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Step:
    """A line of domsh, and the words of the same for the other program: by name, by CSS."""

    line: str
    named: tuple[str, ...]
    css: tuple[str, ...]


def steps(url: str) -> list[Step]:
    """Return a hundred steps: the page is opened, and its form filled and looked at."""
    opened = ("open", f"{url}/form.html")
    made = [Step(f"open {url}/form.html", opened, opened)]
    for number in range(1, _ROUNDS + 1):
        made += _round(f"ada{number}@example.org", f"the words of round {number}", number)
    assert len(made) == 100
    return made


def _round(mail: str, words: str, number: int) -> list[Step]:
    japan, germany, agree = "Japan", "Germany", "#ok"
    counter = "/main_area/paragraph_1/counter"
    only_css: list[tuple[str, tuple[str, ...]]] = [
        (f'expect value "Email" is {mail}', ("get", "value", "#email")),
        ('uncheck "I agree"', ("uncheck", agree)),
        ('select "Country" Japan', ("select", "#country", japan)),
        ('select "Country" Germany', ("select", "#country", germany)),
        (f"expect text {counter} is {number}", ("get", "text", "#out")),
    ]
    value, uncheck, first, second, text = (Step(line, css, css) for line, css in only_css)
    fill_mail = Step(
        f'fill "Email" {mail}', ("find", "label", "Email", "fill", mail), ("fill", "#email", mail)
    )
    fill_words = Step(
        f"fill \"Bio\" '{words}'",
        ("find", "label", "Bio", "fill", words),
        ("fill", "textarea", words),
    )
    check = Step('check "I agree"', ("find", "label", "I agree", "check"), ("check", agree))
    click = Step(
        'click "Increment"',
        ("find", "role", "button", "click", "--name", "Increment"),
        ("click", "#inc"),
    )
    return [fill_mail, value, fill_words, check, uncheck, first, second, click, text]


def of_domsh(script: Path) -> None:
    """Run the file to its end."""
    subprocess.run([*DOMSH, "run", str(script)], capture_output=True, check=True, timeout=_LONGEST)


class Peer:
    """The other program; it starts a browser with the first step and ends it with ``close``."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.environment = {
            **os.environ,
            "AGENT_BROWSER_EXECUTABLE_PATH": str(find_browser(None).path),
            "AGENT_BROWSER_ARGS": "--no-sandbox",
            "AGENT_BROWSER_SESSION": "domsh-bench",
        }

    def run(self, *words: str, given: str | None = None) -> str:
        """Run it once and return what it prints."""
        done = subprocess.run(
            [self.program, *words],
            input=given, capture_output=True, text=True, check=True, timeout=_LONGEST,
            env=self.environment,
        )  # fmt: skip
        return done.stdout

    def batch(self, steps: list[tuple[str, ...]]) -> None:
        """Let it run all steps in one process."""
        said = self.run("batch", "--bail", "--json", given=json.dumps(steps))
        told = json.loads(said)
        assert len(told) == len(steps), told
        assert told[-1]["result"]["text"] == str(_ROUNDS), told[-1]
        self.run("close")

    def one_by_one(self, steps: list[tuple[str, ...]]) -> None:
        """Let it run each step in a process, as in a shell script."""
        said = [self.run(*words) for words in steps]
        assert said[-1].split() == [str(_ROUNDS)], said[-1]
        self.run("close")


@contextmanager
def peer() -> Iterator[Peer | None]:
    """Install the other program for a while; none where that is not possible."""
    npm = shutil.which("npm")
    with tempfile.TemporaryDirectory(prefix="domsh-bench") as folder:
        if npm is None:
            yield None
            return
        words = [npm, "install", "--no-fund", "--no-audit", "--silent", f"{PEER}@{_VERSION}"]
        try:
            subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=_LONGEST)
        except subprocess.SubprocessError as error:
            print(f"{PEER} cannot be had: {error}")
            yield None
            return
        machine = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, "x64")
        system = sys.platform
        program = Path(folder, f"node_modules/{PEER}/bin/{PEER}-{system}-{machine}")
        program.chmod(0o755)
        made = Peer(str(program))
        try:
            yield made
        finally:
            with suppress(subprocess.SubprocessError):
                made.run("close")


def _seconds(work: Callable[[], None]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


@dataclass(frozen=True, slots=True)
class Cost:
    """What a line cost, in seconds: in all, and while calls waited for the browser."""

    command: str
    seconds: float
    browser: float

    @property
    def own(self) -> float:
        """What is domsh's."""
        return self.seconds - self.browser


class Waiting:
    """Adds up the ``seconds`` in which at least one call waits for the browser."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._count, self._since = 0, 0.0

    def began(self, answer: Any) -> None:
        """Take note of a call."""
        if not self._count:
            self._since = time.perf_counter()
        self._count += 1
        answer.add_done_callback(self._ended)

    def _ended(self, _answer: object) -> None:
        self._count -= 1
        if not self._count:
            self.seconds += time.perf_counter() - self._since


@contextmanager
def waiting() -> Iterator[Waiting]:
    """Watch all calls meanwhile."""
    watch, kept = Waiting(), cdp.Connection.send

    def send(connection: cdp.Connection, session: Any, method: str, params: Any) -> Any:
        answer = kept(connection, session, method, params)
        watch.began(answer)
        return answer

    cdp.Connection.send = send  # type: ignore[assignment, method-assign]
    try:
        yield watch
    finally:
        cdp.Connection.send = kept  # type: ignore[method-assign]


def warm_costs(made: list[Step]) -> list[Cost]:
    """Run the lines twice in one session; return what each cost the second time."""
    with waiting() as watch, running_shell() as shell:
        shell.session.settings = replace(shell.session.settings, patience=_PATIENCE)
        costs: list[Cost] = []
        for line in (step.line for _ in range(2) for step in made):
            before, begun = watch.seconds, time.perf_counter()
            assert shell.run(line) == 0, line
            took = time.perf_counter() - begun
            costs.append(Cost(line.split()[0], took, watch.seconds - before))
    return costs[len(made) :]


def tell_costs(costs: list[Cost]) -> None:
    """Print what the lines of each command cost."""
    print(f"{'warm line':<10} {'all':>7} {'browser':>8} {'domsh':>7}   (median ms)")
    for name in dict.fromkeys(cost.command for cost in costs):
        tell_cost(name, [cost for cost in costs if cost.command == name])
    tell_cost("each", costs)


def tell_cost(name: str, costs: list[Cost]) -> None:
    """Print the medians of lines."""
    whole, browser, own = (
        1000 * statistics.median(numbers)
        for numbers in zip(*((one.seconds, one.browser, one.own) for one in costs), strict=True)
    )
    print(f"{name:<10} {whole:7.1f} {browser:8.1f} {own:7.1f}")


def tell_runs(runs: int, script: Path, made: list[Step], other: Peer | None) -> None:
    """Measure whole runs in turns and print the medians."""
    works: dict[str, Callable[[], None]] = {"domsh run": lambda: of_domsh(script)}
    if other is not None:
        named, css = [step.named for step in made], [step.css for step in made]
        works[f"{PEER} batch"] = lambda: other.batch(named)
        works[f"{PEER} one by one"] = lambda: other.one_by_one(named)
        works[f"{PEER} batch, CSS"] = lambda: other.batch(css)
        works[f"{PEER} one by one, CSS"] = lambda: other.one_by_one(css)
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            times[name].append(_seconds(work))
    ours = statistics.median(times["domsh run"])
    for name, found in times.items():
        median = statistics.median(found)
        print(f"{name:<31} {median:6.2f} s (best {min(found):.2f}), {median / ours:5.2f} times")


def main() -> None:
    """Measure in turns and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else _RUNS
    with serving(PAGES) as url, tempfile.TemporaryDirectory(prefix="domsh-bench") as folder:
        made = steps(url)
        script = Path(folder, "form.domsh")
        script.write_text("\n".join(step.line for step in made) + "\n", encoding="utf-8")
        with peer() as other:
            tell_runs(runs, script, made, other)
        tell_costs(warm_costs(made))


if __name__ == "__main__":
    main()
