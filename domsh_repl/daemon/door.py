"""Where clients come in: a thread that listens, and speaks with all of them at once.

It answers what needs no turn (``status``, ``stop``, completion) and puts the rest on the desk.
Whoever has no token gets nothing, where a token is needed.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from domsh_repl import __version__
from domsh_repl.daemon import frames
from domsh_repl.daemon.desk import Client, Desk, Job
from domsh_repl.daemon.messages import LineWanted, Question, Told, read, write
from domsh_repl.daemon.place import Place
from domsh_repl.daemon.request import STATUS, STOP, Request
from domsh_repl.errors import DomshError
from domsh_repl.link.wire import Answer

__all__ = ["Answering", "Door", "open_door"]

_HELLO_WITHIN = 5.0
_LONGEST_HELLO = 1 << 22
"""Bytes: an environment and an argument list fit."""
_LOOK_EVERY = 10.0
"""Seconds between two looks whether the daemon can still be found."""
_STOP_WITHIN = 2.0
"""Seconds that a command which is interrupted has for its last words."""
_FAREWELL_WITHIN = 1.0
_PATIENCE = 1.0
"""Seconds that a command waits for its turn before that is told."""
_BACKLOG = 64

Answering = Future[Answer[Any]]


def open_door(place: Place) -> tuple[socket.socket, str]:
    """Listen in a folder and return the socket and its token, "" for a Unix socket.

    What an earlier daemon left there goes. Raises ``OSError``.
    """
    with suppress(FileNotFoundError):
        os.unlink(place.socket)  # noqa: PTH108
    if not place.takes_socket:
        listening = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        return listening, secrets.token_urlsafe(32)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(place.socket)
        os.chmod(place.socket, 0o600)  # noqa: PTH101
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening, ""


class Door:
    """Lets clients in while it is open; ``facts`` is what ``status`` tells.

    ``is_findable`` is asked now and then: a daemon that nobody can find any more ends.
    """

    def __init__(  # noqa: PLR0913  (what it knows of the rest, one each)
        self,
        listening: socket.socket,
        token: str,
        desk: Desk,
        *,
        facts: Callable[[], Mapping[str, object]],
        asking: Callable[[Question], Answering],
        is_findable: Callable[[], bool],
    ) -> None:
        self._listening = listening
        self._token = token.encode()
        self._desk = desk
        self._facts = facts
        self._asking = asking
        self._is_findable = is_findable
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._live, name="domsh-door", daemon=True)

    def open(self) -> None:
        """Begin to let clients in."""
        self._desk.told_to_stop = self._expect_the_end
        self._thread.start()

    def _expect_the_end(self) -> None:
        with suppress(RuntimeError):  # it has ended by itself
            self._loop.call_soon_threadsafe(self._loop.call_later, _STOP_WITHIN, self._desk.part)

    def close(self) -> None:
        """Let nobody in any more, and part from everybody when what was sent has gone out."""
        with suppress(RuntimeError):  # it has ended by itself
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(_STOP_WITHIN + 1)

    def _live(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._open())
        finally:
            self._desk.stop()  # a daemon without a door is of no use

    async def _open(self) -> None:
        conversations: set[asyncio.Task[None]] = set()

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            conversations.add(task)
            try:
                await _Conversation(self, reader, writer).run()
            finally:
                conversations.discard(task)

        unix = hasattr(socket, "AF_UNIX") and self._listening.family == socket.AF_UNIX
        start = asyncio.start_unix_server if unix else asyncio.start_server
        server = await start(meet, sock=self._listening)
        await self._wait_for_the_end()
        server.close()
        if conversations:
            _, late = await asyncio.wait(conversations, timeout=_STOP_WITHIN)
            for task in late:
                task.cancel()

    async def _wait_for_the_end(self) -> None:
        while not self._closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY):
                    await self._closing.wait()
            if not self._is_findable():
                self._desk.stop()

    # --- for the conversations ---

    def is_known(self, request: Request) -> bool:
        """Tell whether a client may come in."""
        return hmac.compare_digest(request.token.encode("utf-8", "replace"), self._token)

    @property
    def facts(self) -> bytes:
        """What ``status`` tells, as JSON."""
        return write(self._facts())

    @property
    def desk(self) -> Desk:
        """Where jobs go."""
        return self._desk

    def ask(self, question: Question) -> Answering:
        """Ask the page; raises errors of the user's tree."""
        return self._asking(question)

    async def closing(self) -> None:
        """Wait until the door closes."""
        await self._closing.wait()


class _Conversation:
    """One client from its first word to its last."""

    def __init__(
        self, door: Door, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._door = door
        self._reader = reader
        self._writer = writer
        self._waking = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._client = Client(lambda: loop.call_soon_threadsafe(self._waking.set))
        self._jobs: list[Job] = []
        self._questions: dict[int, Answering] = {}

    async def run(self) -> None:
        """Hear and speak until either side ends it."""
        try:
            async with asyncio.timeout(_HELLO_WITHIN):
                request = await self._greeting()
            if request is not None:
                await self._until_one_ends(self._hear(request), self._speak(), self._parting())
        except (TimeoutError, OSError, EOFError, frames.DamagedError):
            pass
        finally:
            await self._leave()

    async def _until_one_ends(self, *talks: Any) -> None:
        tasks = [asyncio.ensure_future(talk) for talk in talks]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _leave(self) -> None:
        self._client.leave()
        for job in self._jobs:
            self._door.desk.give_up(job)
        for future in self._questions.values():
            future.cancel()
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_FAREWELL_WITHIN):
                await self._writer.wait_closed()

    async def _greeting(self) -> Request | None:
        kind, payload = await self._frame(_LONGEST_HELLO)
        if kind != frames.HELLO:
            raise frames.DamagedError
        request = Request.decode(payload)
        return request if self._door.is_known(request) else None

    async def _frame(self, longest: int = frames.MOST) -> tuple[int, bytes]:
        head = await self._reader.readexactly(frames.HEAD)
        length = int.from_bytes(head[1:], "big")
        if length > longest:
            raise frames.DamagedError
        return head[0], await self._reader.readexactly(length)

    async def _speak(self) -> None:
        """Send what waits, in order; whoever waits for room hears of it."""
        while True:
            await self._waking.wait()
            self._waking.clear()
            while self._client.waiting:
                self._writer.write(self._client.waiting.popleft())
                await self._writer.drain()
            self._client.room.set()

    async def _parting(self) -> None:
        """Wait for the end of the daemon, and then until all has been said."""
        await self._door.closing()
        while self._client.waiting:
            await self._writer.drain()
            await asyncio.sleep(0)

    async def _hear(self, request: Request) -> None:
        if request.purpose == STATUS:
            self._client.send(frames.REPLY, self._door.facts)
        elif request.purpose == STOP:
            self._client.send(frames.REPLY, self._door.facts)
            self._door.desk.stop()
        elif request.version != __version__:
            self._client.refuse(
                "unsupported",
                f"the daemon is domsh {__version__}, and this is {request.version}",
                "`domsh daemon stop`, then `domsh daemon start`",
            )
        else:
            self._client.send(frames.ACCEPTED)
            job = Job(self._client, request)
            self._add(job)
            asyncio.get_running_loop().call_later(_PATIENCE, _excuse, job)
        while True:
            kind, payload = await self._frame()
            self._take(request, kind, payload)

    def _add(self, job: Job) -> None:
        self._jobs = [job]  # a client has one at a time
        self._door.desk.add(job)

    def _take(self, request: Request, kind: int, payload: bytes) -> None:
        if kind == frames.INTERRUPT:
            for job in self._jobs:
                self._door.desk.give_up(job)
        elif kind == frames.STDIN:
            self._client.input.put(payload)
        elif kind == frames.OUT_FAILED:
            number = int(payload)
            self._client.output_error = OSError(number, os.strerror(number))
        elif kind == frames.LINE:
            self._add(Job(self._client, request, _meant(LineWanted, payload)))
        elif kind in (frames.PROGRAM_DONE, frames.PROGRAM_ENOUGH):
            self._client.program_said(payload)
        elif kind == frames.ASK:
            self._ask(_meant(Question, payload))
        elif kind == frames.CANCEL:
            future = self._questions.pop(int(payload), None)
            if future is not None:
                future.cancel()

    def _ask(self, question: Question) -> None:
        try:
            future = self._door.ask(question)
        except DomshError as error:
            self._client.send(frames.ANSWER, write(Told.failed(question.number, error)))
            return
        self._questions[question.number] = future

        def tell(done: Answering) -> None:
            self._questions.pop(question.number, None)
            self._client.send(frames.ANSWER, write(_told(question.number, done)))

        future.add_done_callback(tell)


def _excuse(job: Job) -> None:
    """Tell somebody who looks on that another command is in the way."""
    looks_on = job.request.terminals[2] and "-q" not in job.request.words
    if looks_on and not (job.is_begun or job.is_given_up):
        job.client.send(frames.ERR, b"domsh: the daemon is busy, so this waits for its turn\n")


def _told(number: int, done: Answering) -> Told:
    if done.cancelled():
        return Told.failed(number, DomshError("nobody waits for it"))
    error = done.exception()
    if error is not None:
        return Told.failed(number, error if isinstance(error, Exception) else Exception())
    return Told.of(number, done.result())


def _meant(kind: type[Any], payload: bytes) -> Any:
    try:
        return read(kind, payload)
    except (ValueError, TypeError, KeyError) as error:
        raise frames.DamagedError from error
