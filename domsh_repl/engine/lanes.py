"""Lanes: isolated browser contexts with their tabs, and the browser that holds them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import dataclass, field
from functools import partial

from domsh_repl.engine.cdp import CdpError, Connection, Params
from domsh_repl.engine.guard import Guard
from domsh_repl.engine.logs import Logs
from domsh_repl.engine.memory import remember
from domsh_repl.engine.page import CALL_DEADLINE, Page
from domsh_repl.errors import DomshError, LaneFailed, NotFound, TabGone
from domsh_repl.nodes import Tab

__all__ = ["Browser", "Lane", "first_lane_number"]

_PAGES_ONLY = [{"type": "page"}]
_LANES_FROM = 900_000_000


def first_lane_number() -> int:
    """Return where lanes may be numbered from, so that no other run's are met again."""
    return 1 + secrets.randbelow(_LANES_FROM)


@dataclass(slots=True, eq=False, weakref_slot=True)
class Lane:
    """One isolated context; its working directory is for clients that do not keep their own.

    ``acted`` is when its last action began, in seconds since 1970. ``origins`` are those of the
    documents that its tabs showed, the latest last.
    """

    id: int
    context_id: str
    name: str = ""
    pages: dict[int, Page] = field(default_factory=dict)
    current: int = 0
    guard: Guard = field(default_factory=Guard)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    logs: Logs = field(default_factory=Logs)
    acted: float = 0.0
    origins: dict[str, None] = field(default_factory=dict)
    _directory: str = "/"
    _directory_of: tuple[int, str] = (0, "")

    @property
    def page(self) -> Page:
        """The current tab; raises ``TabGone`` when the last one was closed."""
        page = self.pages.get(self.current)
        if page is None:
            raise TabGone("the last tab was closed", "`open URL` makes one")
        return page

    @property
    def directory(self) -> str:
        """The working directory; another tab or document starts at its root."""
        return self._directory if self._directory_of == self._document else "/"

    def change_directory(self, path: str) -> None:
        """Make a path of the current document the working directory."""
        self._directory, self._directory_of = path, self._document

    @property
    def _document(self) -> tuple[int, str]:
        page = self.pages.get(self.current)
        return (self.current, "" if page is None else page.load.document)

    def visited(self, event: Params) -> None:
        """Keep the origin of a tab's document (CDP Page.frameNavigated)."""
        frame = event["frame"]
        origin = str(frame.get("securityOrigin", ""))
        if not frame.get("parentId") and origin.startswith(("http://", "https://")):
            self.origins.pop(origin, None)
            remember(self.origins, origin, None)

    def tab(self, number: int) -> Page:
        """Return a tab by its id; raises ``NotFound``."""
        page = self.pages.get(number)
        if page is None:
            known = ", ".join(str(tab) for tab in self.pages) or "none"
            raise NotFound(f"no tab {number}", f"tabs of this lane: {known}")
        return page


class Browser:
    """The lanes of one browser connection, and the tabs that pages open in them.

    ``lanes`` are those that were handed out to somebody, by their numbers.
    """

    def __init__(self, connection: Connection, *, own: bool) -> None:
        self.connection = connection
        self.lanes: dict[int, Lane] = {}
        self._made: dict[str, Lane] = {}
        self._own = own
        self._numbers = first_lane_number() - 1
        self._tabs = 0
        self._attached = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def end_tasks(self) -> None:
        """Give up what is being adopted; for the end of the connection."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def prepare(self) -> None:
        """Ask to be told about each page before it runs."""
        browser = self.connection.browser
        browser.on("Target.attachedToTarget", self._page_attached)
        browser.on("Target.detachedFromTarget", self._detached)
        browser.on("Target.targetDestroyed", self._target_destroyed)
        browser.on("Target.targetCreated", self._target_created)
        async with asyncio.timeout(CALL_DEADLINE):
            if self._own:
                await browser.call(
                    "Target.setAutoAttach",
                    autoAttach=True,
                    waitForDebuggerOnStart=True,
                    flatten=True,
                    filter=_PAGES_ONLY,
                )
            else:
                # a guest attaches to nothing but the pages of its own contexts
                await browser.call("Target.setDiscoverTargets", discover=True, filter=_PAGES_ONLY)

    async def make_lane(self) -> Lane:
        """Make an isolated context with one blank tab, for ``hand_out``; raises ``LaneFailed``."""
        try:
            async with asyncio.timeout(CALL_DEADLINE):
                made = await self.connection.browser.call(
                    "Target.createBrowserContext", disposeOnDetach=True
                )
                self._numbers += 1
                lane = Lane(self._numbers, str(made["browserContextId"]))
                self._made[lane.context_id] = lane
                try:
                    self._refuse_downloads(lane)
                    await self.new_tab(lane)
                except BaseException:
                    self._run(self.close_lane(lane))  # nobody has its number
                    raise
        except (CdpError, TimeoutError) as error:
            reason = str(error) or "it does not answer"
            raise LaneFailed(f"the browser made no lane: {reason}", "try again") from error
        return lane

    def hand_out(self, lane: Lane) -> None:
        """Let a lane be found by its number."""
        self.lanes[lane.id] = lane

    def _refuse_downloads(self, lane: Lane) -> None:
        """Have nothing saved by itself, but be told what a page offers."""
        self.connection.browser.call(
            "Browser.setDownloadBehavior",
            behavior="deny",
            browserContextId=lane.context_id,
            eventsEnabled=True,
        )

    async def new_tab(self, lane: Lane) -> Page:
        """Open a blank tab in the lane and make it the current one."""
        made = await self.connection.browser.call(
            "Target.createTarget", url="about:blank", browserContextId=lane.context_id
        )
        target = str(made["targetId"])
        async with asyncio.timeout(CALL_DEADLINE):
            while (page := self._page_of_target(target)) is None:
                self._attached.clear()
                await self._attached.wait()
        lane.current = page.tab
        return page

    async def close_tab(self, lane: Lane, page: Page) -> None:
        """Close a tab; the lane goes on with its newest other one."""
        async with asyncio.timeout(CALL_DEADLINE):
            await self.connection.browser.call("Target.closeTarget", targetId=page.target_id)
        self._removed(lane, page)

    async def close_lane(self, lane: Lane) -> None:
        """Close the lane with all its tabs."""
        self.lanes.pop(lane.id, None)
        self._made.pop(lane.context_id, None)
        for page in lane.pages.values():
            page.end(TabGone("the lane was closed", 'pass "new" for a fresh one'))
        with contextlib.suppress(CdpError, DomshError, TimeoutError):
            async with asyncio.timeout(CALL_DEADLINE):
                await self.connection.browser.call(
                    "Target.disposeBrowserContext", browserContextId=lane.context_id
                )

    async def close_all(self) -> None:
        """Close all lanes, also those that nobody has got yet."""
        await asyncio.gather(*map(self.close_lane, tuple(self._made.values())))

    async def tabs(self, lane: Lane) -> tuple[Tab, ...]:
        """Return the lane's tabs with their present URLs and titles."""
        found = await asyncio.gather(
            *(page.as_tab(current=page.tab == lane.current) for page in lane.pages.values())
        )
        return tuple(tab for tab in found if tab is not None)

    def _page_of_target(self, target_id: str) -> Page | None:
        for lane in self._made.values():
            for page in lane.pages.values():
                if page.target_id == target_id:
                    return page
        return None

    def _page_attached(self, event: Params) -> None:
        target, session_id = event["targetInfo"], str(event["sessionId"])
        if self._page_of_target(str(target["targetId"])) is not None:
            return  # another session of a page that is known, for work beside it
        self._run(self._adopt(target, session_id, waiting=bool(event["waitingForDebugger"])))

    async def _adopt(self, target: Params, session_id: str, *, waiting: bool) -> None:
        lane = self._made.get(str(target.get("browserContextId")))
        session = self.connection.session(session_id)
        if lane is None or target.get("type") != "page":
            if waiting:
                await session.call("Runtime.runIfWaitingForDebugger")
            await self.connection.browser.call("Target.detachFromTarget", sessionId=session_id)
            return
        opener = self._opener(lane, target)
        if opener is not None:
            target = {**target, "openerId": opener.target_id}
            opener.load.window_announced()
            opener.changed.set()
        try:
            self._tabs += 1
            page = Page(self.connection, session, target, self._tabs, lane.guard)
            follow = partial(lane.logs.follow, tab=page.tab, changed=page.changed.set)
            follow(session)
            session.on("Page.frameNavigated", lane.visited)
            page.listeners.append(follow)
            await page.enable(waiting=waiting)
            lane.pages[page.tab] = page
            lane.current = lane.current or page.tab
            if opener is not None:
                opener.opened.append(page.tab)
            self._attached.set()
        finally:  # also when the page closed the tab at once
            if opener is not None:
                opener.load.windows_adopted += 1
                opener.changed.set()

    def _opener(self, lane: Lane, target: Params) -> Page | None:
        """Return the page that opened a tab; one that a click with a key held opened names none."""
        if target.get("openerId"):
            return self._page_of_target(str(target["openerId"]))
        return next((page for page in lane.pages.values() if page.load.expects_window), None)

    def _target_created(self, event: Params) -> None:
        target = event["targetInfo"]
        ours = target.get("browserContextId") in self._made
        if ours and target.get("type") == "page":
            self._run(self._attach(target))

    async def _attach(self, target: Params) -> None:
        # the page is adopted when the browser tells that it is attached
        await self.connection.browser.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )

    def _detached(self, event: Params) -> None:
        self.connection.forget(str(event["sessionId"]), TabGone("the tab was closed"))
        self._gone("", str(event["sessionId"]))

    def _target_destroyed(self, event: Params) -> None:
        self._gone(str(event["targetId"]), "")

    def _gone(self, target_id: str, session_id: str) -> None:
        for lane in tuple(self._made.values()):
            for page in tuple(lane.pages.values()):
                if page.target_id == target_id or (session_id and page.main.id == session_id):
                    self._removed(lane, page)

    def _removed(self, lane: Lane, page: Page) -> None:
        page.end(TabGone("the tab was closed", "`tabs` lists what is open"))
        lane.pages.pop(page.tab, None)
        if lane.current == page.tab:
            lane.current = max(lane.pages, default=0)
            if lane.current:
                lane.pages[lane.current].notices.append(
                    f"tab {page.tab} was closed; tab {lane.current} is the current one now"
                )

    def _run(self, work: object) -> None:
        async def guarded() -> None:
            with contextlib.suppress(CdpError, DomshError):  # the target went away meanwhile
                await work  # type: ignore[misc]

        task = asyncio.get_running_loop().create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
