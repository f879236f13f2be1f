"""DOMShell's commands over a lane: one line in, one value and the page's state out.

A client that writes ``--envelope`` keeps its own working directory and sends whole paths; for
others the lane keeps one, as DOMShell does. Commands of a lane run one at a time, except
``wait``, which only watches, and what helps while one hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, replace

from domsh_repl.addresses import resolve_url
from domsh_repl.engine.acting import Acting
from domsh_repl.engine.admission import admit
from domsh_repl.engine.cdp import CdpError, counting_inputs, object_group, user_error
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.lane_verbs import at_browser
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.news import news_came
from domsh_repl.engine.page import CALL_DEADLINE, Page
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.engine.verbs import (
    VERBS,
    OnFocus,
    OnLane,
    OnNode,
    OnPage,
    Reading,
    Verb,
    Watching,
)
from domsh_repl.engine.watching import next_change, settled
from domsh_repl.errors import DomshError, TimedOut, UsageError
from domsh_repl.nodes import Matches, Message, PageInfo
from domsh_repl.paths import Path
from domsh_repl.safetext import escape, one_line

__all__ = ["Answer", "EngineSettings", "Vocabulary"]

_POLL = 0.25
"""Seconds after which a wait looks again: what was never listed gives no event."""
_GRACE = 2.0
"""Seconds in which a command that gave up waiting for the page must have told so."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What a server allows: ``names_computed`` where the browser computes names for the page."""

    allow_file: bool = False
    names_computed: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of one command and the page that it left behind."""

    page: PageInfo
    value: object


class Vocabulary:
    """Runs command lines on lanes of one browser."""

    def __init__(self, browser: Browser, settings: EngineSettings) -> None:
        self.browser = browser
        self._settings = settings
        self._desks: dict[Page, Desk] = {}

    async def run(self, lane: Lane, line: CommandLine, policy: Policy = FREE) -> Answer:
        """Run one command; raises the errors of the user's tree.

        ``policy`` is what its sender may do. What takes longer than ``--timeout`` (seconds) is
        ``TimedOut``; the queue of the lane counts. A page that keeps loading is told before that.
        """
        verb = _verb_of(line)
        line = verb.fitted(line)
        deadline = line.seconds("--timeout", CALL_DEADLINE)
        policy.require(line)
        try:
            if isinstance(verb, Watching):
                return await self._wait(lane, line, policy)
            async with asyncio.timeout(deadline + _GRACE):
                if isinstance(verb, OnLane) and verb.lock_free:
                    return await self._answer(lane, line, verb)
                async with lane.lock:
                    await admit(lane, lane.pages.get(lane.current), line, policy)
                    answer = await self._answer(lane, line, verb)
                    if isinstance(verb, Reading):  # the page may have been left meanwhile
                        await admit(lane, lane.pages.get(lane.current), line, policy)
                    return answer
        except TimeoutError as error:
            raise TimedOut(
                f"{line.verb} did not end within {deadline:g} s: {_cause(lane)}",
                "`tabs` and `pwd` still answer, `open URL` leaves the page",
            ) from error
        except CdpError as error:
            raise user_error(error) from error

    async def value(self, lane: Lane, line: CommandLine) -> object:
        """Return what one command gives; for callers that hold the lane's lock."""
        verb = _verb_of(line)
        return await self._value(lane, verb.fitted(line), verb)

    async def page_info(self, lane: Lane, *, fresh: bool = True) -> PageInfo:
        """Describe the lane's current tab; an empty description where there is none."""
        try:
            page = lane.page
            info = await page.info(fresh=fresh)
        except (DomshError, CdpError):
            return PageInfo()
        return replace(info, notices=page.take_notices())

    async def _answer(self, lane: Lane, line: CommandLine, verb: Verb) -> Answer:
        pages = set(lane.pages.values())
        with object_group() as group, counting_inputs() as sent:
            try:
                value = await self._value(lane, line, verb)
                return Answer(await self.page_info(lane, fresh=False), value)
            except DomshError as error:
                error.nothing_sent = not sent and isinstance(verb, (Reading, OnNode, OnFocus))
                raise
            finally:
                for page in pages.union(lane.pages.values()):
                    page.release_objects(group)

    async def _value(self, lane: Lane, line: CommandLine, verb: Verb) -> object:
        match verb:
            case Reading():
                return await self._read(lane, line, verb)
            case OnLane():
                return await verb.run(self.browser, lane, line)
            case OnPage():
                return await self._act_on_page(lane, line, verb)
            case OnNode():
                acting = await self._acting_on_nodes(lane, line)
                return await verb.run(acting, line, self._path(lane, line.operand(0)))
            case OnFocus():
                acting = await self._acting_on_nodes(lane, line)
                named = len(line.operands) > verb.others
                path = self._path(lane, line.operand(verb.path_at)) if named else None
                return await verb.run(acting, line, path)
        raise TypeError(verb)

    async def _read(self, lane: Lane, line: CommandLine, verb: Reading) -> object:
        operand = line.operand(verb.path_at)
        if operand.startswith("~"):
            return await at_browser(self.browser, lane, line, operand)
        desk = self._desk(lane.page)
        await desk.tree.validate(line.text("--document"))
        value = await verb.run(desk, line, self._path(lane, operand))
        if line.verb == "cd" and not line.envelope:
            lane.change_directory(getattr(value, "path", "/"))
        return value

    async def _acting_on_nodes(self, lane: Lane, line: CommandLine) -> Acting:
        """Return what acts on the nodes of the document that the line was meant for."""
        lane.page.require_usable()
        acting = self._acting(lane, line)
        await self._desk(lane.page).tree.validate(line.text("--document"))
        return acting

    async def _act_on_page(self, lane: Lane, line: CommandLine, verb: OnPage) -> object:
        if not verb.needs_tab:
            line = await self._with_whole_url(lane, line)
            await self._ready_tab(lane, line)
        if not verb.past_dialogs:
            lane.page.require_usable(leaving=verb.leaving)
        return await verb.run(self._acting(lane, line), line)

    def _acting(self, lane: Lane, line: CommandLine) -> Acting:
        deadline = Deadline(line.seconds("--timeout", CALL_DEADLINE))
        desk = self._desk(lane.page)
        return Acting(lane, desk, deadline)

    def _path(self, lane: Lane, operand: str) -> Path:
        directory = Path.of_names(lane.directory)
        return Path.parse(operand).under(directory) if operand else directory

    def _desk(self, page: Page) -> Desk:
        desk = self._desks.get(page)
        if desk is None:
            self._desks = {one: kept for one, kept in self._desks.items() if one.gone is None}
            desk = Desk(page, names_computed=self._settings.names_computed)
            self._desks[page] = desk
        return desk

    async def _with_whole_url(self, lane: Lane, line: CommandLine) -> CommandLine:
        """Resolve the URL of a line against the page that is left, which a new tab has not."""
        page = lane.pages.get(lane.current)
        current = "" if page is None else (await page.info(fresh=False)).url
        url = resolve_url(line.operand(0), current, allow_file=self._settings.allow_file)
        return replace(line, operands=(url, *line.operands[1:]))

    async def _ready_tab(self, lane: Lane, line: CommandLine) -> None:
        """Make a tab where there is none, and for ``open``: in a client's own way or DOMShell's.

        DOMShell's ``open`` takes the blank first tab as well as a fresh one.
        """
        page = lane.pages.get(lane.current)
        wanted = line.verb == "open" and (line.envelope or (page and page.load.commits))
        if page is None or wanted:
            await self.browser.new_tab(lane)

    async def _wait(self, lane: Lane, line: CommandLine, policy: Policy) -> Answer:
        """Watch: return at the next change of the page, or look for a pattern as DOMShell does.

        With ``--news`` that is a change of where the lane is, compared to what it was told, and
        with ``--settled`` the moment when the page is at rest.
        """
        await admit(lane, lane.pages.get(lane.current), line, policy)
        page = lane.page
        if line.has("--news"):
            limit = line.seconds("--timeout", CALL_DEADLINE)
            came = await news_came(self.browser, lane, line.text("--news"), limit)
            info = await self.page_info(lane, fresh=came)
            if self.browser.connection.closed.is_set():
                await lane.page.info(fresh=False)  # raises that: it is no empty page
            return Answer(info, Message("news"))
        if line.has("--settled"):
            told = await settled(lane, page, line.seconds("--timeout", CALL_DEADLINE))
            return Answer(await self.page_info(lane), told)
        if line.envelope:
            limit = min(line.seconds("--timeout", _POLL), _POLL)
            await self._changed(lane, page, limit)
            return Answer(await self.page_info(lane), Message("changed"))
        pattern = line.operand(0)
        if not pattern:
            raise UsageError("usage: wait PATTERN [--timeout N]")
        limit = line.seconds("--timeout", 10)
        looking = CommandLine("find", (), {"--label": pattern, "-n": "1"})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while True:
                    found = await self.run(lane, looking, policy)
                    if isinstance(found.value, Matches) and found.value.matches:
                        return found
                    await self._changed(lane, page)
        raise TimedOut(f"nothing labelled {escape(pattern)} came within {limit:g} s")

    async def _changed(self, lane: Lane, page: Page, limit: float = _POLL) -> None:
        store = self._desk(page).tree.store
        await next_change(lane, page, lambda: store.updates, limit)


def _verb_of(line: CommandLine) -> Verb:
    verb = VERBS.get(line.verb)
    if verb is None:
        raise UsageError(
            f"{escape(line.verb) or 'an empty line'} is no command", "`help` lists them"
        )
    return verb


def _cause(lane: Lane) -> str:
    """Say what keeps a page from answering."""
    page = lane.pages.get(lane.current)
    if page is not None and page.load.leaving:
        return f"it waits for {one_line(page.load.requested_url, 120)}"
    return "the page is busy"
