"""One tab: its sessions, what is loaded in it, its dialog gate and its history.

"Loaded" has one definition (docs/design.md, 11): the lifecycle event ``load`` of the loader id that
was committed, or a move within the document, a dialog, a download or a crash. Nothing is sent
to a page while a dialog blocks it (docs/design.md, 12).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from domsh_repl.engine.cdp import Connection, Params, Pending, Session
from domsh_repl.engine.frames import Frame, FrameSessions, auto_attach
from domsh_repl.engine.guard import NETWORK, Guard
from domsh_repl.engine.loading import LoadTracker
from domsh_repl.errors import (
    DialogOpen,
    DomshError,
    Failed,
    TabCrashed,
    TabGone,
    TimedOut,
    error_for,
)
from domsh_repl.nodes import Dialog, PageInfo, Tab
from domsh_repl.safetext import one_line

__all__ = ["CALL_DEADLINE", "Page"]

CALL_DEADLINE = 30.0
"""Seconds that any one call of a page may take, unless its caller has less."""

_GLANCE = 0.5
"""Seconds that a page which is busy may keep a mere description of it waiting."""
_LEAVING = "beforeunload"
_READ_PAGE = """(() => {
    const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)
    try {
        return [title, Document.prototype.getElementsByTagName.call(document, '*').length]
    } catch {
        return [title, null]
    }
})()"""
"""A form or an image called ``title`` would answer to ``document.title`` (HTML, named access)."""


class Page:
    """A tab of a lane; ``main`` is its session, ``frames`` those of frames elsewhere.

    ``downloads`` are the names of files that the page offered and nobody has told yet, and
    ``opened`` the tabs.
    """

    def __init__(
        self, connection: Connection, session: Session, target: Params, tab: int, guard: Guard
    ) -> None:
        self.tab = tab
        self.target_id = str(target["targetId"])
        self.opener_id = str(target.get("openerId", ""))
        self.main = session
        self.guard = guard
        self.load = LoadTracker(self.target_id)
        self.dialog: Dialog | None = None
        self.downloads: list[str] = []
        self.opened: list[int] = []
        self.notices: list[str] = []
        self.gone: DomshError | None = None
        self.changed = asyncio.Event()
        self.frames = FrameSessions(
            connection, Frame(session, self.target_id), guard, self.changed.set
        )
        self._title = ""
        self._elements: tuple[str, int] = ("", 0)
        self._answers = True
        self._shown: tuple[int, dict[str, Any], int] | None = None
        self._crash: DomshError | None = None
        self._listen(session)
        guard.join(session)

    async def enable(self, *, waiting: bool) -> None:
        """Switch on what a page session needs, in one flight; then let the page run."""
        main = self.main
        calls = [
            main.call_through("Page.enable"),
            main.call_through("Accessibility.enable"),
            main.call_through("DOM.enable"),
            main.call_through("Network.enable", **NETWORK),
            main.call_through("Inspector.enable"),
            main.call_through("Runtime.enable"),
            main.call_through("Log.enable"),
            main.call_through("Page.setLifecycleEventsEnabled", enabled=True),
            main.call_through("Emulation.setFocusEmulationEnabled", enabled=True),
            main.call_through("Target.setAutoAttach", **auto_attach()),
        ]
        if waiting:
            calls.append(main.call_through("Runtime.runIfWaitingForDebugger"))
        results = await asyncio.gather(*calls, return_exceptions=True)
        for result in results:
            if isinstance(result, DomshError):
                raise result

    @property
    def listeners(self) -> list[Callable[[Session], None]]:
        """Called with the session of each frame that comes up in another process."""
        return self.frames.listeners

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The main session and those of its frames in other processes."""
        return (self.main, *self.frames.by_frame.values())

    def require_usable(self, *, leaving: bool = False) -> None:
        """Raise what keeps commands from reaching the page: gone, crashed, or a dialog.

        A crashed page can still be left for another one.
        """
        crash = None if leaving else self._crash
        reason = self.gone or (_dialog_error(self.dialog) if self.dialog else crash)
        if reason is not None:
            raise error_for(reason.code, reason.message, reason.hint)

    def leave(self, method: str, **params: Any) -> Pending:
        """Send a call that gives the tab another document.

        A crashed tab lives again by it, and a script that keeps the page busy is ended for it.
        """
        if not self._answers:
            self.main.call("Runtime.terminateExecution")
        if self._crash is None or self.dialog is not None:
            return self.main.call(method, **params)
        self.load.crashed = False
        return self.main.call_through(method, **params)

    def release_objects(self, group: str) -> None:
        """Let the page free what a command held of it."""
        for session in self.sessions:
            session.release_objects(group)

    async def barrier(self) -> None:
        """Wait until every change so far has been told.

        Only a call of the Accessibility domain makes Chromium work off what is dirty; its events
        come before the answer. A mere Runtime.evaluate overtook them in one of ten trials.
        """
        answers = await asyncio.gather(
            self.main.call("Runtime.evaluate", expression=_READ_PAGE, returnByValue=True),
            *(session.call("Accessibility.getRootAXNode") for session in self.sessions),
            return_exceptions=True,
        )
        # a frame that goes away meanwhile is a change like any other
        if isinstance(answers[0], DomshError):
            raise answers[0]
        self.require_usable()
        if isinstance(answers[0], dict):
            self._read(answers[0].get("result", {}).get("value"))

    def _read(self, value: object) -> None:
        """Take over what a document says of itself; its scripts can make that anything."""
        match value:
            case [str(title), elements]:
                self._title = title
                if type(elements) is int:
                    self._elements = (self.load.document, elements)

    async def glance(self) -> None:
        """Take over what the page tells of itself, if it answers soon."""
        if self.dialog is not None or self.load.leaving:
            return
        try:
            async with asyncio.timeout(_GLANCE):
                await self.barrier()
        except TimeoutError:
            self._answers = False
        except DomshError:
            pass  # a dialog or a crash: the page's own description tells it
        else:
            self._answers = True

    async def unless_left(self, call: Awaitable[dict[str, Any]]) -> dict[str, Any] | None:
        """Await a call; None when the page is being left, which keeps calls waiting."""
        waiting = asyncio.ensure_future(call)
        waiting.add_done_callback(lambda _done: self.changed.set())
        try:
            await self.until(lambda: waiting.done() or self.load.leaving, CALL_DEADLINE)
            return waiting.result() if waiting.done() else None
        finally:
            waiting.cancel()

    async def info(self, *, fresh: bool = True) -> PageInfo:
        """Describe the page; answers while a dialog is open or the page is busy, too.

        Not ``fresh`` takes the title that the last barrier saw.
        """
        if self.gone is not None:
            return PageInfo()
        if fresh:
            await self.glance()
        entry, index = await self._entry()
        of, counted = self._elements
        return PageInfo(
            url=self.load.failed_url or str(entry.get("url", "")) or self.load.requested_url,
            title=self._title or str(entry.get("title", "")),
            tab=self.tab,
            loading=self.load.busy,
            http=self.load.http_status,
            dialog=self.dialog,
            document=self.load.document,
            entry=int(entry.get("id", 0)),
            position=index,
            elements=counted if of == self.load.document else None,
        )

    async def as_tab(self, *, current: bool = False) -> Tab | None:
        """Describe the tab for a list of them; None when it is gone."""
        try:
            info = await self.info()
        except TabGone:
            return None
        return Tab(self.tab, info.url, info.title, current=current) if info.tab else None

    async def _entry(self) -> tuple[dict[str, Any], int]:
        """Return the entry that is shown and its place.

        A move that has not been committed counts in the browser's own list already: it may
        wait for a dialog or a slow server.
        """
        moving = self.load.pending or (self.dialog is not None and self.dialog.type == _LEAVING)
        if moving and self._shown is not None and self._shown[0] == self.load.commits:
            return self._shown[1:]
        entries, index = await self._history()
        entry = entries[index] if entries else {}
        self._shown = (self.load.commits, entry, index)
        return entry, index

    async def entry_at(self, steps: int) -> int | None:
        """Return the id of the history entry that many steps away, if there is one."""
        entries, index = await self._history()
        place = index + steps
        # the first entry is the blank page that the tab was made with
        first = 1 if entries and entries[0].get("url") == "about:blank" and len(entries) > 1 else 0
        return int(entries[place]["id"]) if first <= place < len(entries) else None

    async def until(self, holds: Callable[[], bool], deadline: float) -> bool:
        """Wait until ``holds()`` after some event of the page; False when the deadline passed.

        Any number may wait: an event wakes all of them, and each looks again before it sleeps.
        """
        try:
            async with asyncio.timeout(deadline):
                while not holds():
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return False
        return True

    async def answer_dialog(self, *, accept: bool, text: str | None) -> Dialog:
        """Accept or dismiss the open dialog (Page.handleJavaScriptDialog) and return it."""
        dialog = self.dialog
        if dialog is None:
            raise Failed("no dialog is open")
        reply: dict[str, Any] = {"accept": accept}
        if accept and dialog.type == "prompt":
            reply["promptText"] = dialog.default if text is None else text
        await self.main.call_through("Page.handleJavaScriptDialog", **reply)
        await self.until(lambda: self.dialog is not dialog or self.gone is not None, CALL_DEADLINE)
        return dialog

    def end(self, reason: DomshError) -> None:
        """Fail everything that waits for the tab: it is gone."""
        self.gone = reason
        for session in self.sessions:
            session.end(reason)
        self.changed.set()

    async def _history(self) -> tuple[list[dict[str, Any]], int]:
        try:
            async with asyncio.timeout(CALL_DEADLINE):
                reply = await self.main.call_through("Page.getNavigationHistory")
        except TimeoutError as error:
            raise TimedOut("the browser does not answer") from error
        return reply["entries"], int(reply["currentIndex"])

    @property
    def has_notices(self) -> bool:
        """True when ``take_notices`` has something to tell."""
        return bool(self.notices or self.downloads or self.opened)

    def take_notices(self) -> tuple[str, ...]:
        """Return what happened since it was last asked, in sentences."""
        files = [f"the page offered a download: {one_line(name)}" for name in self.downloads]
        tabs = [f"the page opened tab {tab}; `tab {tab}` goes there" for tab in self.opened]
        taken = (*self.notices, *tabs, *files)
        self.notices, self.downloads, self.opened = [], [], []
        return taken

    def _listen(self, session: Session) -> None:
        session.on("Page.javascriptDialogOpening", self._dialog_opened)
        session.on("Page.javascriptDialogClosed", self._dialog_closed)
        session.on("Page.downloadWillBegin", self._download_offered)
        session.on("Inspector.targetCrashed", self._crashed)
        session.on("Accessibility.nodesUpdated", lambda _event: self.changed.set())
        self.frames.follow(session)
        self.load.listen(session, self.changed.set)
        session.on("Page.frameNavigated", self._navigated)

    def _dialog_opened(self, event: Params) -> None:
        self.dialog = Dialog(
            str(event.get("type", "alert")),
            str(event.get("message", "")),
            str(event.get("defaultPrompt", "")),
        )
        self._shut_gates(_dialog_error(self.dialog))

    def _dialog_closed(self, _event: Params) -> None:
        self.dialog = None
        self._open_gates()

    def _download_offered(self, event: Params) -> None:
        self.downloads.append(str(event.get("suggestedFilename") or event.get("url", "")))
        self.changed.set()

    def _crashed(self, _event: Params) -> None:
        self.load.crashed = True
        self.dialog = None
        self._crash = TabCrashed(
            "the page crashed", "`reload` loads it again, `open URL` goes somewhere else"
        )
        self._shut_gates(self._crash)

    def _navigated(self, event: Params) -> None:
        if self._crash is not None and not event["frame"].get("parentId"):
            self._crash = None
            self._open_gates()

    def _shut_gates(self, reason: DomshError) -> None:
        self.main.shut_gate(reason)
        self.frames.shut_gate(reason)
        self.changed.set()

    def _open_gates(self) -> None:
        self.main.open_gate()
        self.frames.open_gate()
        self.changed.set()


def _dialog_error(dialog: Dialog) -> DialogOpen:
    return DialogOpen(
        f"the page waits for its {dialog.type} dialog: {one_line(dialog.message)!r}",
        "`dialog accept` or `dialog dismiss` answers it",
    )
