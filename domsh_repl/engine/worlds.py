"""Where the engine's own scripts run: in each frame a world apart from the page's scripts.

A page can replace every built-in function in its own world, but not here
(Page.createIsolatedWorld); both see the same DOM. Only the user's ``js`` runs in the page's.
A node of the page is handed to a script as an object of this world.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.errors import Stale

__all__ = ["call_on", "document_of", "element_of", "evaluate", "run_in", "script_source"]

_WORLD = "domsh"
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


async def _world_of(frame: Frame) -> int:
    """Return the context of our world in a frame's document; made anew only where there is none."""
    reply = await frame.session.call("Page.createIsolatedWorld", frameId=frame.id, worldName=_WORLD)
    return int(reply["executionContextId"])


async def evaluate(frame: Frame, expression: str, **more: Any) -> dict[str, Any]:
    """Return what an expression gives (CDP Runtime.RemoteObject) in our world of a frame."""
    reply = await frame.session.call(
        "Runtime.evaluate", expression=expression, contextId=await _world_of(frame), **more
    )
    return _result(reply, "an expression")


async def run_in(frame: Frame, name: str, *given: Any) -> dict[str, Any]:
    """Call the function of ``name.js`` on a frame's document and return its result."""
    arguments = "".join(f", {json.dumps(value)}" for value in given)
    return await evaluate(frame, f"({script_source(name)}).call(document{arguments})")


async def document_of(frame: Frame) -> str:
    """Return the object id of a frame's document."""
    return str((await evaluate(frame, "document"))["objectId"])


async def element_of(frame: Frame, backend_id: int) -> str:
    """Return the object id of a DOM node (DOM.resolveNode); raises ``Stale`` when it is gone."""
    try:
        reply = await frame.session.call(
            "DOM.resolveNode",
            backendNodeId=backend_id,
            executionContextId=await _world_of(frame),
        )
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


def _result(reply: dict[str, Any], what: str) -> dict[str, Any]:
    details = reply.get("exceptionDetails")
    if details is not None:
        thrown = details.get("exception") or {}
        text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
        raise CdpError(f"{what} failed in the page: {text}")
    result: dict[str, Any] = reply["result"]
    return result
