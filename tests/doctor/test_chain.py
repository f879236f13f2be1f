"""Checks in a chain: what follows a failure is not looked at, and everything ends in time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domsh_repl.checks import Check, Result
from domsh_repl.doctor.chain import Chain, Clock, run_chain
from domsh_repl.errors import NotConnected

FOR_EVER = 30.0


def ran(
    work: Callable[[Chain], Awaitable[None]], *, seconds: float = 10, is_needed: bool = True
) -> tuple[Check, ...]:
    """Run the work as a chain of two checks."""
    chain = Chain("first", "second", advice="wait")
    return asyncio.run(run_chain(chain, work, seconds, is_needed=is_needed))


async def works(chain: Chain) -> None:
    chain.ok("here")
    chain.ok("there")


async def fails(chain: Chain) -> None:
    chain.fail("broken", "mend it")


async def raises(chain: Chain) -> None:
    chain.ok("here")
    raise NotConnected("gone", "call it back")


async def hangs(_chain: Chain) -> None:
    await asyncio.sleep(FOR_EVER)


def test_checks_are_told_in_their_order() -> None:
    assert ran(works) == (Check("first", Result.OK, "here"), Check("second", Result.OK, "there"))


def test_what_needs_a_failed_check_is_not_looked_at_and_says_why() -> None:
    assert ran(fails) == (
        Check("first", Result.FAIL, "broken", "mend it"),
        Check("second", Result.NOT_APPLICABLE, "not looked at: it needs first"),
    )


@pytest.mark.parametrize(
    ("is_needed", "result"), [(True, Result.FAIL), (False, Result.NOT_APPLICABLE)]
)
def test_an_error_is_the_next_result_and_no_failure_of_what_is_not_needed(
    is_needed: bool, result: Result
) -> None:
    assert ran(raises, is_needed=is_needed) == (
        Check("first", Result.OK, "here"),
        Check("second", result, "gone", "call it back"),
    )


def test_what_hangs_fails_when_its_time_is_up() -> None:
    first, second = ran(hangs, seconds=0.1)
    assert first == Check("first", Result.FAIL, "no answer within 0.1 s", "wait")
    assert second.result is Result.NOT_APPLICABLE


def test_the_end_is_brought_about_in_every_case_and_costs_the_checks_no_time() -> None:
    ended: list[str] = []

    async def end() -> None:
        await asyncio.sleep(0.3)
        ended.append("ended")

    async def work(chain: Chain) -> None:
        chain.ending.push_async_callback(end)
        await raises(chain)

    assert ran(work, seconds=0.2)[1].found == "gone"
    assert ended == ["ended"]


def test_a_clock_gives_no_more_than_is_left_and_never_nothing() -> None:
    assert Clock(60).left(5) == 5
    assert 0 < Clock(60).left(90) <= 60
    assert 0 < Clock(-1).left(5) < 1
