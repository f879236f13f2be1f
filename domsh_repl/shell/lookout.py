"""What the page holds, as completion sees it: answers that came a moment ago, or none yet.

``look`` never waits. What is not known is asked for in the background; when the answer is
there and says something new ``told`` is called in the prompt's event loop, and the next look
finds it. The only place of the shell that sends requests while the prompt is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from domsh_repl.commands.session import Session
from domsh_repl.errors import DomshError, Interrupted, Lost
from domsh_repl.link.asks import Ask
from domsh_repl.link.wire import Answer
from domsh_repl.nodes import PageInfo

__all__ = ["Lookout"]

V = TypeVar("V")
_FRESH = 5.0
"""Seconds after which an answer is asked for again: pages change by themselves."""
_DEADLINE = 20.0
_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    value: object
    at: float


class Lookout:
    """Keeps answers for the page that is shown; ``drop`` before a command runs.

    ``version`` is another one whenever more is known, or less.
    """

    def __init__(self, session: Session, told: Callable[[], None]) -> None:
        self._session = session
        self._told = told
        self._known: dict[_Key, _Known] = {}
        self._pending: dict[_Key, Future[Any]] = {}
        self.version = 0
        self._notices: deque[str] = deque()  # filled in the link's thread, emptied in ours

    def look(self, ask: Ask[V]) -> V | None:
        """Return an answer that is known; None when it was refused or is still to come.

        An old one is good enough until the next has come.
        """
        known = self._known.get(self._key(ask))
        if known is None or time.monotonic() - known.at >= _FRESH:
            self._send(ask)
        return self.peek(ask)

    def peek(self, ask: Ask[V]) -> V | None:
        """Return an answer that is known, and ask for nothing."""
        known = self._known.get(self._key(ask))
        return known.value if known is not None and isinstance(known.value, ask.answer) else None

    def is_refused(self, ask: Ask[Any]) -> bool:
        """Tell whether something was asked for and there is no answer to it."""
        known = self._known.get(self._key(ask))
        return known is not None and known.value is None

    def prepare(self, ask: Ask[Any]) -> None:
        """Ask for what will be looked at soon, unless an answer was there once."""
        if self._key(ask) not in self._known:
            self._send(ask)

    def drop(self) -> None:
        """Forget all, and give up what is still to come."""
        pending, self._pending = self._pending, {}
        for future in pending.values():
            future.cancel()
        self._known.clear()
        self.version += 1
        self._hand_on()

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._pending)

    def _key(self, ask: Ask[Any]) -> _Key:
        return (*self._page, ask.verb, ask.operands, *ask.options.items())

    @property
    def _page(self) -> _Key:
        page = self._session.state.page
        return page.tab, page.document, page.entry

    def _send(self, ask: Ask[Any]) -> None:
        link, key = self._session.link, self._key(ask)
        if key in self._pending or not (link.is_ready and link.lane):
            return  # nothing was opened yet, so there is nothing to look at
        document = self._session.state.page.document
        try:
            future = link.ask_soon(ask, document=document, deadline=_DEADLINE)
        except Interrupted as error:
            raise KeyboardInterrupt from error  # it means the prompt
        except DomshError:
            return  # the next command will tell
        self._pending[key] = future
        loop = asyncio.get_running_loop()

        def done(future: Future[Any]) -> None:
            self._notices.extend(_notices_of(future))
            with suppress(RuntimeError):  # the prompt is gone, and its loop
                loop.call_soon_threadsafe(self._arrived, key, future)

        future.add_done_callback(done)

    def _arrived(self, key: _Key, future: Future[Any]) -> None:
        if self._pending.get(key) is not future:
            self._hand_on()
            return
        del self._pending[key]
        answer, before = _answer_of(future), self._known.get(key)
        value = answer and answer.value
        self._known[key] = _Known(value, time.monotonic())
        is_new = before is None or before.value != value
        is_lost = answer is not None and isinstance(answer.error, Lost)  # its page is none
        if answer is not None and answer.page is not None and not is_lost:
            is_new |= self._follow(answer.page)
        self._hand_on()
        if is_new:
            self.version += 1
            self._told()

    def _follow(self, page: PageInfo) -> bool:
        """Let the session follow the browser; what was known of another page goes."""
        before, place = self._session.state.page, self._page
        self._session.adopt(replace(page, notices=()), expected=False)
        if self._page != place:
            self._known = {key: known for key, known in self._known.items() if key[:3] != place}
        return replace(self._session.state.page, notices=()) != replace(before, notices=())

    def _hand_on(self) -> None:
        """Tell what happened meanwhile, also what came with answers that nobody wanted any more."""
        while self._notices:
            self._session.note(self._notices.popleft())


def _answer_of(future: Future[Any]) -> Answer[Any] | None:
    answer = None if future.cancelled() or future.exception() else future.result()
    return answer if isinstance(answer, Answer) else None


def _notices_of(future: Future[Any]) -> tuple[str, ...]:
    answer = _answer_of(future)
    return () if answer is None or answer.page is None else answer.page.notices
