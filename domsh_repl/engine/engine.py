"""The built-in engine as one object: a browser, its lanes, and ``execute`` for one command line.

This is the direct vocabulary; ``server`` gives the same to MCP clients.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from domsh_repl import __version__
from domsh_repl.engine.browser import BrowserProcess, start_failure
from domsh_repl.engine.cdp import CdpError, Connection, Transport
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine, is_number, parse_command_line
from domsh_repl.engine.options import BrowserOptions
from domsh_repl.engine.page import CALL_DEADLINE
from domsh_repl.engine.plaintext import plain_reply
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.engine.spawning import spawn_browser
from domsh_repl.engine.transports import PipeTransport, open_websocket
from domsh_repl.engine.vocabulary import Answer, EngineSettings, Vocabulary
from domsh_repl.errors import DomshError, Failed, LaneFailed, Lost, NotConnected, NotFound
from domsh_repl.jsonform import encode
from domsh_repl.nodes import PageInfo
from domsh_repl.protocol import ENVELOPE
from domsh_repl.safetext import escape, json_text, one_line

__all__ = ["BrowserOptions", "Engine", "Reply"]

_CLOSE_DEADLINE = 3.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a reply, marker included, whether it tells of a failure, and from which lane."""

    text: str
    failed: bool
    lane: int | None = None


class Engine:
    """Starts or joins a browser and runs commands on its lanes. Use ``start`` and ``close``.

    ``process`` is one that was started for it already.
    """

    def __init__(self, options: BrowserOptions, process: BrowserProcess | None = None) -> None:
        self._options = options
        self._process = process
        self._connection: Connection | None = None
        self._vocabulary: Vocabulary | None = None
        self._spare: asyncio.Task[Lane] | None = None
        self.product = ""

    def spawn(self) -> None:
        """Start the browser process, before anything slow; raises ``NotConnected``."""
        if self._process is None:
            self._process = spawn_browser(self._options)

    async def start(self) -> None:
        """Connect to the browser and make the first lane ready; raises ``NotConnected``."""
        self.spawn()
        connection = Connection(await self._transport())
        self._connection = connection
        connection.start()
        own = self._process is not None
        browser = Browser(connection, own=own)
        try:
            async with asyncio.timeout(CALL_DEADLINE):
                version = await connection.browser.call("Browser.getVersion")
                await browser.prepare()
        except (Lost, CdpError, TimeoutError) as error:
            if self._process is not None and isinstance(error, TimeoutError):
                raise NotConnected(
                    f"the browser did not answer within {CALL_DEADLINE:g} s",
                    "is the machine very busy? `--browser PATH` takes another browser",
                ) from error
            if self._process is not None:
                raise await asyncio.to_thread(start_failure, self._process) from error
            raise NotConnected(f"the browser at {self._options.cdp} does not answer") from error
        self.product = str(version.get("product", ""))
        settings = EngineSettings(allow_file=self._options.allow_file, names_computed=own)
        self._vocabulary = Vocabulary(browser, settings)
        # the first lane is made while its client is still being loaded
        self._spare = asyncio.create_task(browser.make_lane())
        self._spare.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def close(self) -> None:
        """Close what was opened here: the lanes, and the browser if it is ours.

        May be called again. What waits for the browser fails with ``Lost``.
        """
        try:
            await self._part()
        finally:  # also where whoever closes is cancelled meanwhile
            if self._process is not None:
                await self._process.close()

    def kill(self) -> None:
        """Kill the browser at once if it is ours; from any thread, with or without a loop."""
        if self._process is None:
            return
        if self._connection is None:
            self._process.kill()
        else:  # its loop may still use the pipe, and close it
            self._process.kill_only()

    async def _part(self) -> None:
        """Close the lanes and the connection."""
        if self._spare is not None:
            self._spare.cancel()
            await asyncio.wait([self._spare])
            self._spare = None
        connection = self._connection
        if connection is None:
            return
        with contextlib.suppress(DomshError, CdpError, TimeoutError):
            async with asyncio.timeout(_CLOSE_DEADLINE):
                await self._leave(connection)
        if self._vocabulary is not None:
            await self._vocabulary.browser.end_tasks()
        # first the channel: the process closes its descriptors, whose numbers others may get
        await connection.close()

    async def _leave(self, connection: Connection) -> None:
        if self._vocabulary is None:
            return  # it has never answered: the end of its pipe must do
        if self._process is not None:
            await connection.browser.call("Browser.close")
        else:
            await self._vocabulary.browser.close_all()

    async def _transport(self) -> Transport:
        if self._options.cdp is not None:
            return await open_websocket(self._options.cdp, CALL_DEADLINE)
        assert self._process is not None
        return PipeTransport(self._process.read_fd, self._process.write_fd)

    async def execute(self, command: str, group_id: str, policy: Policy = FREE) -> Reply:
        """Run one command line in a lane ("new" makes one); return the reply with its marker."""
        line = CommandLine("")
        try:
            line = parse_command_line(command)  # one that cannot be read makes no lane
            lane = await self.lane(group_id)
        except Exception as error:  # noqa: BLE001  (a defect of ours is told like any failure)
            return Reply(_error_text(line, _told(error), PageInfo()), failed=True)
        reply = await self._run(line, lane, policy)
        return Reply(f"{reply.text}\n\n[lane: {lane.id}]", reply.failed, lane.id)

    async def answer(self, command: str, lane: Lane, policy: Policy = FREE) -> Reply:
        """Run one command line in a lane and return the reply without a marker."""
        try:
            line = parse_command_line(command)
        except DomshError as error:
            return Reply(_error_text(CommandLine(""), error, PageInfo()), failed=True)
        return await self._run(line, lane, policy)

    async def _run(self, line: CommandLine, lane: Lane, policy: Policy) -> Reply:
        try:
            answer = await self.vocabulary.run(lane, line, policy)
            return Reply(_body(line, answer), failed=False)
        except Exception as error:  # noqa: BLE001  (a defect of ours is told like any failure)
            failure = _told(error)
        page = await self.vocabulary.page_info(lane)
        return Reply(_error_text(line, failure, page), failed=True)

    async def wait_lost(self) -> None:
        """Return when the browser is gone; raises ``LaneFailed`` before ``start``."""
        await self.vocabulary.browser.connection.closed.wait()

    async def lane(self, group_id: str) -> Lane:
        """Return the lane of that id; raises ``NotFound`` or ``LaneFailed``."""
        if group_id == "new":
            lane = await self._fresh_lane()
            self.vocabulary.browser.hand_out(lane)
            return lane
        found = self.vocabulary.browser.lanes.get(int(group_id)) if is_number(group_id) else None
        if found is None:
            raise NotFound(f"no lane {escape(group_id)!r}", 'pass "new" for a fresh one')
        return found

    async def lane_at(self, url: str, policy: Policy = FREE) -> Lane:
        """Return a new lane that shows a URL, if one is given.

        What keeps the URL from being opened is raised, and there is no lane then.
        """
        lane = await self.lane("new")
        if url:
            try:
                await self.vocabulary.run(lane, CommandLine("navigate", (url,)), policy)
            except BaseException:
                await asyncio.shield(self.vocabulary.browser.close_lane(lane))
                raise
        return lane

    async def _fresh_lane(self) -> Lane:
        spare, self._spare = self._spare, None
        if spare is None:
            return await self.vocabulary.browser.make_lane()
        try:
            return await asyncio.shield(spare)
        except asyncio.CancelledError:
            if spare.cancelled():
                raise Lost("the engine was closed", "start it again") from None
            self._spare = spare  # whoever asked has gone: it is for the next one
            raise

    @property
    def vocabulary(self) -> Vocabulary:
        """The commands; raises ``LaneFailed`` before ``start``."""
        if self._vocabulary is None:
            raise LaneFailed("the engine was not started")
        return self._vocabulary

    def about(self) -> dict[str, object]:
        """Return what ``domshell_about`` tells."""
        return {
            "mcp_server_version": __version__,
            "engine": {"name": "domsh", "envelope": ENVELOPE},
            "extension_bridged": False,
            "browser": self.product,
        }


def _told(error: Exception) -> DomshError:
    """Return a failure as the client is told it."""
    if isinstance(error, DomshError):
        return error
    return Failed(
        f"internal error: {type(error).__name__}: {one_line(str(error), 200)}",
        "that is a defect of domsh: what happened before is worth a report",
    )


def _body(line: CommandLine, answer: Answer) -> str:
    if line.envelope:
        return json_text({"page": encode(answer.page), "result": encode(answer.value)})
    return plain_reply(line, answer.value)


def _error_text(line: CommandLine, error: DomshError, page: PageInfo) -> str:
    if not line.envelope:
        hint = f"\r\n{escape(error.hint)}" if error.hint else ""
        return f"{line.verb or 'domsh'}: {escape(error.message)}{hint}"
    facts: dict[str, object] = {"code": error.code, "message": error.message, "hint": error.hint}
    if isinstance(error, NotFound):
        facts["reached"] = error.reached
    if error.nothing_sent:
        facts["nothing_sent"] = True
    return json_text({"page": encode(page), "error": facts})
