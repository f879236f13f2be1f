"""The link as the commands see it: ask, and get a value and the page as it is now."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from domsh_repl.errors import DomshError, Lost, TimedOut
from domsh_repl.link.asks import Ask, close_lane
from domsh_repl.link.dialects import Dialect, EnvelopeDialect, Exchange
from domsh_repl.link.greeting import About, greet
from domsh_repl.link.lanes import Lane
from domsh_repl.link.owner import Deadlines, Owner, Reply, Session
from domsh_repl.link.readonly import require_reading, require_reading_line
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.wire import Answer

__all__ = ["Link", "Manners"]

R = TypeVar("R")
V = TypeVar("V")
_CLOSE_LANE_SECONDS = 1.0
_DEADLINES = Deadlines()
_ABOUT = About("")


@dataclass(frozen=True, slots=True)
class Manners:
    """How a link behaves on a server: the ``lane`` that it takes, and whether it only reads."""

    lane: str = "new"
    read_only: bool = False


_MANNERS = Manners()


def _say_nothing(_text: str) -> None:
    """Drop a remark."""


class Link:
    """One lane on one server, over the one MCP session. All methods are for the main thread.

    ``note`` is given what the server's source has to tell the user.
    """

    def __init__(
        self,
        source: ServerSource,
        deadlines: Deadlines = _DEADLINES,
        manners: Manners = _MANNERS,
    ) -> None:
        self._source = source
        self._deadlines = deadlines
        self._manners = manners
        self._lane = Lane(manners.lane, deadlines.lane)
        self._owner = Owner(source, deadlines, self._greet)
        self._dialect: Dialect = EnvelopeDialect()
        self._closed = False
        self.about = _ABOUT
        self.note: Callable[[str], None] = _say_nothing
        self.server = source.name

    @property
    def lane(self) -> str:
        """The lane's id, "" before the first request."""
        return self._lane.id

    @property
    def is_read_only(self) -> bool:
        """True when nothing that may change a page is sent."""
        return self._manners.read_only

    @property
    def is_risky(self) -> bool:
        """True in a lane that is not ours: the user's own tabs, or another client's."""
        return not self._lane.is_own

    def start(self) -> None:
        """Begin to start the server; returns at once."""
        self._owner.start()

    def wait_ready(self, tell: Callable[[str], None]) -> None:
        """Start the server if need be and wait for it; raises why it cannot be used.

        ``tell`` is given what the server's source has to say meanwhile.
        """
        self._owner.wait_ready(tell)

    @property
    def is_ready(self) -> bool:
        """True when asking would not have to wait for the server's start."""
        return self._owner.is_ready

    @property
    def progress(self) -> str:
        """What is being done while the server starts."""
        return self._source.progress()

    def ask(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0, exact: bool = False
    ) -> Answer[V]:
        """Send a request and wait for its answer, ``deadline`` seconds at most.

        The server has a moment more to tell itself what took so long, unless that is ``exact``.

        Raises ``Interrupted`` on Ctrl-C, which cancels this request only; ``TimedOut``,
        ``Lost``, ``NotConnected``, ``LaneFailed``, ``ReadOnly``. What the server refuses is in
        the answer.
        """
        future = self.ask_soon(ask, document=document, deadline=deadline, exact=exact)
        with _telling_unknown(ask):
            return self._result(future, deadline)

    def ask_soon(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0, exact: bool = False
    ) -> Future[Answer[V]]:
        """Send a request and return the future of its answer."""
        if self._manners.read_only:
            require_reading(ask, in_own_lane=self._lane.is_own)

        async def work(session: Session) -> Answer[V]:
            dialect = self._dialect
            exchange = self._exchange(session, exact=exact or not dialect.knows_deadlines)
            return await dialect.perform(ask, exchange, document=document, deadline=deadline)

        return self._owner.run(work, self.note)

    def raw(self, line: str, *, deadline: float = 30.0) -> str:
        """Send a line as it is and return the reply's text without the marker.

        Raises ``ServerRefused`` with the text where the server calls it an error.
        """
        if self._manners.read_only:
            require_reading_line(line)

        async def work(session: Session) -> str:
            dialect = self._dialect
            exchange = self._exchange(session, exact=not dialect.knows_deadlines)
            return await dialect.raw(line, exchange, deadline=deadline)

        return self._result(self._owner.run(work, self.note), deadline)

    def reconnect(self, *, deadline: float = 30.0) -> str:
        """Leave the session and make another one; return what that cost, in a sentence.

        Nothing that was under way is sent again.
        """
        self._owner.close()
        self._owner = Owner(self._source, self._deadlines, self._greet)
        had = self._lane.id

        async def work(session: Session) -> bool:
            return await self._lane.is_alive(session)

        if had and self._result(self._owner.run(work, self.note), deadline):
            return f"connected again to {self.server}; the lane {had} and its tabs are still there"
        self._owner.wait_ready(self.note)
        self._lane.forget()
        lost = f"; the lane {had} and its tabs are lost" if had else ""
        return f"connected again to {self.server}{lost}"

    def leave_lane(self) -> None:
        """Forget the lane, which is gone: the next request gets a new one."""
        self._lane.forget()

    def close(self) -> None:
        """Leave the server; a lane of ours is closed first where the server does not do so."""
        if self._closed:
            return
        self._closed = True
        is_ours = self._lane.id and self._lane.is_own and not self._source.closes_lanes
        if is_ours and self._owner.is_ready:
            with contextlib.suppress(DomshError):  # the server goes away with all its lanes
                self._result(self._owner.run(self._close_lane, self.note), _CLOSE_LANE_SECONDS)
        self._owner.close()

    async def _close_lane(self, session: Session) -> None:
        exchange = self._exchange(session, exact=True)
        await self._dialect.perform(
            close_lane(), exchange, document="", deadline=_CLOSE_LANE_SECONDS
        )

    def _exchange(self, session: Session, *, exact: bool = False) -> Exchange:
        async def exchange(line: str, deadline: float) -> Reply:
            return await self._lane.send(session, line, deadline, exact=exact)

        return exchange

    def _result(self, future: Future[R], deadline: float) -> R:
        more = 0.0 if self._lane.id else self._deadlines.lane
        return self._owner.result(future, deadline, more=more)

    async def _greet(self, session: Session) -> None:
        self.about = await greet(session, self._source)
        self._dialect = self._spoken(self.about)

    def _spoken(self, about: About) -> Dialect:
        """Return the dialect; the one for text is loaded where it is needed only."""
        if about.has_envelopes:
            return EnvelopeDialect()
        from domsh_repl.link.domshell.dialect import TextDialect  # noqa: PLC0415

        if isinstance(self._dialect, TextDialect):
            return self._dialect  # it knows the tabs of a lane that may be still there
        return TextDialect(about.extension, read_only=self._manners.read_only)


@contextlib.contextmanager
def _telling_unknown(ask: Ask[V]) -> Iterator[None]:
    """Say of an action that was under way when the server was lost that nobody knows."""
    try:
        yield
    except (Lost, TimedOut) as error:
        if not ask.acts:
            raise
        raise type(error)(
            f"{error.message}; whether `{ask.verb}` was done is not known", error.hint
        ) from error
