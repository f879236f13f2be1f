"""One tab: its sessions, what is loaded in it, its dialog gate and its history.

"Loaded" has one definition (DESIGN 11): the lifecycle event ``load`` of the loader id that
was committed, or a move within the document, a dialog, a download or a crash. Nothing is sent
to a page while a dialog blocks it (DESIGN 12).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from domsh_repl.engine.cdp import CdpError, Connection, Params, Session
from domsh_repl.engine.loading import LoadTracker
from domsh_repl.errors import DialogOpen, DomshError, TabCrashed, TabGone, TimedOut
from domsh_repl.nodes import Dialog, HistoryEntry, PageInfo

__all__ = ["CALL_DEADLINE", "Page"]

CALL_DEADLINE = 30.0
"""Seconds that any one call of a page may take, unless its caller has less."""

_FRAMES_ONLY = [{"type": "iframe"}]
_READ_PAGE = "[document.title, document.readyState]"


class Page:
    """A tab of a lane; ``main`` is its session, ``frame_sessions`` those of frames elsewhere."""

    def __init__(self, connection: Connection, session: Session, target: Params, tab: int) -> None:
        self.tab = tab
        self.target_id = str(target["targetId"])
        self.opener_id = str(target.get("openerId", ""))
        self.main = session
        self.frame_sessions: dict[str, Session] = {}
        self.load = LoadTracker(self.target_id)
        self.dialog: Dialog | None = None
        self.notices: list[str] = []
        self.listeners: list[Callable[[Session], None]] = []
        self.gone: DomshError | None = None
        self.changed = asyncio.Event()
        self._connection = connection
        self._title = ""
        self._listen(session)

    async def enable(self, *, waiting: bool) -> None:
        """Switch on what a page session needs, in one flight; then let the page run."""
        main = self.main
        calls = [
            main.call_through("Page.enable"),
            main.call_through("Accessibility.enable"),
            main.call_through("DOM.enable"),
            main.call_through("Network.enable"),
            main.call_through("Inspector.enable"),
            main.call_through("Page.setLifecycleEventsEnabled", enabled=True),
            main.call_through("Emulation.setFocusEmulationEnabled", enabled=True),
            main.call_through("Target.setAutoAttach", **_auto_attach()),
        ]
        if waiting:
            calls.append(main.call_through("Runtime.runIfWaitingForDebugger"))
        results = await asyncio.gather(*calls, return_exceptions=True)
        for result in results:
            if isinstance(result, DomshError):
                raise result

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The main session and those of its frames in other processes."""
        return (self.main, *self.frame_sessions.values())

    def session_of_frame(self, frame_id: str) -> Session | None:
        """Return the own session of a frame that lives in another process."""
        return self.frame_sessions.get(frame_id)

    def require_usable(self) -> None:
        """Raise what keeps commands from reaching the page: gone, crashed, or a dialog."""
        if self.gone is not None:
            raise self.gone
        if self.dialog is not None:
            raise _dialog_error(self.dialog)

    async def barrier(self) -> None:
        """Wait until every change so far has been told (CDP.md: events come before the answer)."""
        answers = await asyncio.gather(
            self.main.call("Runtime.evaluate", expression=_READ_PAGE, returnByValue=True),
            *(
                session.call("Runtime.evaluate", expression="1")
                for session in self.frame_sessions.values()
            ),
            return_exceptions=True,
        )
        for answer in answers:
            if isinstance(answer, DomshError):
                raise answer
        if isinstance(answers[0], dict):
            value = answers[0].get("result", {}).get("value")
            if isinstance(value, list) and isinstance(value[0], str):
                self._title = value[0]

    async def info(self, *, fresh: bool = True) -> PageInfo:
        """Describe the page for a reply; answers while a dialog is open, too.

        Not ``fresh`` takes the title that the last barrier saw.
        """
        if self.gone is not None:
            return PageInfo(notices=self._taken_notices())
        if fresh and self.dialog is None:
            with contextlib.suppress(DomshError):
                await self.barrier()
        entries, index = await self._history()
        entry = entries[index] if entries else {}
        return PageInfo(
            url=self.load.failed_url or str(entry.get("url", "")),
            title=self._title or str(entry.get("title", "")),
            tab=self.tab,
            loading=self.load.busy,
            http=self.load.http_status,
            dialog=self.dialog,
            document=self.load.document,
            entry=int(entry.get("id", 0)),
            position=index,
            notices=self._taken_notices(),
        )

    async def history(self) -> tuple[HistoryEntry, ...]:
        """Return the tab's session history, oldest first."""
        entries, index = await self._history()
        return tuple(
            HistoryEntry(str(entry["url"]), str(entry["title"]), current=number == index)
            for number, entry in enumerate(entries)
        )

    async def entry_at(self, steps: int) -> int | None:
        """Return the id of the history entry that many steps away, if there is one."""
        entries, index = await self._history()
        place = index + steps
        # the first entry is the blank page that the tab was made with
        first = 1 if entries and entries[0].get("url") == "about:blank" and len(entries) > 1 else 0
        return int(entries[place]["id"]) if first <= place < len(entries) else None

    async def until(self, holds: Callable[[], bool], deadline: float) -> bool:
        """Wait until ``holds()`` after some event of the page; False when the deadline passed."""
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
            raise DialogOpen("no dialog is open")
        reply: dict[str, Any] = {"accept": accept}
        if text is not None:
            reply["promptText"] = text
        async with asyncio.timeout(CALL_DEADLINE):
            await self.main.call_through("Page.handleJavaScriptDialog", **reply)
            await self.until(lambda: self.dialog is not dialog, CALL_DEADLINE)
        return dialog

    def end(self, reason: DomshError) -> None:
        """The tab is gone: everything that waits for it fails."""
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

    def _taken_notices(self) -> tuple[str, ...]:
        taken, self.notices = tuple(self.notices), []
        return taken

    def _listen(self, session: Session) -> None:
        session.on("Page.javascriptDialogOpening", self._dialog_opened)
        session.on("Page.javascriptDialogClosed", self._dialog_closed)
        session.on("Inspector.targetCrashed", self._crashed)
        session.on("Target.attachedToTarget", self._frame_attached)
        session.on("Target.detachedFromTarget", self._frame_detached)
        self.load.listen(session, self.changed.set)

    def _dialog_opened(self, event: Params) -> None:
        self.dialog = Dialog(
            str(event.get("type", "alert")),
            str(event.get("message", "")),
            str(event.get("defaultPrompt", "")),
        )
        reason = _dialog_error(self.dialog)
        for session in self.sessions:
            session.shut_gate(reason)
        self.changed.set()

    def _dialog_closed(self, _event: Params) -> None:
        self.dialog = None
        for session in self.sessions:
            session.open_gate()
        self.changed.set()

    def _crashed(self, _event: Params) -> None:
        self.load.crashed = True
        reason = TabCrashed(
            "the page crashed", "`reload` loads it again, `open URL` goes somewhere else"
        )
        self.main.shut_gate(reason)
        self.changed.set()

    def revive(self) -> None:
        """Let calls through to a tab that crashed: a navigation gives it a new renderer."""
        if self.load.crashed:
            self.load.crashed = False
            self.main.open_gate()

    def _frame_attached(self, event: Params) -> None:
        session = self._connection.session(str(event["sessionId"]))
        self.frame_sessions[str(event["targetInfo"]["targetId"])] = session
        session.on("Target.attachedToTarget", self._frame_attached)
        session.on("Target.detachedFromTarget", self._frame_detached)
        if self.dialog is not None:
            session.shut_gate(_dialog_error(self.dialog))
        for method, params in (
            ("Page.enable", {}),
            ("Accessibility.enable", {}),
            ("DOM.enable", {}),
            ("Target.setAutoAttach", _auto_attach()),
            ("Runtime.runIfWaitingForDebugger", {}),
        ):
            session.call_through(method, **params)
        for listener in self.listeners:
            listener(session)
        self.changed.set()

    def _frame_detached(self, event: Params) -> None:
        session_id = str(event["sessionId"])
        reason = TabGone("the frame is gone")
        self._connection.forget(session_id, reason)
        self.frame_sessions = {
            frame: session
            for frame, session in self.frame_sessions.items()
            if session.id != session_id
        }
        self.changed.set()


def _auto_attach() -> dict[str, Any]:
    return {
        "autoAttach": True,
        "waitForDebuggerOnStart": True,
        "flatten": True,
        "filter": _FRAMES_ONLY,
    }


def _dialog_error(dialog: Dialog) -> DialogOpen:
    return DialogOpen(
        f"the page waits for its {dialog.type} dialog: {dialog.message!r}",
        "`dialog accept` or `dialog dismiss` answers it",
    )


async def ignoring_errors(call: Any) -> None:
    """Await a call whose failure changes nothing."""
    with contextlib.suppress(CdpError, DomshError):
        await call
