"""Fixtures that every test may use: the test pages on a loopback port, and a running engine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domsh_repl.engine.engine import BrowserOptions, Engine, Reply
from tests.site_server import PAGES, serving


def pytest_configure() -> None:
    """Take the signals that tests send to what they start, also where a shell had them ignored.

    A run in the background inherits that, and so would every process below it.
    """
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGQUIT, signal.SIG_DFL),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patched:
        for name in [name for name in os.environ if name.startswith("DOMSH_")]:
            patched.delenv(name)
        patched.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """Serve ``tests/pages`` and give the address."""
    with serving(PAGES) as url:
        yield url


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve an empty folder, for pages that a test writes; give it and the address."""
    with serving(tmp_path) as url:
        yield tmp_path, url


class EngineRunner:
    """A running engine in an event loop of its own, driven from plain test functions."""

    def __init__(self, options: BrowserOptions) -> None:
        self.runner = asyncio.Runner()
        self.engine = Engine(options)
        self.run(self.engine.start())

    def run(self, work: Any, deadline: float = 60) -> Any:
        """Run a coroutine to its end within ``deadline`` seconds."""

        async def bounded() -> Any:
            async with asyncio.timeout(deadline):
                return await work

        return self.runner.run(bounded())

    def close(self) -> None:
        """End the engine and its loop."""
        self.run(self.engine.close())
        self.runner.close()


class LaneRunner:
    """One lane of a running engine: lines in, replies and values out."""

    def __init__(self, engine: EngineRunner) -> None:
        self.engine = engine
        self.lane = engine.run(engine.engine.lane("new"))

    def reply(self, line: str) -> Reply:
        """Return the reply to a line."""
        reply: Reply = self.engine.run(self.engine.engine.execute(line, str(self.lane.id)))
        return reply

    def value(self, line: str) -> Any:
        """Return the value that a line gives; raises the errors of the user's tree."""
        from domsh_repl.engine.line import parse_command_line  # noqa: PLC0415

        work = self.engine.engine.vocabulary.run(self.lane, parse_command_line(line))
        return self.engine.run(work).value

    @property
    def desk(self) -> Any:
        """The tools of the current tab."""
        return self.engine.engine.vocabulary._desk(self.lane.page)

    def run(self, work: Any) -> Any:
        """Run a coroutine in the engine's loop."""
        return self.engine.run(work)

    def close(self) -> None:
        """Close the lane."""
        with contextlib.suppress(Exception):  # a test may have closed it
            self.engine.run(self.engine.engine.vocabulary.browser.close_lane(self.lane))


@pytest.fixture(scope="session")
def engine() -> Iterator[EngineRunner]:
    """One engine for the whole test run."""
    runner = EngineRunner(BrowserOptions())
    yield runner
    runner.close()


@pytest.fixture
def lane(engine: EngineRunner) -> Iterator[LaneRunner]:
    """Make a fresh lane, closed after the test."""
    made = LaneRunner(engine)
    yield made
    made.close()
