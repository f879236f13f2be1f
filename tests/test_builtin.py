"""A browser that hangs in its start does not outlive the run that started it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from domsh_repl.builtin import BrowserOptions, BuiltinSource
from domsh_repl.errors import NotConnected
from domsh_repl.link.link import Link
from domsh_repl.link.owner import Deadlines
from tests.program import LONGEST, family, gone, started

Found = list[psutil.Process]


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """Return a program that is no browser: it says nothing and minds no pipe."""
    program = tmp_path / "slow"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    return str(program)


def spawned(find: Callable[[], Found]) -> Found:
    """Wait until the program runs; return it and what was started with it."""
    until = time.monotonic() + LONGEST
    while True:
        found = find()
        if any(one.name() == "sleep" for one in found):
            return found
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def ours() -> Callable[[], Found]:
    """Return what finds the processes that this one has started since."""
    before = psutil.Process().children(recursive=True)

    def find() -> Found:
        return [one for one in psutil.Process().children(recursive=True) if one not in before]

    return find


ENDS = {
    "Ctrl-C": [signal.SIGINT],
    "Ctrl-C twice": [signal.SIGINT, signal.SIGINT],
    "SIGTERM": [signal.SIGTERM],
    "SIGTERM twice": [signal.SIGTERM, signal.SIGTERM],
    "SIGHUP": [signal.SIGHUP],
    "SIGKILL": [signal.SIGKILL],
}


@pytest.mark.parametrize(
    "words", [("-c", "pwd"), ("serve",), ("serve", "--http", "127.0.0.1:0")], ids=" ".join
)
def test_whatever_signal_gives_up_a_start_ends_its_browser(
    words: tuple[str, ...], slow: str
) -> None:
    with ExitStack() as stack:
        runs = []
        for signals in ENDS.values():
            process = stack.enter_context(started(*words, "--browser", slow))
            runs.append((process, signals, spawned(lambda: family(process))))  # noqa: B023
        for process, signals, _ in runs:
            for number in signals:
                process.send_signal(number)
        for process, _, browser in runs:
            process.wait(LONGEST)
            assert gone(browser)


def test_a_start_that_takes_too_long_ends_its_browser(
    slow: str, ours: Callable[[], Found], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domsh_repl.engine.engine.CALL_DEADLINE", 0.2)
    link = Link(BuiltinSource(BrowserOptions(browser=slow)))
    link.start()
    browser = spawned(ours)
    with pytest.raises(NotConnected, match="did not answer within"):
        link.wait_ready(lambda _: None)
    link.close()
    assert gone(browser)


def test_a_close_that_must_not_wait_for_the_browser_kills_it(
    slow: str, ours: Callable[[], Found]
) -> None:
    link = Link(BuiltinSource(BrowserOptions(browser=slow)), Deadlines(close=0.2))
    link.start()
    browser = spawned(ours)
    link.close()
    assert gone(browser, 0.5)


def test_a_browser_ends_also_where_there_is_never_an_event_loop(
    slow: str, ours: Callable[[], Found], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser: Found = []

    def fail(*_: object) -> None:
        browser.extend(spawned(ours))
        raise RuntimeError("no loop")

    monkeypatch.setattr("anyio.run", fail)
    link = Link(BuiltinSource(BrowserOptions(browser=slow)))
    with pytest.raises(NotConnected, match="no loop"):
        link.wait_ready(lambda _: None)
    assert gone(browser, 2)
    link.close()
