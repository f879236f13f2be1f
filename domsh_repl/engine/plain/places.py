"""Where a lane is in DOMShell's hierarchy of browser, tabs and directories, and its tabs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import is_number
from domsh_repl.engine.plain.listing import BREAK, to_json
from domsh_repl.engine.plain.tree import PlainTree
from domsh_repl.errors import Failed
from domsh_repl.nodes import Kind, Tab

__all__ = ["Nowhere", "PlainPlace", "Tabs"]

_WINDOW = 1
_HOME, _TABS = "~", "~/tabs"


class Nowhere(Failed):
    """There is no such place; the message is the whole reply."""


@dataclass(slots=True)
class PlainPlace:
    """Where a lane is: ``level`` above the tabs while ``tab`` is 0, else ``names`` below it.

    ``cursor`` is what commands work on. It differs from ``names`` after the tab was left and
    entered again, as in the extension; ``tree`` is the tree of the tab ``loaded``.
    """

    level: str = _TABS
    tab: int = 0
    names: tuple[str, ...] = ()
    cursor: tuple[str, ...] = ()
    tree: PlainTree | None = None
    loaded: int = 0
    stale: bool = False

    @classmethod
    def of(cls, lane: Lane) -> PlainPlace:
        """Return where a new lane is: at its tabs, or in the one that was loaded for it."""
        page = lane.pages.get(lane.current)
        place = cls()
        if page is not None and page.load.commits:
            place.enter(page.tab)
        return place

    @property
    def path(self) -> str:
        """What ``pwd`` prints."""
        return "/".join([_TABS, str(self.tab), *self.names]) if self.tab else self.level

    def enter(self, tab: int) -> None:
        """Be at the root of a tab; the cursor stays where it was in the one that is loaded."""
        self.tab, self.names = tab, ()
        if self.loaded != tab:
            self.loaded, self.tree, self.cursor, self.stale = tab, None, (), False

    def leave(self, level: str) -> None:
        """Be above the tabs."""
        self.level, self.tab, self.names = level, 0, ()

    def lose(self) -> None:
        """Be at the top: the tab is gone."""
        self.leave(_HOME)
        self.loaded, self.tree, self.cursor, self.stale = 0, None, (), False

    def take(self, tree: PlainTree) -> None:
        """Keep a tree that was read now."""
        self.tree, self.stale = tree, False

    def restart(self) -> None:
        """Be at the root of the tab, with the cursor, too."""
        self.names = self.cursor = ()

    def reset(self) -> None:
        """Forget the tree and be at the root."""
        self.restart()
        self.tree = None

    def walk(self, target: str, tree: PlainTree) -> str | None:
        """Walk inside the tab; return what is left of the way when it leads out of it.

        What could be walked stays. Raises ``Nowhere`` where it ends.
        """
        steps = [step for step in target.split("/") if step not in ("", ".")]
        while steps:
            step = steps.pop(0)
            if step == "..":
                if len(self.cursor) <= 1:
                    self.cursor = ()
                    self.leave(_TABS)
                    return "/".join(steps) or "."
                self.cursor, self.names = self.cursor[:-1], self.names[:-1]
                continue
            here = tree.at(self.cursor)
            node = None if here is None else here.child(step)
            if node is None:
                there = [one.shown for one in (here.inside if here else ()) if _enterable(one)]
                known = f"{BREAK}Available: {', '.join(there)}" if there else ""
                ending = f"{BREAK}Use 'tree' to see deeper paths." if there else ""
                raise Nowhere(f"cd: {step}: No such directory{known}{ending}")
            if not _enterable(node):
                sign = "[x]" if node.kind is Kind.INTERACTIVE else "[-]"
                raise Nowhere(f"cd: {step}: Not a directory (type: {sign} {node.ax.role})")
            self.cursor, self.names = (*self.cursor, step), (*self.names, step)
        return None


def _enterable(node: Any) -> bool:
    return bool(node.kind is Kind.DIRECTORY)


@dataclass(slots=True)
class Tabs:
    """The tabs and lanes as a lane sees them from its place.

    Where clients may only read, none closes another one's lane.
    """

    browser: Browser
    lane: Lane
    place: PlainPlace
    read_only: bool = False

    async def go(self, target: str) -> int | None:
        """Walk above the tabs; return the tab that was entered, None when none was."""
        place = self.place
        if target.startswith("~") or not target.strip("/"):
            place.leave(_HOME)
            if target.startswith("~") and len(target) > 1 and target[1] != "/":
                raise Nowhere(f"cd: {target}: No such directory (try 'tabs' or 'windows')")
            target = target.removeprefix("~")
        steps = [step for step in target.split("/") if step not in ("", ".")]
        for step in steps:
            if step == "..":
                place.leave(_HOME)
            elif place.level == _HOME and step in ("tabs", "windows"):
                place.leave(f"~/{step}")
            elif place.level == _HOME:
                raise Nowhere(f"cd: {step}: No such directory (try 'tabs' or 'windows')")
            elif place.level == "~/windows" and step == str(_WINDOW):
                place.leave(_TABS)
            elif place.level == "~/windows":
                wrong = "Window not found" if is_number(step) else "Invalid window ID"
                raise Nowhere(f"cd: {step}: {wrong}")
            else:
                self.lane.current = await self._tab(step)
                return self.lane.current  # what follows is dropped, as in the extension
        return None

    async def _tab(self, wanted: str) -> int:
        if is_number(wanted):
            if int(wanted) in self.lane.pages:
                return int(wanted)
            raise Nowhere(f"cd: Tab {wanted} not found. Use 'tabs' to list all tabs.")
        for tab in await self.browser.tabs(self.lane):
            if wanted.lower() in f"{tab.title}\n{tab.url}".lower():
                return tab.id
        raise Nowhere(f"cd: No tab matching '{wanted}'. Use 'tabs' to list all tabs.")

    async def listed(self, level: str, *, as_json: bool) -> str:
        """Return what ``ls`` prints at ``~`` (level ""), ``tabs`` or ``windows``."""
        tabs = await self.browser.tabs(self.lane)
        if as_json:
            found = [self._json(tab) for tab in tabs]
            if level.startswith("windows"):
                inside = [{k: v for k, v in tab.items() if k != "windowId"} for tab in found]
                window = {"id": _WINDOW, "focused": True, "type": "normal", "tabs": inside}
                return to_json({"windows": [window]})
            return to_json({"tabs": found})
        head = f"Attached to '{self.lane.name or 'agent'}' — showing this group's tabs only."
        if level.startswith("windows"):
            return BREAK.join([head, "", *self._window(tabs)])
        if level.startswith("tabs"):
            lines = [_tab_line(tab, current=self._is_current(tab)) for tab in tabs]
            columns = f"  {'ID':<6} {'TITLE':<36} {'URL':<38} WIN"
            ending = "Use 'cd <id>' or 'cd <url-pattern>' to enter a tab."
            return BREAK.join([head, columns, *lines, "", ending])
        lines = ["  windows/       (1 windows)", f"  tabs/          ({len(tabs)} tabs)"]
        active = next((tab for tab in tabs if tab.current), None)
        if active is not None:
            lines += ["", f"  Active tab: {active.id} — {active.title} ({active.url})"]
        return BREAK.join(lines)

    def _window(self, tabs: Sequence[Tab]) -> list[str]:
        lines = [f"Window {_WINDOW} (focused)"]
        for tab in tabs:
            branch = "└──" if tab is tabs[-1] else "├──"
            url = _shown_url(tab.url).partition("://")[2]
            mark = " *current" if self._is_current(tab) else ""
            lines.append(f"{branch}  {tab.id} {_shown_title(tab):<32.32} {url}{mark}")
        ending = (
            "Use 'cd windows/<id>/<tab-id>' to enter a tab, or 'here' to jump to the active tab."
        )
        return [*lines, "", ending]

    def _is_current(self, tab: Tab) -> bool:
        return tab.id == self.place.loaded

    def _json(self, tab: Tab) -> dict[str, Any]:
        return {
            "id": tab.id,
            "title": _shown_title(tab),
            "url": _shown_url(tab.url),
            "windowId": _WINDOW,
            "active": tab.current,
            "current": self._is_current(tab),
        }

    async def close(self, wanted: str) -> str:
        """Close a tab, and the lane with its last one."""
        number = wanted or str(self.place.tab or "")
        if not number:
            return "close: not in a tab. Use 'close <tab-id>' or cd into a tab first."
        page = self.lane.pages.get(int(number)) if is_number(number) else None
        if page is None:
            raise Nowhere(f"close: Tab {number} not found.")
        title = (await page.info()).title
        await self.browser.close_tab(self.lane, page)
        if page.tab == self.place.loaded:
            self.place.lose()
        if not self.lane.pages:
            await self.browser.close_lane(self.lane)
        return f"✓ Closed: {title or 'untitled'}"

    async def group(self, words: Sequence[str]) -> str:
        """Return what ``group`` tells, lists or closes."""
        what = words[0] if words else "status"
        if what == "status":
            return BREAK.join([
                "Group mode: isolated",
                f"  Group: {_shown_lane(self.lane)}  [id {self.lane.id}]",
                f"  Tabs:  {len(self.lane.pages)}",
                "  Every command is confined to this group.",
            ])  # fmt: skip
        if what == "list":
            lines = [_lane_line(lane, self.lane) for lane in self.browser.lanes.values()]
            return BREAK.join(["Tab groups (group attach <id> to enter):", *lines])
        if what == "close":
            return await self._close_lane(words[1] if len(words) > 1 else str(self.lane.id))
        raise Nowhere(f"group: unknown subcommand '{what}'. Use: close, list")

    async def _close_lane(self, wanted: str) -> str:
        lane = self.browser.lanes.get(int(wanted)) if is_number(wanted) else None
        if lane is None:
            raise Nowhere(f"group close: no tab group matching '{wanted}'. See 'group list'.")
        if self.read_only and lane is not self.lane:
            raise Nowhere(f"group close: this server only reads, and {lane.id} is another group")
        count = len(lane.pages)
        await self.browser.close_lane(lane)
        return f"✓ Closed group {lane.id} — removed {count} DOMShell {_tabs(count)}."


def _tabs(count: int) -> str:
    return "tab" if count == 1 else "tabs"


def _shown_lane(lane: Lane) -> str:
    return f"🐚 {lane.name or 'agent'}"


def _lane_line(lane: Lane, own: Lane) -> str:
    mark = "  (attached)" if lane is own else ""
    count = len(lane.pages)
    return f"  {_shown_lane(lane)}  [id {lane.id}]  {count} {_tabs(count)}{mark}"


def _shown_title(tab: Tab) -> str:
    return tab.title or "untitled"


def _shown_url(url: str) -> str:
    return "" if url == "about:blank" else url


def _tab_line(tab: Tab, *, current: bool) -> str:
    active = "*" if tab.current else " "
    columns = f"{_shown_title(tab):<36.36} {_shown_url(tab.url):<38}"
    return f"  {active}{tab.id} {columns} {_WINDOW}{' *current' if current else ''}"
