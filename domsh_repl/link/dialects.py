"""What a link speaks to a server: requests become lines, replies become answers.

There are two dialects. This is the one of servers that answer with envelopes, the built-in
engine's; ``domshell.dialect`` speaks to a DOMShell that knows text only.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from domsh_repl.errors import LaneFailed, Lost, ServerRefused
from domsh_repl.link.asks import Ask
from domsh_repl.link.client import Reply
from domsh_repl.link.domshell.refusals import refusal_of
from domsh_repl.link.wire import Answer, read_reply, split_marker, write_line, write_raw

__all__ = ["Dialect", "EnvelopeDialect", "Exchange"]

V = TypeVar("V")
_PICTURE = re.compile(r"__SCREENSHOT_BASE64__([A-Za-z0-9+/=\s]*)")
"""How DOMShell answers ``screenshot``: as text, with which no terminal is to be filled."""
Exchange = Callable[[str, float], Awaitable[Reply]]
"""Sends one line in the lane, with a deadline in seconds, and gives the reply."""


class Dialect(Protocol):
    """How one server is spoken to.

    One that ``knows_deadlines`` tells itself that time is up, and is waited for a moment more.
    """

    knows_deadlines: bool

    async def perform(
        self, ask: Ask[V], exchange: Exchange, *, document: str, deadline: float
    ) -> Answer[V]:
        """Do what is asked; what the server refuses is in the answer."""

    async def raw(self, line: str, exchange: Exchange, *, deadline: float) -> str:
        """Send a user's own line and return the text of the reply."""


class EnvelopeDialect:
    """One line a request, one JSON object a reply."""

    knows_deadlines = True

    async def perform(
        self, ask: Ask[V], exchange: Exchange, *, document: str, deadline: float
    ) -> Answer[V]:
        """Send the request; the server knows the rest."""
        line = write_line(ask, document=document, deadline=deadline)
        text = (await exchange(line, deadline)).text
        answer = read_reply(ask, text)
        if isinstance(answer.error, Lost) and answer.page is None:
            # a DOMShell server before the engine says in its own words what went wrong
            refusal = refusal_of(ask.verb, split_marker(text)[0])
            if refusal is not None and isinstance(refusal.error, LaneFailed):
                raise refusal.error
            if refusal is not None:
                return Answer(None, error=refusal.error)
        return answer

    async def raw(self, line: str, exchange: Exchange, *, deadline: float) -> str:
        """Return the text without the marker; raises ``ServerRefused`` with an error."""
        return raw_text(await exchange(write_raw(line), deadline))


def raw_text(reply: Reply) -> str:
    """Return the text of a reply to a raw line; raises ``ServerRefused`` for an error."""
    text = split_marker(reply.text)[0].replace("\r\n", "\n")
    picture = _PICTURE.fullmatch(text)
    if picture is not None:
        return f"(a picture of {len(picture[1]) * 3 // 4} bytes, which is not shown)"
    if reply.failed:
        raise ServerRefused(text or "the server calls it an error and says nothing more")
    return text
