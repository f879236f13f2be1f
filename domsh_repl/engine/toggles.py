"""Checking and unchecking: checkboxes, radios and switches, native or not."""

from __future__ import annotations

from domsh_repl.engine.fields import Field
from domsh_repl.engine.page import Page
from domsh_repl.engine.pointer import Press, come_over
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.witness import pressed
from domsh_repl.errors import Disabled, NotEditable, Stale, ValueRejected

__all__ = ["toggle"]


async def toggle(spot: Spot, page: Page, *, wanted: bool) -> None:
    """Bring a checkbox, radio or switch into the wanted state; nothing happens if it is in it.

    Raises ``Stale`` when the page replaced the element, before or after the click.
    """
    field = await Field.at(spot)
    goal = "true" if wanted else "false"
    facts = await field.facts()
    if not facts.connected:
        raise Stale("the element is no longer in the page", "`ls` shows what is there now")
    state = facts.state
    if state is None:
        raise NotEditable("the element cannot be checked", "`click` works on every element")
    if state == goal:
        return
    if facts.disabled:
        raise Disabled("the element is disabled", "something else has to be done first")
    if facts.aria_readonly:
        raise NotEditable("the element is read-only", "the page does not let it be changed")
    if not wanted and (facts.type == "radio" or spot.node.role in ("radio", "menuitemradio")):
        raise NotEditable(
            "a radio is unchecked by checking another one", "`check` another one of its group"
        )
    await _click(spot, page)
    after = await field.toggled(state)
    if state == "mixed" and after not in (goal, None):
        await _click(spot, page)  # the first click leads out of mixed either way
        after = await field.toggled(str(after))
    if after != goal:
        raise ValueRejected(
            f"it was clicked, but it is {_worded(after)}", "`cat` shows it; the page decides"
        )


async def _click(spot: Spot, page: Page) -> None:
    await pressed(page, await come_over(spot, page.frames), Press())


def _worded(state: str | None) -> str:
    return {"true": "checked", "false": "unchecked", "mixed": "mixed"}.get(state or "", "gone")
