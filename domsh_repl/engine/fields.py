"""Form fields: typing, filling, choosing options, checking, focus and keys.

Text goes in as trusted input events; what a page cannot be told that way (dates, colours,
ranges, options of a select) is set and followed by the events that the browser would send.
Every change is read back: a field that holds something else is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from domsh_repl.engine.axnode import PASSWORD_MASK
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.keys import Chord, key_of_character
from domsh_repl.engine.pointer import aim, click_at, element_at
from domsh_repl.engine.tree import Spot
from domsh_repl.errors import (
    Disabled,
    Failed,
    NotEditable,
    OptionNotFound,
    Stale,
    ValueRejected,
)
from domsh_repl.safetext import one_line

__all__ = ["Field", "active_field", "press", "toggle"]

_SHOWN_OPTIONS = 12

_DEEPEST_ACTIVE = """(() => {
  let e = document.activeElement;
  for (;;) {
    if (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
    else if (e && e.localName === 'iframe' && e.contentDocument) e = e.contentDocument.activeElement;
    else break;
  }
  return e && e !== document.body && e.localName !== 'body' ? e : null;
})()"""


@cache
def _source() -> str:
    return FilePath(__file__).with_name("fields.js").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page says of a field."""

    tag: str
    type: str
    editable: bool
    picked: bool
    value: str
    disabled: bool
    readonly: bool
    secret: bool
    maximum: int | None
    focused: bool
    connected: bool


class Field:
    """One element that takes input, by its script object."""

    def __init__(self, session: Session, object_id: str) -> None:
        self.session = session
        self.object_id = object_id

    @classmethod
    async def at(cls, spot: Spot) -> Field:
        """Return the field at a spot."""
        return cls(spot.session, await element_at(spot))

    async def ask(self, question: str, given: object = None) -> Any:
        """Put one question of ``fields.js`` to the element."""
        reply = await self.session.call(
            "Runtime.callFunctionOn",
            objectId=self.object_id,
            functionDeclaration=_source(),
            arguments=[{"value": question}, {"value": given}],
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in reply:
            raise Failed(f"the page refused: {one_line(_thrown(reply))}")
        return reply["result"].get("value")

    async def facts(self) -> Facts:
        """Return what the page says of the field."""
        return Facts(**await self.ask("facts"))

    async def focus(self) -> None:
        """Focus the element; raises ``NotEditable`` when it takes no focus."""
        if not await self.ask("focus"):
            raise NotEditable("the element cannot take the focus", "`click` works on every element")

    async def type(self, text: str, *, at_end: bool) -> str:
        """Type text at the caret and return what the field then holds."""
        before = await self._writable("type")
        if before.picked:
            raise NotEditable(
                f"a {before.type} field takes no typed text", "`fill PATH VALUE` sets it"
            )
        if not before.focused:
            await self.focus()
        if at_end and not before.focused:
            await self.ask("caret to end")
        for character in text:
            await self._type_character(character)
        after = await self.facts()
        if text and after.value == before.value:
            raise ValueRejected(
                f"the field did not take the text, it holds {_shown(after)}", _limit_hint(after)
            )
        if after.maximum is not None and len(after.value) < len(before.value) + len(text):
            raise ValueRejected(
                f"the field took a part only, it holds {_shown(after)}", _limit_hint(after)
            )
        return _masked(after)

    async def fill(self, text: str) -> str:
        """Replace the whole value, read it back and return it; raises ``ValueRejected``."""
        before = await self._writable("fill")
        if before.tag == "select":
            raise NotEditable("a select takes options, not text", "`select PATH OPTION` chooses one")
        if before.picked:
            await self.focus()
            await self.ask("set", text)
        else:
            await self._replace(before, text)
        after = await self.facts()
        if after.value.replace("\r\n", "\n").rstrip("\n") != text.replace("\r\n", "\n").rstrip("\n"):
            raise ValueRejected(f"the field holds {_shown(after)}", _limit_hint(after))
        return _masked(after)

    async def choose(self, wanted: Sequence[str]) -> list[str]:
        """Select options of a ``<select>`` by label or value and return their labels."""
        facts = await self.facts()
        options = await self.ask("options")
        if options is None:
            raise NotEditable(
                f"<{facts.tag}> is no select", "`click` it, then `click` the option that appears"
            )
        if facts.disabled:
            raise Disabled("the select is disabled")
        places = [_option_place(options, want) for want in wanted]
        chosen = [str(label) for label in await self.ask("choose", places)]
        expected = [options[place][0] for place in sorted(places)]
        if chosen != expected:
            raise ValueRejected(
                f"the select shows {', '.join(map(repr, chosen)) or 'nothing'}",
                "it may take one option only",
            )
        return chosen

    async def toggle_state(self) -> str | None:
        """Return "true", "false" or "mixed"; None for what cannot be checked."""
        state = await self.ask("toggle")
        return None if state is None else str(state)

    async def _writable(self, action: str) -> Facts:
        facts = await self.facts()
        if not facts.connected:
            raise Stale("the field is no longer in the page", "`ls` shows what is there now")
        if facts.disabled:
            raise Disabled("the field is disabled")
        if facts.readonly:
            raise NotEditable("the field is read-only")
        if not facts.editable and not (action == "fill" and facts.tag == "select"):
            raise NotEditable(f"<{facts.tag}> takes no text", "`ls -l` shows the roles of fields")
        return facts

    async def _replace(self, before: Facts, text: str) -> None:
        await self.focus()
        await self.ask("select all")
        if text:
            await self.session.call("Input.insertText", text=text)
        elif before.value:
            await press(self.session, Chord("Delete", "Delete", 46, ""))

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


async def active_field(sessions: Sequence[Session]) -> Field | None:
    """Return the element that has the focus, in whichever frame it lives."""
    main, *frames = sessions
    for session in (*frames, main):
        try:
            reply = await session.call("Runtime.evaluate", expression=_DEEPEST_ACTIVE)
        except CdpError:
            continue
        object_id = reply["result"].get("objectId")
        if object_id is not None:
            return Field(session, str(object_id))
    return None


async def toggle(spot: Spot, *, wanted: bool) -> bool:
    """Bring a checkbox, radio or switch into the wanted state; False when it was there already."""
    field = await Field.at(spot)
    goal = "true" if wanted else "false"
    state = await field.toggle_state()
    if state is None:
        raise NotEditable("the element cannot be checked", "`click` works on every element")
    facts = await field.facts()
    if state == goal:
        return False
    if facts.disabled:
        raise Disabled("the element is disabled")
    if not wanted and (facts.type == "radio" or spot.node.role in ("radio", "menuitemradio")):
        raise NotEditable("a radio is unchecked by checking another one of its group")
    await click_at(await aim(spot))
    if state == "mixed" and await field.toggle_state() not in (goal, None):
        await click_at(await aim(spot))  # the first click leads out of the mixed state either way
    after = await field.toggle_state()
    if after != goal:
        raise ValueRejected(f"it was clicked, but it is {_worded(after)}")
    return True


def _worded(state: str | None) -> str:
    return {"true": "checked", "false": "unchecked", "mixed": "mixed"}.get(state or "", "gone")


def _option_place(options: Sequence[Sequence[Any]], wanted: str) -> int:
    folded = " ".join(wanted.split())
    tests = (
        lambda label, _value: label == folded,
        lambda _label, value: value == wanted,
        lambda label, _value: label.casefold() == folded.casefold(),
    )
    for test in tests:
        found = [place for place, (label, value, _) in enumerate(options) if test(label, value)]
        if found:
            if options[found[0]][2]:
                raise Disabled(f"the option {wanted!r} is disabled")
            return found[0]
    there = ", ".join(repr(str(label)) for label, _, _ in options[:_SHOWN_OPTIONS])
    more = f" and {len(options) - _SHOWN_OPTIONS} more" if len(options) > _SHOWN_OPTIONS else ""
    raise OptionNotFound(f"no option {wanted!r}", f"there is {there or 'none'}{more}")


def _masked(facts: Facts) -> str:
    return PASSWORD_MASK if facts.secret and facts.value else facts.value


def _shown(facts: Facts) -> str:
    return repr(one_line(_masked(facts), 60))


def _limit_hint(facts: Facts) -> str:
    if facts.maximum is not None:
        return f"it takes at most {facts.maximum} characters"
    if facts.type:
        return f"it is a field of type {facts.type}"
    return ""


def _thrown(reply: dict[str, Any]) -> str:
    details = reply["exceptionDetails"]
    thrown = details.get("exception") or {}
    return str(thrown.get("description") or thrown.get("value") or details.get("text", ""))


