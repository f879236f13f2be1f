"""The verbs that act: ``click focus type fill key select check uncheck dialog js`` and navigation."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from domsh_repl.engine import navigation
from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.effects import Observer
from domsh_repl.engine.fields import Field, active_field, press, toggle
from domsh_repl.engine.keys import parse_chord
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.pointer import aim, click_at
from domsh_repl.engine.roles import EDITABLE, INTERACTIVE, TOGGLES
from domsh_repl.engine.tree import Spot
from domsh_repl.errors import Disabled, DomshError, Failed, NotEditable, TimedOut, UsageError
from domsh_repl.nodes import DialogShown, Effect, EffectKind, ScriptValue
from domsh_repl.paths import Path
from domsh_repl.safetext import one_line

__all__ = ["ACTIONS", "Acting"]


class Acting:
    """Acts on one tab of a lane within a deadline (seconds)."""

    def __init__(self, lane: Lane, desk: Desk, deadline: float, *, allow_file: bool) -> None:
        self._lane = lane
        self._desk = desk
        self._page = desk.page
        self._deadline = deadline
        self._allow_file = allow_file

    async def click(self, line: CommandLine, path: Path) -> Effect:
        """Click an element of any kind."""
        spot = await self._spot(line, path, _is_interactive)
        _refuse_disabled(spot)
        return await self._observer().run("click", spot.path, lambda: _click(spot))

    async def focus(self, line: CommandLine, path: Path) -> Effect:
        """Give an element the focus."""
        spot = await self._spot(line, path, _is_interactive)

        async def work() -> None:
            await (await Field.at(spot)).focus()

        return await self._observer().run("focus", spot.path, work, seen=True)

    async def type(self, line: CommandLine, path: Path | None) -> Effect:
        """Type text into a field, or into the one that has the focus."""
        text = line.operand(1 if path is not None else 0)
        if path is None:
            await self._desk.tree.validate()
            field = await active_field(self._page.sessions)
            if field is None:
                raise NotEditable("no field has the focus", "`type PATH TEXT` names one")
            where = ""
        else:
            spot = await self._spot(line, path, _is_editable)
            field, where = await Field.at(spot), spot.path
        return await self._observer().run(
            "type", where, lambda: field.type(text, at_end=path is not None), seen=True
        )

    async def fill(self, line: CommandLine, path: Path) -> Effect:
        """Replace the value of a field and read it back."""
        spot = await self._spot(line, path, _is_editable)

        async def work() -> str:
            return await (await Field.at(spot)).fill(line.operand(1))

        return await self._observer().run("fill", spot.path, work, seen=True)

    async def key(self, line: CommandLine, path: Path | None) -> Effect:
        """Press a key chord, on an element if one is named."""
        chord = parse_chord(line.operand(0))
        session, where = self._page.main, ""
        field: Field | None = None
        if path is not None:
            spot = await self._spot(line, path, _is_interactive)
            _refuse_disabled(spot)
            field, where = await Field.at(spot), spot.path
            session = spot.session
        else:
            active = await active_field(self._page.sessions)
            session = active.session if active is not None else session

        async def work() -> str:
            if field is not None:
                await field.focus()
            await press(session, chord)
            return line.operand(0)

        return await self._observer().run("key", where, work)

    async def select(self, line: CommandLine, path: Path) -> Effect:
        """Choose options by label or value."""
        wanted = line.operands[1:]
        if not wanted:
            raise UsageError("usage: select PATH OPTION…")
        spot = await self._spot(line, path, lambda node: node.role in ("combobox", "listbox"))

        async def work() -> str:
            return ", ".join(await (await Field.at(spot)).choose(wanted))

        return await self._observer().run("select", spot.path, work, seen=True)

    async def check(self, line: CommandLine, path: Path) -> Effect:
        """Check or uncheck; nothing happens when it is so already."""
        spot = await self._spot(line, path, lambda node: node.role in TOGGLES)
        wanted = line.verb == "check"
        return await self._observer().run(
            line.verb, spot.path, lambda: toggle(spot, wanted=wanted), seen=True
        )

    async def dialog(self, line: CommandLine, path: Path | None) -> Effect | DialogShown:
        """Show or answer the open JavaScript dialog."""
        del path
        answer = line.operand(0)
        if not answer:
            return DialogShown(self._page.dialog)
        if answer not in ("accept", "dismiss"):
            raise UsageError("usage: dialog [accept [TEXT]|dismiss]")
        if self._page.dialog is None:
            raise Failed("no dialog is open")
        text = line.operands[1] if len(line.operands) > 1 else None
        requests = self._page.load.requests
        accepted = answer == "accept"

        async def work() -> str:
            await self._page.answer_dialog(accept=accepted, text=text)
            await navigation.settle(self._page, requests, self._deadline)
            return answer

        return await self._observer().run("dialog", "", work, seen=True)

    async def navigate(self, line: CommandLine, path: Path | None) -> Effect:
        """Open a URL in the current tab."""
        del path
        url = navigation.allowed_url(line.operand(0), allow_file=self._allow_file)
        return await self._went("open", lambda: navigation.go(self._page, url, self._deadline))

    async def reload(self, line: CommandLine, path: Path | None) -> Effect:
        """Reload the document."""
        del path
        hard = line.has("--hard")
        return await self._went(
            "reload", lambda: navigation.reload(self._page, hard=hard, deadline=self._deadline)
        )

    async def walk_history(self, line: CommandLine, path: Path | None) -> Effect:
        """Go back or forward."""
        del path
        operand = line.operand(0, "1")
        if not operand.isascii() or not operand.isdigit() or not int(operand[:6]):
            raise UsageError(f"{line.verb} takes a number of pages, not {operand!r}")
        steps = int(operand[:6]) * (-1 if line.verb == "back" else 1)
        return await self._went(
            line.verb, lambda: navigation.walk_history(self._page, steps, self._deadline)
        )

    async def refresh(self, line: CommandLine, path: Path | None) -> Effect:
        """Forget what was read of the page."""
        del line, path
        self._page.require_usable()
        self._desk.tree.store.clear()
        await self._desk.tree.validate()
        info = await self._page.info(fresh=False)
        return Effect("refresh", "", EffectKind.SEEN, info.url, info.title, info.loading)

    async def script(self, line: CommandLine, path: Path | None) -> ScriptValue:
        """Evaluate an expression in the page; an exception is a failure."""
        del path
        self._page.require_usable()
        session = self._page.main
        try:
            async with asyncio.timeout(self._deadline):
                reply = await session.call(
                    "Runtime.evaluate",
                    expression=line.operand(0),
                    awaitPromise=True,
                    returnByValue=True,
                    userGesture=True,
                    replMode=True,
                )
        except TimeoutError as error:
            await self._stop_script()
            raise TimedOut(f"the script did not end within {self._deadline:g} s") from error
        except asyncio.CancelledError:
            await self._stop_script()
            raise
        except CdpError as error:
            raise Failed(f"the script gave no value: {error.message}") from error
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            thrown = details.get("exception") or {}
            text = str(thrown.get("description") or thrown.get("value") or details.get("text"))
            raise Failed(f"the script failed: {one_line(text)}")
        await self._page.barrier()
        return ScriptValue(reply["result"].get("value"))

    async def _stop_script(self) -> None:
        """End a script that runs for ever, so that the page answers again."""
        ending = self._page.main.call_through("Runtime.terminateExecution")
        with contextlib.suppress(CdpError, DomshError, TimeoutError):
            await asyncio.wait_for(ending, timeout=1)

    def _observer(self) -> Observer:
        return Observer(self._lane, self._desk, self._deadline)

    async def _went(self, action: str, work: Callable[[], Awaitable[object]]) -> Effect:
        effect = await self._observer().navigation(action, work)
        self._desk.tree.store.clear()
        return effect

    async def _spot(
        self, line: CommandLine, path: Path, suitable: Callable[[AxNode], bool]
    ) -> Spot:
        del line
        return await self._desk.resolver.one(path, suitable=suitable)


ACTIONS = frozenset({"click", "focus", "type", "fill", "key", "select", "check", "uncheck"})


async def _click(spot: Spot) -> None:
    await click_at(await aim(spot))


def _refuse_disabled(spot: Spot) -> None:
    if "disabled" in spot.node.states:
        raise Disabled(f"{spot.path} is disabled")


def _is_interactive(node: AxNode) -> bool:
    return node.role in INTERACTIVE or node.properties.get("focusable") is True


def _is_editable(node: AxNode) -> bool:
    return node.role in EDITABLE
