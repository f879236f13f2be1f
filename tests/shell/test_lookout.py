"""What completion asks for in the background, and that nothing it is told gets lost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from domsh_repl.commands.session import Session
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.nodes import Tabs
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
