"""What completion asks for in the background, and that nothing it is told gets lost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from domsh_repl.commands.session import Session
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.nodes import Tab, Tabs
from domsh_repl.shell import lookout as module
from domsh_repl.shell.lookout import Lookout
from tests.doubles import SHORT, Double, answer_well, envelope


async def answer_with_a_notice(arguments: dict[str, Any]) -> str:
    """Answer ``tabs`` with a notice."""
    if arguments["command"].startswith("tabs"):
        return envelope(Tabs(()), notices=("a file was downloaded",))
    return await answer_well(arguments)


def test_what_an_answer_tells_is_handed_on_also_when_nobody_wants_it_any_more() -> None:
    told: list[str] = []
    link = Link(Double(answer_with_a_notice), SHORT)
    session = Session(lambda: link, note=told.append)
    lookout = Lookout(session, lambda: None)

    async def look_and_run_a_line() -> None:
        assert lookout.look(asks.tabs()) is None
        (pending,) = lookout._pending.values()
        pending.result(5)
        end = time.monotonic() + 5
        while not lookout._notices and time.monotonic() < end:
            pass
        lookout.drop()

    try:
        session.ask(asks.where())
        asyncio.run(look_and_run_a_line())
    finally:
        link.close()
    assert told == ["a file was downloaded"]


class Answers:
    """Answers ``tabs`` with one value after the other, the last one for ever."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)

    async def __call__(self, arguments: dict[str, Any]) -> str:
        """Answer a line."""
        if not arguments["command"].startswith("tabs"):
            return await answer_well(arguments)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


_ONE = Tabs((Tab(1, "http://h/", "Title", current=True),))
_TWO = Tabs((*_ONE.tabs, Tab(2, "http://h/2", "Other")))


async def look(lookout: Lookout) -> Tabs | None:
    """Look, wait for what was asked for, and return what was known at once."""
    found = lookout.look(asks.tabs())
    async with asyncio.timeout(5):
        while pending := list(lookout._pending.values()):
            await asyncio.wait([asyncio.wrap_future(one) for one in pending])
    return found


@pytest.fixture
def always_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each answer be asked for again at once."""
    monkeypatch.setattr(module, "_FRESH", 0.0)


def looks(*answers: str, times: int) -> tuple[list[Tabs | None], int, list[int]]:
    """Look so often; return what was seen, how often news were told, and the versions."""
    told: list[None] = []
    seen, versions = [], []
    link = Link(Double(Answers(*answers)), SHORT)
    session = Session(lambda: link)
    lookout = Lookout(session, lambda: told.append(None))

    async def work() -> None:
        for _ in range(times):
            seen.append(await look(lookout))
            versions.append(lookout.version)

    try:
        session.ask(asks.where())
        asyncio.run(work())
    finally:
        link.close()
    return seen, len(told), versions


@pytest.mark.usefixtures("always_old")
def test_an_answer_that_says_the_same_again_is_no_news() -> None:
    seen, told, versions = looks(envelope(_ONE), times=3)
    assert seen == [None, _ONE, _ONE]
    assert told == 1
    assert len(set(versions)) == 1


@pytest.mark.usefixtures("always_old")
def test_an_old_answer_is_good_until_the_next_one_has_come() -> None:
    seen, told, versions = looks(envelope(_ONE), envelope(_TWO), times=3)
    assert seen == [None, _ONE, _TWO]
    assert told == len(set(versions)) == 2


@pytest.mark.usefixtures("always_old")
def test_a_page_that_went_elsewhere_by_itself_takes_what_was_known_of_it_along() -> None:
    elsewhere = envelope(_TWO, document="E", entry=2)
    seen, told, _ = looks(envelope(_ONE), elsewhere, times=4)
    assert seen == [None, _ONE, None, _TWO]
    assert told == 3


def test_a_refusal_is_told_once_and_nothing_is_asked_for_again() -> None:
    seen, told, versions = looks("no envelope at all", times=3)
    assert seen == [None, None, None]
    assert (told, len(set(versions))) == (1, 1)
