"""The requests that act on a node through a real DOMShell, each checked before and after.

DOMShell says ``✓`` to what has had no effect, so the element is looked at first, the action
reads back what it did, and what it caused is told by two looks at the page.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from domsh_repl.aria import PASSWORD_MASK, TOGGLES
from domsh_repl.choices import option_place
from domsh_repl.errors import (
    Covered,
    Disabled,
    DomshError,
    Hidden,
    NotEditable,
    NotFound,
    Stale,
    Unsupported,
    UsageError,
    ValueRejected,
)
from domsh_repl.link.asks import Ask
from domsh_repl.link.domshell import lines, probe, scripts
from domsh_repl.link.domshell.going import Standing, changed, settled
from domsh_repl.link.domshell.looking import Look
from domsh_repl.link.domshell.probe import Acted, Field, Looked
from domsh_repl.link.domshell.probe import Ask as Asked
from domsh_repl.link.domshell.scripts import Check
from domsh_repl.link.domshell.snapshot import Snapshot, Spot, difference
from domsh_repl.link.domshell.talk import Talk
from domsh_repl.link.domshell.told import Done
from domsh_repl.nodes import Changes, Effect, EffectKind, Tab, Value
from domsh_repl.paths import Path
from domsh_repl.roles import INTERACTIVE
from domsh_repl.safetext import one_line

__all__ = ["ACTIONS", "Actor"]

_HERE = frozenset({"", "_self", "_parent", "_top"})
_EDITABLE = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider"})
_DATES = frozenset({"Date", "DateTime", "InputTime", "ColorWell"})


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an action knows of its effect; ``changed`` says that its element has another state."""

    kind: EffectKind
    value: Value = None
    changed: bool = False
    opened: tuple[Tab, ...] = ()


class Actor:
    """Acts on one page; ``before`` is the look at its document that paths are meant for."""

    def __init__(
        self, talk: Talk, look: Look, standing: Standing, before: Check, *, clicks: bool
    ) -> None:
        self._talk = talk
        self._look = look
        self._standing = standing
        self._before = before
        self._clicks = clicks
        self._has_sent = False
        self.after = before
        self.known = look.snapshot

    async def perform(self, ask: Ask[Any]) -> Effect:
        """Do what is asked and tell what it caused; an error tells whether nothing was sent."""
        try:
            return await self._performed(ask)
        except DomshError as error:
            error.nothing_sent = not self._has_sent
            raise

    async def _performed(self, ask: Ask[Any]) -> Effect:
        action = _ACTIONS[ask.verb]
        path = self._path(ask)
        spot = None if path is None else await self._look.one(path, _SUITABLE[ask.verb])
        known = self.known = self._look.snapshot
        await self._talk.script(scripts.STUB)
        outcome = await action(self, ask, spot)
        self.after = await settled(self._talk, self._before)
        changes = await self._changes(known)
        if outcome.changed and changes is not None and spot is not None:
            changed_paths = dict.fromkeys((*changes.changed, spot.path))
            changes = replace(changes, changed=tuple(changed_paths))
        return self._effect(ask.verb, spot, outcome, changes)

    def _path(self, ask: Ask[Any]) -> Path | None:
        place = 1 if ask.verb == "key" else 0
        without = ask.verb in ("type", "key") and len(ask.operands) < 2  # noqa: PLR2004
        without = without or not ask.operands or (ask.verb == "scroll" and not ask.on_nodes)
        return None if without else Path.parse(ask.operands[place])

    async def click(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Click; a link to a new tab is opened there, since a click of a script opens none."""
        assert spot is not None
        if ask.options:
            raise Unsupported(
                "DOMShell clicks once, with the left button and no keys held",
                "--server builtin clicks in every way",
            )
        looked = await self._looked(spot, Asked.CARD)
        _require_reachable(spot.path, looked)
        target = dict(looked.attributes).get("target", "").lower()
        if looked.tag in ("a", "area") and looked.url.startswith("http") and target not in _HERE:
            return await self._open_beside(looked.url)
        done = await self._pressed(spot, looked)
        return _Outcome(EffectKind.SENT if done else EffectKind.UNKNOWN)

    async def _pressed(self, spot: Spot, looked: Looked) -> bool:
        if self._clicks and spot.wire is not None and spot.node.role in INTERACTIVE:
            self._has_sent = True
            told = await self._talk.say(lines.click(spot.wire), Done)
            return told.name in (spot.wire.rpartition("/")[2], spot.wire)
        return (await self._acted(spot, Asked.CLICK, looked)).done

    async def _open_beside(self, url: str) -> _Outcome:
        here = self._standing.tab
        self._has_sent = True
        check = await self._standing.open_beside(self._talk, url)
        tab = Tab(self._standing.tab, check.url, check.title)
        await self._standing.enter(self._talk, here)
        return _Outcome(EffectKind.SEEN, opened=(tab,))

    async def focus(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Give an element the focus and see that it has it."""
        del ask
        assert spot is not None
        if spot.wire is None:
            raise Unsupported(f"DOMShell has no way to {spot.path}", "--server builtin has one")
        self._has_sent = True
        await self._talk.say(lines.focus(spot.wire), Done)
        looked = await self._looked(spot, Asked.BRIEF)
        if "focused" not in looked.states:
            raise NotEditable("the element cannot take the focus", "`click` works on every element")
        return _Outcome(EffectKind.SEEN)

    async def type(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Put text in at the caret and read the field back."""
        text = ask.operands[-1]
        looked = await self._looked(spot, Asked.FIELD)
        field = _writable(looked, text)
        acted = await self._acted(spot, Asked.INSERT, looked, text=text)
        if text and not acted.changed:
            raise ValueRejected(
                f"the field did not take the text, it holds {_shown(acted, field)}",
                _limit(field),
            )
        return _Outcome(EffectKind.SEEN, _told(acted, field))

    async def fill(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Replace a field's value and read it back."""
        looked = await self._looked(spot, Asked.FIELD)
        field = _writable(looked, ask.operands[1])
        acted = await self._acted(spot, Asked.FILL, looked, text=ask.operands[1])
        if not acted.holds:
            raise ValueRejected(f"the field holds {_shown(acted, field)}", _limit(field))
        return _Outcome(EffectKind.SEEN, _told(acted, field))

    async def select(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Choose options by label or value and read them back."""
        looked = await self._looked(spot, Asked.FIELD)
        field = looked.field
        if field is None or field.options is None:
            raise NotEditable(
                f"<{looked.tag}> is no select", "`click` it, then `click` the option that appears"
            )
        if "disabled" in looked.states:
            raise Disabled("the select is disabled", "something else has to be done first")
        places = [option_place(field.options or (), wanted) for wanted in ask.operands[1:]]
        if len(set(places)) > 1 and not field.multiple:
            raise UsageError("this select takes one option", "name one of them")
        acted = await self._acted(spot, Asked.CHOOSE, looked, places=places)
        expected = tuple(field.options[place].label for place in sorted(set(places)))
        if acted.chosen != expected:
            raise ValueRejected(
                f"the select shows {', '.join(map(repr, acted.chosen)) or 'nothing'}",
                "the page changed the choice",
            )
        return _Outcome(EffectKind.SEEN, ", ".join(acted.chosen))

    async def toggle(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Check or uncheck; nothing happens when it is so already."""
        wanted = ask.verb == "check"
        looked = await self._looked(spot, Asked.FIELD)
        if spot is not None and spot.node.role not in TOGGLES:
            raise NotEditable("the element cannot be checked", "`click` works on every element")
        is_so = ("checked" in looked.states) == wanted and "mixed" not in looked.states
        if is_so:
            return _Outcome(EffectKind.SEEN)
        if "disabled" in looked.states:
            raise Disabled("the element is disabled", "something else has to be done first")
        if "readonly" in looked.states:
            raise NotEditable("the element is read-only", "the page does not let it be changed")
        if not wanted and spot is not None and spot.node.role in ("radio", "menuitemradio"):
            raise NotEditable(
                "a radio is unchecked by checking another one", "`check` another one of its group"
            )
        acted = await self._acted(spot, Asked.TOGGLE, looked, wanted=wanted)
        if acted.after != str(wanted).lower():
            worded = {"true": "checked", "false": "unchecked"}.get(acted.after or "", "mixed")
            raise ValueRejected(
                f"it was clicked, but it is {worded}", "`cat` shows it; the page decides"
            )
        return _Outcome(EffectKind.SEEN, changed=True)

    async def key(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Send a form by Enter in one of its fields; DOMShell has no keys that a page obeys."""
        if ask.operands[0].lower() != "enter":
            raise Unsupported(
                f"DOMShell presses no {one_line(ask.operands[0], 20)}",
                "Enter in a field sends its form; --server builtin presses every key",
            )
        looked = await self._looked(spot, Asked.FIELD)
        if _is_pressed_by_enter(looked):
            _require_reachable("the element" if spot is None else spot.path, looked)
            await self._acted(spot, Asked.CLICK, looked)
            return _Outcome(EffectKind.SENT, ask.operands[0])
        if looked.tag != "input":
            raise Unsupported(
                f"DOMShell presses no Enter on <{looked.tag}>", "`click` works on every element"
            )
        acted = await self._acted(spot, Asked.SUBMIT, looked)
        if not acted.form:
            raise Unsupported("the field is in no form, so Enter does nothing", "--server builtin")
        _require_sent(acted)
        return _Outcome(EffectKind.SENT, ask.operands[0])

    async def submit(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Send the form around an element, by its default button if it has one."""
        del ask
        looked = await self._looked(spot, Asked.FIELD)
        acted = await self._acted(spot, Asked.SUBMIT, looked)
        if not acted.form:
            where = "what has the focus" if spot is None else spot.path
            raise NotFound(
                f"{where} is in no form", "`submit PATH` names a form or something in it"
            )
        _require_sent(acted)
        return _Outcome(EffectKind.SENT)

    async def scroll(self, ask: Ask[Any], spot: Spot | None) -> _Outcome:
        """Scroll the page, or an element into view."""
        if spot is None:
            told = await self._talk.script(scripts.scroll(ask.operands[0]))
            moved, place = scripts.read_scrolled(told)
            return _Outcome(EffectKind.SEEN if moved else EffectKind.SENT, place)
        if spot.wire is None:
            raise Unsupported(f"DOMShell has no way to {spot.path}", "--server builtin has one")
        await self._talk.say(lines.scroll_to(spot.wire), Done)
        return _Outcome(EffectKind.SENT)

    async def _looked(self, spot: Spot | None, asked: Asked) -> Looked:
        """Look at an element, or at the one that has the focus."""
        if spot is not None:
            return probe.read_looked(*await self._look.ask_any(spot, asked))
        self._look.require_probe()
        nonce = secrets.token_hex(8)
        said = await self._talk.script(probe.ask_active(nonce, asked))
        looked = probe.read_looked(said, nonce)
        if looked.tag in ("body", "html"):
            raise NotEditable("no field has the focus", "`type PATH TEXT` names one")
        return looked

    async def _acted(
        self, spot: Spot | None, asked: Asked, looked: Looked, **given: object
    ) -> Acted:
        """Act on the element that was looked at, and on no other."""
        self._has_sent = True
        if spot is not None:
            said, nonce = await self._look.ask_one(spot, asked, tag=looked.tag, **given)
        else:
            nonce = secrets.token_hex(8)
            line = probe.ask_active(nonce, asked, tag=looked.tag, **given)
            said = await self._talk.script(line)
        return probe.read_acted(said, nonce)

    async def _changes(self, known: Snapshot) -> Changes | None:
        if self.after.document != self._before.document:
            return None
        try:
            now = await Look.at(self._talk, may_probe=False)
        except Stale:
            return None
        return difference(known, now.snapshot)

    def _effect(
        self, verb: str, spot: Spot | None, outcome: _Outcome, changes: Changes | None
    ) -> Effect:
        after, kind = self.after, outcome.kind
        moved = changed(self._before, after) or after.title != self._before.title
        changed_much = changes is not None and changes != Changes()
        if kind is not EffectKind.SEEN and (moved or changed_much or self._talk.dialogs):
            kind = EffectKind.SEEN
        return Effect(
            action=verb,
            path="" if spot is None else spot.path,
            effect=kind,
            url=after.url,
            title=after.title,
            loading=after.loading,
            changes=changes,
            opened_tabs=outcome.opened,
            value=outcome.value,
            http=after.http,
            navigated=after.document != self._before.document,
        )


def _is_pressed_by_enter(looked: Looked) -> bool:
    kind = "" if looked.field is None else looked.field.type
    return looked.tag in ("button", "a", "summary") or kind in ("submit", "button", "reset")


def _require_reachable(path: str, looked: Looked) -> None:
    """Raise for an element that a user could not click."""
    if "disabled" in looked.states:
        raise Disabled(f"{path} is disabled", "something else has to be done first")
    field = looked.field
    if field is None:
        return
    if not field.shown:
        raise Hidden(f"{path} has no place on the screen", "something else shows it")
    if field.cover:
        raise Covered(
            f"{one_line(field.cover, 80)} covers {path}", "close what covers it, or scroll"
        )


def _require_sent(acted: Acted) -> None:
    if acted.disabled:
        raise Disabled(
            "the button that would send the form is disabled",
            "something else has to be done first",
        )
    if acted.invalid:
        raise ValueRejected(
            f"the form is not sent, {one_line(acted.invalid)} refuses: {one_line(acted.message)}",
            "`fill` that field",
        )


def _writable(looked: Looked, text: str) -> Field:
    field = looked.field
    if "disabled" in looked.states:
        raise Disabled("the field is disabled", "something else has to be done first")
    if "readonly" in looked.states:
        raise NotEditable("the field is read-only", "the page does not let it be edited")
    if field is None or not field.editable:
        raise NotEditable(f"<{looked.tag}> takes no text", "`click` works on every element")
    if looked.tag == "input" and ("\n" in text or "\r" in text):
        raise ValueRejected("the field takes one line only", "`key Enter` sends its form")
    return field


def _told(acted: Acted, field: Field) -> str:
    if field.secret:
        return PASSWORD_MASK if acted.filled else ""
    return acted.value


def _shown(acted: Acted, field: Field) -> str:
    return repr(_told(acted, field)) if acted.value or acted.filled else "nothing"


def _limit(field: Field) -> str:
    return "" if field.maximum is None else f"it takes {field.maximum} characters at most"


def _is_interactive(spot: Spot) -> bool:
    return spot.node.role in INTERACTIVE


_Suitable = Callable[[Spot], bool]
_SUITABLE: dict[str, _Suitable] = {
    "click": _is_interactive,
    "focus": _is_interactive,
    "key": _is_interactive,
    "type": lambda spot: spot.node.role in _EDITABLE,
    "fill": lambda spot: spot.node.role in _EDITABLE or spot.node.role in _DATES,
    "select": lambda spot: spot.node.role in ("combobox", "listbox"),
    "check": lambda spot: spot.node.role in TOGGLES,
    "uncheck": lambda spot: spot.node.role in TOGGLES,
    "submit": lambda _spot: True,
    "scroll": lambda _spot: True,
}
_Action = Callable[[Actor, Ask[Any], Spot | None], Awaitable[_Outcome]]
_ACTIONS: dict[str, _Action] = {
    "click": Actor.click,
    "focus": Actor.focus,
    "type": Actor.type,
    "fill": Actor.fill,
    "select": Actor.select,
    "check": Actor.toggle,
    "uncheck": Actor.toggle,
    "key": Actor.key,
    "submit": Actor.submit,
    "scroll": Actor.scroll,
}
ACTIONS = frozenset(_ACTIONS)
