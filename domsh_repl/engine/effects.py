"""Runs an action and observes what it caused: navigation, tabs, dialogs, changes in the tree."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from domsh_repl.engine.addresses import reason_of
from domsh_repl.engine.announcing import listen
from domsh_repl.engine.cdp import CdpError, user_error
from domsh_repl.engine.changes import Snapshot, changes_since, snapshot
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.loading import LoadMark
from domsh_repl.engine.mutations import MutationWatch
from domsh_repl.engine.navigation import settle
from domsh_repl.engine.page import Page
from domsh_repl.errors import DialogOpen, DomshError, TabGone
from domsh_repl.nodes import Changes, Effect, EffectKind, PageInfo, Value

__all__ = ["Observer", "Outcome"]

_NEW_TAB_DEADLINE = 5.0
"""Seconds in which a tab that the page opened must have been set up, and may load."""
_ANNOUNCED_DEADLINE = 1.0
"""Seconds in which the browser tells of a tab that a page asked for; it may refuse it."""
_LOOK_DEADLINE = 5.0
"""Seconds that looking for changes may take: acting must not cost more than it does."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What work knows of its own effect: a value to tell, and whether it ``seen`` it happen."""

    value: Value = None
    seen: bool = False


@dataclass(frozen=True, slots=True)
class _Before:
    info: PageInfo
    load: LoadMark
    tabs: frozenset[int]
    known: Snapshot
    watch: MutationWatch | None = None


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of the work: its value, and whether it was cut short or its input got lost."""

    value: Value = None
    seen: bool = False
    cut_short: bool = False
    lost: bool = False


class Observer:
    """Watches one tab while an action runs on it."""

    def __init__(self, lane: Lane, desk: Desk, deadline: Deadline) -> None:
        self._lane = lane
        self._desk = desk
        self._page = desk.page
        self._deadline = deadline

    async def run(
        self, action: str, path: str, work: Callable[[], Awaitable[object]], *, seen: bool = False
    ) -> Effect:
        """Do the work and describe what followed.

        ``seen`` says that the work itself checks its effect; work that gives an ``Outcome`` says
        what it saw, and work that gives False could not see its input arrive. A dialog that the
        work raised ends the waiting and is told; a node that vanished under the work is
        ``Stale``, and a tab that the work closed is no failure.
        """
        await self._desk.tree.recall()
        look, watch, _ = await asyncio.gather(
            self._look(), MutationWatch.of(self._page), listen(self._page)
        )
        before = replace(look, watch=watch)
        self._desk.before_action = before.known
        try:
            done = await self._worked(work, before)
            await settle(self._page, before.load, self._deadline)
            kind = EffectKind.SEEN if seen or done.seen else EffectKind.SENT
            if done.lost or (seen and done.cut_short):
                kind = EffectKind.UNKNOWN
            return await self._effect(action, path, before, done.value, kind)
        except TabGone:
            if self._page.gone is None:
                raise
            return _tab_closed(action, path, before.info)

    async def navigation(self, action: str, work: Callable[[], Awaitable[object]]) -> Effect:
        """Run a navigation and describe where it led."""
        await self._page.glance()  # a page that is kept busy has to be made to let go
        before = await self._look()
        kind = EffectKind.SEEN
        try:
            await work()
        except DialogOpen:
            if self._page.dialog is None:
                raise
            kind = EffectKind.SENT  # it waits for the answer
        return await self._effect(action, "/", before, None, kind)

    async def _worked(self, work: Callable[[], Awaitable[object]], before: _Before) -> _Done:
        try:
            result = await work()
        except DialogOpen:
            if self._page.dialog is None:
                raise
        except CdpError as error:
            if not self._moved(before):
                raise user_error(error) from error
        else:
            if isinstance(result, Outcome):
                return _Done(result.value, seen=result.seen)
            return _Done(result if isinstance(result, str) else None, lost=result is False)
        return _Done(cut_short=True)

    async def _look(self) -> _Before:
        self._lane.acted = time.time()
        return _Before(
            await self._page.info(fresh=False),
            self._page.load.mark(),
            frozenset(self._lane.pages),
            snapshot(self._desk.tree),
        )

    def _moved(self, before: _Before) -> bool:
        now = self._page.load.mark()
        return now.commits > before.load.commits or now.requests > before.load.requests

    async def _effect(
        self, action: str, path: str, before: _Before, value: Value, kind: EffectKind
    ) -> Effect:
        pages = await self._opened(before)
        told = {page.tab for page in pages}
        self._page.opened = [
            tab for tab in self._page.opened if tab not in told and tab in self._lane.pages
        ]
        mutated, changes = await asyncio.gather(self._mutated(before), self._changes(before))
        if mutated and changes == Changes():
            changes = None  # what changed stands where nobody has looked: no guess that nothing did
        if self._page.load.document != before.load.document:
            await listen(self._page)
        downloads = _taken_downloads([self._page, *pages])
        opened = tuple([tab for page in pages if (tab := await page.as_tab()) is not None])
        info = await self._page.info(fresh=changes is None)
        happened = (
            self._page.load.commits > before.load.commits
            or info.title != before.info.title
            or bool(opened or downloads or mutated)
            or info.dialog is not None
            or (changes is not None and changes != Changes())
        )
        if kind is EffectKind.SENT and happened:
            kind = EffectKind.SEEN
        return Effect(
            action=action,
            path=path,
            effect=kind,
            url=info.url,
            title=info.title,
            loading=info.loading,
            changes=changes,
            opened_tabs=opened,
            downloads=downloads,
            dialog=info.dialog,
            value=value,
            http=info.http,
            navigated=self._page.load.document != before.load.document,
            failure=self._failure(before),
        )

    def _failure(self, before: _Before) -> str:
        load = self._page.load
        if not load.failed_url or load.document == before.load.document:
            return ""
        refusal = self._page.guard.refusal(load.failure)
        return refusal.message if refusal is not None else reason_of(load.failure)

    async def _opened(self, before: _Before) -> list[Page]:
        """Return the tabs that the action opened; Chromium tells of one some time later."""
        await self._windows_came(self._page)
        pages = [
            page
            for number, page in self._lane.pages.items()
            if number not in before.tabs and page.opener_id == self._page.target_id
        ]
        for page in pages:
            await page.until(
                lambda page=page: bool(page.load.arrived or page.dialog or page.gone),  # type: ignore[misc]
                min(self._deadline.left, _NEW_TAB_DEADLINE),
            )
        return [page for page in pages if page.gone is None]

    async def _windows_came(self, page: Page) -> None:
        load = page.load
        if load.windows <= load.windows_adopted:
            return
        await page.until(lambda: load.windows_announced >= load.windows, _ANNOUNCED_DEADLINE)
        load.windows = load.windows_announced  # the browser refused the rest
        await page.until(
            lambda: load.windows_adopted >= load.windows,
            min(self._deadline.left, _NEW_TAB_DEADLINE),
        )

    async def _mutated(self, before: _Before) -> bool:
        return before.watch is not None and await before.watch.saw_change()

    async def _changes(self, before: _Before) -> Changes | None:
        page = self._page
        if page.dialog is not None or page.gone is not None or page.load.leaving:
            return None
        try:
            async with asyncio.timeout(min(self._deadline.left, _LOOK_DEADLINE)):
                await self._desk.tree.validate()
                return await changes_since(before.known, self._desk.tree)
        except (DomshError, CdpError, TimeoutError):
            return None


def _taken_downloads(pages: Iterable[Page]) -> tuple[str, ...]:
    found: list[str] = []
    for page in pages:
        found += page.downloads
        page.downloads = []
    return tuple(found)


def _tab_closed(action: str, path: str, before: PageInfo) -> Effect:
    return Effect(action, path, EffectKind.SEEN, before.url, before.title)
