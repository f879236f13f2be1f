"""The verbs that act on nodes and on the page as a whole, each from one line to one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from domsh_repl.aria import EDITABLE, SELECTS, TOGGLES
from domsh_repl.engine import navigation
from domsh_repl.engine.announcing import listen
from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.changes import snapshot
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.effects import Observer, Outcome
from domsh_repl.engine.fields import Field, press
from domsh_repl.engine.focus import active_element
from domsh_repl.engine.keys import modifier_bits, parse_chord
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.levels import Level
from domsh_repl.engine.line import CommandLine, is_number
from domsh_repl.engine.pointer import (
    Press,
    bring_into_view,
    come_over,
    element_at,
    is_hovered,
)
from domsh_repl.engine.script import run_script
from domsh_repl.engine.scrolling import WAYS, scrolled
from domsh_repl.engine.submitting import FormSender
from domsh_repl.engine.toggles import toggle
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.witness import pressed
from domsh_repl.errors import Disabled, Failed, NotEditable, NotFound, Stale, UsageError
from domsh_repl.nodes import DialogShown, Effect, EffectKind, ScriptValue
from domsh_repl.paths import Path
from domsh_repl.roles import INTERACTIVE

__all__ = ["Acting"]

T = TypeVar("T")
Suitable = Callable[[AxNode], bool]

_LOOKS = 10
"""How often an element that the page replaces meanwhile is looked up for one action."""


class Acting:
    """Acts on one tab of a lane within a deadline."""

    def __init__(self, lane: Lane, desk: Desk, deadline: Deadline) -> None:
        self._lane = lane
        self._desk = desk
        self._page = desk.page
        self._deadline = deadline
        self._around: tuple[Level, ...] = ()

    async def click(self, line: CommandLine, path: Path) -> Effect:
        """Click an element of any kind, as ``--double``, ``--right`` and ``--mod`` say."""
        press = _press_of(line)
        spot = await self._spot(path, _is_interactive)
        _refuse_disabled(spot)

        async def work() -> object:
            target = await self._steadily(
                path, spot, _is_interactive, lambda now: come_over(now, self._page.frames)
            )
            return await pressed(self._page, target, press) and Outcome(_how(line))

        return await self._observer().run("click", spot.path, work)

    async def hover(self, line: CommandLine, path: Path) -> Effect:
        """Bring the pointer over an element, and leave it there."""
        del line
        spot = await self._spot(path, _is_interactive)

        async def work() -> object:
            target = await self._steadily(
                path, spot, _is_interactive, lambda now: come_over(now, self._page.frames)
            )
            return await is_hovered(target) and Outcome(seen=True)

        return await self._observer().run("hover", spot.path, work)

    async def scroll(self, line: CommandLine, path: Path | None) -> Effect:
        """Bring an element into view, or scroll the page a view up or down, to top or bottom."""
        way = line.operand(0, "down")
        if path is None or way in WAYS:
            return await self._observer().run("scroll", "", lambda: scrolled(self._page, way))
        spot = await self._spot(path, _is_any)

        async def work() -> None:
            await self._steadily(path, spot, _is_any, bring_into_view)

        return await self._observer().run("scroll", spot.path, work, seen=True)

    async def submit(self, line: CommandLine, path: Path | None) -> Effect:
        """Send the form around an element, or around what has the focus."""
        del line
        spot = None if path is None else await self._spot(path, _is_any)

        async def work() -> object:
            if spot is None:
                session, element = await active_element(self._page)
                if not element:
                    raise NotFound("nothing has the focus", "`submit PATH` names the form")
            else:
                session, element = spot.session, await element_at(spot)
            sender = FormSender(self._desk, session, element, spot)
            sent = await sender.send("what has the focus" if spot is None else spot.path)
            return Outcome(seen=sent)

        return await self._observer().run("submit", "" if spot is None else spot.path, work)

    async def focus(self, line: CommandLine, path: Path) -> Effect:
        """Give an element the focus."""
        del line
        spot = await self._spot(path, _is_interactive)

        async def work() -> None:
            await (await self._field(path, spot, _is_interactive)).focus()

        return await self._observer().run("focus", spot.path, work, seen=True)

    async def type(self, line: CommandLine, path: Path | None) -> Effect:
        """Type text into a field, or into the one that has the focus."""
        text = line.operand(1 if path is not None else 0)
        spot = None if path is None else await self._spot(path, _is_editable)

        async def work() -> str:
            if path is None or spot is None:
                field = await self._focused_field()
            else:
                field = await self._field(path, spot, _is_editable)
            return await field.type(text)

        where = "" if spot is None else spot.path
        return await self._observer().run("type", where, work, seen=True)

    async def fill(self, line: CommandLine, path: Path) -> Effect:
        """Replace the value of a field and read it back."""
        spot = await self._spot(path, _is_editable)

        async def work() -> str:
            return await (await self._field(path, spot, _is_editable)).fill(line.operand(1))

        return await self._observer().run("fill", spot.path, work, seen=True)

    async def key(self, line: CommandLine, path: Path | None) -> Effect:
        """Press a key chord, on an element if one is named."""
        chord = parse_chord(line.operand(0))
        spot = None if path is None else await self._spot(path, _is_interactive)
        if spot is not None:
            _refuse_disabled(spot)

        async def work() -> str:
            if path is None or spot is None:
                session = (await active_element(self._page))[0]
            else:
                field = await self._field(path, spot, _is_interactive)
                await field.focus()
                session = field.session
            await press(session, chord)
            return line.operand(0)

        return await self._observer().run("key", "" if spot is None else spot.path, work)

    async def select(self, line: CommandLine, path: Path) -> Effect:
        """Choose options by label or value."""
        wanted = line.operands[1:]
        spot = await self._spot(path, _is_select)

        async def work() -> str:
            return ", ".join(await (await self._field(path, spot, _is_select)).choose(wanted))

        return await self._observer().run("select", spot.path, work, seen=True)

    async def check(self, line: CommandLine, path: Path) -> Effect:
        """Check or uncheck; nothing happens when it is so already."""
        spot = await self._spot(path, _is_toggle)
        wanted = line.verb == "check"

        async def work() -> None:
            async def at(now: Spot) -> None:
                await toggle(now, self._page, wanted=wanted)

            await self._steadily(path, spot, _is_toggle, at)

        return await self._observer().run(line.verb, spot.path, work, seen=True)

    async def dialog(self, line: CommandLine) -> Effect | DialogShown:
        """Show or answer the open JavaScript dialog."""
        answer = line.operand(0)
        if not answer:
            return DialogShown(self._page.dialog)
        if answer not in ("accept", "dismiss"):
            raise UsageError("usage: dialog [accept [TEXT]|dismiss]")
        if self._page.dialog is None:
            raise Failed("no dialog is open", "`dialog` shows one when there is")
        text = line.operands[1] if len(line.operands) > 1 else None
        accepted = answer == "accept"

        async def work() -> str:
            await self._page.answer_dialog(accept=accepted, text=text)
            return answer

        return await self._observer().run("dialog", "", work, seen=True)

    async def navigate(self, line: CommandLine) -> Effect:
        """Open a whole URL in the current tab."""
        url = line.operand(0)
        return await self._went("open", lambda: navigation.go(self._page, url, self._deadline))

    async def reload(self, line: CommandLine) -> Effect:
        """Reload the document."""
        hard = line.has("--hard")
        return await self._went(
            "reload", lambda: navigation.reload(self._page, hard=hard, deadline=self._deadline)
        )

    async def walk_history(self, line: CommandLine) -> Effect:
        """Go back or forward."""
        operand = line.operand(0, "1")
        if not is_number(operand) or not int(operand):
            raise UsageError(
                f"{line.verb} takes a number of pages, not {operand!r}", f"usage: {line.verb} [N]"
            )
        steps = int(operand) * (-1 if line.verb == "back" else 1)
        return await self._went(
            line.verb, lambda: navigation.walk_history(self._page, steps, self._deadline)
        )

    async def refresh(self, line: CommandLine) -> Effect:
        """Forget what was read of the page."""
        del line
        self._page.require_usable()
        self._desk.tree.store.clear()
        await self._desk.tree.validate()
        info = await self._page.info(fresh=False)
        return Effect("refresh", "", EffectKind.SEEN, info.url, info.title, info.loading)

    async def script(self, line: CommandLine) -> ScriptValue:
        """Evaluate an expression in the page; an exception is a failure."""
        self._page.require_usable()
        self._desk.before_action = snapshot(self._desk.tree)
        await listen(self._page)
        value = await run_script(self._page, line.operand(0), self._deadline)
        await self._page.glance()
        return ScriptValue(value)

    def _observer(self) -> Observer:
        return Observer(self._lane, self._desk, self._deadline)

    async def _went(self, action: str, work: Callable[[], Awaitable[object]]) -> Effect:
        effect = await self._observer().navigation(action, work)
        self._desk.tree.store.clear()
        self._desk.before_action = None
        return effect

    async def _spot(self, path: Path, suitable: Suitable) -> Spot:
        """Return the node to act on, and remember what is around it."""
        spot = await self._desk.resolver.one(path, suitable=suitable)
        self._around = await self._desk.tree.surroundings(spot)
        return spot

    async def _focused_field(self) -> Field:
        session, object_id = await active_element(self._page)
        if not object_id:
            raise NotEditable("no field has the focus", "`type PATH TEXT` names one")
        return Field(session, object_id)

    async def _field(self, path: Path, spot: Spot, suitable: Suitable) -> Field:
        return await self._steadily(path, spot, suitable, Field.at)

    async def _steadily(
        self, path: Path, spot: Spot, suitable: Suitable, get: Callable[[Spot], Awaitable[T]]
    ) -> T:
        """Get something of the element before input is sent to it.

        A page may rebuild the element between looking and acting (it is ``Stale`` then): what
        stands at the path now is taken if nothing on the way there is called otherwise. A row
        that went away would leave its name to the next one.
        """
        for _ in range(_LOOKS - 1):
            try:
                return await get(spot)
            except Stale:
                before = self._around
                await self._desk.tree.validate(self._desk.tree.validated)
                now = await self._spot(path, suitable)
                if now.path != spot.path or _called(self._around) != _called(before):
                    raise
                spot = now
        return await get(spot)


def _press_of(line: CommandLine) -> Press:
    right, double = line.has("--right"), line.has("--double")
    if right and double:
        raise UsageError("--right and --double do not go together", "click PATH --right")
    held = modifier_bits(line.text("--mod")) if line.has("--mod") else 0
    return Press(right=right, double=double, modifiers=held)


def _how(line: CommandLine) -> str | None:
    """Return how it was clicked, if in no plain way: ``double``, ``right``, ``ctrl+shift``."""
    words = [name.removeprefix("--") for name in ("--double", "--right") if line.has(name)]
    return " ".join([*words, *filter(None, [line.text("--mod")])]) or None


def _refuse_disabled(spot: Spot) -> None:
    if "disabled" in spot.node.states:
        raise Disabled(f"{spot.path} is disabled", "something else has to be done first")


def _is_any(_node: AxNode) -> bool:
    return True


def _is_interactive(node: AxNode) -> bool:
    return node.role in INTERACTIVE or node.properties.get("focusable") is True


def _is_editable(node: AxNode) -> bool:
    return node.role in EDITABLE


def _is_select(node: AxNode) -> bool:
    return node.role in SELECTS


def _is_toggle(node: AxNode) -> bool:
    return node.role in TOGGLES


def _called(levels: Sequence[Level]) -> list[list[tuple[str, str]]]:
    """Return roles and labels of all that is on the way to a node, itself included."""
    return [[(one.node.role, one.node.name) for one in level.entries] for level in levels]
