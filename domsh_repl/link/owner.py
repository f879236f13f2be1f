"""One task owns the client of the server, in a worker thread with its own event loop.

The task that entered the client leaves it (docs/design.md, 1 and 3); everybody else asks
through the portal. A call that is given up is cancelled on the server, and the session lives on.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from domsh_repl.errors import DomshError, Interrupted, NotConnected, TimedOut
from domsh_repl.link.client import RECONNECT, Reply, ToolClient, connection_lost, said_by
from domsh_repl.link.servers import ServerSource, leaves_of

if TYPE_CHECKING:
    from anyio import CancelScope
    from anyio.from_thread import BlockingPortal

__all__ = ["Deadlines", "Owner", "Reply", "Session", "start_failure"]

R = TypeVar("R")
_TELL_EVERY = 0.25
"""Seconds between two looks for a remark of a server that starts."""
_SILENCE = 3.0
"""Seconds of a start after which something is told of it."""
_PATIENCE = 1.0
"""Seconds that the end waits for a start: a child that is cut off there needs the rest."""
_SLACK = 2.0
"""Seconds that the asking thread waits longer than the owner: the owner's answer comes first."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds: to ``start``, to make a ``lane``, to ``close``, and of ``grace``.

    The grace is what a call may take beyond its own deadline, so that the server can tell
    itself that time is up, before it is cancelled there. Without ``start`` the server's own
    time for it counts.
    """

    start: float | None = None
    lane: float = 20.0
    close: float = 6.0
    grace: float = 4.0


class Session:
    """The session, for the worker's event loop: tools are called through it."""

    def __init__(self, client: ToolClient, source: ServerSource, grace: float) -> None:
        self._client = client
        self._source = source
        self._grace = grace

    async def call(
        self, tool: str, arguments: dict[str, Any], deadline: float, *, exact: bool = False
    ) -> Reply:
        """Call a tool; an ``exact`` deadline has no grace.

        Raises ``TimedOut``, ``Failed``, ``Lost`` and what the source explains.
        """
        import anyio  # noqa: PLC0415  (it imports asyncio)

        limit = deadline if exact else deadline + self._grace
        self._source.asked()
        try:
            with anyio.fail_after(limit):
                return await self._client.call(tool, arguments, limit)
        except TimeoutError as error:
            raise TimedOut(f"no answer within {deadline:g} s", "--timeout gives more") from error
        except Exception as error:
            raise self._failure(error) from error

    async def tools(self) -> list[str]:
        """Return the names of the server's tools; raises what ``call`` raises."""
        try:
            return await self._client.tools()
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> DomshError:
        return self._source.explained(error, started=True) or self._client.failure(error)


Greeting = Callable[[Session], Awaitable[None]]


class Owner:
    """Starts the server and holds its one session.

    ``greet`` is what is done first in a session; when it raises, there is none.
    """

    def __init__(self, source: ServerSource, deadlines: Deadlines, greet: Greeting) -> None:
        self._source = source
        self._deadlines = deadlines
        self._greet = greet
        self._start_seconds = deadlines.start or source.start_seconds
        self._thread: threading.Thread | None = None
        self._portal: BlockingPortal | None = None
        self._ready: Future[None] = Future()
        self._session: Session | None = None
        self._stop: Any = None
        self._closing = False
        self._is_cut_off = False
        self._has_told_start = False

    def start(self) -> None:
        """Begin to start the server, unless that was done; returns at once."""
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._live, name="domsh-link", daemon=True)
            self._thread.start()

    @property
    def is_ready(self) -> bool:
        """True once the session is there, or has failed to come."""
        return self._ready.done()

    def wait_ready(self, tell: Callable[[str], None]) -> None:
        """Start the server if need be and wait for the session; raises why there is none.

        ``tell`` is given what the server's source has to say meanwhile. Ctrl-C gives up the
        waiting, and not the start.
        """
        self.start()
        began = time.monotonic()
        until = began + self._start_seconds
        try:
            while True:
                self._pass_on_remarks(tell)
                self._tell_long_start(tell, since=began)
                with contextlib.suppress(FutureTimeout):
                    left = until - time.monotonic()
                    self._ready.result(min(max(left, 0.0), _TELL_EVERY))
                    self._pass_on_remarks(tell)
                    return
                if time.monotonic() >= until:
                    break
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        what = f"the server did not start within {self._start_seconds:g} s"
        raise NotConnected(f"{what} ({self._source.progress()})", RECONNECT)

    def _pass_on_remarks(self, tell: Callable[[str], None]) -> None:
        for remark in self._source.remarks():
            tell(remark)

    def _tell_long_start(self, tell: Callable[[str], None], *, since: float) -> None:
        """Tell once what a start that takes long is about, where the source wants that."""
        is_long = time.monotonic() - since >= _SILENCE
        if is_long and self._source.is_told and not self._has_told_start:
            self._has_told_start = True
            tell(self._source.progress())

    def run(
        self, work: Callable[[Session], Awaitable[R]], tell: Callable[[str], None]
    ) -> Future[R]:
        """Let work with the session be done in the worker thread."""
        self.wait_ready(tell)
        portal = self._portal
        if portal is None or self._session is None:
            raise connection_lost()
        begun: list[CancelScope] = []
        try:
            return portal.start_task_soon(self._begin, work, begun)
        except KeyboardInterrupt:  # it came before there was a future to cancel
            for scope in begun:
                portal.start_task_soon(scope.cancel)
            raise Interrupted("interrupted") from None
        except RuntimeError as error:
            raise connection_lost() from error

    async def _begin(self, work: Callable[[Session], Awaitable[R]], begun: list[CancelScope]) -> R:
        import anyio  # noqa: PLC0415  (it imports asyncio)

        session = self._session
        if session is None:  # it has ended since
            raise connection_lost()
        with anyio.CancelScope() as scope:
            begun.append(scope)
            return await work(session)
        raise Interrupted("interrupted")

    def result(self, future: Future[R], deadline: float, *, more: float = 0.0) -> R:
        """Wait for work of that deadline, and ``more`` seconds for what comes before it.

        Ctrl-C cancels it and raises ``Interrupted``.
        """
        try:
            return future.result(deadline + more + self._deadlines.grace + _SLACK)
        except FutureTimeout as error:
            future.cancel()
            raise TimedOut(f"no answer within {deadline:g} s") from error
        except KeyboardInterrupt:
            future.cancel()
            raise Interrupted("interrupted") from None
        except CancelledError:
            if self._session is None:
                raise connection_lost() from None
            raise Interrupted("interrupted") from None

    def close(self) -> None:
        """Leave the session and stop the server; bounded, and once is enough."""
        if self._closing:
            return
        self._closing = True
        if self._thread is None:
            return
        until = time.monotonic() + self._deadlines.close
        with contextlib.suppress(DomshError, FutureTimeout):  # it may never have started
            self._ready.exception(min(self._deadlines.close / 2, _PATIENCE))
        self._end_soon(at_once=not self._ready.done())
        self._thread.join(max(until - time.monotonic(), 0.0))
        if self._thread.is_alive():  # nobody waits for it any more
            self._source.abandon()

    def _end_soon(self, *, at_once: bool) -> None:
        """Let the owner leave; one that hangs in its start is cancelled there.

        Without a loop yet it looks itself: each writes before it reads, so one of them sees.
        """
        self._is_cut_off = at_once
        portal, stop = self._portal, self._stop
        if portal is not None and stop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                portal.start_task_soon(stop.cancel if at_once else stop.set)

    def _live(self) -> None:
        """Run the worker's event loop until the session ends."""
        try:
            self._source.prepare()
            import anyio  # noqa: PLC0415  (after the browser process was spawned)

            anyio.run(self._own)
        except BaseException as error:  # noqa: BLE001  (the asker must hear of anything)
            self._not_started(self._start_failure(error))
        finally:
            self._source.abandon()  # the loop may never have come to the server
            self._session = None
            self._not_started(NotConnected("the server did not start"))

    def _start_failure(self, error: BaseException) -> DomshError:
        """Return our own error from among what came with it, else what the source explains."""
        failure = start_failure(error)
        if any(leaf is failure for leaf in leaves_of(error)):
            return failure
        return self._source.explained(error, started=False) or failure

    def _not_started(self, reason: DomshError) -> None:
        if not self._ready.done():
            self._ready.set_exception(reason)

    async def _own(self) -> None:
        from anyio.from_thread import BlockingPortal  # noqa: PLC0415  (it imports asyncio)

        self._stop = _Stop()
        async with BlockingPortal() as portal:
            self._portal = portal
            if self._is_cut_off:
                self._stop.cancel()
            with self._stop.scope:
                await self._hold_session()
            await portal.stop(cancel_remaining=True)

    async def _hold_session(self) -> None:
        async with self._source.opened() as target, self._source.client(target) as client:
            session = Session(client, self._source, self._deadlines.grace)
            await self._greet(session)
            self._session = session
            self._ready.set_result(None)
            await self._stop.wait()
            self._session = None


class _Stop:
    """How the owner is told to leave: by an event, or by cancelling what it is in."""

    def __init__(self) -> None:
        import anyio  # noqa: PLC0415  (it imports asyncio)

        self.scope = anyio.CancelScope()
        self._event = anyio.Event()
        self.wait = self._event.wait

    def set(self) -> None:
        """Let the owner leave its session."""
        self._event.set()

    def cancel(self) -> None:
        """Cancel the owner where it is."""
        self.scope.cancel()


def start_failure(error: BaseException) -> DomshError:
    """Return the user's error for a start that failed, also from inside an exception group."""
    if isinstance(error, DomshError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [start_failure(one) for one in error.exceptions]
        return next((one for one in found if type(one) is not NotConnected), found[0])
    if isinstance(error, FileNotFoundError):
        return NotConnected(f"the server did not start: there is no {error.filename}")
    return NotConnected(f"the server did not start ({said_by(error)})")
