"""Runs an action and observes what it caused: navigation, tabs, dialogs, changes in the tree."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.changes import Snapshot, changes_since, snapshot
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.navigation import settle
from domsh_repl.errors import DialogOpen, DomshError, Stale
from domsh_repl.nodes import Changes, Effect, EffectKind, Tab, Value

__all__ = ["Observer"]

_NEW_TAB_DEADLINE = 5.0
"""Seconds in which a tab that the page asked for must have appeared."""


@dataclass(frozen=True, slots=True)
class _Before:
    url: str
    title: str
    commits: int
    requests: int
    windows: int
    tabs: frozenset[int]
    known: Snapshot


class Observer:
    """Watches one tab while an action runs on it."""

    def __init__(self, lane: Lane, desk: Desk, deadline: float) -> None:
        self._lane = lane
        self._desk = desk
        self._page = desk.page
        self._until = time.monotonic() + deadline

    @property
    def remaining(self) -> float:
        """Seconds until the deadline, never less than a little."""
        return max(self._until - time.monotonic(), 0.05)

    async def run(
        self, action: str, path: str, work: Callable[[], Awaitable[object]], *, seen: bool = False
    ) -> Effect:
        """Do the work and describe what followed.

        ``seen`` says that the work itself checks its effect. A dialog that the work raised ends
        the waiting and is told; a node that vanished under the work is ``Stale``.
        """
        before = await self._look()
        value: Value = None
        try:
            result = await work()
            value = result if isinstance(result, str) else None
            await settle(self._page, before.requests, self.remaining)
        except DialogOpen:
            if self._page.dialog is None:
                raise
        except CdpError as error:
            if not self._moved(before):
                raise Stale(
                    f"the element went away under the action ({error.message})",
                    "`ls` shows what is there now",
                ) from error
        return await self._effect(action, path, before, value, seen=seen)

    async def navigation(
        self, action: str, work: Callable[[], Awaitable[object]]
    ) -> Effect:
        """Run a navigation and describe where it led."""
        before = await self._look()
        try:
            await work()
        except DialogOpen:
            if self._page.dialog is None:
                raise
        return await self._effect(action, "/", before, None, seen=True)

    async def _look(self) -> _Before:
        page, load = self._page, self._page.load
        info = await page.info()
        return _Before(
            info.url,
            info.title,
            load.commits,
            load.requests,
            load.windows,
            frozenset(self._lane.pages),
            snapshot(self._desk.tree),
        )

    def _moved(self, before: _Before) -> bool:
        load = self._page.load
        return load.commits > before.commits or load.requests > before.requests

    async def _effect(
        self, action: str, path: str, before: _Before, value: Value, *, seen: bool
    ) -> Effect:
        opened = await self._opened(before)
        info = await self._page.info()
        changes = await self._changes(before)
        observed = (
            seen
            or self._page.load.commits > before.commits
            or info.title != before.title
            or bool(opened)
            or info.dialog is not None
            or (changes is not None and changes != Changes())
        )
        return Effect(
            action=action,
            path=path,
            effect=EffectKind.SEEN if observed else EffectKind.SENT,
            url=info.url,
            title=info.title,
            loading=info.loading,
            changes=changes,
            opened_tabs=opened,
            dialog=info.dialog,
            value=value,
            http=info.http,
            navigated=self._page.load.commits > before.commits,
        )

    async def _opened(self, before: _Before) -> tuple[Tab, ...]:
        """Return the tabs that the action opened; Chromium tells of one some time later."""
        wanted = self._page.load.windows - before.windows

        def new_tabs() -> list[int]:
            return [
                number
                for number, page in self._lane.pages.items()
                if number not in before.tabs and page.opener_id == self._page.target_id
            ]

        if wanted > 0:
            deadline = min(self.remaining, _NEW_TAB_DEADLINE)
            await self._page.until(lambda: len(new_tabs()) >= wanted, deadline)
        tabs = []
        for number in new_tabs():
            page = self._lane.pages[number]
            await page.until(
                lambda page=page: bool(page.load.commits and page.load.loaded or page.dialog),  # type: ignore[misc]
                min(self.remaining, _NEW_TAB_DEADLINE),
            )
            info = await page.info()
            tabs.append(Tab(number, info.url, info.title))
        return tuple(tabs)

    async def _changes(self, before: _Before) -> Changes | None:
        if self._page.dialog is not None or self._page.gone is not None:
            return None
        try:
            async with asyncio.timeout(self.remaining):
                await self._desk.tree.validate()
                return await changes_since(before.known, self._desk.tree)
        except (DomshError, CdpError, TimeoutError):
            return None
