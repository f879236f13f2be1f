"""The text DOMShell's commands that act, and its scripts.

What is confirmed is that something was done, not what came of it, as in the extension.
"""

from __future__ import annotations

import json
import re
from typing import Any

from domsh_repl.engine.plain.elements import Elements
from domsh_repl.engine.plain.listing import BREAK
from domsh_repl.engine.plain.visit import Said, Visit
from domsh_repl.errors import Failed

__all__ = ["click", "evaluate", "focus", "press", "scroll", "select", "submit", "type_text"]

_LONGEST_SCRIPT_VALUE = 10_000
_WILL_REFRESH = f"{BREAK}(tree will auto-refresh on next command)"


async def click(visit: Visit) -> str:
    """Click an element by script."""
    look, node = await visit.element()
    await look.elements.click(node.ax)
    visit.place.stale = True
    return f"✓ Clicked: {node.name} ({node.ax.role}){_WILL_REFRESH}"


async def focus(visit: Visit) -> str:
    """Give an element the focus."""
    look, node = await visit.element()
    await look.elements.focus(node.ax)
    return f"✓ Focused: {node.name}"


async def type_text(visit: Visit) -> str:
    """Type at the caret of what has the focus."""
    visit.need(1)
    text = " ".join(visit.words.operands)
    await (await visit.look()).elements.insert(text)
    return f"✓ Typed {len(text.encode('utf-16-le')) // 2} characters"


async def select(visit: Visit) -> str:
    """Choose an option of a select by its value or its text."""
    visit.need(2)
    look, node = await visit.element()
    wanted = " ".join(visit.words.operands[1:])
    what, told = await look.elements.select(node.ax, wanted)
    if what == "tag":
        raise Said(f"select: Error: not a <select> element (got <{told}>)")
    if what == "none":
        raise Said(f'select: Error: no option matching "{wanted}". Available: {told}')
    return f"✓ Selected: {told}"


async def scroll(visit: Visit) -> str:
    """Scroll the page, or an element into view."""
    visit.need(1)
    look = await visit.look()
    way = visit.words.operand()
    if way not in ("up", "down", "top", "bottom"):
        node = visit.found(look, "No such element")
        await look.elements.scroll_to(node.ax)
        return f"✓ Scrolled into view: {node.name}"
    amount = visit.words.operand(1) if re.fullmatch(r"\d+(\.\d+)?", visit.words.operand(1)) else "1"
    value = await look.elements.evaluate(_scroll_source(way, amount))
    at, most = value["value"]
    share = round(100 * at / most) if most else 0
    how = f" {amount} viewport(s)" if way in ("up", "down") else ""
    return f"✓ Scrolled {way}{how}{BREAK}Position: {at}/{most}px ({share}%)"


async def evaluate(visit: Visit) -> str:
    """Evaluate a script in the page."""
    page = visit.require_tab()
    if not visit.words.rest.strip():
        raise Said(visit.usage)
    page.require_usable()
    return _shown_value(await Elements(page).evaluate(visit.words.rest))


async def press(visit: Visit) -> str:
    """Press a key in what has the focus."""
    visit.need(1)
    visit.require_tab()
    await visit.go("key", visit.words.operand())
    visit.place.stale = True
    return f"✓ Key: {visit.words.operand()} (trusted)"


async def submit(visit: Visit) -> str:
    """Type into a field, then press Enter or click what ``--submit`` names."""
    visit.need(2)
    look, field = await visit.element()
    value, button = " ".join(visit.words.operands[1:]), visit.words.flags.get("--submit")
    pressed = None
    if button:
        pressed = look.here.child(button)
        if pressed is None:
            raise Said(f"submit: {button}: No such element")
    await look.elements.focus(field.ax)
    await look.elements.insert(value)
    if pressed is None:
        await visit.go("key", "Enter")
    else:
        await look.elements.click(pressed.ax)
    visit.place.stale = True
    how = "pressed Enter" if pressed is None else f"clicked {pressed.name}"
    return f'✓ Submitted: typed "{value}" into {field.name}, then {how}{_WILL_REFRESH}'


def _scroll_source(way: str, amount: str) -> str:
    to = {
        "up": f"scrollY-{amount}*innerHeight", "down": f"scrollY+{amount}*innerHeight",
        "top": "0", "bottom": "1e9",
    }[way]  # fmt: skip
    return (
        f"(scrollTo({{top:{to},behavior:'instant'}}),[Math.round(scrollY),"
        "Math.max(0,document.documentElement.scrollHeight-innerHeight)])"
    )


def _shown_value(result: dict[str, Any]) -> str:
    if result.get("type") == "undefined":
        return "undefined"
    value = result.get("value", result.get("unserializableValue"))
    if value is None and "objectId" in result:
        raise Failed("the value cannot be written as JSON")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    if len(text) > _LONGEST_SCRIPT_VALUE:
        return f"{text[:_LONGEST_SCRIPT_VALUE]}\n... truncated ({len(text)} chars total)"
    return text
