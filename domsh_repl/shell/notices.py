"""What happens by itself while the prompt waits: told above it, once, as soon as it happens.

The server is asked for one answer that it gives when there is something to tell, so that
nothing is asked again and again and no page is woken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from domsh_repl.commands.session import Session
from domsh_repl.errors import DomshError, Lost
from domsh_repl.link import asks
from domsh_repl.link.wire import Answer
from domsh_repl.nodes import Dialog, Message, PageInfo
from domsh_repl.safetext import one_line

__all__ = ["Notices", "Restraint"]

_ANSWER_WITHIN = 60.0
"""Seconds after which a server that has nothing to tell is asked anew."""
_LOOK_EVERY = 0.1
"""Seconds between two looks whether the server has started; nothing is sent for it."""
_PAUSE = 0.2
"""Seconds between two answers, so that a page that never rests does not keep anybody busy."""


_MOST = 10
"""Remarks of one pause between two lines; a page that never rests has no end of them."""


class Restraint:
    """Lets remarks through while a line runs, and some of them while the prompt waits."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._left: int | None = _MOST

    def note(self, text: str) -> None:
        """Tell something, or once that no more is told, or nothing."""
        if self._left is None or self._left > 0:
            self._note(text)
        elif self._left == 0:
            self._note("the page goes on like that; no more of it is told until the next line")
        if self._left is not None:
            self._left -= 1

    def lift(self) -> None:
        """Let all through: a line runs."""
        self._left = None

    def impose(self) -> None:
        """Begin to count: the prompt is next."""
        self._left = _MOST


class Notices:
    """Watches while the prompt is shown; ``redraw`` draws that anew.

    ``note`` is for what must be told, whatever has been told already.
    """

    def __init__(
        self, session: Session, note: Callable[[str], None], redraw: Callable[[], None]
    ) -> None:
        self._session = session
        self._note = note
        self._redraw = redraw
        self.is_lost = False
        self._is_told = False

    async def watch(self) -> None:
        """Tell what happens until this is cancelled; what goes wrong ends it in silence."""
        link = self._session.link
        if not link.is_ready:
            self._redraw()
            while not link.is_ready:  # noqa: ASYNC110  (another thread makes it so)
                await asyncio.sleep(_LOOK_EVERY)
            self._redraw()
        with suppress(DomshError):
            while getattr(link, "tells_news", False) and not self.is_lost:
                self._take(await self._news())
                await asyncio.sleep(_PAUSE)

    def ended(self, status: int) -> None:
        """Hear how a line ended: it may have told of the connection, or made another one."""
        self._is_told = status == Lost.exit_status
        self.is_lost = self._is_told and self.is_lost

    async def _news(self) -> Answer[Message]:
        state = self._session.state
        ask = asks.news(state.page)
        future = self._session.link.ask_soon(
            ask, document=state.page.document, deadline=_ANSWER_WITHIN
        )
        return await asyncio.wrap_future(future)

    def _take(self, answer: Answer[Message]) -> None:
        if isinstance(answer.error, Lost):
            self.is_lost = True
            if not self._is_told:
                hint = f"; {answer.error.hint}" if answer.error.hint else ""
                self._note(f"{answer.error.message}{hint}")
            self._redraw()
        if answer.error is not None:
            raise answer.error
        if answer.page is not None:
            self._follow(answer.page)

    def _follow(self, page: PageInfo) -> None:
        before = self._session.state.page
        self._session.adopt(page, expected=False)
        if page.dialog is not None and page.dialog != before.dialog:
            self._note(_asked(page.dialog))
        if replace(page, notices=()) != replace(before, notices=()):
            self._redraw()


def _asked(dialog: Dialog) -> str:
    said = one_line(dialog.message, 100)
    answers = "`dialog accept`" if dialog.type == "alert" else "`dialog accept` or `dialog dismiss`"
    return f"the page waits for its {dialog.type} dialog: '{said}'; {answers} answers it"
