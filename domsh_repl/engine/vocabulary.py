"""DOMShell's commands over a lane: one line in, one value and the page's state out.

A client that writes ``--envelope`` keeps its own working directory and sends whole paths; for
others the lane keeps one, as DOMShell does. Commands of a lane run one at a time, except
``wait``, which only watches.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from domsh_repl.engine import reading
from domsh_repl.engine.acting import Acting
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.deadline import Deadline
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.lanes import Browser, Lane
from domsh_repl.engine.line import CommandLine, is_number
from domsh_repl.engine.page import CALL_DEADLINE, Page
from domsh_repl.engine.policy import FREE, Policy
from domsh_repl.errors import (
    DomshError,
    NotFound,
    Stale,
    TabCrashed,
    TimedOut,
    Unsupported,
    UsageError,
)
from domsh_repl.nodes import Effect, EffectKind, Matches, Message, PageInfo, Tabs, Where
from domsh_repl.paths import Path
from domsh_repl.safetext import escape, one_line

__all__ = ["Answer", "EngineSettings", "Vocabulary"]

_TABS_PREFIX = "~/tabs/"
_BROWSER_PATHS = frozenset({"~", "~/", "~/tabs", "~/tabs/"})
_COUNT_ELEMENTS = "document.getElementsByTagName('*').length"
_POLL = 0.25
"""Seconds after which a wait looks again: what was never listed gives no event (CDP.md §9)."""
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
        """Run one command; raises the errors of the user's tree and nothing else.

        ``policy`` is what its sender may do. What takes longer than ``--timeout`` (seconds) is
        ``TimedOut``; the queue of the lane counts. A page that keeps loading is told before that.
        """
        deadline = line.seconds("--timeout", CALL_DEADLINE)
        policy.require(line)
        try:
            if line.verb == "wait":
                return await self._wait(lane, line, policy)
            async with asyncio.timeout(deadline + _GRACE):
                if line.verb in _LOCK_FREE:
                    return await self._answer(lane, line)
                async with lane.lock:
                    await self._require_page(lane, line, policy)
                    return await self._answer(lane, line)
        except TimeoutError as error:
            raise TimedOut(
                f"{line.verb} did not end within {deadline:g} s: {_cause(lane)}",
                "`tabs` and `pwd` still answer, `open URL` leaves the page",
            ) from error
        except CdpError as error:
            raise Stale(
                f"the page changed under the command ({error.message})", "try it again"
            ) from error

    async def value(self, lane: Lane, line: CommandLine) -> object:
        """Return what one command gives; for callers that hold the lane's lock."""
        return await self._value(lane, line)

    async def page_info(self, lane: Lane, *, fresh: bool = True) -> PageInfo:
        """Describe the lane's current tab; an empty description where there is none."""
        try:
            page = lane.page
            info = await page.info(fresh=fresh)
        except DomshError:
            return PageInfo()
        return replace(info, notices=page.take_notices())

    @staticmethod
    async def _require_page(lane: Lane, line: CommandLine, policy: Policy) -> None:
        page = lane.pages.get(lane.current)
        if page is not None and policy.concerns(line):
            policy.require_page((await page.info(fresh=False)).url)

    async def _answer(self, lane: Lane, line: CommandLine) -> Answer:
        page = lane.pages.get(lane.current)
        try:
            value = await self._value(lane, line)
            return Answer(await self.page_info(lane, fresh=False), value)
        finally:
            if page is not None:
                page.release_objects()

    async def _value(self, lane: Lane, line: CommandLine) -> object:
        handler = _READERS.get(line.verb)
        if handler is not None:
            return await self._read(lane, line, handler)
        if line.verb in _TAB_VERBS:
            return await self._on_tabs(lane, line)
        name = _ACTORS.get(line.verb)
        if name is not None:
            return await self._act(lane, line, name)
        raise UsageError(f"{line.verb or 'an empty line'} is no command", "`help` lists them")

    async def _read(self, lane: Lane, line: CommandLine, handler: _Reader) -> object:
        place = 1 if line.verb == "grep" else 0
        operand = line.operand(place)
        if operand.startswith("~"):
            return await self._at_browser(lane, line, operand)
        desk = self._desk(lane.page)
        self._require_document(lane, line)
        if line.verb == "cat" and not operand:
            raise UsageError("usage: cat PATH")
        await desk.tree.validate()
        path = self._path(lane, operand)
        value = await handler(desk, line, path)
        if line.verb == "cd" and not line.envelope:
            lane.change_directory(getattr(value, "path", "/"))
        return value

    async def _act(self, lane: Lane, line: CommandLine, name: str) -> object:
        if line.verb == "open":
            await self._ready_tab(lane, fresh=line.envelope)
        page = lane.page
        desk = self._desk(page)
        deadline = Deadline(line.seconds("--timeout", CALL_DEADLINE))
        acting = Acting(lane, desk, deadline, allow_file=self._settings.allow_file)
        if name != "dialog":
            page.require_usable(leaving=name in _LEAVING)
        if name in _ON_NODES:
            self._require_document(lane, line)
            await desk.tree.validate()
        path = self._acted_path(lane, line, name)
        method: Callable[[CommandLine, Path | None], Awaitable[object]] = getattr(acting, name)
        return await method(line, path)

    def _acted_path(self, lane: Lane, line: CommandLine, name: str) -> Path | None:
        if name not in _ON_NODES:
            return None
        place, fewest = _PATH_PLACES.get(name, (0, 1))
        if len(line.operands) < fewest:
            if name in ("type", "key") and line.operands:
                return None
            raise UsageError(f"usage: {_USAGES.get(line.verb, f'{line.verb} PATH')}")
        return self._path(lane, line.operand(place))

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

    @staticmethod
    def _require_document(lane: Lane, line: CommandLine) -> None:
        """Refuse to resolve a path that was meant for a document that is gone (DESIGN 10)."""
        wanted = line.text("--document")
        document = lane.page.load.document
        if wanted and document and wanted != document:
            raise Stale("the page has navigated since", "look again with `ls`")

    async def _ready_tab(self, lane: Lane, *, fresh: bool) -> None:
        """Make a tab for ``open``; a blank first one is as good unless a ``fresh`` one is meant."""
        page = lane.pages.get(lane.current)
        if fresh or page is None or page.load.commits:
            await self.browser.new_tab(lane)

    async def _at_browser(self, lane: Lane, line: CommandLine, operand: str) -> object:
        if line.verb == "ls" and operand in _BROWSER_PATHS:
            return Tabs(await self.browser.tabs(lane))
        number = operand.removeprefix(_TABS_PREFIX)
        if line.verb == "cd" and operand.startswith(_TABS_PREFIX) and is_number(number):
            page = lane.tab(int(number))
            lane.current = page.tab
            info = await page.info()
            return Effect(
                "tab", "/", EffectKind.SEEN, info.url, info.title, info.loading, value=number
            )
        raise NotFound(f"{escape(operand)} is no place", "`ls ~` lists the tabs of this lane")

    async def _on_tabs(self, lane: Lane, line: CommandLine) -> object:
        if line.verb == "tabs":
            return Tabs(await self.browser.tabs(lane))
        if line.verb == "help":
            return Message(f"commands: {' '.join(sorted(VERBS))}")
        if line.verb == "group":
            return await self._group(lane, line)
        if line.verb == "close":
            operand = line.operand(0, str(lane.current))
            if not is_number(operand):
                raise UsageError("usage: close [TAB]")
            await self.browser.close_tab(lane, lane.tab(int(operand)))
            return Message(f"closed tab {operand}", {"closed": int(operand)})
        return await self._where(lane, counted=line.verb == "info")

    async def _group(self, lane: Lane, line: CommandLine) -> Message:
        wanted = line.operand(0, "list")
        if wanted == "close":
            await self.browser.close_lane(lane)
            return Message(f"closed lane {lane.id}", {"closed": lane.id})
        if wanted == "list":
            return Message(
                "lanes: " + " ".join(map(str, self.browser.lanes)),
                {"lanes": list(self.browser.lanes)},
            )
        raise Unsupported(f"group {escape(wanted)} is not offered", "group list, group close")

    async def _where(self, lane: Lane, *, counted: bool) -> Where:
        page = lane.page
        info = await page.info()
        elements: int | None = None
        if counted and page.dialog is None:
            with contextlib.suppress(CdpError, TabCrashed, TimeoutError):
                async with asyncio.timeout(_POLL):
                    reply = await page.main.call("Runtime.evaluate", expression=_COUNT_ELEMENTS)
                elements = int(reply["result"].get("value", 0))
        return Where(
            info.url,
            info.title,
            lane.directory,
            info.tab,
            str(lane.id),
            info.loading,
            info.http,
            elements,
        )

    async def _wait(self, lane: Lane, line: CommandLine, policy: Policy) -> Answer:
        """Watch: return at the next change of the page, or look for a pattern as DOMShell does."""
        await self._require_page(lane, line, policy)
        page = lane.page
        if line.envelope:
            limit = min(line.seconds("--timeout", _POLL), _POLL)
            await self._changed(page, limit)
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
                    await self._changed(page)
        raise TimedOut(f"nothing labelled {escape(pattern)} came within {limit:g} s")

    async def _changed(self, page: Page, limit: float = _POLL) -> None:
        store = self._desk(page).tree.store
        updates = store.updates
        await page.until(lambda: store.updates != updates or page.gone is not None, limit)


def _cause(lane: Lane) -> str:
    """Say what keeps a page from answering."""
    page = lane.pages.get(lane.current)
    if page is not None and page.load.leaving:
        return f"it waits for {one_line(page.load.requested_url, 120)}"
    return "the page is busy"


_Reader = Callable[[Desk, CommandLine, Path], Awaitable[object]]

_READERS: dict[str, _Reader] = {
    "ls": reading.ls,
    "cd": reading.cd,
    "cat": reading.cat,
    "text": reading.text,
    "tree": reading.tree,
    "find": reading.find,
    "grep": reading.grep,
}
_ACTORS = {
    "click": "click", "focus": "focus", "type": "type", "fill": "fill", "key": "key",
    "select": "select", "check": "check", "uncheck": "check", "dialog": "dialog",
    "navigate": "navigate", "open": "navigate", "reload": "reload", "back": "walk_history",
    "forward": "walk_history", "refresh": "refresh", "eval": "script", "js": "script",
}  # fmt: skip
# what looks at the browser only, and what ends commands that hang
_LOCK_FREE = frozenset({"pwd", "here", "tabs", "help", "close", "group"})
_TAB_VERBS = frozenset({"pwd", "here", "info", "tabs", "close", "group", "help"})
_ON_NODES = frozenset({"click", "focus", "type", "fill", "key", "select", "check"})
_LEAVING = frozenset({"navigate", "reload", "walk_history"})
# where the path stands among the operands, and from how many operands on there is one
_PATH_PLACES = {"key": (1, 2), "type": (0, 2), "fill": (0, 2), "select": (0, 2)}
_USAGES = {
    "type": "type [PATH] TEXT", "fill": "fill PATH TEXT", "key": "key CHORD [PATH]",
    "select": "select PATH OPTION",
}  # fmt: skip

VERBS = frozenset({*_READERS, *_ACTORS, *_TAB_VERBS, "wait"})
"""Every verb of the vocabulary."""
