"""Links and outlines through a real DOMShell, and the text of a listing's entries.

The answers are those of the built-in engine; addresses, levels and texts are the probe's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from domsh_repl.aria import LANDMARKS, NAMED_LANDMARKS, OUTLINED_FIELDS
from domsh_repl.errors import DomshError, Unsupported
from domsh_repl.link.asks import Ask
from domsh_repl.link.domshell import probe
from domsh_repl.link.domshell.looking import Look
from domsh_repl.link.domshell.probe import Ask as Asked
from domsh_repl.link.domshell.probe import Looked
from domsh_repl.link.domshell.snapshot import Spot
from domsh_repl.nodes import Link, Links, Node, Outline, OutlineEntry, TextNode
from domsh_repl.paths import Path

__all__ = ["links", "outline", "with_text"]

_LISTED = {
    "--headings": frozenset({"heading"}),
    "--landmarks": LANDMARKS,
    "--fields": OUTLINED_FIELDS,
    "--links": frozenset({"link"}),
}
_UNTOLD = ("--headings", "--landmarks")
_HEADING_TAG = re.compile("h([1-6])")
_UNLEVELLED = 2
_PREVIEW = 200


async def links(look: Look, ask: Ask[Any]) -> Links:
    """Return all links below a node."""
    if "--check" in ask.options:
        raise Unsupported(
            "DOMShell asks no address without going there", "--server builtin checks links"
        )
    look.require_probe()
    top = await look.one(Path.parse(ask.operands[0]))
    found = [one for one in look.snapshot.below(top) if one.node.role == "link"]
    told = await _cards(look, found)
    nodes = await look.nodes(found)
    urls = [told[spot.at].url if spot.at in told else "" for spot in found]
    pairs = zip(nodes, urls, strict=True)
    return Links(top.path, tuple(Link(node.label, url or None, node.path) for node, url in pairs))


async def outline(look: Look, ask: Ask[Any]) -> Outline:
    """Return what is listed of all below a node."""
    look.require_probe()
    wanted = [name for name in _LISTED if name in ask.options] or _UNTOLD
    roles = frozenset[str]().union(*(_LISTED[name] for name in wanted))
    top = await look.one(Path.parse(ask.operands[0]))
    below = look.snapshot.below(top)
    await look.learn([one for one in below if one.node.role in roles | LANDMARKS])
    (top,) = look.fresh([top])
    found = [
        one for one in look.snapshot.below(top)
        if one.node.role in roles and (one.node.role not in LANDMARKS or _is_landmark(one))
    ]  # fmt: skip
    told = await _cards(look, [one for one in found if one.node.role == "heading"])
    entries = []
    for spot in found:
        level = _level(told.get(spot.at)) if spot.node.role == "heading" else _depth(look, spot)
        facts = {field.name: getattr(spot.node, field.name) for field in fields(Node)}
        entries.append(OutlineEntry(**facts, level=level))
    return Outline(tuple(entries))


async def with_text(
    look: Look, spots: Sequence[Spot], nodes: Sequence[Node]
) -> tuple[TextNode, ...]:
    """Return listed nodes with the beginning of the text in each."""
    look.require_probe()
    told = await look.probed(look.fresh(spots), Asked.TEXT, links=False)
    texts = {look.snapshot.spots[at].path: _text(*said) for at, said in told.items()}
    found = []
    for node in nodes:
        facts = {field.name: getattr(node, field.name) for field in fields(Node)}
        found.append(TextNode(**facts, text=texts.get(node.path, "")))
    return tuple(found)


def _text(text: str, nonce: str) -> str:
    try:
        return " ".join(probe.read_text(text, nonce).split())[:_PREVIEW]
    except DomshError:
        return ""


async def _cards(look: Look, spots: Sequence[Spot]) -> Mapping[int, Looked]:
    found = {}
    for at, said in (await look.probed(spots, Asked.CARD)).items():
        try:
            found[at] = probe.read_looked(*said)
        except DomshError:
            continue  # an answer that was cut
    return found


def _level(looked: Looked | None) -> int:
    """Return a heading's level: what the author says, else that of its tag."""
    if looked is None:
        return _UNLEVELLED
    said = dict(looked.attributes).get("aria-level", "")
    tag = _HEADING_TAG.fullmatch(looked.tag)
    if said.isascii() and said.isdigit() and int(said):
        return int(said)
    return int(tag.group(1)) if tag else _UNLEVELLED


def _is_landmark(spot: Spot) -> bool:
    node = spot.node
    return node.role in LANDMARKS and (node.role not in NAMED_LANDMARKS or bool(node.label))


def _depth(look: Look, spot: Spot) -> int:
    above = (one for one in look.snapshot.above(spot) if one.at != spot.at)
    return 1 + sum(map(_is_landmark, above))
