"""Going places through a real DOMShell: pages, history, tabs; and waiting until a page is there.

DOMShell's own ``navigate`` loses its hold of the tab and its ``back`` keeps the old tree, so
the page is led by its own ``location`` and ``history``; the proof is the document's identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from domsh_repl.errors import DomshError, NavigationFailed, TabGone, TimedOut, Unsupported
from domsh_repl.link.domshell import lines, scripts
from domsh_repl.link.domshell.scripts import Check
from domsh_repl.link.domshell.talk import Talk
from domsh_repl.link.domshell.told import BrowserTabs, Directory, Done, LaneTab, Moved
from domsh_repl.safetext import one_line

__all__ = ["Standing", "changed", "lane_tabs", "settled"]

_BLANK = "about:blank"
_LOOK_EVERY = 0.08
_HISTORY_SECONDS = 2.0
_QUIET_SECONDS = 0.35
"""Seconds in which an action that leads away must have begun to."""


def changed(before: Check, now: Check) -> bool:
    """Tell whether the tab shows another document or history entry."""
    return (before.document, before.entry, before.url) != (now.document, now.entry, now.url)


async def loaded(talk: Talk, before: Check) -> Check:
    """Wait until another document than before is there, as a whole."""
    while True:
        now = await talk.check()
        if now.document != before.document and not now.loading:
            return now
        await talk.pause(_LOOK_EVERY)


async def settled(talk: Talk, before: Check) -> Check:
    """Wait until what an action led to is there, or nothing has begun for a moment."""
    waited = 0.0
    while True:
        now = await talk.check()
        moved = changed(before, now)
        if (moved and not now.loading) or (not moved and waited >= _QUIET_SECONDS):
            return now
        await talk.pause(_LOOK_EVERY)
        waited += _LOOK_EVERY


async def lane_tabs(talk: Talk) -> Sequence[LaneTab]:
    """Return the lane's tabs; DOMShell has neither URL nor title for a blank one."""
    tabs = (await talk.say(lines.TABS, BrowserTabs)).tabs
    return [tab if tab.url else replace(tab, url=_BLANK, title="") for tab in tabs]


@dataclass(slots=True)
class Standing:
    """Where the lane stands: always at the root of one tab, 0 before there is one."""

    tab: int = 0

    async def firm(self, talk: Talk) -> None:
        """Make sure that the lane stands at the root of a tab; raises ``TabGone`` without one.

        A script outside of any tab would never be answered.
        """
        place = await talk.say(lines.PWD, Directory)
        if place.tab and not place.names:
            self.tab = place.tab
            return
        if place.tab and place.names:
            await talk.refresh()
            self.tab = place.tab
            return
        tabs = await lane_tabs(talk)
        wanted = [tab.id for tab in tabs if tab.id == self.tab]
        wanted += [tab.id for tab in tabs if tab.current] or [tab.id for tab in tabs]
        if not wanted:
            raise TabGone("the lane has no tab any more", "`reconnect` makes another lane")
        await self.enter(talk, wanted[0])

    async def enter(self, talk: Talk, tab: int) -> None:
        """Enter a tab at its root."""
        await talk.say(lines.enter_tab(tab), Moved)
        await talk.refresh()
        self.tab = tab

    async def open_here(self, talk: Talk, url: str, before: Check) -> Check:
        """Lead the tab to a URL and wait for it."""
        same_page = before.url.partition("#")[0] == url.partition("#")[0] and "#" in url
        await talk.push(scripts.goto(url))
        if same_page:
            return await settled(talk, before)
        now = await self._arrived(talk, before, url)
        now.require_loaded(url)
        return now

    async def _arrived(self, talk: Talk, before: Check, url: str) -> Check:
        try:
            return await loaded(talk, before)
        except TimedOut as error:
            raise TimedOut(
                f"{one_line(url, 200)} did not load in time", "--timeout gives more"
            ) from error

    async def open_beside(self, talk: Talk, url: str) -> Check:
        """Open a URL in a new tab of the lane and wait for it."""
        if url == _BLANK:
            raise Unsupported("DOMShell opens no blank tab", "`open -n URL` opens a page in one")
        await talk.say(lines.open_tab(url), Moved)
        self.tab = (await talk.say(lines.PWD, Directory)).tab
        now = await talk.check()
        while now.loading:
            await talk.pause(_LOOK_EVERY)
            now = await talk.check()
        now.require_loaded(url)
        return now

    async def walk(self, talk: Talk, steps: int, before: Check) -> Check:
        """Go back (negative) or forward in the tab's history."""
        await talk.push(scripts.history(steps))
        waited = 0.0
        while True:
            now = await talk.check()
            if changed(before, now) and not now.loading:
                now.require_loaded(now.url)
                return now
            if not changed(before, now) and waited >= _HISTORY_SECONDS:
                way = "earlier" if steps < 0 else "later"
                raise NavigationFailed(
                    f"there is no {way} page in the history of this tab",
                    f"`{'forward' if steps < 0 else 'back'}` goes the other way",
                )
            await talk.pause(_LOOK_EVERY)
            waited += _LOOK_EVERY

    async def reload(self, talk: Talk, before: Check) -> Check:
        """Load the document again."""
        await talk.push(scripts.history(0))
        now = await self._arrived(talk, before, before.url)
        now.require_loaded(before.url)
        return now

    async def switch(self, talk: Talk, tab: int) -> None:
        """Go to another tab of the lane."""
        if tab not in [one.id for one in await lane_tabs(talk)]:
            raise TabGone(f"there is no tab {tab}", "`tabs` lists the tabs of the lane")
        await self.enter(talk, tab)

    async def close(self, talk: Talk, tab: int) -> None:
        """Close a tab of the lane; the last one stays, for the lane would go with it."""
        tabs = [one.id for one in await lane_tabs(talk)]
        if tab not in tabs:
            raise TabGone(f"there is no tab {tab}", "`tabs` lists the tabs of the lane")
        if len(tabs) == 1:
            raise Unsupported(
                "the last tab stays open: DOMShell would close the lane with it", "`quit` does"
            )
        await talk.say(lines.close_tab(tab), Done)
        if tab == self.tab:
            self.tab = 0
        try:
            await self.firm(talk)
        except DomshError:
            self.tab = 0
            raise
