"""A server that is a child process and speaks MCP on its standard streams.

Its standard error is kept: the last line is shown while it starts, and the end of it when it
dies. A program that is run through npx may be downloaded first, so a start may take long.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TextIO

from domsh_repl.errors import DomshError, Lost, NotConnected, TokenRefused, UsageError
from domsh_repl.link.node import environment_of
from domsh_repl.link.servers import Remarks, ServerSource, leaves_of
from domsh_repl.protocol import TOKEN_VARIABLE
from domsh_repl.safetext import one_line

__all__ = ["LastWords", "StdioSource", "end_group", "program_of", "words_of"]

_KEPT_LINES = 40
_TOLD_LINES = 3
_LONGEST_LINE = 300
_START_SECONDS = 180.0
_END_SECONDS = 1.0
_UNAUTHORIZED = re.compile(r"\b(?:HTTP|code:?|status:?) 401\b|\bUnauthorized\b")
_NUMBER = "domsh: the process group is"
_TOLD_NUMBER = re.compile(rf"{_NUMBER} ([0-9]+)\n")
_CONNECTION_CLOSED = -32000
"""The code of the SDK's error when the other side is gone."""


class StdioSource(ServerSource):
    """A server that a command line starts."""

    mode = "legacy"
    is_told = True
    start_seconds = _START_SECONDS

    def __init__(self, command: str, token: str = "") -> None:
        """Take the command line, and the token for the child's environment.

        Raises ``UsageError`` for a broken command line.
        """
        try:
            words = words_of(command, posix=os.name == "posix")
        except ValueError as error:
            raise UsageError(f"--server {command!r} is no command: {error}") from error
        if not words:
            raise UsageError("--server needs a server", "builtin, domshell, a URL or a command")
        self._words = words
        self._token = token
        self.name = words[0]
        self._last_words = LastWords(token)
        self._remarks = Remarks()
        self._has_skipped = False

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Give the transport that starts the child, with our environment."""
        import anyio.to_thread  # noqa: PLC0415  (the prompt is first)

        program = program_of(self._words[0])
        parameters, transport = await anyio.to_thread.run_sync(_parts)
        self._last_words = LastWords(self._token)
        with self._last_words.listening() as stream:
            command, *arguments = _telling_its_number([program, *self._words[1:]])
            child = parameters(
                command=command,
                args=arguments,
                env=self._environment(),
                encoding_error_handler="replace",
            )
            try:
                yield transport(child, errlog=stream)
            finally:
                end_group(self._last_words.group)

    def _environment(self) -> dict[str, str]:
        """Return our environment with the token in it, which is not for the command line."""
        if any("domshell" in word for word in self._words):
            return environment_of(os.environ, self._token)
        return {**os.environ, **({TOKEN_VARIABLE: self._token} if self._token else {})}

    def explained(self, error: BaseException, *, started: bool) -> DomshError | None:
        """Add what the child said last, where it is gone."""
        leaves = list(leaves_of(error))
        for leaf in leaves:
            if isinstance(leaf, OSError) and not started:
                return NotConnected(f"{self.name} did not start: {one_line(str(leaf))}")
        if not any(getattr(leaf, "code", None) == _CONNECTION_CLOSED for leaf in leaves):
            return None
        said = self._last_words.end()
        if _UNAUTHORIZED.search(said):
            return TokenRefused(
                f"{one_line(self.name)} could not use the server: it refuses the token",
                "give the command the right one",
            )
        kind = Lost if started else NotConnected
        what = "the server is gone" if started else f"{one_line(self.name)} ended"
        return kind(f"{what}{f': {said}' if said else ''}", "`reconnect` starts it again")

    def skipped(self, text: str) -> None:
        """Tell the first time: what a program prints there is meant for a terminal."""
        if text and not self._has_skipped:
            self._has_skipped = True
            self._remarks.add(f"{one_line(self.name, 40)} printed what is no message: {text}")

    def remarks(self) -> list[str]:
        """Return what the user has to be told and was not yet."""
        return self._remarks.taken()

    def progress(self) -> str:
        """Name the program and its last line."""
        said = self._last_words.last()
        doing = f"starting {one_line(self.name, 40)}"
        return f"{doing} ({one_line(said, 60)})" if said else f"{doing} (npx may be downloading)"


def words_of(command: str, *, posix: bool) -> list[str]:
    """Return the words of a command line; Windows has no backslashes that escape.

    Raises ``ValueError`` for quotes that are not closed.
    """
    if posix:
        return shlex.split(command)
    words = shlex.split(command, posix=False)
    return [word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word for word in words]


def _telling_its_number(words: list[str]) -> list[str]:
    """Return the command so that its process tells its number first, where that is possible.

    The SDK ends the child alone, and starts it in a process group of its own: the number is
    that of the group, whose other members must not outlive it.
    """
    if os.name != "posix":
        return words
    return ["/bin/sh", "-c", f'echo "{_NUMBER} $$" >&2; exec "$@"', "sh", *words]


def end_group(group: int) -> None:
    """End the processes of a group, gently, then for certain."""
    if not group or os.name != "posix":
        return
    import signal  # noqa: PLC0415  (POSIX only)

    until = time.monotonic() + _END_SECONDS
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGTERM)
        while time.monotonic() < until:
            time.sleep(_END_SECONDS / 100)
            os.killpg(group, 0)
        os.killpg(group, signal.SIGKILL)


def program_of(name: str) -> str:
    """Return the program of a command; for ``npx`` that may be ``npx.cmd``.

    Raises ``NotConnected`` where there is none.
    """
    found = shutil.which(name) or shutil.which(f"{name}.cmd")
    if found is None:
        hint = "it comes with Node.js" if name in ("npx", "node", "npm") else "is it on the PATH?"
        raise NotConnected(f"there is no program {one_line(name, 80)}", hint)
    return found


def _parts() -> tuple[Any, Any]:
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415  (a second)

    return StdioServerParameters, stdio_client


class LastWords:
    """Keeps the end of what a child writes to its standard error, without the ``secret``."""

    def __init__(self, secret: str = "") -> None:
        self._secret = secret
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self.group = 0

    @contextmanager
    def listening(self) -> Iterator[TextIO]:
        """Give the stream for the child; what comes through it is read in a thread."""
        reading, writing = os.pipe()
        thread = threading.Thread(target=self._read, args=(reading,), daemon=True)
        thread.start()
        stream = os.fdopen(writing, "w", encoding="utf-8")
        try:
            yield stream
        finally:
            stream.close()
            thread.join(0.3)  # a grandchild may hold its end for ever

    def last(self) -> str:
        """Return the last line, "" when there is none."""
        return self._lines[-1] if self._lines else ""

    def end(self) -> str:
        """Return the last lines as one."""
        return " / ".join(list(self._lines)[-_TOLD_LINES:])

    def _read(self, descriptor: int) -> None:
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as stream:
            for line in stream:
                told = _TOLD_NUMBER.fullmatch(line)
                if told is not None and not self.group:
                    self.group = int(told[1])
                    continue
                said = line.replace(self._secret, "…") if self._secret else line
                text = one_line(said.strip(), _LONGEST_LINE)
                if text:
                    self._lines.append(text)
