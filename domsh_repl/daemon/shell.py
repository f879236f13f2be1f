"""A shell whose lines run in the daemon: what stands in place of its executor and its link.

The shell itself is the same one. A thread hears the daemon, so that Ctrl-C finds the main
thread waiting for nothing but a queue.
"""

from __future__ import annotations

import itertools
import shutil
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeVar, cast

from domsh_repl.commands.executor import Executor, Screen
from domsh_repl.commands.session import Keep, Session, Settings
from domsh_repl.commands.spec import Quit
from domsh_repl.daemon import frames
from domsh_repl.daemon.client import GONE, Connection, connect
from domsh_repl.daemon.guests import Guests
from domsh_repl.daemon.messages import (
    LineWanted,
    OwnSettings,
    Question,
    Standing,
    Told,
    error_of,
    read,
    write,
)
from domsh_repl.daemon.place import Place, Refusal
from domsh_repl.daemon.request import Request
from domsh_repl.errors import CannotWrite, DomshError, Interrupted, Lost
from domsh_repl.language import Line
from domsh_repl.link.asks import Ask
from domsh_repl.link.wire import Answer
from domsh_repl.nodes import View
from domsh_repl.reports import Lane

if TYPE_CHECKING:
    from domsh_repl.link.link import Link

__all__ = ["shell_executor"]

V = TypeVar("V")
_PLAIN_VIEW = View()
_END: tuple[int, bytes] = (0, b"")


def shell_executor(
    words: Sequence[str],
    connection: Connection,
    screens: tuple[Screen, Screen],
    settings: Settings,
    *,
    json: bool,
) -> Executor:
    """Return what runs the lines of a shell in the daemon at the other end of a connection.

    ``words`` is the command line with which the connection was made, and would be again;
    ``screens`` are the one for text and the one for JSON.
    """
    remote = _Remote(words, connection)
    # of a link a shell needs no more than that
    session = Session(lambda: cast("Link", remote), settings)
    session.state, session.elsewhere = remote.standing.state, remote.standing.variables
    return _RemoteExecutor(remote, session, screens, json=json)


class _Chunk(Interrupted):
    """Output as the daemon has painted it: a value, or the last words of a stopped command."""

    def __init__(self, stream: TextIO, data: bytes) -> None:
        super().__init__("")
        self._stream = stream
        self._data = data

    def write(self) -> None:
        """Write it; raises ``CannotWrite``."""
        try:
            self._stream.flush()
            self._stream.buffer.write(self._data)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CannotWrite(error.strerror or type(error).__name__) from error


class _ChunkScreen:
    """A screen that takes chunks, too."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        if isinstance(value, _Chunk):
            value.write()
        else:
            self._screen.show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        if isinstance(error, _Chunk):
            error.write()
        else:
            self._screen.error(error, where=where)

    def lent(self) -> AbstractContextManager[None]:
        """Let somebody else write on the terminal meanwhile."""
        return self._screen.lent()

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""
        self._screen.note(text, warning=warning)


class _RemoteExecutor(Executor):
    """Lets the daemon run a line, shows what it paints, and takes over where it then stands."""

    def __init__(
        self, remote: _Remote, session: Session, screens: tuple[Screen, Screen], *, json: bool
    ) -> None:
        text_screen, json_screen = map(_ChunkScreen, screens)
        super().__init__(session, text_screen, json_screen, json)
        self._remote = remote

    def run(self, line: Line, *, where: str = "") -> int:
        """Run a line and return its status; raises ``Quit`` when the user leaves."""
        session = self.session
        columns, rows = shutil.get_terminal_size()
        wanted = LineWanted(
            line.text,
            session.status,
            str(session.variables.get("site", "")),
            OwnSettings.of(session, json=self.json),
            columns,
            rows,
        )
        session.keep = Keep.MEMORY  # until it is known what the line was
        try:
            standing = self._remote.run(wanted, self._paint, self.screen.lent)
        except DomshError as error:
            self.show_error(error, where=where)
            return self._ended(error.exit_status)
        session.state, session.keep = standing.state, standing.keep
        session.elsewhere = standing.variables
        self._take(standing.own)
        if standing.left:
            raise Quit
        return self._ended(standing.status)

    def _take(self, own: OwnSettings) -> None:
        """Let hold what the line has set."""
        session = self.session
        color = own.settings.color
        if color != session.settings.color and session.recolor is not None:
            session.recolor(color)
        if own.settings.plain is not session.settings.plain and session.simplify is not None:
            session.simplify(own.settings.plain)
        own.put(session)
        self.json = own.json

    def _paint(self, kind: int, data: bytes, *, stopped: bool) -> None:
        """Show output; a command that was stopped ends a line in which the key was echoed."""
        if kind == frames.OUT:
            self.screen.show(_Chunk(sys.stdout, data))
        elif stopped:
            self.screen.error(_Chunk(sys.stderr, data))
        else:
            self.screen.show(_Chunk(sys.stderr, data))


class _Show(Protocol):
    def __call__(self, kind: int, data: bytes, *, stopped: bool) -> None:
        """Show output of a kind."""


class _Remote:
    """The daemon's session from afar, and its link as far as completion needs one.

    A connection that is lost is made again by the next line.
    """

    progress = "looking for the daemon"

    def __init__(self, words: Sequence[str], connection: Connection) -> None:
        self._words = words
        self._is_lost = False
        self._numbers = itertools.count(1)
        self._asked: dict[int, tuple[Ask[Any], Future[Answer[Any]]]] = {}
        self.standing = _read(Standing, connection.first)
        self._listen(connection)

    @property
    def is_ready(self) -> bool:
        """Whether the daemon can be asked."""
        return not self._is_lost

    @property
    def lane(self) -> str:
        """The lane's id."""
        return self.standing.lane

    @property
    def lane_name(self) -> str:
        """What the lane is called."""
        return self.standing.lane_name

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes of the daemon's session."""
        return self.standing.lanes

    @property
    def server(self) -> str:
        """What the daemon's server is called."""
        return f"{self.standing.server} (daemon)"

    @property
    def is_risky(self) -> bool:
        """True in a lane that is not the daemon's own."""
        return self.standing.is_risky

    @property
    def is_read_only(self) -> bool:
        """True when the daemon sends nothing that may change a page."""
        return self.standing.is_read_only

    def start(self) -> None:
        """Do nothing: the server runs."""

    def close(self) -> None:
        """Part from the daemon."""
        self._connection.close()

    def run(
        self, wanted: LineWanted, show: _Show, lent: Callable[[], AbstractContextManager[None]]
    ) -> Standing:
        """Run a line; Ctrl-C stops it there, a second one does not wait for that.

        ``lent`` lets programs write on the terminal. Raises ``Lost``, ``NotConnected`` and what
        else keeps the daemon from running it.
        """
        try:
            if self._is_lost:
                self._connect_again()
            self._connection.send(frames.LINE, write(wanted))
        except KeyboardInterrupt:
            raise self._given_up() from None
        guests = Guests(self._connection.send, lent)
        try:
            return self._heard_out(show, guests)
        finally:
            guests.leave()

    def _heard_out(self, show: _Show, guests: Guests) -> Standing:
        """Take what the daemon says of a line, to its end."""
        stopped = False
        while True:
            try:
                standing = self._standing(show, guests, stopped=stopped)
            except KeyboardInterrupt:
                if stopped:
                    raise self._given_up() from None
                stopped = True
                self._connection.send(frames.INTERRUPT)
                continue
            if standing is not None:
                return standing

    def _standing(self, show: _Show, guests: Guests, *, stopped: bool) -> Standing | None:
        """Take what the daemon says next: output, or where it stands after the line."""
        kind, payload = self._heard.get()
        if kind in (frames.OUT, frames.ERR):
            show(kind, payload, stopped=stopped)
            return None
        if kind in guests.kinds:
            guests.take(kind, payload)
            return None
        if kind != frames.DONE:
            raise _refusal(kind, payload)
        self.standing = _read(Standing, payload)
        return self.standing

    def _given_up(self) -> Interrupted:
        """Part from a daemon that is not waited for any more; the next line connects again."""
        self._is_lost = True
        self.close()
        return Interrupted("interrupted")

    def ask_soon(
        self, ask: Ask[V], *, document: str = "", deadline: float = 30.0, exact: bool = False
    ) -> Future[Answer[V]]:
        """Ask what completion needs, and return the future of the answer."""
        del exact
        number = next(self._numbers)
        future: Future[Answer[V]] = Future()
        self._asked[number] = (ask, future)
        self._connection.send(frames.ASK, write(Question.of(number, ask, document, deadline)))
        future.add_done_callback(lambda done: self._settled(number, done))
        return future

    def _settled(self, number: int, future: Future[Any]) -> None:
        self._asked.pop(number, None)
        if future.cancelled():
            self._connection.send(frames.CANCEL, str(number).encode())

    def _listen(self, connection: Connection) -> None:
        self._connection = connection
        self._heard: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        self._is_lost = False
        threading.Thread(
            target=self._hear, args=(connection, self._heard), name="domsh-daemon", daemon=True
        ).start()

    def _hear(self, connection: Connection, heard: SimpleQueue[tuple[int, bytes]]) -> None:
        with suppress(Refusal):
            while True:
                for kind, payload in connection.receive():
                    if kind == frames.ANSWER:
                        self._answered(payload)
                    else:
                        heard.put((kind, payload))
        if connection is self._connection:
            self._is_lost = True
            for _, future in list(self._asked.values()):
                future.cancel()
        heard.put(_END)

    def _answered(self, payload: bytes) -> None:
        told = _read(Told, payload)
        ask, future = self._asked.get(told.number, (None, None))
        if ask is None or future is None or not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(told.answer_to(ask))
        except (ValueError, TypeError, KeyError) as error:
            future.set_exception(error)

    def _connect_again(self) -> None:
        try:
            connection = connect(Request.here(list(self._words)), Place())
        except Refusal as refusal:
            raise error_of(refusal) from None
        self._listen(connection)
        while True:
            kind, payload = self._heard.get()
            if kind == frames.SHELL:
                self.standing = _read(Standing, payload)
                return
            if kind != frames.ACCEPTED:
                raise _refusal(kind, payload)


def _refusal(kind: int, payload: bytes) -> DomshError:
    return error_of(GONE if kind != frames.REFUSED else Refusal.decode(payload))


def _read(kind: type[V], payload: bytes) -> V:
    """Return what the daemon has said; it is of the same version, so it can be read."""
    try:
        return read(kind, payload)
    except (ValueError, TypeError, KeyError) as error:
        raise Lost("the daemon's words cannot be read", GONE.hint) from error
