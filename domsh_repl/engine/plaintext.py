"""Replies for clients that ask for no envelope: DOMShell's shapes of text and ``--json``.

The shapes are DOMShell's, the prose is ours. Page text is escaped, so that it can
neither drive a terminal nor forge the marker at the end of a reply.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from domsh_repl.engine.line import CommandLine
from domsh_repl.jsonform import encode
from domsh_repl.nodes import (
    Branch,
    Cards,
    DialogShown,
    Effect,
    EffectKind,
    Kind,
    Listing,
    Matches,
    Message,
    Node,
    ScriptValue,
    Tabs,
    Text,
    Tree,
    Where,
)
from domsh_repl.safetext import escape, escape_block, json_text

__all__ = ["plain_reply"]

_SIGNS = {Kind.DIRECTORY: "[d]", Kind.INTERACTIVE: "[x]", Kind.STATIC: "[-]"}
_BREAK = "\r\n"
_CERTAINTIES = {
    EffectKind.SEEN: "✓ {}",
    EffectKind.SENT: "✓ sent {}",
    EffectKind.UNKNOWN: "? outcome unknown of {}",
}


def plain_reply(line: CommandLine, value: object) -> str:
    """Return the text of a reply, without the marker."""
    if line.has("--json") and isinstance(value, (Listing, Matches, Cards, Tabs)):
        return json_text(_json_shape(value))
    for kind, wording in _WORDINGS:
        if isinstance(value, kind):
            return _BREAK.join(wording(line, value))
    return json.dumps(encode(value))


def _json_shape(value: Listing | Matches | Cards | Tabs) -> dict[str, Any]:
    if isinstance(value, Listing):
        children = [_entry(node) for node in value.entries]
        return {"children": children, "total": value.total, "offset": value.offset}
    if isinstance(value, Matches):
        return {
            "results": [{"path": node.path.lstrip("/"), **_entry(node)} for node in value.matches]
        }
    if isinstance(value, Tabs):
        return {"tabs": [encode(tab) for tab in value.tabs]}
    shapes = [
        {**_entry(card), "tag": card.tag, "attributes": dict(card.attributes), "text": card.text}
        for card in value.cards
    ]
    return shapes[0] if len(shapes) == 1 else {"cards": shapes}


def _entry(node: Node) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": node.name, "role": node.role, "type": node.kind.value}
    if node.value is not None:
        entry["value"] = node.value
    return entry


def _listing(line: CommandLine, listing: Listing) -> Iterator[str]:
    if not listing.entries and not listing.total:
        yield "(empty directory)"
    for node in listing.entries:
        name = _name(node)
        yield f"{_SIGNS[node.kind]} {node.role:<14} {name}" if line.has("-l") else name
    first, last = listing.offset + 1, listing.offset + len(listing.entries)
    if last < listing.total:
        yield f"... {first}-{last} of {listing.total} (--offset {last} for next page)"
    elif listing.offset:
        yield f"... {first}-{last} of {listing.total}"


def _name(node: Node) -> str:
    return f"{node.name}/" if node.kind is Kind.DIRECTORY else node.name


def _matches(line: CommandLine, matches: Matches) -> Iterator[str]:
    for node in matches.matches:
        ending = "/" if node.kind is Kind.DIRECTORY else ""
        yield f"{_SIGNS[node.kind]} {node.path.lstrip('/')}{ending} ({node.role})"
    if not matches.matches:
        yield f"No matches for '{escape(line.operand(0) or line.text('--type'))}'"


def _cards(_line: CommandLine, cards: Cards) -> Iterator[str]:
    for card in cards.cards:
        yield f"--- {card.name} ---"
        yield f"  Role:  {card.role}"
        yield f"  Type:  {_SIGNS[card.kind]} {card.kind}"
        for label, fact in (
            ("Label", card.label), ("Value", card.value), ("States", " ".join(card.states)),
            ("Tag", card.tag and f"<{card.tag}>"), ("URL", card.url), ("Text", card.text),
        ):  # fmt: skip
            if fact not in (None, ""):
                yield f"  {label + ':':<6} {escape(str(fact))}"


def _text(_line: CommandLine, text: Text) -> Iterator[str]:
    if text.text:
        yield f"--- Text: {text.path} ---"
        yield escape_block(text.text)
        yield f"({len(text.text)} chars)"
    else:
        yield f"(no text content in {text.path})"


def _tree(_line: CommandLine, tree: Tree) -> Iterator[str]:
    yield _name(tree.tree)
    yield from _branches(tree.tree, "")


def _branches(branch: Branch, indent: str) -> Iterator[str]:
    for place, child in enumerate(branch.children):
        last = place == len(branch.children) - 1
        yield f"{indent}{'└── ' if last else '├── '}{_SIGNS[child.kind]} {_name(child)}"
        yield from _branches(child, indent + ("    " if last else "│   "))


def _effect(_line: CommandLine, effect: Effect) -> Iterator[str]:
    place = f": {effect.path}" if effect.path else ""
    yield f"{_CERTAINTIES[effect.effect].format(effect.action)}{place}"
    if effect.navigated:
        yield f"  URL:   {escape(effect.url)}"
        yield f"  Title: {escape(effect.title)}"
    for tab in effect.opened_tabs:
        yield f"  Opened tab {tab.id}: {escape(tab.url)}"
    for name in effect.downloads:
        yield f"  Download offered: {escape(name)}"
    if effect.action in ("type", "fill", "select") and effect.value is not None:
        yield f"  Value: {escape(str(effect.value))}"
    if effect.loading:
        yield "  Still loading"
    if effect.dialog is not None:
        yield f"  Dialog ({effect.dialog.type}): {escape(effect.dialog.message)}"


def _where(line: CommandLine, where: Where) -> Iterator[str]:
    yield f"~/tabs/{where.tab}{where.path if where.path != '/' else ''}"
    if line.verb == "info":
        yield f"  URL:   {escape(where.url)}"
        yield f"  Title: {escape(where.title)}"
        yield f"  HTTP:  {where.http or 'none'}{', still loading' if where.loading else ''}"
        yield f"  Elements: {'unknown' if where.elements is None else where.elements}"


def _tabs(_line: CommandLine, tabs: Tabs) -> Iterator[str]:
    for tab in tabs.tabs:
        mark = " *current" if tab.current else ""
        yield f"{tab.id:>4} {escape(tab.title):<36} {escape(tab.url)}{mark}"


def _script(_line: CommandLine, script: ScriptValue) -> Iterator[str]:
    value = script.value
    yield escape_block(value) if isinstance(value, str) else json_text(value)


def _dialog(_line: CommandLine, shown: DialogShown) -> Iterator[str]:
    dialog = shown.dialog
    yield f"{dialog.type}: {escape(dialog.message)}" if dialog else "no dialog is open"


_WORDINGS: tuple[tuple[type, Callable[[CommandLine, Any], Iterator[str]]], ...] = (
    (Listing, _listing),
    (Matches, _matches),
    (Cards, _cards),
    (Text, _text),
    (Tree, _tree),
    (Effect, _effect),
    (Where, _where),
    (Tabs, _tabs),
    (ScriptValue, _script),
    (DialogShown, _dialog),
    (Message, lambda _line, message: iter([escape_block(message.text)])),
    (Node, lambda _line, _node: iter(())),  # cd says nothing
)
