"""The text DOMShell's commands that go somewhere: in the browser, in a tab, in its history."""

from __future__ import annotations

from domsh_repl.engine.plain.visit import Said, Visit

__all__ = [
    "cd", "close", "group", "here", "navigate", "open_tab", "pwd", "refresh", "tabs",
    "walk_history", "whole_url",
]  # fmt: skip


async def pwd(visit: Visit) -> str:
    """Tell where the lane is."""
    return visit.place.path


async def tabs(visit: Visit) -> str:
    """List the lane's tabs."""
    return await visit.tabs.listed("tabs", as_json=False)


async def group(visit: Visit) -> str:
    """Tell of the lane, list all, or close one."""
    return await visit.tabs.group(visit.words.operands)


async def close(visit: Visit) -> str:
    """Close a tab."""
    return await visit.tabs.close(visit.words.operand())


async def cd(visit: Visit) -> str:
    """Go somewhere; what could be walked of the way stays."""
    tabs = visit.tabs
    target = " ".join(visit.words.operands)
    if visit.place.tab and not target.startswith("~") and target.strip("/"):
        look = await visit.look()
        left = visit.place.walk(target, look.tree)
        if left is None:
            return ""
        target = left
    entered = await tabs.go(target)
    if entered is None:
        return ""
    return await visit.entered(f"✓ Entered tab {entered}", ("Title", "URL"))


async def open_tab(visit: Visit) -> str:
    """Open a URL in a new tab."""
    visit.need(1)
    await visit.go("open", whole_url(visit.words.operand()))
    return await visit.entered("✓ Opened new tab")


async def navigate(visit: Visit) -> str:
    """Open a URL in this tab."""
    visit.need(1)
    visit.require_tab()
    await visit.go("navigate", whole_url(visit.words.operand()))
    return await visit.entered("✓ Navigated")


async def walk_history(visit: Visit) -> str:
    """Go back or forward one entry."""
    page = visit.require_tab()
    steps = -1 if visit.words.verb == "back" else 1
    if await page.entry_at(steps) is None:
        which = "previous" if steps < 0 else "forward"
        raise Said(f"No {which} page in history.")
    await visit.go(visit.words.verb)
    return await visit.entered(f"✓ {visit.words.verb.capitalize()}")


async def refresh(visit: Visit) -> str:
    """Read the tree anew and be at its root."""
    page = visit.require_tab()
    visit.place.reset()
    tree = await visit.tree(page)
    return f"✓ Refreshed. {tree.count} AX nodes loaded."


async def here(visit: Visit) -> str:
    """Enter the tab that is in front."""
    return await visit.entered(f"✓ Entered tab {visit.lane.page.tab}", ("Title", "URL"))


def whole_url(text: str) -> str:
    """Return what a URL of a command means: https where it says nothing else."""
    return text if "://" in text else f"https://{text}"
