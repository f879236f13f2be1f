"""What the DOM says of nodes where the accessibility tree is silent or dear to ask.

Two facts of ``DOM.describeNode``, of many nodes in one flight: whether an interactive node
holds nothing but its text (reading its children in the tree costs ten times as much), and
``aria-current``, which Chromium leaves out of the tree. One look at the document tells whether
anything can be current at all. Nothing is kept longer than a command: no event tells when a DOM
that was only looked at changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.frames import Frame
from domsh_repl.engine.levels import Place
from domsh_repl.engine.worlds import run_in
from domsh_repl.nodes import Kind

__all__ = ["CURRENT_SELECTOR", "Facts", "Survey"]

CURRENT_SELECTOR = '[aria-current]:not([aria-current=""], [aria-current="false"])'
"""The elements that are ``current`` (ARIA 1.3, aria-current): any token but false counts."""

_TEXT_NODE = 3
_DEEPEST_TEXT = 3
_FLIGHT = 500
"""Calls sent at once: Chromium answers in order, and other commands wait for their turn."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen of one node; ``bare`` is true only when the DOM leaves no doubt."""

    bare: bool = False
    current: bool = False


_NOTHING = Facts()


class Survey:
    """The facts that one command has asked for; ``clear`` before the next command."""

    def __init__(self) -> None:
        self._facts: dict[tuple[str, str], Facts] = {}
        self._any_current: dict[Frame, bool] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._facts.clear()
        self._any_current.clear()

    def of(self, place: Place) -> Facts:
        """Return what was seen of a node that was asked about, by the place of its children."""
        return self._facts.get(place.key, _NOTHING)

    async def ask(self, nodes: Iterable[tuple[Place, AxNode]]) -> None:
        """Look at those nodes that were not looked at yet."""
        new = [(place, node) for place, node in nodes if place.key not in self._facts]
        if not new:
            return
        await asyncio.gather(*map(self._ask_any, {place.frame for place, _ in new}))
        for start in range(0, len(new), _FLIGHT):
            flight = new[start : start + _FLIGHT]
            found = await asyncio.gather(*(self._look(place, node) for place, node in flight))
            for (place, _), facts in zip(flight, found, strict=True):
                self._facts[place.key] = facts

    async def _ask_any(self, frame: Frame) -> None:
        if frame in self._any_current:
            return
        try:
            found = await run_in(frame, "current", CURRENT_SELECTOR)
            self._any_current[frame] = found.get("value") is not False
        except CdpError:
            self._any_current[frame] = True

    async def _look(self, place: Place, node: AxNode) -> Facts:
        inside = node.kind is Kind.INTERACTIVE and bool(node.child_ids)
        maybe_current = self._any_current.get(place.frame, True)
        if not node.backend or not (inside or maybe_current):
            return _NOTHING
        depth = {"depth": _DEEPEST_TEXT} if inside else {}
        try:
            reply = await place.session.call(
                "DOM.describeNode", backendNodeId=node.backend, **depth
            )
        except CdpError:
            return _NOTHING
        element = reply["node"]
        return Facts(bare=inside and _holds_text_only(node, element), current=_is_current(element))


def _holds_text_only(node: AxNode, element: Mapping[str, Any]) -> bool:
    """Tell whether every child in the tree is a text of the DOM.

    A node of the tree has the id of its DOM node. Elements without meaning are not in the tree,
    so the texts inside them are the node's own children; what else there is has another id.
    """
    return set(_text_ids(element)).issuperset(node.child_ids)


def _text_ids(element: Mapping[str, Any]) -> Iterator[str]:
    for child in element.get("children", ()):
        if child["nodeType"] == _TEXT_NODE:
            yield str(child["backendNodeId"])
        else:
            yield from _text_ids(child)


def _is_current(element: Mapping[str, Any]) -> bool:
    pairs = iter(element.get("attributes", ()))
    for name, value in zip(pairs, pairs, strict=True):
        if name == "aria-current":
            return value not in ("", "false")
    return False
