"""What ``cat`` and ``text`` tell: the card of a node and the rendered text below it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from domsh_repl.engine.axnode import PASSWORD_MASK
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.roles import FRAMES, TEXT_LEAVES
from domsh_repl.engine.roots import closed_roots, element_of, items_at
from domsh_repl.engine.tree import Spot, Tree
from domsh_repl.nodes import Card, Text

__all__ = ["Describer"]

_CARD_TEXT = 2_000
"""Characters of text that a card shows."""
_TEXT_LIMIT = 20_000_000
_MOST_FRAMES_DEEP = 20
_PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")

_READ_ELEMENT = """function() {
  const node = this.nodeType === 9 ? this.documentElement : this;
  const e = node.nodeType === 1 ? node : node.parentElement, isElement = this.nodeType === 1;
  if (!e) return null;
  const attributes = {};
  if (isElement) for (const a of e.attributes) attributes[a.name] = a.value.slice(0, 1000);
  const secret = e.localName === 'input' && e.type === 'password';
  const named = (option) => option.label.trim() + (option.selected ? ' (selected)' : '');
  const options = e.localName === 'select' ? [...e.options].slice(0, 500).map(named) : null;
  const urls = [e.href, e.currentSrc, e.localName === 'iframe' ? e.src : null];
  const url = urls.find((one) => one && typeof one === 'string') ?? null;
  return {tag: isElement ? e.localName : null, attributes, secret, options, url};
}"""


@cache
def _text_source() -> str:
    return FilePath(__file__).with_name("text.js").read_text(encoding="utf-8")


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
            if value is not None and name not in _NOT_SHOWN
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
        read = await spot.session.call(
            "Runtime.callFunctionOn",
            objectId=await element_of(spot.session, spot.node.backend),
            functionDeclaration=_READ_ELEMENT,
            returnByValue=True,
        )
        return read["result"].get("value") or {}

    async def text(self, spot: Spot, *, links: bool) -> Text:
        """Return the rendered text below a node, that of its frames included."""
        text = await self._text(spot, _Wanted(links, _TEXT_LIMIT))
        return Text(spot.path, text[:_TEXT_LIMIT])

    async def _text(self, spot: Spot, wanted: _Wanted) -> str:
        if spot.node.role in FRAMES:
            found = await self._frame_document(spot.session, {"backendNodeId": spot.node.backend})
            return "" if found is None else await self._read(*found, wanted)
        if not spot.node.backend or spot.node.role in TEXT_LEAVES:
            return spot.node.name.strip()
        if spot.is_root:
            found_root = await spot.session.call("Runtime.evaluate", expression="document")
            object_id = str(found_root["result"]["objectId"])
        else:
            object_id = await element_of(spot.session, spot.node.backend)
        return await self._read(spot.session, object_id, wanted)

    async def _read(self, session: Session, object_id: str, wanted: _Wanted) -> str:
        pairs: list[dict[str, str]] = []
        while True:
            result_id, (text, hosts, frames) = await _rendered(session, object_id, wanted, pairs)
            new = await closed_roots(session, result_id, range(hosts))
            if len(new) <= len(pairs):
                break
            pairs = new
        if frames and wanted.frames_deep:
            inner = await items_at(session, result_id, range(hosts, hosts + frames))
            text = await self._with_frames(session, text, inner, wanted)
        return _PLACEHOLDER.sub("", text).strip()

    async def _with_frames(
        self, session: Session, text: str, frames: Sequence[str], wanted: _Wanted
    ) -> str:
        deeper = replace(wanted, frames_deep=wanted.frames_deep - 1)
        for number, frame in enumerate(frames):
            mark = f"\ue000{number}\ue001"
            if mark in text:
                found = await self._frame_document(session, {"objectId": frame})
                inner = "" if found is None else await self._read(*found, deeper)
                text = text.replace(mark, inner)
        return text

    async def _frame_document(
        self, session: Session, node: dict[str, Any]
    ) -> tuple[Session, str] | None:
        try:
            described = (await session.call("DOM.describeNode", **node))["node"]
            other = self._page.session_of_frame(str(described.get("frameId", "")))
            if other is not None:
                found = await other.call("Runtime.evaluate", expression="document")
                return other, str(found["result"]["objectId"])
            content = described.get("contentDocument")
            if content is None:
                return None
            return session, await element_of(session, content["backendNodeId"])
        except CdpError:
            return None


async def _rendered(
    session: Session, object_id: str, wanted: _Wanted, pairs: Sequence[dict[str, str]]
) -> tuple[str, tuple[str, int, int]]:
    """Run ``text.js``; return its result object, the text, and how many hosts and frames it met."""
    reply = await session.call(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration=_text_source(),
        arguments=[{"value": wanted.links}, {"value": wanted.limit}, *pairs],
    )
    if "exceptionDetails" in reply:
        raise CdpError("text", str(reply["exceptionDetails"].get("text", "failed")))
    result_id = str(reply["result"]["objectId"])
    report = await session.call(
        "Runtime.callFunctionOn",
        objectId=result_id,
        functionDeclaration="function() { return [this.text, this.hosts, this.frames] }",
        returnByValue=True,
    )
    text, hosts, frames = report["result"]["value"]
    return result_id, (str(text), int(hosts), int(frames))


_NOT_SHOWN = frozenset({"focusable", "settable", "read", "url"})


def _text_or_none(value: object) -> str | None:
    return str(value) if value else None
