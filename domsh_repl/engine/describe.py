"""What ``cat`` and ``text`` tell: the card of a node and the rendered text below it."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from domsh_repl.engine.axnode import PASSWORD_MASK
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.roles import FRAMES
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
  const e = this.nodeType === 1 ? this : this.nodeType === 9 ? this.documentElement : this.parentElement;
  if (!e) return null;
  const attributes = {};
  for (const a of e.attributes) attributes[a.name] = a.value.slice(0, 1000);
  const secret = e.localName === 'input' && e.type === 'password';
  const options = e.localName === 'select'
    ? [...e.options].slice(0, 500).map((o) => o.label.trim() + (o.selected ? ' (selected)' : '')) : null;
  const url = e.href && typeof e.href === 'string' ? e.href : typeof e.currentSrc === 'string' && e.currentSrc
    ? e.currentSrc : e.localName === 'iframe' ? e.src : null;
  return {tag: this.nodeType === 1 ? e.localName : null, attributes: this.nodeType === 1 ? attributes : {},
          secret, options, url};
}"""


@cache
def _text_source() -> str:
    return FilePath(__file__).with_name("text.js").read_text(encoding="utf-8")


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
            self._element(spot), self._text(spot, links=False, limit=_CARD_TEXT)
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
        text = await self._text(spot, links=links, limit=_TEXT_LIMIT)
        return Text(spot.path, text[:_TEXT_LIMIT])

    async def _text(self, spot: Spot, *, links: bool, limit: int) -> str:
        if spot.node.role in FRAMES:
            found = await self._frame_document(spot.session, {"backendNodeId": spot.node.backend})
            return "" if found is None else await self._read(*found, links, limit, 0)
        if not spot.node.backend:
            return spot.node.name
        if spot.is_root:
            found_root = await spot.session.call("Runtime.evaluate", expression="document")
            object_id = str(found_root["result"]["objectId"])
        else:
            object_id = await element_of(spot.session, spot.node.backend)
        return await self._read(spot.session, object_id, links, limit, 0)

    async def _read(
        self, session: Session, object_id: str, links: bool, limit: int, depth: int
    ) -> str:
        pairs: list[dict[str, str]] = []
        while True:
            reply = await session.call(
                "Runtime.callFunctionOn",
                objectId=object_id,
                functionDeclaration=_text_source(),
                arguments=[{"value": links}, {"value": limit}, *pairs],
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
            new = await closed_roots(session, result_id, range(hosts))
            if len(new) <= len(pairs):
                break
            pairs = new
        if frames and depth < _MOST_FRAMES_DEEP:
            text = await self._with_frames(
                session, result_id, text, (hosts, frames), links, limit, depth
            )
        return _PLACEHOLDER.sub("", str(text)).strip()

    async def _with_frames(  # noqa: PLR0913  (the arguments of one recursion)
        self, session: Session, result_id: str, text: str, places: tuple[int, int],
        links: bool, limit: int, depth: int,
    ) -> str:  # fmt: skip
        first, count = places
        marks = {int(found) for found in _PLACEHOLDER.findall(text)}
        numbers = sorted(number for number in marks if number < count)  # a page can write such, too
        frames = await items_at(session, result_id, [first + number for number in numbers])
        for number, frame in zip(numbers, frames, strict=True):
            found = await self._frame_document(session, {"objectId": frame})
            inner = "" if found is None else await self._read(*found, links, limit, depth + 1)
            text = text.replace(f"\ue000{number}\ue001", inner)
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


_NOT_SHOWN = frozenset({"focusable", "settable", "read", "url"})


def _text_or_none(value: object) -> str | None:
    return str(value) if value else None
