"""One command in one lane of the text DOMShell: what every command needs to be carried out.

A lane's tree is read when it is first needed, again after what makes it stale, and otherwise
kept, as the extension does: what a page changes by itself is not seen until ``refresh``.
"""

from __future__ import annotations

from dataclasses import dataclass

from domsh_repl.engine.axnode import AxNode, parse_ax_node
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.lanes import Lane
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.page import CALL_DEADLINE, Page
from domsh_repl.engine.plain.elements import Elements
from domsh_repl.engine.plain.listing import BREAK
from domsh_repl.engine.plain.places import PlainPlace, Tabs
from domsh_repl.engine.plain.tree import PlainNode, PlainTree
from domsh_repl.engine.plain.words import Words
from domsh_repl.engine.policy import Policy
from domsh_repl.engine.vocabulary import Vocabulary
from domsh_repl.errors import Failed

__all__ = ["Look", "Said", "Visit"]

_NO_TAB = (
    "Error: This command requires a tab context. Use 'cd tabs/<id>' to enter a tab, or"
    " 'open <url>' to open one."
)


_READINGS = 4
"""How often a tree is read again because its document went away meanwhile."""


class Said(Failed):
    """A refusal; the message is the whole reply."""


async def _nodes(page: Page) -> list[AxNode]:
    """Read the whole tree; again where the page was left for another one meanwhile."""
    for is_last in (False,) * _READINGS + (True,):
        try:
            await page.barrier()
            reply = await page.main.call("Accessibility.getFullAXTree")
            break
        except CdpError as error:
            if is_last or not error.page_changed:
                raise
            await page.until(lambda: not page.load.leaving, CALL_DEADLINE)
    return [parse_ax_node(node) for node in reply["nodes"]]


@dataclass(frozen=True, slots=True)
class Look:
    """The tree of the lane's tab, the node of its cursor, and what is to be told of it."""

    page: Page
    tree: PlainTree
    here: PlainNode
    notice: str
    elements: Elements


@dataclass(frozen=True, slots=True)
class Visit:
    """The lane and its place, the words of the command, how it is used, and what is allowed."""

    vocabulary: Vocabulary
    lane: Lane
    place: PlainPlace
    words: Words
    usage: str
    policy: Policy

    @property
    def tabs(self) -> Tabs:
        """The tabs and lanes as seen from here."""
        browser, read_only = self.vocabulary.browser, self.policy.read_only
        return Tabs(browser, self.lane, self.place, read_only=read_only)

    def need(self, count: int) -> None:
        """Refuse a command with fewer operands."""
        if len(self.words.operands) < count:
            raise Said(self.usage)

    def require_tab(self) -> Page:
        """Return the page of the tab that the lane is in; refuses a command above the tabs."""
        page = self.lane.pages.get(self.place.tab)
        if page is None:
            if self.place.tab:
                self.place.lose()
            raise Said(_NO_TAB)
        self.lane.current = page.tab
        return page

    async def go(self, verb: str, *operands: str) -> None:
        """Have the engine navigate or press a key; the lane's lock is held already."""
        line = CommandLine(verb, operands, envelope=True)
        await self.vocabulary.value(self.lane, line)

    async def tree(self, page: Page) -> PlainTree:
        """Return the kept tree of a page, or read it."""
        place = self.place
        kept = place.tree
        if kept is None or kept.document != page.load.document or place.stale:
            nodes = await _nodes(page)
            kept = PlainTree.of(page.load.document, nodes)
            place.take(kept)
        return kept

    async def look(self) -> Look:
        """Return the tree and where the cursor is in it; the root when that is gone."""
        page, place = self.require_tab(), self.place
        page.require_usable()
        before, was_stale = place.tree, place.stale
        tree = await self.tree(page)
        notice = ""
        if before is not None and before.document != tree.document:
            place.restart()
            notice = f"(page changed — tree refreshed, {tree.count} nodes, path reset to tab root)"
        elif was_stale:
            notice = f"(tree auto-refreshed, {tree.count} nodes)"
        here = tree.at(place.cursor)
        if here is None:
            place.restart()
            here = tree.root
        return Look(page, tree, here, notice, Elements(page))

    def found(self, look: Look, missing: str) -> PlainNode:
        """Return the node that the first operand names; refuses with what is ``missing``."""
        path = self.words.operand()
        node: PlainNode | None = look.here
        for name in path.rstrip("/").split("/"):
            node = None if node is None or name in ("", ".", "..") else node.child(name)
        if node is None:
            raise Said(f"{self.words.verb}: {path}: {missing}")
        return node

    async def element(self) -> tuple[Look, PlainNode]:
        """Look, and return the element to act on."""
        self.need(1)
        look = await self.look()
        return look, self.found(look, "No such element")

    async def entered(self, head: str, facts: tuple[str, ...] = ("URL", "Title")) -> str:
        """Be at the root of the lane's current tab, and tell what is loaded there."""
        page = self.lane.page
        self.place.enter(page.tab)
        info = await page.info()
        tree = await self.tree(page)
        told = {"Title": info.title, "URL": info.url}
        lines = [head, *(f"  {key + ':':<6} {told[key]}" for key in facts)]
        return BREAK.join([*lines, f"  AX Nodes: {tree.count}", ""])
