"""Sending a form as Enter in one of its fields does: by its default button, if it has one.

What the form refuses is told with the field that is to blame, and then nothing is sent (HTML,
implicit submission and constraint validation).
"""

from __future__ import annotations

from typing import Any

from domsh_repl.engine.cdp import Session, note_input
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import call_on
from domsh_repl.errors import Disabled, NotFound, ValueRejected
from domsh_repl.safetext import one_line

__all__ = ["FormSender"]

_HINT = "`submit PATH` names a form or something in it"


class FormSender:
    """The form around one element, by its script object; ``spot`` is a node of its document."""

    def __init__(self, desk: Desk, session: Session, element: str, spot: Spot | None) -> None:
        self._desk = desk
        self._session = session
        self._element = element
        self._spot = spot

    async def send(self, where: str) -> bool:
        """Send it, and tell whether the page was told to (the event ``submit``).

        Raises ``NotFound`` where there is no form, ``Disabled`` for its button and
        ``ValueRejected`` with the first field that refuses.
        """
        if not (await self._ask("form")).get("objectId"):
            raise NotFound(f"{where} is in no form", _HINT)
        if (await self._ask("disabled")).get("value"):
            raise Disabled(
                "the button that would send the form is disabled",
                "something else has to be done first",
            )
        refusing = (await self._ask("refusing")).get("objectId")
        if refusing:
            raise await self._refusal(str(refusing))
        note_input("send")
        return (await self._ask("send", gesture=True)).get("value") is True

    async def _ask(self, question: str, *, gesture: bool = False) -> dict[str, Any]:
        return await call_on(self._session, self._element, "submit", question, gesture=gesture)

    async def _refusal(self, control: str) -> ValueRejected:
        told = await call_on(self._session, control, "refusal", by_value=True)
        label, message = told["value"]
        near = self._spot or await self._desk.tree.root()
        spot = None
        if near.session is self._session:
            spot = await self._desk.search.locate(near, control)
        place = spot.path if spot is not None else one_line(str(label), 60)
        return ValueRejected(
            f"the form is not sent, {place} refuses: {one_line(str(message), 200)}",
            f"`fill {place} …`, then again" if spot is not None else "put that field right first",
        )
