"""MCP servers that misbehave: what a link has to survive, in memory and as a child process."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server

from domsh_repl.jsonform import encode
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.owner import Deadlines
from domsh_repl.link.servers import ServerSource
from domsh_repl.nodes import PageInfo, Where

SHORT = Deadlines(start=5.0, lane=1.0, close=3.0, grace=0.2)
"""Deadlines for tests in which something never comes."""
PATIENT = Deadlines(start=15.0, lane=2.0, close=4.0, grace=0.2)
"""Deadlines for tests in which a process has to start first."""

ABOUT = {"mcp_server_version": "0", "engine": {"name": "domsh", "envelope": 1}}
"""What a server with envelopes says of itself."""

Answering = Callable[[dict[str, Any]], Awaitable[str]]


def envelope(value: object = None, *, lane: int | str = 7, **page: Any) -> str:
    """Return a good reply, marker included."""
    where = Where("http://h/", "Title", "/", 1, str(lane), loading=False, http=200)
    facts = {"url": "http://h/", "title": "Title", "tab": 1, "document": "D", "entry": 1, **page}
    body = {"page": encode(PageInfo(**facts)), "result": encode(value or where)}
    return f"{json.dumps(body)}\n\n[lane: {lane}]"


async def answer_well(arguments: dict[str, Any]) -> str:
    """Answer every line as ``pwd``."""
    del arguments
    return envelope()


@contextmanager
def linked(
    source: ServerSource, deadlines: Deadlines = PATIENT, manners: Manners | None = None
) -> Iterator[Link]:
    """Give a link, closed in the end."""
    link = Link(source, deadlines, manners or Manners())
    try:
        yield link
    finally:
        link.close()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail when the block takes longer."""
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


class Double(ServerSource):
    """A server in memory. It records what it was sent, and what became of it.

    ``answer`` makes the reply's text of a call's arguments, lane ``new`` included; it may hang,
    raise or answer anything.
    """

    name = "double"
    closes_lanes = False

    def __init__(self, answer: Answering = answer_well, *, failed: bool = False) -> None:
        self.answer = answer
        self.failed = failed
        self.about: dict[str, Any] = ABOUT
        self.calls: list[dict[str, Any]] = []
        self.sessions = 0
        self.stopped = threading.Event()
        self.cancelled = threading.Event()
        self.reached = threading.Event()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Give the server object."""
        self.sessions += 1
        try:
            yield self._server()
        finally:
            self.stopped.set()

    def lines(self) -> list[str]:
        """Return the lines that were sent after the lane was asked for."""
        return [call["command"] for call in self.calls if call["group_id"] != "new"]

    def _server(self) -> Server[Any]:
        async def list_tools(_context: Any, _request: Any) -> types.ListToolsResult:
            return types.ListToolsResult(tools=[])

        async def call_tool(
            _context: Any, request: types.CallToolRequestParams
        ) -> types.CallToolResult:
            if request.name == "domshell_about":
                text = json.dumps(self.about)
                return types.CallToolResult(content=[types.TextContent(type="text", text=text)])
            arguments = request.arguments or {}
            self.calls.append(arguments)
            self.reached.set()
            try:
                text = await self.answer(arguments)
            except anyio.get_cancelled_exc_class():
                self.cancelled.set()
                raise
            return types.CallToolResult(
                content=[types.TextContent(type="text", text=text)], is_error=self.failed
            )

        return Server("double", on_list_tools=list_tools, on_call_tool=call_tool)


class Failing(Double):
    """A server whose start goes wrong in the way that ``start`` does."""

    def __init__(self, start: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._start = start

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Fail, or hang."""
        try:
            await self._start()
            yield self._server()
        finally:
            self.stopped.set()


class Child(ServerSource):
    """A server in a child process, over its standard streams: ``code`` is a Python program."""

    name = "child"
    closes_lanes = False

    def __init__(self, code: str) -> None:
        self._parameters = StdioServerParameters(command=sys.executable, args=["-c", code])

    def opened(self) -> AbstractAsyncContextManager[Any]:
        """Give what the client starts the child by."""
        return _given(self._parameters)


@asynccontextmanager
async def _given(parameters: StdioServerParameters) -> AsyncIterator[StdioServerParameters]:
    yield parameters
