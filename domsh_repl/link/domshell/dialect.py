"""The dialect of a real DOMShell: each request is a short conversation in text.

The lane's directory stays at the root of its tab, one conversation runs at a time, and the
document's identity is asked before and after. What DOMShell cannot do is ``Unsupported``,
never an answer that looks like one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from domsh_repl.errors import (
    Denied,
    DialogOpen,
    DomshError,
    Failed,
    LaneFailed,
    Lost,
    NavigationFailed,
    NotConnected,
    ServerRefused,
    Stale,
    TimedOut,
    Unsupported,
)
from domsh_repl.link.asks import Ask
from domsh_repl.link.dialects import Exchange, raw_text
from domsh_repl.link.domshell import lines, scripts
from domsh_repl.link.domshell.acting import ACTIONS, Actor
from domsh_repl.link.domshell.diary import Diary
from domsh_repl.link.domshell.going import Standing, lane_tabs
from domsh_repl.link.domshell.looking import Look
from domsh_repl.link.domshell.reading import READERS
from domsh_repl.link.domshell.refusals import Why
from domsh_repl.link.domshell.replies import read_reply
from domsh_repl.link.domshell.scripts import Check
from domsh_repl.link.domshell.snapshot import Snapshot, difference
from domsh_repl.link.domshell.talk import Talk
from domsh_repl.link.domshell.told import Directory, Script
from domsh_repl.link.greeting import numbers_of
from domsh_repl.link.wire import Answer, write_raw
from domsh_repl.nodes import (
    DialogShown,
    Diff,
    Effect,
    EffectKind,
    Message,
    PageInfo,
    ScriptValue,
    Tab,
    Tabs,
    Where,
)
from domsh_repl.safetext import one_line

__all__ = ["TextDialect"]

V = TypeVar("V")
_OLDEST_WITH_POINTER = (1, 3, 1)
_WAIT = 0.4
_LIVES = 1.5
"""Seconds within which a DOMShell that no dialog stops says where it is."""
_BESIDE = frozenset({"open", "tabs", "cd", "close"})
"""Requests that go to another tab, or to none: they lead away from a page that hangs."""
_MISSING = {
    "announced": "DOMShell hears nothing of what live regions say",
    "audit": "DOMShell does not tell what the accessibility rules look at",
    "table": "DOMShell does not tell which cells of a table span others",
    "downloads": "DOMShell tells of no downloads",
    "state": "DOMShell does not tell a browser's cookies",
    "console": "DOMShell keeps nothing of what a page logs",
    "requests": "DOMShell keeps nothing of what a page asks for",
    "screenshot": "DOMShell stops where it is to take a picture of a tab in the background",
    "hover": "DOMShell has no pointer to move",
}
"""What DOMShell has no way to do for certain, and why."""
_FATAL = (Lost, TimedOut, LaneFailed, NotConnected)
"""Errors after which nothing can be said of the page."""


class TextDialect:
    """Speaks to one lane of a DOMShell whose extension has a ``version``.

    With ``read_only`` no probe is put into a page.
    """

    knows_deadlines = False

    def __init__(self, version: str, *, read_only: bool) -> None:
        self._has_pointer = numbers_of(version) >= _OLDEST_WITH_POINTER
        self._may_probe = not read_only
        self._standing = Standing()
        self._diary = Diary()
        self._lock: Any = None
        self.before_action: tuple[str, Snapshot] | None = None

    async def perform(
        self, ask: Ask[V], exchange: Exchange, *, document: str, deadline: float
    ) -> Answer[V]:
        """Do what is asked; what DOMShell refuses is in the answer."""
        async with self._turn():
            if ask.verb == "group":
                return await self._close_lane(exchange, deadline)
            return await _Turn(self, Talk(exchange, deadline)).answer(ask, document)

    async def raw(self, line: str, exchange: Exchange, *, deadline: float) -> str:
        """Send a user's own line; the next request finds the way back to the tab's root.

        Raises ``ServerRefused`` with the reply where it says no: nothing else marks that.
        """
        async with self._turn():
            reply = await exchange(write_raw(line), deadline)
        text = raw_text(reply)
        refusal = read_reply(line, reply.text).refusal
        if refusal is not None and refusal.why is not Why.UNREADABLE:
            raise ServerRefused(text or refusal.error.message)
        return text

    def _turn(self) -> Any:
        import anyio  # noqa: PLC0415  (it imports asyncio)

        if self._lock is None:
            self._lock = anyio.Lock()
        return self._lock

    @staticmethod
    async def _close_lane(exchange: Exchange, deadline: float) -> Answer[Any]:
        await exchange(lines.CLOSE_LANE, deadline)
        return Answer(None, Message("closed the lane"))


class _Turn:
    """One request on its way."""

    def __init__(self, dialect: TextDialect, talk: Talk) -> None:
        self._talk = talk
        self._dialect = dialect
        self._standing = dialect._standing  # noqa: SLF001  (the other half of the dialect)
        self._diary = dialect._diary  # noqa: SLF001
        self._has_pointer = dialect._has_pointer  # noqa: SLF001
        self._may_probe = dialect._may_probe  # noqa: SLF001
        self._check: Check | None = None
        self._denied: Denied | None = None

    async def answer(self, ask: Ask[V], document: str) -> Answer[V]:
        """Return the value or the error, and the page as it is after."""
        sent = False
        try:
            await self._standing.firm(self._talk)
            await self._look_at_document(beside=ask.verb in _BESIDE and not ask.on_nodes)
            self._require_document(ask, document)
            sent = True
            value = await self._value(ask)
        except _FATAL as error:
            if sent and ask.acts and isinstance(error, TimedOut):
                raise await self._dialog_or(error, ask.verb) from error
            raise
        except DomshError as error:
            return Answer(await self._page(again=sent and ask.acts), error=error)
        return Answer(await self._page(again=False), cast("V", value))

    async def _dialog_or(self, error: TimedOut, verb: str) -> DomshError:
        """Tell a dialog that stops DOMShell as a whole from a slow answer: nothing answers then."""
        try:
            await Talk(self._talk.exchange, _LIVES).say(lines.PWD, Directory)
        except DomshError:
            return DialogOpen(
                "DOMShell answers no more: a dialog may be open in the tab; whether"
                f" `{verb}` was done is not known",
                "look at the tab in the browser and answer it, then `reconnect`",
            )
        return error

    async def _look_at_document(self, *, beside: bool = False) -> None:
        """Ask which document is there; what happens ``beside`` it needs no answer."""
        try:
            self._check = await self._talk.check()
        except (TimedOut, Lost):
            if not beside:
                raise
            self._check = None
        except Denied as error:
            self._check = None  # a server without scripts: the list of tabs tells the rest
            self._denied = error
            self._may_probe = False

    def _require_document(self, ask: Ask[Any], document: str) -> None:
        """Refuse paths that were meant for a document that is gone."""
        if self._check is None or not ask.on_nodes or not document:
            return
        if self._check.document != document:
            raise Stale("the page has navigated since", "look again with `ls`")

    async def _page(self, *, again: bool) -> PageInfo | None:
        """Return the page as it was last looked at, or as it is when it may have changed."""
        try:
            if again:
                await self._look_at_document()
            check = self._check
            if check is None:
                return await self._page_of_tabs()
        except DomshError:
            return None
        dialogs = [_dialog_notice(kind, text) for kind, text in self._talk.dialogs]
        return self._diary.page(self._standing.tab, check, [*dialogs, *self._talk.notices])

    async def _page_of_tabs(self) -> PageInfo:
        for tab in await lane_tabs(self._talk):
            if tab.id == self._standing.tab:
                return PageInfo(tab.url, tab.title, tab.id, document=tab.url, entry=tab.id)
        return PageInfo()

    async def _value(self, ask: Ask[Any]) -> object:
        reader = READERS.get(ask.verb)
        if reader is not None and ask.on_nodes:
            title = "" if self._check is None else self._check.title
            look = await Look.at(self._talk, may_probe=self._may_probe, title=title)
            return await reader(look, ask)
        if ask.verb in ACTIONS:
            return await self._act(ask)
        if ask.verb in _MISSING:
            raise Unsupported(_MISSING[ask.verb], "the built-in server does: `--server builtin`")
        return await _OTHERS[ask.verb](self, ask)

    @property
    def _before(self) -> Check:
        if self._check is None:
            why = self._denied or Denied("no reason was given")
            raise Denied(f"nothing can be done to the page through that server: {why}", why.hint)
        return self._check

    async def _act(self, ask: Ask[Any]) -> Effect:
        look = await Look.at(self._talk, may_probe=self._may_probe)
        before = self._before
        clicks = not self._has_pointer or before.visible
        actor = Actor(self._talk, look, self._standing, before, clicks=clicks)
        try:
            effect = await actor.perform(ask)
        finally:
            self._dialect.before_action = (before.document, actor.known)
        self._check = actor.after
        return effect

    async def navigate(self, ask: Ask[Any]) -> Effect:
        """Open a URL in the current tab."""
        return await self._went(
            "open", self._standing.open_here(self._talk, ask.operands[0], self._before)
        )

    async def open(self, ask: Ask[Any]) -> Effect:
        """Open a URL in a new tab."""
        return await self._went("open", self._standing.open_beside(self._talk, ask.operands[0]))

    async def reload(self, ask: Ask[Any]) -> Effect:
        """Load the document again."""
        if "--hard" in ask.options:
            raise Unsupported("DOMShell has no way round the cache", "`reload` loads again")
        return await self._went("reload", self._standing.reload(self._talk, self._before))

    async def walk(self, ask: Ask[Any]) -> Effect:
        """Go through the tab's history."""
        steps = int(ask.operands[0]) * (-1 if ask.verb == "back" else 1)
        return await self._went(ask.verb, self._standing.walk(self._talk, steps, self._before))

    async def _went(self, action: str, work: Awaitable[Check]) -> Effect:
        before = self._check
        try:
            self._check = await work
        except NavigationFailed:
            await self._look_at_document()
            raise
        await self._talk.refresh()
        now = self._check
        return Effect(
            action, "/", EffectKind.SEEN, now.url, now.title, now.loading, http=now.http,
            navigated=before is None or now.document != before.document,
        )  # fmt: skip

    async def refresh(self, ask: Ask[Any]) -> Effect:
        """Let DOMShell read the tree anew."""
        del ask
        await self._talk.refresh()
        page = await self._page(again=False) or PageInfo()
        return Effect("refresh", "", EffectKind.SEEN, page.url, page.title, page.loading)

    async def where(self, ask: Ask[Any]) -> Where:
        """Tell where the lane is."""
        page = await self._page(again=False) or PageInfo()
        counted = ask.verb == "info" and self._check is not None
        elements = self._check.elements if counted and self._check is not None else None
        return Where(
            page.url, page.title, "/", page.tab, self._talk.lane, page.loading, page.http, elements
        )

    async def tabs(self, ask: Ask[Any]) -> Tabs:
        """List the lane's tabs."""
        del ask
        return Tabs(
            tuple(
                Tab(tab.id, tab.url, tab.title, tab.id == self._standing.tab)
                for tab in await lane_tabs(self._talk)
            )
        )

    async def switch(self, ask: Ask[Any]) -> Effect:
        """Go to another tab."""
        number = ask.operands[0].removeprefix("~/tabs/")
        await self._standing.switch(self._talk, int(number))
        await self._look_at_document()
        page = await self._page(again=False) or PageInfo()
        return Effect("tab", "/", EffectKind.SEEN, page.url, page.title, page.loading, value=number)

    async def close(self, ask: Ask[Any]) -> Message:
        """Close a tab."""
        number = int(ask.operands[0])
        await self._standing.close(self._talk, number)
        self._diary.forget(number)
        await self._look_at_document()
        return Message(f"closed tab {number}", {"closed": number})

    async def script(self, ask: Ask[Any]) -> ScriptValue:
        """Evaluate an expression in the page."""
        seconds = max(self._talk.left - 1.0, 0.5)
        line = scripts.js(ask.operands[0], seconds)
        told = (await self._talk.say(line, Script)).text
        length = scripts.js_length(told)
        if length:
            parts = [
                await self._talk.script(scripts.js_part(begin))
                for begin in range(0, length, scripts.PART)
            ]
            await self._talk.script(scripts.js_forget())
            told = "".join(parts)
        value = scripts.read_js(told)
        await self._look_at_document()
        return ScriptValue(value)

    async def diff(self, ask: Ask[Any]) -> Diff:
        """Compare the page with the look at it before the last action."""
        del ask
        known = self._dialect.before_action
        if known is None:
            raise Failed(
                "nothing has been done to this page yet", "`diff` compares with before that"
            )
        document, before = known
        if self._before.document != document:
            return Diff(None)
        now = await Look.at(self._talk, may_probe=False)
        return Diff(difference(before, now.snapshot))

    async def dialog(self, ask: Ask[Any]) -> DialogShown:
        """Tell that none is open: DOMShell cannot leave one open."""
        if ask.operands:
            raise Unsupported(
                "through DOMShell dialogs are dismissed before they open, and told",
                "the built-in server leaves them to you: `--server builtin`",
            )
        return DialogShown(None)

    async def wait(self, ask: Ask[Any]) -> Message:
        """Let a moment pass: DOMShell tells of no change."""
        if "--settled" in ask.options:
            raise Unsupported("DOMShell does not tell when a page is at rest", "wait exists PATH")
        await self._talk.pause(min(float(ask.options.get("--timeout", _WAIT)), _WAIT))
        return Message("changed")


def _dialog_notice(kind: str, text: str) -> str:
    said = one_line(text, 80)
    return f"the page raised {'an' if kind == 'alert' else 'a'} {kind} {said!r}; it was dismissed"


_Other = Callable[[_Turn, Ask[Any]], Awaitable[object]]
_OTHERS: dict[str, _Other] = {
    "navigate": _Turn.navigate,
    "open": _Turn.open,
    "reload": _Turn.reload,
    "back": _Turn.walk,
    "forward": _Turn.walk,
    "refresh": _Turn.refresh,
    "pwd": _Turn.where,
    "info": _Turn.where,
    "tabs": _Turn.tabs,
    "cd": _Turn.switch,
    "close": _Turn.close,
    "js": _Turn.script,
    "dialog": _Turn.dialog,
    "diff": _Turn.diff,
    "wait": _Turn.wait,
}
