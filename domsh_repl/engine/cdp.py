"""Speaks the Chrome DevTools Protocol: one connection, many flat sessions, no knowledge of pages.

A call is awaited by whoever made it, so every deadline is theirs. When the browser goes, a
target is detached or a renderer crashes, the calls that wait for it fail at once. A session
can be *gated*: while a JavaScript dialog is open nothing is sent to its page, since Chromium
would run it when the dialog closes, and what waits there is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from itertools import count
from typing import Any, Protocol

from domsh_repl.errors import DomshError, Failed, Lost, Stale, error_for
from domsh_repl.safetext import one_line

__all__ = [
    "CdpError",
    "Connection",
    "Params",
    "Pending",
    "Session",
    "Transport",
    "counting_inputs",
    "note_input",
    "object_group",
    "taking_back",
    "user_error",
]

Params = Mapping[str, Any]
Handler = Callable[[Params], None]
Pending = asyncio.Future[dict[str, Any]]
"""A call that was sent: the future of its result."""

_log = logging.getLogger(__name__)
_groups = count(1)
_group: ContextVar[str] = ContextVar("object group", default="domsh")
_inputs: ContextVar[list[str] | None] = ContextVar("inputs", default=None)
_NO_INPUT = frozenset({"mouseMoved", "mouseWheel"})
"""Types of mouse events that press nothing: coming nearer to an element is no action on it."""
_HANDING_OUT = frozenset({"Runtime.evaluate", "DOM.resolveNode"})
"""Calls that give the id of a script object; what is got through that object joins its group."""


_PAGE_CHANGED = re.compile(
    r"cannot find (?:execution )?context|context was destroyed|could not find (?:node|object)"
    r"|no node (?:with|found)|node with given id|node is (?:not|detached)"
    r"|invalid id|frame .*not found|no frame|no target|navigated or closed|target closed"
    r"|session with given id|promise was collected|not attached|no document",
    re.IGNORECASE,
)
"""What Chromium says when the node, the document or the target of a call is gone (tried)."""


class CdpError(Exception):
    """An error reply of the browser."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def page_changed(self) -> bool:
        """True when what the call was about is gone, rather than the call being wrong."""
        return _PAGE_CHANGED.search(self.message) is not None


def user_error(error: CdpError) -> DomshError:
    """Return what an error reply is to the user: ``Stale``, or ``Failed`` with its text."""
    said = one_line(error.message, 200)
    if error.page_changed:
        return Stale(f"the page changed under the command ({said})", "try it again")
    return Failed(f"the browser refused: {said}", "that is a defect of domsh, or of the browser")


@contextlib.contextmanager
def object_group() -> Iterator[str]:
    """Give the script objects that are got meanwhile a group of their own, and its name.

    Commands of one page run at the same time: each lets go of its own (``release_objects``).
    """
    name = f"domsh-{next(_groups)}"
    token = _group.set(name)
    try:
        yield name
    finally:
        _group.reset(token)


@contextlib.contextmanager
def counting_inputs() -> Iterator[list[str]]:
    """Give a list that gets the name of each input that a page is sent meanwhile."""
    sent: list[str] = []
    token = _inputs.set(sent)
    try:
        yield sent
    finally:
        _inputs.reset(token)


def note_input(name: str) -> None:
    """Note that a page is sent something that it can act on: trying again would send it twice."""
    sent = _inputs.get()
    if sent is not None:
        sent.append(name)


@contextlib.contextmanager
def taking_back(kind: type[DomshError]) -> Iterator[None]:
    """Let what was sent meanwhile not count when it ends in such an error: the page got nothing."""
    sent = _inputs.get()
    before = 0 if sent is None else len(sent)
    try:
        yield
    except kind:
        if sent is not None:
            del sent[before:]
        raise


class Transport(Protocol):
    """Carries messages; calls back with each one received, and once when the far side is gone."""

    def start(self, received: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        """Begin to read."""

    def send(self, message: bytes) -> None:
        """Queue a message."""

    async def close(self) -> None:
        """Stop reading and release the channel."""


class Session:
    """A flat CDP session of one target; the connection itself holds the browser's."""

    def __init__(self, connection: Connection, session_id: str = "") -> None:
        self.id = session_id
        self._connection = connection
        self._pending: dict[int, Pending] = {}
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._gate: DomshError | None = None
        self._gone: DomshError | None = None
        self._groups: set[str] = set()

    def on(self, event: str, handler: Handler) -> None:
        """Call ``handler`` with the parameters of each such event."""
        self._handlers[event].append(handler)

    def call(self, method: str, **params: Any) -> Pending:
        """Send a call now and return its result to await.

        Raises, when awaited, ``CdpError`` for an error reply, the gate's error while a dialog
        is open, and what ended the session when it is gone.
        """
        if self._gate is not None:
            return _failed(self._gate)
        if method.startswith("Input.") and params.get("type") not in _NO_INPUT:
            note_input(method)
        return self.call_through(method, **params)

    def call_through(self, method: str, **params: Any) -> Pending:
        """Send a call that Chromium answers even while a dialog is open."""
        if self._gone is not None:
            return _failed(self._gone)
        if method in _HANDING_OUT:
            params["objectGroup"] = group = _group.get()
            self._groups.add(group)
        return self._connection.send(self, method, params)

    def release_objects(self, group: str) -> None:
        """Let the page free what a command held of it (Runtime.releaseObjectGroup); no waiting."""
        if group in self._groups and self._gate is None and self._gone is None:
            self._groups.discard(group)
            self.call_through("Runtime.releaseObjectGroup", objectGroup=group)

    def expect(self, number: int, future: asyncio.Future[dict[str, Any]]) -> None:
        """Note a call that was sent."""
        self._pending[number] = future

    def answered(self, number: int, message: Mapping[str, Any]) -> None:
        """Hand a reply to the call that waits for it."""
        future = self._pending.pop(number, None)
        if future is None or future.done():
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result") or {})
        else:
            text = str(error.get("message", "")) or "failed"
            future.set_exception(CdpError(text))

    def happened(self, event: str, params: Params) -> None:
        """Hand an event to those who asked for it; what one of them does wrong stops no other."""
        for handler in tuple(self._handlers.get(event, ())):
            try:
                handler(params)
            except Exception:  # noqa: BLE001  (whatever it is, it is not the sender's)
                _log.debug("a handler of %s failed", event, exc_info=True)

    def shut_gate(self, reason: DomshError) -> None:
        """Let no further call through, and tell those that wait why."""
        self._gate = reason
        self._fail_pending(reason)

    def open_gate(self) -> None:
        """Let calls through again."""
        self._gate = None

    def end(self, reason: DomshError) -> None:
        """Fail what waits and what will come: the target is gone."""
        self._gone = reason
        self._fail_pending(reason)

    def _fail_pending(self, reason: DomshError) -> None:
        waiting, self._pending = self._pending, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(_own(reason))


def _failed(reason: DomshError) -> Pending:
    """Return a call that has failed already; it may be left without anybody awaiting it."""
    future: Pending = asyncio.get_running_loop().create_future()
    future.set_exception(_own(reason))
    future.exception()
    return future


def _own(reason: DomshError) -> DomshError:
    """Return an error of its own for one caller: a raised one keeps what it passed through."""
    return error_for(reason.code, reason.message, reason.hint)


class Connection:
    """One connection to a browser. ``browser`` is its browser-wide session."""

    def __init__(self, transport: Transport) -> None:
        self.browser = Session(self)
        self.closed = asyncio.Event()
        self._transport = transport
        self._sessions: dict[str, Session] = {"": self.browser}
        self._number = 0

    def start(self) -> None:
        """Begin to read; must run inside the event loop that serves the connection."""
        self._transport.start(self._received, self._lost)

    def session(self, session_id: str) -> Session:
        """Return the session of that id, made on first sight."""
        found = self._sessions.get(session_id)
        if found is None:
            found = self._sessions[session_id] = Session(self, session_id)
        return found

    def forget(self, session_id: str, reason: DomshError) -> None:
        """End a session that the browser has detached."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            session.end(reason)

    def send(self, session: Session, method: str, params: Params) -> Pending:
        """Send one call and return the future of its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session.id:
            message["sessionId"] = session.id
        future: Pending = asyncio.get_running_loop().create_future()
        # a caller that was cancelled no longer asks: without this its error would be logged
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        session.expect(self._number, future)
        self._transport.send(json.dumps(message).encode("utf-8", "surrogatepass"))
        return future

    async def close(self) -> None:
        """Close the channel; the browser ends when its pipe does."""
        self._lost()
        await self._transport.close()

    def _received(self, message: bytes) -> None:
        try:
            self._take(json.loads(message))
        except Exception:  # noqa: BLE001  (the messages behind it are not to blame)
            _log.debug("a message could not be taken", exc_info=True)

    def _take(self, data: Mapping[str, Any]) -> None:
        session = self._sessions.get(data.get("sessionId", ""))
        if session is None:
            return
        if "id" in data:
            session.answered(data["id"], data)
        else:
            session.happened(data.get("method", ""), data.get("params") or {})

    def _lost(self) -> None:
        if self.closed.is_set():
            return
        self.closed.set()
        reason = Lost("the browser is gone", "`reconnect` starts another one")
        for session in tuple(self._sessions.values()):
            session.end(reason)
