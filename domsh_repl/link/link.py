"""The link as the commands see it: ask, and get a value and the page as it is now."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from domsh_repl.errors import Denied, DomshError, Lost, TimedOut
from domsh_repl.link.asks import Ask, close_lane
from domsh_repl.link.client import Reply
from domsh_repl.link.dialects import Dialect, EnvelopeDialect, Exchange
from domsh_repl.link.greeting import About, greet
from domsh_repl.link.lanes import NEW_LANE, Lane
from domsh_repl.link.owner import Deadlines, Owner, Session
from domsh_repl.link.readonly import require_reading, require_reading_line
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.wire import Answer
from domsh_repl.reports import Lane as ListedLane

__all__ = ["FIRST_LANE", "Link", "Manners"]

R = TypeVar("R")
V = TypeVar("V")
_CLOSE_LANE_SECONDS = 1.0
_DEADLINES = Deadlines()
_ABOUT = About("")
FIRST_LANE = "1"


@dataclass(frozen=True, slots=True)
class Manners:
    """How a link behaves on a server: the ``lane`` that it takes, and whether it only reads."""

    lane: str = "new"
    read_only: bool = False


_MANNERS = Manners()


@dataclass(slots=True)
class _Seat:
    """A lane and how it is spoken to; a dialect for text remembers the lane's tabs."""

    lane: Lane
    dialect: Dialect | None = None


def _say_nothing(_text: str) -> None:
    """Drop a remark."""


class Link:
    """Lanes on one server, over the one MCP session. All methods are for the main thread.

    What is asked goes to the lane that is called ``lane_name``. ``note`` is given what the
    server's source has to tell the user.
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
        self._seats = {FIRST_LANE: _Seat(Lane(manners.lane, deadlines.lane))}
        self._owner = Owner(source, deadlines, self._greet)
        self.lane_name = FIRST_LANE
        self._closed = False
        self.about = _ABOUT
        self.note: Callable[[str], None] = _say_nothing
        self.server = source.name

    @property
    def lane(self) -> str:
        """The current lane's id, "" before the first request."""
        return self._seat.lane.id

    @property
    def lanes(self) -> tuple[ListedLane, ...]:
        """The lanes of this link, in the order in which they were made."""
        return tuple(
            ListedLane(name, seat.lane.id, name == self.lane_name)
            for name, seat in self._seats.items()
        )

    @property
    def _seat(self) -> _Seat:
        return self._seats[self.lane_name]

    def add_lane(self, name: str) -> None:
        """Begin another lane and make it the current one; the server makes it when it is used."""
        self._seats[name] = _Seat(Lane(NEW_LANE, self._deadlines.lane))
        self.lane_name = name

    def use_lane(self, name: str) -> None:
        """Make a lane of ``lanes`` the current one."""
        if name not in self._seats:
            raise KeyError(name)
        self.lane_name = name

    def drop_lane(self, name: str, *, deadline: float = 30.0) -> None:
        """Close a lane of ours that is not the current one, with its tabs.

        Raises ``Denied`` for one that was not made here.
        """
        seat = self._seats[name]
        if not seat.lane.is_own:
            raise Denied(f"lane {name} was not made here, so it is not closed here", "`lanes`")
        if seat.lane.id:
            self._result(self._owner.run(partial(self._close_lane, seat), self.note), deadline)
        del self._seats[name]

    @property
    def is_read_only(self) -> bool:
        """True when nothing that may change a page is sent."""
        return self._manners.read_only

    @property
    def tells_news(self) -> bool:
        """True when the server can be asked to answer as soon as something happens.

        Nothing of that kind is sent to a DOMShell: its tabs are the user's own.
        """
        return bool(self.lane) and self.about.is_builtin

    @property
    def is_risky(self) -> bool:
        """True in a lane that is not ours: the user's own tabs, or another client's."""
        return not self._seat.lane.is_own

    def start(self) -> None:
        """Begin to start the server; returns at once."""
        self._owner.start()

    def wait_ready(self, tell: Callable[[str], None]) -> None:
        """Start the server if need be and wait for it; raises why it cannot be used.

        ``tell`` is given what the server's source has to say meanwhile.
        """
        self._owner.wait_ready(tell)

    def greeted(self) -> About:
        """Return what the server says of itself; starts it if need be."""
        self.wait_ready(self.note)
        return self.about

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
            require_reading(ask, in_own_lane=self._seat.lane.is_own)
        seat = self._seat

        async def work(session: Session) -> Answer[V]:
            dialect = self._dialect(seat)
            exchange = _exchange(seat, session, exact=exact or not dialect.knows_deadlines)
            return await dialect.perform(ask, exchange, document=document, deadline=deadline)

        return self._owner.run(work, self.note)

    def raw(self, line: str, *, deadline: float = 30.0) -> str:
        """Send a line as it is and return the reply's text without the marker.

        Raises ``ServerRefused`` with the text where the server calls it an error.
        """
        if self._manners.read_only:
            require_reading_line(line)
        seat = self._seat

        async def work(session: Session) -> str:
            dialect = self._dialect(seat)
            exchange = _exchange(seat, session, exact=not dialect.knows_deadlines)
            return await dialect.raw(line, exchange, deadline=deadline)

        return self._result(self._owner.run(work, self.note), deadline)

    def reconnect(self, *, deadline: float = 30.0) -> str:
        """Leave the session and make another one; return what that cost, in a sentence.

        Nothing that was under way is sent again. Other lanes than the current one that are gone
        are no longer listed.
        """
        self._owner.close()
        self._owner = Owner(self._source, self._deadlines, self._greet)
        had = self._seat.lane.id

        async def work(session: Session) -> set[str]:
            seats = self._seats.items()
            return {name for name, seat in seats if await seat.lane.is_alive(session)}

        asked = any(seat.lane.id for seat in self._seats.values())
        alive = self._result(self._owner.run(work, self.note), deadline) if asked else set()
        self._owner.wait_ready(self.note)
        for name, seat in tuple(self._seats.items()):
            if seat.lane.id and name not in {*alive, self.lane_name}:
                del self._seats[name]
        if self.lane_name in alive:
            return f"connected again to {self.server}; the lane {had} and its tabs are still there"
        self._seat.lane.forget()
        lost = f"; the lane {had} and its tabs are lost" if had else ""
        return f"connected again to {self.server}{lost}"

    def leave_lane(self) -> None:
        """Forget the current lane, which is gone: the next request gets a new one."""
        self._seat.lane.forget()

    def close(self) -> None:
        """Leave the server; a lane of ours is closed first where the server does not do so."""
        if self._closed:
            return
        self._closed = True
        kept = self._source.closes_lanes or not self._owner.is_ready
        for seat in () if kept else tuple(self._seats.values()):
            if seat.lane.id and seat.lane.is_own:
                with contextlib.suppress(DomshError):  # the server goes away with all its lanes
                    closing = self._owner.run(partial(self._close_lane, seat), self.note)
                    self._result(closing, _CLOSE_LANE_SECONDS)
        self._owner.close()

    async def _close_lane(self, seat: _Seat, session: Session) -> None:
        exchange = _exchange(seat, session, exact=True)
        await self._dialect(seat).perform(
            close_lane(), exchange, document="", deadline=_CLOSE_LANE_SECONDS
        )

    def _result(self, future: Future[R], deadline: float) -> R:
        more = 0.0 if self._seat.lane.id else self._deadlines.lane
        return self._owner.result(future, deadline, more=more)

    async def _greet(self, session: Session) -> None:
        self.about = await greet(session, self._source)

    def _dialect(self, seat: _Seat) -> Dialect:
        """Return the dialect of a lane; the one for text is loaded where it is needed only."""
        if self.about.has_envelopes:
            return EnvelopeDialect()
        from domsh_repl.link.domshell.dialect import TextDialect  # noqa: PLC0415

        if not isinstance(seat.dialect, TextDialect):  # it knows the tabs of its lane
            seat.dialect = TextDialect(self.about.extension, read_only=self._manners.read_only)
        return seat.dialect


def _exchange(seat: _Seat, session: Session, *, exact: bool = False) -> Exchange:
    async def exchange(line: str, deadline: float) -> Reply:
        return await seat.lane.send(session, line, deadline, exact=exact)

    return exchange


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
