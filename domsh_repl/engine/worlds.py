"""Where the engine's own scripts run: in each frame a world apart from the page's scripts.

A page can replace every built-in function in its own world, but not here
(Page.createIsolatedWorld); both see the same DOM. Only the user's ``js`` runs in the page's.
A node of the page is handed to a script as an object of this world.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from domsh_repl.engine.cdp import CdpError, Params, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.errors import Stale

__all__ = [
    "call_and_report",
    "call_on",
    "document_of",
    "element_of",
    "evaluate",
    "run_in",
    "script_source",
]

R = TypeVar("R")

_WORLD = "domsh"
_KEPT = "globalThis.kept"
"""Where a result waits in our world."""
_USED = {"table": ("text",)}
"""Scripts whose function another one calls."""


@cache
def script_source(name: str) -> str:
    """Return the function of ``name.js`` with what all scripts begin with (``bare.js``)."""
    folder = Path(__file__).parent
    common = (folder / "bare.js").read_text(encoding="utf-8")
    used = (*_USED.get(name, ()), name)
    own = "\n".join((folder / f"{one}.js").read_text(encoding="utf-8") for one in used)
    return f"function(...given) {{\n{common}\n{own}\nreturn {name}.apply(this, given);\n}}"


_known: WeakKeyDictionary[Session, dict[str, int]] = WeakKeyDictionary()
"""The contexts of our world that are there, of each session by the frame's id."""
_NO_CONTEXT = re.compile(r"cannot find context|not belong to the document", re.IGNORECASE)
"""What Chromium says of a context that is gone, when nothing was run (tried)."""


def _worlds_of(session: Session) -> dict[str, int]:
    found = _known.get(session)
    if found is not None:
        return found
    worlds = _known[session] = {}

    def ended(event: Params) -> None:
        gone = event.get("executionContextId")
        for frame_id in [one for one, context in worlds.items() if context == gone]:
            del worlds[frame_id]

    session.on("Runtime.executionContextDestroyed", ended)
    session.on("Runtime.executionContextsCleared", lambda _event: worlds.clear())
    return worlds


async def _world_of(frame: Frame) -> int:
    """Return the context of our world in a frame's document; made where there is none yet."""
    session, worlds = frame.session, _worlds_of(frame.session)
    known = worlds.get(frame.id)
    if known is not None:
        return known
    reply = await session.call("Page.createIsolatedWorld", frameId=frame.id, worldName=_WORLD)
    made = worlds[frame.id] = int(reply["executionContextId"])
    return made


async def _in_world(frame: Frame, work: Callable[[int], Awaitable[R]]) -> R:
    """Do something in our world of a frame; again where that had gone with its document."""
    known = _worlds_of(frame.session).get(frame.id)
    try:
        return await work(await _world_of(frame))
    except CdpError as error:
        if known is None or not _NO_CONTEXT.search(error.message):
            raise
    if _worlds_of(frame.session).get(frame.id) is known:
        del _worlds_of(frame.session)[frame.id]
    return await work(await _world_of(frame))


async def evaluate(frame: Frame, expression: str, **more: Any) -> dict[str, Any]:
    """Return what an expression gives (CDP Runtime.RemoteObject) in our world of a frame."""

    async def work(context: int) -> dict[str, Any]:
        return await frame.session.call(
            "Runtime.evaluate", expression=expression, contextId=context, **more
        )

    return _result(await _in_world(frame, work), "an expression")


async def run_in(frame: Frame, name: str, *given: Any, by_value: bool = False) -> dict[str, Any]:
    """Call the function of ``name.js`` on a frame's document and return its result."""
    arguments = "".join(f", {json.dumps(value)}" for value in given)
    call = f"({script_source(name)}).call(document{arguments})"
    return await evaluate(frame, call, returnByValue=by_value)


async def document_of(frame: Frame) -> str:
    """Return the object id of a frame's document."""
    return str((await evaluate(frame, "document"))["objectId"])


async def element_of(frame: Frame, backend_id: int) -> str:
    """Return the object id of a DOM node (DOM.resolveNode); raises ``Stale`` when it is gone."""

    async def work(context: int) -> dict[str, Any]:
        return await frame.session.call(
            "DOM.resolveNode", backendNodeId=backend_id, executionContextId=context
        )

    try:
        reply = await _in_world(frame, work)
        return str(reply["object"]["objectId"])  # there is none for another site's frame
    except (CdpError, KeyError) as error:
        raise Stale(
            "the element is no longer in the page", "`ls` shows what is there now"
        ) from error


async def call_on(  # noqa: PLR0913  (what a call is made of)
    session: Session,
    object_id: str,
    name: str,
    *given: Any,
    objects: tuple[dict[str, str], ...] = (),
    by_value: bool = False,
    gesture: bool = False,
    awaited: bool = False,
) -> dict[str, Any]:
    """Call the function of ``name.js`` on a node and return its result (Runtime.RemoteObject).

    ``objects`` are more arguments, ids of objects of the same world; a promise is ``awaited``.
    Raises ``CdpError`` for an exception, too.
    """
    reply = await session.call(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration=script_source(name),
        arguments=[*({"value": value} for value in given), *objects],
        returnByValue=by_value,
        userGesture=gesture,
        awaitPromise=awaited,
    )
    return _result(reply, name)


async def call_and_report(
    frame: Frame,
    object_id: str,
    name: str,
    *given: Any,
    report: str,
    objects: tuple[dict[str, str], ...] = (),
) -> tuple[str, Any]:
    """Call a function as ``call_on`` does, and another one, ``report``, on its result.

    Returns the id of that result, and by value what was reported. Both go in one flight: the
    result waits in our world until the second call takes it, right behind the first.
    """
    context = await _world_of(frame)
    kept = f"({script_source(name)})"
    made = frame.session.call(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration=f"function(...given) {{ return {_KEPT} = {kept}.apply(this, given) }}",
        arguments=[*({"value": value} for value in given), *objects],
    )
    told = frame.session.call(
        "Runtime.evaluate",
        expression=f"(kept => {{ delete {_KEPT}; return ({report}).call(kept) }})({_KEPT})",
        contextId=context,
        returnByValue=True,
    )
    return str(_result(await made, name)["objectId"]), _result(await told, name).get("value")


def _result(reply: dict[str, Any], what: str) -> dict[str, Any]:
    details = reply.get("exceptionDetails")
    if details is not None:
        thrown = details.get("exception") or {}
        text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
        raise CdpError(f"{what} failed in the page: {text}")
    result: dict[str, Any] = reply["result"]
    return result
