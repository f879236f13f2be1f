"""The frames of a tab: which document an element shows, and in which CDP session it is read.

A frame that lives in a process of its own has a session of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.cdp import CdpError, Connection, Params, Session
from domsh_repl.engine.guard import NETWORK, Guard
from domsh_repl.errors import DomshError, TabGone

__all__ = ["Frame", "FrameSessions", "auto_attach"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame and the session in which its document lives; ``id`` as in CDP Page.FrameId."""

    session: Session
    id: str


class FrameSessions:
    """Attaches to each frame elsewhere before it runs, and forgets it when it goes or crashes."""

    def __init__(
        self, connection: Connection, main: Frame, guard: Guard, changed: Callable[[], None]
    ) -> None:
        self.main = main
        self.by_frame: dict[str, Session] = {}
        self.listeners: list[Callable[[Session], None]] = []
        self.gate: DomshError | None = None
        self._parents: dict[str, Session] = {}
        self._connection = connection
        self._guard = guard
        self._changed = changed

    def follow(self, parent: Session) -> None:
        """Attach to the frames inside a session's own."""
        parent.on("Target.attachedToTarget", lambda event: self._attached(parent, event))
        parent.on("Target.detachedFromTarget", lambda event: self._gone(str(event["sessionId"])))

    def owner(self, session: Session) -> tuple[Session, str] | None:
        """Return the session that shows the frame, and the frame's id; None for a tab's own."""
        parent = self._parents.get(session.id)
        frame_id = next((frame for frame, one in self.by_frame.items() if one is session), "")
        return (parent, frame_id) if parent is not None and frame_id else None

    async def shown_by(self, session: Session, **node: Any) -> Frame | None:
        """Return the frame that an element shows (DOM.describeNode); None for what is no frame."""
        try:
            reply = await session.call("DOM.describeNode", **node)
        except CdpError:
            return None
        return self.described_by(session, reply["node"])

    def described_by(self, session: Session, node: Mapping[str, Any]) -> Frame | None:
        """Return the frame that a described element (CDP DOM.Node) shows, if it is one."""
        frame_id = str(node.get("frameId", ""))
        elsewhere = self.by_frame.get(frame_id)
        if elsewhere is not None:
            return Frame(elsewhere, frame_id)
        return Frame(session, frame_id) if "contentDocument" in node else None

    async def another_session(self, target_id: str) -> Session:
        """Return a new session of a target, for work beside that of commands."""
        reply = await self._connection.browser.call(
            "Target.attachToTarget", targetId=target_id, flatten=True
        )
        return self._connection.session(str(reply["sessionId"]))

    def leave_session(self, session: Session) -> None:
        """Give up such a session; what it waits for ends."""
        self._connection.browser.call("Target.detachFromTarget", sessionId=session.id)

    def shut_gate(self, reason: DomshError) -> None:
        """Let no calls through, in frames that are still to come neither."""
        self.gate = reason
        for session in self.by_frame.values():
            session.shut_gate(reason)

    def open_gate(self) -> None:
        """Let calls through again."""
        self.gate = None
        for session in self.by_frame.values():
            session.open_gate()

    def _attached(self, parent: Session, event: Params) -> None:
        session = self._connection.session(str(event["sessionId"]))
        self.by_frame[str(event["targetInfo"]["targetId"])] = session
        self._parents[session.id] = parent
        self.follow(session)
        session.on("Inspector.targetCrashed", lambda _event: self._gone(session.id))
        if self.gate is not None:
            session.shut_gate(self.gate)
        self._guard.join(session)
        for method, params in (
            ("Page.enable", {}),
            ("Accessibility.enable", {}),
            ("DOM.enable", {}),
            ("Inspector.enable", {}),
            ("Runtime.enable", {}),
            ("Log.enable", {}),
            ("Network.enable", NETWORK),
            ("Target.setAutoAttach", auto_attach()),
            ("Runtime.runIfWaitingForDebugger", {}),
        ):
            session.call_through(method, **params)
        for listener in self.listeners:
            listener(session)
        self._changed()

    def _gone(self, session_id: str) -> None:
        self._connection.forget(
            session_id, TabGone("the frame is gone", "`ls` shows what is there")
        )
        self._parents.pop(session_id, None)
        self.by_frame = {
            frame: session for frame, session in self.by_frame.items() if session.id != session_id
        }
        self._changed()


def auto_attach() -> dict[str, Any]:
    """Return the parameters of Target.setAutoAttach for frames in other processes."""
    return {
        "autoAttach": True,
        "waitForDebuggerOnStart": True,
        "flatten": True,
        "filter": [{"type": "iframe"}],
    }
