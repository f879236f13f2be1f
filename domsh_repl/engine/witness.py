"""Sees whether a click arrived, and keeps one from the page that would hit something else.

A page may replace the element between press and release: the browser then sends no click to
anybody, and nothing else tells. Or it may move something over the element after it was looked
at: then nobody gets the press, and it can be tried again. The page's own scripts see nothing of
the listeners.
"""

from __future__ import annotations

from domsh_repl.engine.cdp import CdpError, Session, taking_back
from domsh_repl.engine.page import Page
from domsh_repl.engine.pointer import Press, Target, click_at
from domsh_repl.engine.worlds import call_on
from domsh_repl.errors import Covered

__all__ = ["Witness", "pressed"]


class Witness:
    """Watches one element for the next trusted click of a kind."""

    def __init__(self, session: Session, seen: str) -> None:
        self._session = session
        self._seen = seen

    @classmethod
    async def of(cls, session: Session, object_id: str, event: str = "click") -> Witness | None:
        """Start to watch an element for an ``event``; None where that is not possible."""
        try:
            seen = await call_on(session, object_id, "witness", event)
            return cls(session, str(seen["objectId"]))  # none where what is inside gets the click
        except (CdpError, KeyError):
            return None

    async def saw_it(self, page: Page) -> bool:
        """Tell whether the click came; a page that is being left because of it had it.

        Raises ``Covered`` when something else would have got the press, which the page did not.
        """
        call = self._session.call(
            "Runtime.callFunctionOn",
            objectId=self._seen,
            functionDeclaration="function() { return this.end() }",
            returnByValue=True,
        )
        try:
            reply = await page.unless_left(call)
        except CdpError:
            return True
        told = "arrived" if reply is None else reply["result"].get("value")
        if told == "strayed":
            raise Covered(
                "something moved over the element in the moment of the press, which was held back",
                "try it again, or `wait settled` first",
            )
        return told == "arrived"


async def pressed(page: Page, target: Target, press: Press) -> bool:
    """Click where the pointer is and tell whether the element got the click.

    Raises ``Covered`` when something moved in between; the page was sent nothing then.
    """
    witness = await Witness.of(target.session, target.element, press.event)
    with taking_back(Covered):
        await click_at(target, press)
        return witness is None or await witness.saw_it(page)
