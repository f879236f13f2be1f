"""Form fields: typing, filling, choosing options, checking, focus and keys.

Text goes in as trusted input events; what a page cannot be told that way (dates, colours,
ranges, options of a select) is set and followed by the events that the browser would send.
Every change is read back: a field that holds something else is an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from domsh_repl.aria import EDITABLE, SELECTS, TOGGLES
from domsh_repl.choices import Option, option_place
from domsh_repl.engine.cdp import Session, note_input
from domsh_repl.engine.keys import Chord, key_of_character, parse_chord
from domsh_repl.engine.pointer import element_at
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.values import Facts
from domsh_repl.engine.worlds import call_on, element_of
from domsh_repl.errors import (
    Disabled,
    NotEditable,
    Stale,
    UsageError,
    ValueRejected,
)
from domsh_repl.safetext import one_line

__all__ = ["Field", "press"]

_ELEMENTS = EDITABLE | SELECTS | TOGGLES
_TOGGLE_LOOKS = 10
_MERE_QUESTIONS = frozenset({"facts", "options", "a moment"})
"""What is asked of an element without its page noticing; all else is input to it."""


class Field:
    """One element that takes input, by its script object."""

    def __init__(self, session: Session, object_id: str) -> None:
        self.session = session
        self.object_id = object_id

    @classmethod
    async def at(cls, spot: Spot) -> Field:
        """Return the field at a spot; raises ``Stale`` when it is no longer in the page.

        What can be edited, chosen from or checked is an element: only of other nodes it has to
        be asked which one that is.
        """
        if spot.node.role in _ELEMENTS:
            return cls(spot.session, await element_of(spot.frame, spot.node.backend))
        return cls(spot.session, await element_at(spot))

    async def ask(self, question: str, given: object = None) -> Any:
        """Put one question of ``fields.js`` to the element."""
        if question not in _MERE_QUESTIONS:
            note_input(question)
        answer = await call_on(
            self.session, self.object_id, "fields", question, given,
            by_value=True, gesture=True, awaited=True,
        )  # fmt: skip
        return answer.get("value")

    async def facts(self) -> Facts:
        """Return what the page says of the field."""
        return Facts(**await self.ask("facts"))

    async def focus(self, how: str = "focus") -> None:
        """Focus the element; raises ``NotEditable`` when it takes no focus."""
        if not await self.ask(how):
            if not (await self.facts()).connected:
                raise Stale("the element was replaced meanwhile", "`ls` shows what is there now")
            raise NotEditable("the element cannot take the focus", "`click` works on every element")

    async def type(self, text: str) -> str:
        """Type text at the caret and return what the field then holds.

        A field that had no focus gets it, with the caret at the end.
        """
        before = await self._writable()
        if before.picked:
            raise NotEditable(
                f"a {before.type} field takes no typed text", "`fill PATH VALUE` sets it"
            )
        if not before.focused:
            await self.focus()
            if not await self.ask("caret to end"):
                await press(self.session, parse_chord("End"))
        _require_one_line(before, text)
        for character in text.replace("\r\n", "\n").replace("\r", "\n"):
            await self._type_character(character)
        after = await self.facts()
        if text and after.value == before.value:
            raise ValueRejected(
                f"the field did not take the text, it holds {after.shown}", after.limit
            )
        if after.full and text.casefold() not in after.value.casefold():
            raise ValueRejected(f"the field took a part only, it holds {after.shown}", after.limit)
        return after.masked

    async def fill(self, text: str) -> str:
        """Replace the whole value, read it back and return it; raises ``ValueRejected``."""
        before = await self._writable()
        _require_one_line(before, text)
        if before.picked:
            await self.focus()
            await self.ask("set", text)
        else:
            await self._replace(before, text)
        after = await self.facts()
        if not after.holds(text):
            raise ValueRejected(
                f"the field did not take {one_line(text, 60)!r}, it holds {after.shown}",
                after.limit,
            )
        return after.masked

    async def choose(self, wanted: Sequence[str]) -> list[str]:
        """Select options of a ``<select>`` by label or value and return their labels."""
        facts, listed = await asyncio.gather(self.facts(), self.ask("options"))
        if listed is None:
            raise NotEditable(
                f"<{facts.tag}> is no select", "`click` it, then `click` the option that appears"
            )
        if facts.disabled:
            raise Disabled("the select is disabled", "something else has to be done first")
        options = [Option(*item) for item in listed]
        places = [option_place(options, want) for want in wanted]
        if len(set(places)) > 1 and not facts.multiple:
            raise UsageError("this select takes one option", "name one of them")
        chosen = [str(label) for label in await self.ask("choose", places)]
        expected = [options[place].label for place in sorted(set(places))]
        if chosen != expected:
            raise ValueRejected(
                f"the select shows {', '.join(map(repr, chosen)) or 'nothing'}",
                "the page changed the choice",
            )
        return chosen

    async def toggled(self, before: str) -> str | None:
        """Return the state after a click, giving the page a moment to change it."""
        for _ in range(_TOGGLE_LOOKS):
            facts = await self.facts()
            if not facts.connected:
                raise Stale("the page replaced the element", "`ls` shows what is there now")
            if facts.state != before:
                return facts.state
            await self.ask("a moment")
        return (await self.facts()).state

    async def _writable(self) -> Facts:
        facts = await self.facts()
        if not facts.connected:
            raise Stale("the field is no longer in the page", "`ls` shows what is there now")
        if facts.disabled:
            raise Disabled("the field is disabled", "something else has to be done first")
        if facts.readonly:
            raise NotEditable("the field is read-only", "the page does not let it be edited")
        facts.require_text()
        return facts

    async def _replace(self, before: Facts, text: str) -> None:
        await self.focus("focus, select all")
        if text:
            await self.session.call("Input.insertText", text=text)
        elif before.value:
            await press(self.session, parse_chord("Delete"))

    async def _type_character(self, character: str) -> None:
        key = key_of_character(character)
        if key is None:
            # a line break, too: Enter would send the form
            await self.session.call("Input.insertText", text=character)
        else:
            await press(self.session, key)


async def press(session: Session, chord: Chord) -> None:
    """Press and release a key with its modifiers (Input.dispatchKeyEvent)."""
    await session.call("Input.dispatchKeyEvent", **chord.parameters("keyDown"))
    await session.call("Input.dispatchKeyEvent", **chord.parameters("keyUp"))


def _require_one_line(facts: Facts, text: str) -> None:
    """Refuse a line break where Chromium would take it for Enter and send the form."""
    if facts.tag == "input" and ("\n" in text or "\r" in text):
        raise ValueRejected("the field takes one line only", "`key Enter` presses Enter in it")
