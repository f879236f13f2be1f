"""Which lanes of an HTTP server are closed for whom, by a clock that the test sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from domsh_repl.engine.engine import BrowserOptions
from domsh_repl.engine.keeper import Keeper
from tests.conftest import EngineRunner


@dataclass(slots=True)
class Clock:
    """A clock that stands still until it is set."""

    seconds: float = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


@dataclass(slots=True)
class Kept:
    """A keeper over the lanes of an engine of its own."""

    engine: EngineRunner
    clock: Clock
    keeper: Keeper

    def lane(self, session: str) -> int:
        """Make a lane for a session."""
        number = int(self.engine.run(self.engine.engine.lane("new")).id)
        self.keeper.used(number, session)
        return number

    def after(self, seconds: float) -> list[int]:
        """Let time pass and return the lanes that are left."""
        self.clock.seconds += seconds
        self.engine.run(self.keeper.close_left())
        return list(self.engine.engine.vocabulary.browser.lanes)


@pytest.fixture(scope="module")
def own_engine() -> Iterator[EngineRunner]:
    """Run an engine whose lanes are no other test's."""
    runner = EngineRunner(BrowserOptions())
    yield runner
    runner.close()


@pytest.fixture
def kept(own_engine: EngineRunner) -> Iterator[Kept]:
    """Give a keeper that waits a minute for a client, and an hour for a word of it."""
    clock, browser = Clock(), own_engine.engine.vocabulary.browser
    yield Kept(own_engine, clock, Keeper(browser, grace=60, idle=3600, now=clock))
    own_engine.run(browser.close_all())


def test_the_lanes_of_a_session_that_ended_are_closed_after_a_while(kept: Kept) -> None:
    own, other = kept.lane("a"), kept.lane("b")
    kept.keeper.left("a")
    assert kept.after(59) == [own, other]
    assert kept.after(1) == [other]


def test_whoever_takes_a_lane_over_keeps_it(kept: Kept) -> None:
    lane = kept.lane("a")
    kept.keeper.left("a")
    kept.keeper.used(lane, "b")
    assert kept.after(120) == [lane]
    kept.keeper.left("a")
    assert kept.after(120) == [lane]
    kept.keeper.left("b")
    assert kept.after(60) == []


def test_a_lane_that_nobody_uses_is_closed(kept: Kept) -> None:
    idle, used = kept.lane("a"), kept.lane("a")
    assert kept.after(3000) == [idle, used]
    kept.keeper.used(used, "a")
    assert kept.after(600) == [used]


def test_a_lane_whose_call_was_given_up_is_closed_as_well(kept: Kept) -> None:
    lane = int(kept.engine.run(kept.engine.engine.lane("new")).id)
    assert kept.after(0) == [lane]
    assert kept.after(3600) == []


def test_a_lane_in_which_a_command_runs_is_not_closed(kept: Kept) -> None:
    lane = kept.engine.engine.vocabulary.browser.lanes[kept.lane("a")]

    async def meanwhile() -> bool:
        async with lane.lock:
            kept.clock.seconds += 7200
            await kept.keeper.close_left()
            return lane.id in kept.engine.engine.vocabulary.browser.lanes

    assert kept.engine.run(meanwhile())
    assert kept.after(0) == []


def test_an_end_without_a_session_ends_nothing(kept: Kept) -> None:
    lane = kept.lane("")
    kept.keeper.left("")
    assert kept.after(120) == [lane]
