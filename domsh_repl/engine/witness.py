"""Sees whether a click arrived: a page may replace the element between press and release.

The browser then sends no click to anybody, and nothing else tells. The page's own scripts see
nothing of the listener.
"""

from __future__ import annotations

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import call_on

__all__ = ["Witness"]

_SHOW_OTHERS = frozenset({"iframe", "frame", "object", "embed"})


class Witness:
    """Watches one element for the next trusted click of a kind."""

    def __init__(self, session: Session, seen: str) -> None:
        self._session = session
        self._seen = seen

    @classmethod
    async def of(cls, session: Session, object_id: str, event: str = "click") -> Witness | None:
        """Start to watch an element for an ``event``; None where that is not possible."""
        try:
            described = await session.call("DOM.describeNode", objectId=object_id)
            if described["node"].get("localName") in _SHOW_OTHERS:
                return None  # what is inside gets the click
            seen = await call_on(session, object_id, "witness", event)
            return cls(session, str(seen["objectId"]))
        except (CdpError, KeyError):
            return None

    async def saw_it(self, page: Page) -> bool:
        """Tell whether the click came; a page that is being left because of it had it."""
        call = self._session.call(
            "Runtime.callFunctionOn",
            objectId=self._seen,
            functionDeclaration="function() { return this.click }",
            returnByValue=True,
        )
        try:
            reply = await page.unless_left(call)
        except CdpError:
            return True
        return reply is None or reply["result"].get("value") is True
