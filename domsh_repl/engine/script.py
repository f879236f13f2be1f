"""Runs an expression in the page and gives its value; what does not end is ended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.page import Page
from domsh_repl.errors import DomshError, Failed, TimedOut
from domsh_repl.safetext import one_line

__all__ = ["run_script"]

_STOP_DEADLINE = 1.0
_HINT = "the expression is JavaScript in the page"
_STACK = "\n    at "
"""How the stack begins that an error's description ends in (V8)."""
_DESCRIBED = frozenset({"function", "symbol"})
_PLAIN = frozenset({None, "array"})
"""Kinds of objects that JSON can hold; a node, a date or a map would come out as nothing."""


async def run_script(page: Page, expression: str, deadline: Deadline) -> object:
    """Return the JSON value of an expression, of a promise that to which it resolves.

    ``await`` is allowed. A node, a function and their like come as the browser describes them.
    Raises ``Failed`` for an exception and for what JSON cannot hold, and ``TimedOut`` at the
    deadline; the script is then ended, as it is when the caller goes away.
    """
    try:
        async with asyncio.timeout(deadline.left):
            return await _value(page, expression)
    except TimeoutError as error:
        await _stop(page)
        raise TimedOut(
            f"the script did not end within {deadline.seconds:g} s; it was stopped",
            "--timeout gives it more",
        ) from error
    except asyncio.CancelledError:
        await _stop(page)
        raise
    except CdpError as error:
        raise Failed(f"the script gave no value: {error.message}", _HINT) from error


async def _value(page: Page, expression: str) -> object:
    reply = await page.main.call(
        "Runtime.evaluate",
        expression=expression,
        awaitPromise=True,
        userGesture=True,
        replMode=True,  # await at the top, and names can be declared again
    )
    result = _result(reply)
    if result.get("subtype") == "promise":
        reply = await page.main.call("Runtime.awaitPromise", promiseObjectId=result["objectId"])
        result = _result(reply)
    object_id = result.get("objectId")
    if object_id is None:
        return result.get("value", result.get("unserializableValue"))
    if result.get("type") in _DESCRIBED or result.get("subtype") not in _PLAIN:
        return str(result.get("description") or result.get("type"))
    reply = await page.main.call(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration="function() { return this }",
        returnByValue=True,
    )
    result = _result(reply)
    return result.get("value", result.get("unserializableValue"))


def _result(reply: Mapping[str, Any]) -> dict[str, Any]:
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        thrown = details.get("exception") or {}
        text = str(thrown.get("description") or thrown.get("value") or details.get("text"))
        raise Failed(f"the script failed: {one_line(text.partition(_STACK)[0])}", _HINT)
    result: dict[str, Any] = reply["result"]
    return result


async def _stop(page: Page) -> None:
    """End a script that runs for ever, so that the page answers again.

    Where none runs any more (it waits for a promise), the next one would be ended: that is an
    empty one of ours.
    """
    with contextlib.suppress(CdpError, DomshError, TimeoutError):
        async with asyncio.timeout(_STOP_DEADLINE):
            await page.main.call_through("Runtime.terminateExecution")
            await page.main.call("Runtime.evaluate", expression="0")
