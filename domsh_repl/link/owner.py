"""One task owns the MCP client, in a worker thread with its own event loop (DESIGN 1, 3).

The task that entered the client leaves it; everybody else asks through the portal. A call
that is given up is cancelled on the server, and the session lives on.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any, TypeVar

from domsh_repl.errors import DomshError, Interrupted, Lost, NotConnected, TimedOut
from domsh_repl.link.servers import ServerSource

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

__all__ = ["CallText", "Owner", "first_error"]

R = TypeVar("R")
_START_DEADLINE = 60.0
_CLOSE_DEADLINE = 6.0
_GRACE = 5.0
"""Seconds that a call may take beyond its own deadline before the server is given up."""

CallText = Callable[[str, float], "Future[str]"]


class Owner:
    """Starts the server and holds its one MCP session."""

    def __init__(self, source: ServerSource) -> None:
        self._source = source
        self._thread: threading.Thread | None = None
        self._portal: BlockingPortal | None = None
        self._ready: Future[None] = Future()
        self._client: Any = None
        self._stop: Any = None
        self._closing = False

    def start(self) -> None:
        """Begin to start the server; returns at once."""
        self._thread = threading.Thread(target=self._live, name="domsh-link", daemon=True)
        self._thread.start()

    @property
    def is_ready(self) -> bool:
        """True once the session is there, or has failed to come."""
        return self._ready.done()

    def wait_ready(self) -> None:
        """Wait for the session; raises why it could not be made."""
        self.result(self._ready, _START_DEADLINE, "the server did not start")

    def call(
        self, tool: str, arguments: dict[str, Any], deadline: float, read: Callable[[str], R]
    ) -> Future[R]:
        """Call a tool and let ``read`` make its text a value, in the worker thread."""
        self.wait_ready()
        portal = self._portal
        if portal is None or self._client is None:
            raise Lost("the server is gone", "quit and start domsh again")
        try:
            return portal.start_task_soon(self._call, tool, arguments, deadline, read)
        except RuntimeError as error:
            raise Lost("the server is gone", "quit and start domsh again") from error

    @staticmethod
    def result(future: Future[R], deadline: float, what: str) -> R:
        """Wait for a call; Ctrl-C cancels it and raises ``Interrupted``."""
        try:
            return future.result(deadline)
        except FutureTimeout as error:
            future.cancel()
            raise TimedOut(f"{what} within {deadline:g} s") from error
        except KeyboardInterrupt:
            future.cancel()
            raise Interrupted("interrupted") from None
        except CancelledError:
            raise Interrupted("interrupted") from None

    def close(self) -> None:
        """Leave the session and stop the server; bounded, and once is enough."""
        if self._closing or self._thread is None:
            return
        self._closing = True
        with contextlib.suppress(DomshError, Exception):  # it may never have started
            if not self._ready.done():
                self._ready.exception(_CLOSE_DEADLINE)
        portal, stop = self._portal, self._stop
        if portal is not None and stop is not None:
            with contextlib.suppress(RuntimeError):
                portal.start_task_soon(stop.set)
        self._thread.join(_CLOSE_DEADLINE)

    def _live(self) -> None:
        """Run the worker's event loop until the session ends."""
        try:
            self._source.prepare()
            import anyio  # noqa: PLC0415  (after the browser process was spawned)

            anyio.run(self._own)
        except BaseException as error:  # noqa: BLE001  (the asker must hear of anything)
            failure = first_error(error)
            if not self._ready.done():
                self._ready.set_exception(failure)
        finally:
            self._client = None
            if not self._ready.done():
                self._ready.set_exception(NotConnected("the server did not start"))

    async def _own(self) -> None:
        import anyio  # noqa: PLC0415
        from anyio.from_thread import BlockingPortal  # noqa: PLC0415

        self._stop = anyio.Event()
        async with BlockingPortal() as portal:
            self._portal = portal
            async with self._source.opened() as target:
                client_type = await anyio.to_thread.run_sync(_client_type)
                async with client_type(target) as client:
                    self._client = client
                    self._ready.set_result(None)
                    await self._stop.wait()
                    self._client = None
            await portal.stop(cancel_remaining=True)

    async def _call(
        self, tool: str, arguments: dict[str, Any], deadline: float, read: Callable[[str], R]
    ) -> R:
        import anyio  # noqa: PLC0415

        try:
            with anyio.fail_after(deadline + _GRACE):
                result = await self._client.call_tool(
                    tool, arguments, read_timeout_seconds=deadline + 2 * _GRACE
                )
        except TimeoutError as error:
            raise TimedOut(f"no answer within {deadline:g} s", "--timeout gives more") from error
        except DomshError:
            raise
        except Exception as error:
            raise Lost(
                f"the server is gone ({first_error(error).message})", "quit and start domsh again"
            ) from error
        return read("".join(getattr(part, "text", "") for part in result.content))


def _client_type() -> Any:
    """Import mcp, which takes more than a second: in a thread of its own."""
    from mcp.client import Client  # noqa: PLC0415

    return Client


def first_error(error: BaseException) -> DomshError:
    """Return the user's error inside an exception group, or one that names what happened."""
    if isinstance(error, DomshError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [first_error(one) for one in error.exceptions]
        return next((one for one in found if not isinstance(one, NotConnected)), found[0])
    return NotConnected(f"the server did not start ({type(error).__name__}: {error})")
