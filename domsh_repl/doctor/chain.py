"""Checks that hang together: what comes after a failed one is not looked at, and says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from domsh_repl.checks import Check, Result
from domsh_repl.errors import DomshError

__all__ = ["Chain", "Clock", "run_chain"]


class Clock:
    """How much time is left of so many ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def left(self, most: float) -> float:
        """Return the seconds that are left, at most ``most`` of them."""
        return max(min(most, self._until - time.monotonic()), 0.05)


class Chain:
    """Checks of these names, of which each needs the one before; they are told in this order.

    ``advice`` is what helps where they take too long. What was pushed on ``ending`` is done
    when they are over.
    """

    def __init__(self, *names: str, advice: str = "") -> None:
        self._names = names
        self.advice = advice
        self.checks: list[Check] = []
        self.ending = AsyncExitStack()

    def ok(self, found: str) -> None:
        """Say that the next check went well."""
        self._tell(Result.OK, found)

    def fail(self, found: str, hint: str = "") -> None:
        """Say that the next check failed."""
        self._tell(Result.FAIL, found, hint)

    def skip(self, found: str, hint: str = "") -> None:
        """Say that the next check has nothing to look at, and why."""
        self._tell(Result.NOT_APPLICABLE, found, hint)

    def ended(self) -> tuple[Check, ...]:
        """Return all checks; those that nobody spoke of were not looked at."""
        while len(self.checks) < len(self._names):
            needed = [check.name for check in self.checks if check.result is not Result.OK]
            self.skip(f"not looked at: it needs {needed[0]}" if needed else "not looked at")
        return tuple(self.checks)

    def _tell(self, result: Result, found: str, hint: str = "") -> None:
        self.checks.append(Check(self._names[len(self.checks)], result, found, hint))


async def run_chain(
    chain: Chain,
    work: Callable[[Chain], Awaitable[None]],
    seconds: float,
    *,
    is_needed: bool = True,
) -> tuple[Check, ...]:
    """Do the work within ``seconds``, and then what ends it; return the checks.

    An error is the result of the next check: a failure, unless nobody ``is_needed`` for what
    it looks at.
    """
    tell = chain.fail if is_needed else chain.skip
    async with chain.ending:
        try:
            async with asyncio.timeout(seconds):
                await work(chain)
        except TimeoutError:
            tell(f"no answer within {seconds:g} s", chain.advice)
        except DomshError as error:
            tell(error.message, error.hint)
    return chain.ended()
