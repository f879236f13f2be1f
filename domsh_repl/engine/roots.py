"""What scripts report of nodes: some of their items as objects, and the closed shadow roots.

No script can see into a closed shadow root by itself; it is given pairs of a host and its root.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.worlds import call_and_report, element_of
from domsh_repl.errors import Stale

__all__ = ["ClosedRoots", "items_at"]

_FEW = 8
"""Items that are asked for one by one, in one flight: of many, a list is asked for."""
_MOST_HOSTS = 2000
"""Possible hosts that are asked for a closed root, which costs a tenth of a millisecond each."""


async def items_at(session: Session, object_id: str, places: Sequence[int]) -> list[str]:
    """Return the object ids of some of ``this.items`` of a script object, in that order.

    They join the group of that object and are let go with it (Runtime.getProperties).
    """
    if len(places) <= _FEW:
        each = [
            session.call(
                "Runtime.callFunctionOn",
                objectId=object_id,
                functionDeclaration="function(at) { return this.items[at] }",
                arguments=[{"value": place}],
            )
            for place in places
        ]
        replies = await asyncio.gather(*each)
        return [str(reply["result"].get("objectId", "")) for reply in replies]
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


class ClosedRoots:
    """The closed shadow roots of one document that are known so far.

    A script is run with ``pairs`` and ``known``, and again as long as ``more_in`` finds roots
    among the hosts that it reports: there may be others inside of them.
    """

    def __init__(self, frame: Frame) -> None:
        self.pairs: tuple[dict[str, str], ...] = ()
        self.known = 0
        self._frame = frame

    async def scanned(
        self, script: str, object_id: str, want: Mapping[str, Any], report: str
    ) -> tuple[str, dict[str, Any]]:
        """Run a script with what is known; return the object of its items, and its ``report``."""
        wanted = {**want, "known": self.known}
        return await call_and_report(
            self._frame, object_id, script, wanted, report=report, objects=self.pairs
        )

    async def more_in(self, items_id: str, hosts: Sequence[int]) -> bool:
        """Ask the hosts at these places of a script's items; tell whether any has a closed root."""
        objects = await items_at(self._frame.session, items_id, hosts[:_MOST_HOSTS])
        found = await asyncio.gather(*map(self._closed_root, objects))
        self.known = len(self.pairs) // 2
        self.pairs += tuple({"objectId": object_id} for pair in found for object_id in pair)
        return any(found)

    async def _closed_root(self, host: str) -> tuple[str, ...]:
        try:
            described = await self._frame.session.call("DOM.describeNode", objectId=host)
            for root in described["node"].get("shadowRoots", ()):
                if root.get("shadowRootType") == "closed":
                    return host, await element_of(self._frame, root["backendNodeId"])
        except (CdpError, Stale):
            pass  # it went away meanwhile
        return ()
