"""The thin client: hands a command line to the daemon, and its output and status back.

It is the whole of ``domsh --daemon -c …``, so it imports nothing that costs: ``_socket`` and
``_signal`` are what ``socket`` and ``signal`` are made of, without the enumerations that take
longer than the interpreter's own start.
"""

from __future__ import annotations

import errno
import os
import sys
from select import select

from domsh_repl.daemon import frames
from domsh_repl.daemon.place import NOT_RUNNING, Place, Refusal
from domsh_repl.daemon.request import Request

try:
    import _signal as signals  # type: ignore[import-not-found]
    from _socket import AF_INET, SOCK_STREAM, socket
except ImportError:  # another Python than CPython
    import signal as signals
    from socket import AF_INET, SOCK_STREAM, socket  # type: ignore[assignment]

__all__ = ["GONE", "Connection", "connect", "forward"]

_CHUNK = 65_536
_ANSWERS_WITHIN = 10.0
"""Seconds until a daemon that lives has taken the request."""
_POLL = 0.2
"""Seconds between two looks for Ctrl-C where a pipe cannot be waited for."""
_SELECTS_PIPES = sys.platform != "win32"
GONE = Refusal("lost", "the daemon is gone", "`domsh daemon start` starts another")
_STOPPED = Refusal("interrupted", "interrupted")
_MUTE = Refusal("not_connected", "the daemon does not answer", "`domsh daemon stop` ends it")


class Connection:
    """A connection to the daemon: frames out, frames in; a shell is told what is ``first``."""

    def __init__(self, connected: socket) -> None:
        self.socket = connected
        self.first = b""
        self._unpacker = frames.Unpacker()

    def send(self, kind: int, payload: bytes = b"") -> None:
        """Send a frame; a daemon that is gone shows when its answer is read."""
        try:
            self.socket.sendall(frames.pack(kind, payload))
        except OSError:
            return

    def receive(self) -> list[tuple[int, bytes]]:
        """Wait for bytes and return the frames that they complete; raises ``Refusal``."""
        try:
            data = self.socket.recv(_CHUNK)
            if data:
                return self._unpacker.feed(data)
        except (OSError, frames.DamagedError):
            pass
        raise GONE

    def fileno(self) -> int:
        """Return the descriptor, for ``select``."""
        return self.socket.fileno()

    def close(self) -> None:
        """Close it: what runs for it in the daemon ends."""
        self.socket.close()


def connect(request: Request, place: Place) -> Connection:
    """Say to the daemon what is wanted of it; raises ``Refusal`` when there is none."""
    place.check()
    if place.takes_socket:
        connected = _connected(place.socket)
    else:
        state = place.read_state()
        if state is None or not state.port:
            raise NOT_RUNNING
        request.token = state.token
        connected = _connected(("127.0.0.1", state.port))
    connection = Connection(connected)
    connection.send(frames.HELLO, request.encode())
    return connection


def _connected(address: str | tuple[str, int]) -> socket:
    if isinstance(address, str):
        from _socket import AF_UNIX  # noqa: PLC0415  (there is none on Windows)

        made = socket(AF_UNIX, SOCK_STREAM)
    else:
        made = socket(AF_INET, SOCK_STREAM)
    try:
        made.connect(address)
    except OSError as error:
        made.close()
        if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
            raise NOT_RUNNING from None
        raise Refusal("not_connected", f"the daemon cannot be reached: {error.strerror}") from None
    return made


def forward(words: list[str]) -> int | Connection | Refusal:
    """Run a command line in the daemon and return its exit status.

    Returns the connection when the daemon takes it for a shell, and why where it does not run.
    """
    _fill_closed_streams()
    try:
        relay = _Relay(connect(Request.here(words), Place()))
    except Refusal as refusal:
        return refusal
    except ValueError:
        return Refusal("usage", "an argument holds a NUL character")
    except KeyboardInterrupt:
        return _STOPPED
    return relay.run()


def _fill_closed_streams() -> None:
    """Keep the socket from taking the number of a standard stream that was closed."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is None:
            os.open(os.devnull, os.O_RDWR)


class _Relay:
    """One command that runs in the daemon with this process's streams and its Ctrl-C."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wants_input = False
        self._output_error: OSError | None = None
        self._interrupts = 0
        self._told_interrupts = 0
        self._deadline: float | None = _ANSWERS_WITHIN
        self._waking = os.pipe() if _SELECTS_PIPES else None

    def run(self) -> int | Connection | Refusal:
        """Pass frames on until the daemon has told how it ended."""
        before = self._listen_for_interrupts()
        try:
            outcome = self._outcome()
        except Refusal as refusal:
            outcome = refusal
        finally:
            if before is not None:
                signals.signal(signals.SIGINT, before)
            for end in self._waking or ():
                os.close(end)
        if not isinstance(outcome, Connection):
            self._connection.close()
        return outcome

    def _listen_for_interrupts(self) -> object:
        """Let Ctrl-C be noted instead of raised anywhere; one that is ignored stays so."""
        if signals.getsignal(signals.SIGINT) is not signals.default_int_handler:
            return None
        return signals.signal(signals.SIGINT, self._note_interrupt)

    def _note_interrupt(self, _number: int, _frame: object) -> None:
        self._interrupts += 1
        if self._waking is not None:
            os.write(self._waking[1], b"\0")

    def _outcome(self) -> int | Connection | Refusal:
        while True:
            ready = self._ready()
            if self._interrupts > self._told_interrupts:
                self._told_interrupts = self._interrupts
                if self._told_interrupts > 1:
                    return _STOPPED
                self._connection.send(frames.INTERRUPT)
            if 0 in ready:
                self._pass_input()
            if self._connection in ready:
                for kind, payload in self._connection.receive():
                    outcome = self._taken(kind, payload)
                    if outcome is not None:
                        return outcome

    def _ready(self) -> list[Connection | int]:
        """Wait for the daemon, for Ctrl-C, and for input that is wanted."""
        awaited: list[Connection | int] = [self._connection]
        if self._wants_input:
            if not _SELECTS_PIPES:
                return [0]
            awaited.append(0)
        if self._waking is None:
            return select(awaited, [], [], _POLL)[0]
        ready = select([*awaited, self._waking[0]], [], [], self._deadline)[0]
        if not ready:
            raise _MUTE
        if self._waking[0] in ready:
            os.read(self._waking[0], _CHUNK)
        return ready

    def _pass_input(self) -> None:
        try:
            data = os.read(0, _CHUNK)
        except OSError:
            data = b""
        self._wants_input = False
        self._connection.send(frames.STDIN, data)

    def _taken(self, kind: int, payload: bytes) -> int | Connection | Refusal | None:
        """Do what a frame asks for; return the outcome when it tells one."""
        if kind == frames.OUT:
            self._write_output(payload)
        elif kind == frames.ERR:
            _write_error(payload)
        elif kind == frames.ACCEPTED:
            self._deadline = None
        elif kind == frames.WANT_STDIN:
            self._wants_input = True
        elif kind == frames.SHELL:
            self._connection.first = payload
            return self._connection
        elif kind == frames.REFUSED:
            return Refusal.decode(payload)
        elif kind == frames.DONE:
            return self._status(int(payload))
        return None

    def _write_output(self, data: bytes) -> None:
        try:
            _write(1, data)
        except OSError as error:
            if self._output_error is None:
                self._connection.send(frames.OUT_FAILED, str(error.errno).encode())
            self._output_error = error

    def _status(self, status: int) -> int:
        """Return the status; also of a command that had ended when its output failed here."""
        error = self._output_error
        if error is None or status:
            return status
        if error.errno != errno.EPIPE:
            _write_error(f"domsh: cannot write: {error.strerror}\n".encode())
        return 1


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _write_error(data: bytes) -> None:
    try:
        _write(2, data)
    except OSError:  # there is nobody left to tell
        return
