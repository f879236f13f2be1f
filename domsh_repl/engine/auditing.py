"""Looks at the elements of a page for the accessibility rules, and says where their findings are.

One script a document gathers the facts; the rules are pure (``domsh_repl.audit``); only what
they find is looked up in the tree, for its path.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from domsh_repl.audit.checker import check
from domsh_repl.audit.elements import Document, Element, Page
from domsh_repl.audit.rule import Flaw, Rule
from domsh_repl.audit.rules import NOT_CHECKED
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.roots import ClosedRoots, items_at
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import document_of, element_of
from domsh_repl.errors import Unsupported
from domsh_repl.paths import Path
from domsh_repl.reports import Finding, Findings
from domsh_repl.roles import FRAMES

__all__ = ["audit"]

_MOST = 40_000
"""Elements that one look takes."""
_MOST_FRAMES = 100
_MOST_LOCATED = 1_000
"""Findings that are told: each is looked up in the tree."""
_BATCH = 50
_LABEL = 200
_FRAME_TAGS = frozenset({"iframe", "frame"})
_REPORT = """function() {
  return { rows: this.rows, hosts: this.hosts, page: this.page, cut: this.cut };
}"""


@dataclass(frozen=True, slots=True)
class _Look:
    """What was seen in one document: its elements begin at ``first`` among those of the page.

    ``items_id`` is the script's object, ``near`` the spot in whose document it looked.
    """

    frame: Frame
    near: Spot
    items_id: str
    first: int
    count: int


@dataclass(slots=True)
class _Gathered:
    """All that has been seen so far."""

    elements: list[Element] = field(default_factory=list)
    looks: list[_Look] = field(default_factory=list)
    document: dict[str, Any] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A document that is still to be looked at: from which object, inside which element."""

    frame: Frame
    near: Spot
    object_id: str
    around: int


async def audit(desk: Desk, line: CommandLine, path: Path) -> Findings:
    """Return what the rules find below a node; of the document as a whole only at the root.

    Raises ``Unsupported`` where the browser computes no names for a script
    (``ComputedAccessibilityInfo``).
    """
    del line
    top = await desk.resolver.one(path)
    seen = await _gathered(desk, top)
    facts = seen.document
    document = Document(
        title=str(facts["title"]),
        lang=str(facts["lang"]),
        html=bool(facts["html"]),
        modal=bool(facts["modal"]),
        refresh=str(facts["refresh"]),
        viewport=str(facts["viewport"]),
        empty=bool(facts["empty"]),
        whole=top.is_root,
    )
    page = Page(document, tuple(seen.elements), seen.cut)
    flaws = check(page)
    told = flaws[:_MOST_LOCATED]
    paths = await _paths(desk, seen, top, told)
    findings = [_finding(page, pair, where) for pair, where in zip(told, paths, strict=True)]
    unseen = (*NOT_CHECKED, "what is behind the open dialog") if document.modal else NOT_CHECKED
    return Findings(tuple(findings), unseen, _cut(len(flaws), cut=seen.cut))


def _cut(found: int, *, cut: bool) -> str:
    if cut:
        return f"the page has more than {_MOST} elements; the rest was not looked at"
    if found > _MOST_LOCATED:
        return f"only the first {_MOST_LOCATED} of {found} findings are told"
    return ""


def _finding(page: Page, pair: tuple[Rule, Flaw], path: str) -> Finding:
    rule, flaw = pair
    element = flaw.element
    role, label, landmark = "document", "", ""
    if element is not None:
        role, landmark = element.meaning or element.tag, page.landmark(element)
        label = element.name or element.attributes.get("placeholder", "")
    return Finding(
        rule.name, rule.level.value, rule.wcag, path, flaw.message, role, label[:_LABEL], landmark
    )


async def _gathered(desk: Desk, top: Spot) -> _Gathered:
    """Look at the document of ``top``, then at those of its frames."""
    seen = _Gathered()
    waiting = [await _first(desk, top)]
    while waiting and len(seen.elements) < _MOST:
        if len(seen.looks) >= _MOST_FRAMES:
            break
        one = waiting.pop(0)
        try:
            waiting += await _look(desk, one, seen)
        except CdpError:
            if not seen.looks:
                raise
    seen.cut = seen.cut or bool(waiting)
    return seen


async def _first(desk: Desk, top: Spot) -> _Waiting:
    if top.node.role in FRAMES:
        framed = await desk.page.frames.shown_by(top.session, backendNodeId=top.node.backend)
        if framed is not None:
            return _Waiting(framed, top, await document_of(framed), -1)
    if top.is_root:
        return _Waiting(top.frame, top, await document_of(top.frame), -1)
    return _Waiting(top.frame, top, await element_of(top.frame, top.node.backend), -1)


async def _look(desk: Desk, where: _Waiting, seen: _Gathered) -> list[_Waiting]:
    """Take in the elements of one document and return the documents that its frames show."""
    items_id, report = await _scanned(where, _MOST - len(seen.elements))
    if not report["page"]["names"]:
        raise Unsupported(
            "this browser tells scripts no accessible names",
            "start it with --enable-blink-features=ComputedAccessibilityInfo",
        )
    first, number = len(seen.elements), len(seen.looks)
    seen.document = seen.document or report["page"]
    seen.cut = seen.cut or bool(report["cut"])
    rows = report["rows"]
    seen.looks.append(_Look(where.frame, where.near, items_id, first, len(rows)))
    for place, row in enumerate(rows, first):
        around = first + row[0] if row[0] >= 0 else where.around
        facts = {**row[5]}
        if facts.get("owns"):
            facts["owns"] = tuple(first + owned for owned in facts["owns"])
        _, tag, role, name, attributes, _ = row
        seen.elements.append(
            Element(place, around, tag, role, name, attributes, facts, document=number)
        )
    inner = [
        place for place, row in enumerate(rows)
        if row[1] in _FRAME_TAGS and not row[5].get("hidden")
    ]  # fmt: skip
    objects = await items_at(where.frame.session, items_id, inner)
    found = []
    for place, object_id in zip(inner, objects, strict=True):
        spot = await desk.search.locate(where.near, object_id)
        framed = await desk.page.frames.shown_by(where.frame.session, objectId=object_id)
        if spot is not None and framed is not None:
            found.append(_Waiting(framed, spot, await document_of(framed), first + place))
    return found


async def _scanned(where: _Waiting, most: int) -> tuple[str, dict[str, Any]]:
    """Run the script; again as long as there are closed shadow roots that it did not see into."""
    roots = ClosedRoots(where.frame)
    while True:
        want = {"most": most}
        items_id, report = await roots.scanned("audit", where.object_id, want, _REPORT)
        rows = len(report["rows"])
        if not await roots.more_in(items_id, range(rows, rows + report["hosts"])):
            return items_id, report


async def _paths(
    desk: Desk, seen: _Gathered, top: Spot, flaws: Sequence[tuple[Rule, Flaw]]
) -> list[str]:
    """Return where each finding is: its element, or the nearest node around that is shown."""
    places = sorted({flaw.element.place for _, flaw in flaws if flaw.element is not None})
    paths: dict[int, str] = {}
    for look in seen.looks:
        own = [place for place in places if look.first <= place < look.first + look.count]
        for start in range(0, len(own), _BATCH):
            some = own[start : start + _BATCH]
            inside = [place - look.first for place in some]
            objects = await items_at(look.frame.session, look.items_id, inside)
            found = await asyncio.gather(
                *(desk.search.locate(look.near, one, nearest=True) for one in objects)
            )
            for place, spot in zip(some, found, strict=True):
                paths[place] = (spot or look.near).path
    return [top.path if flaw.element is None else paths[flaw.element.place] for _, flaw in flaws]
