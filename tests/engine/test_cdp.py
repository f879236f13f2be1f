from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from domsh_repl.engine.cdp import Connection, object_group
from domsh_repl.engine.transports import PipeTransport


def _told(*messages: Any) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\0" for message in messages)


def test_what_one_message_breaks_costs_no_other_one() -> None:
    async def played() -> list[Any]:
        (there, ours), (theirs, back) = os.pipe(), os.pipe()
        connection = Connection(PipeTransport(there, back))
        connection.start()
        heard: list[Any] = []
        ended = asyncio.Event()

        def broken(event: Any) -> None:
            heard.append(event)
            raise KeyError("missing")

        connection.browser.on("X.happened", broken)

        def again(event: Any) -> None:
            heard.append(("again", event))
            if len(heard) == 5:
                ended.set()

        connection.browser.on("X.happened", again)
        call = connection.browser.call("X.asked")
        event = {"method": "X.happened", "params": {"n": 1}}
        chunk = b"no json\0" + _told(event, ["no", "object"], {"id": 1, "result": {"a": 2}}, event)
        os.write(ours, chunk[:-9])
        async with asyncio.timeout(10):
            heard.append(await call)
            os.write(ours, chunk[-9:])
            await ended.wait()
        await connection.close()
        for end in (there, ours, theirs, back):
            os.close(end)
        return heard

    params = {"n": 1}
    both = [params, ("again", params)]
    assert asyncio.run(played()) == [*both, {"a": 2}, *both]


def test_each_command_has_a_group_of_its_own() -> None:
    names = set()
    for _ in range(2):
        with object_group() as name:
            names.add(name)
    assert len(names) == 2
