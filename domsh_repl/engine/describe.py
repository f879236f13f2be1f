"""What ``cat`` and ``text`` tell: the card of a node and the rendered text below it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.engine.cdp import Session
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.page import Page
from domsh_repl.engine.roots import ClosedRoots, items_at
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.engine.worlds import call_on, document_of, element_of
from domsh_repl.nodes import Card, Text
from domsh_repl.roles import FRAMES, TEXT_LEAVES

__all__ = ["Describer"]

_CARD_TEXT = 2_000
"""Characters of text that a card shows."""
_PREVIEW = 200
"""Characters of text that a listing shows of an entry."""
_TEXT_LIMIT = 20_000_000
_MOST_FRAMES_DEEP = 20
_PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How text is wanted: with the targets of links, how much, and from frames how deep."""

    links: bool
    limit: int
    frames_deep: int = _MOST_FRAMES_DEEP


class Describer:
    """Reads cards and text in one page."""

    def __init__(self, page: Page, tree: Tree) -> None:
        self._page = page
        self._tree = tree

    async def card(self, spot: Spot) -> Card:
        """Return everything about a node."""
        node = await self._tree.node(spot)
        ax = spot.node
        facts, text = await asyncio.gather(
            self._element(spot), self._text(spot, _Wanted(links=False, limit=_CARD_TEXT))
        )
        attributes = {str(k): str(v) for k, v in (facts.get("attributes") or {}).items()}
        if facts.get("secret") and attributes.get("value"):
            attributes["value"] = PASSWORD_MASK
        properties: dict[str, object] = {
            name: value
            for name, value in ax.properties.items()
            if name not in _NOT_SHOWN and not _says_nothing(name, value)
        }
        if facts.get("options") is not None:
            properties["options"] = facts["options"]
        return Card(
            name=node.name, path=node.path, role=node.role, label=node.label, kind=node.kind,
            enterable=node.enterable, value=node.value, states=node.states,
            description=ax.description, name_from=ax.name_from, text=text[:_CARD_TEXT],
            text_cut=len(text) > _CARD_TEXT, url=_text_or_none(facts.get("url")),
            tag=_text_or_none(facts.get("tag")), attributes=attributes, properties=properties,
        )  # fmt: skip

    async def _element(self, spot: Spot) -> dict[str, Any]:
        """Return what the DOM says of a node; nothing of generated content and list markers."""
        if not spot.node.backend:
            return {}
        element = await element_of(spot.frame, spot.node.backend)
        read = await call_on(spot.session, element, "card", by_value=True)
        return read.get("value") or {}

    async def text(self, spot: Spot, *, links: bool) -> Text:
        """Return the rendered text below a node, that of its frames included."""
        text = await self._text(spot, _Wanted(links, _TEXT_LIMIT))
        return Text(spot.path, text[:_TEXT_LIMIT])

    async def preview(self, spot: Spot) -> str:
        """Return the beginning of the text below a node, on one line."""
        text = await self._text(spot, _Wanted(links=False, limit=_PREVIEW, frames_deep=1))
        return " ".join(text.split())[:_PREVIEW]

    async def _text(self, spot: Spot, wanted: _Wanted) -> str:
        if spot.node.role in FRAMES:
            return await self._text_in_frame(
                spot.session, {"backendNodeId": spot.node.backend}, wanted
            )
        if not spot.node.backend or spot.node.role in TEXT_LEAVES:
            return spot.node.name.strip()
        if spot.is_root:
            object_id = await document_of(spot.frame)
        else:
            object_id = await element_of(spot.frame, spot.node.backend)
        return await self._read(spot.frame, object_id, wanted)

    async def _read(self, frame: Frame, object_id: str, wanted: _Wanted) -> str:
        roots = ClosedRoots(frame)
        while True:
            seen = await _rendered(frame.session, object_id, wanted, roots)
            if not await roots.more_in(seen.object_id, range(seen.hosts)):
                break
        text = seen.text
        if seen.frames and wanted.frames_deep:
            places = range(seen.hosts, seen.hosts + seen.frames)
            inner = await items_at(frame.session, seen.object_id, places)
            text = await self._with_frames(frame.session, text, inner, wanted)
        return _PLACEHOLDER.sub("", text).strip()

    async def _with_frames(
        self, session: Session, text: str, frames: Sequence[str], wanted: _Wanted
    ) -> str:
        deeper = replace(wanted, frames_deep=wanted.frames_deep - 1)
        for number, frame in enumerate(frames):
            mark = f"\ue000{number}\ue001"
            if mark in text:
                inner = await self._text_in_frame(session, {"objectId": frame}, deeper)
                text = text.replace(mark, inner)
        return text

    async def _text_in_frame(self, session: Session, node: dict[str, Any], wanted: _Wanted) -> str:
        frame = await self._page.frames.shown_by(session, **node)
        return "" if frame is None else await self._read(frame, await document_of(frame), wanted)


@dataclass(frozen=True, slots=True)
class _Rendered:
    """What ``text.js`` gave: its result object, the text, and how many hosts and frames it met."""

    object_id: str
    text: str
    hosts: int
    frames: int


async def _rendered(
    session: Session, object_id: str, wanted: _Wanted, roots: ClosedRoots
) -> _Rendered:
    made = await call_on(
        session, object_id, "text", wanted.links, wanted.limit, roots.known, objects=roots.pairs
    )
    result_id = str(made["objectId"])
    report = await session.call(
        "Runtime.callFunctionOn",
        objectId=result_id,
        functionDeclaration="function() { return [this.text, this.hosts, this.frames] }",
        returnByValue=True,
    )
    text, hosts, frames = report["result"]["value"]
    return _Rendered(result_id, str(text), int(hosts), int(frames))


_NOT_SHOWN = frozenset({"focusable", "settable", "url"})
_TELLING_WHEN_FALSE = frozenset({"expanded", "checked", "pressed", "selected"})


def _says_nothing(name: str, value: object) -> bool:
    """Tell whether a property only says that something is not so; what can be switched does say."""
    if name in _TELLING_WHEN_FALSE:
        return value is None
    return value in (None, False, "", "false")


def _text_or_none(value: object) -> str | None:
    return str(value) if value else None
