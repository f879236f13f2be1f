"""DOM nodes as script objects: elements by backend id, and the closed shadow roots of hosts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.errors import Stale

__all__ = ["closed_roots", "element_of", "items_at"]

_MOST_HOSTS = 2000
"""Possible hosts that are asked for a closed root, which costs a tenth of a millisecond each."""


async def element_of(session: Session, backend_id: int) -> str:
    """Return the object id of a DOM node (DOM.resolveNode); raises ``Stale`` when it is gone."""
    try:
        reply = await session.call("DOM.resolveNode", backendNodeId=backend_id)
    except CdpError as error:
        raise Stale(
            "the element is no longer in the page", "`ls` shows what is there now"
        ) from error
    return str(reply["object"]["objectId"])


async def items_at(session: Session, object_id: str, places: Sequence[int]) -> list[str]:
    """Return the object ids of some of ``this.items`` of a script object, in that order.

    They join the group of that object and are let go with it (Runtime.getProperties).
    """
    if not places:
        return []
    reply = await session.call(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration="function(...places) { return places.map((at) => this.items[at]) }",
        arguments=[{"value": place} for place in places],
    )
    listed = await session.call(
        "Runtime.getProperties", objectId=reply["result"]["objectId"], ownProperties=True
    )
    by_place = {item["name"]: item.get("value", {}) for item in listed["result"]}
    return [str(by_place[str(number)].get("objectId", "")) for number in range(len(places))]


async def closed_roots(
    session: Session, items_id: str, hosts: Sequence[int]
) -> list[dict[str, str]]:
    """Return pairs of object ids, host and closed shadow root, as arguments of a call."""
    objects = await items_at(session, items_id, hosts[:_MOST_HOSTS])
    found = await asyncio.gather(*(_closed_root(session, host) for host in objects))
    return [{"objectId": object_id} for pair in found for object_id in pair]


async def _closed_root(session: Session, host: str) -> tuple[str, ...]:
    try:
        described = await session.call("DOM.describeNode", objectId=host)
        for root in described["node"].get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                made = await session.call("DOM.resolveNode", backendNodeId=root["backendNodeId"])
                return (host, str(made["object"]["objectId"]))
    except CdpError:
        return ()
    return ()
