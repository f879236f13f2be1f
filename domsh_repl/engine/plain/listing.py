"""What ``ls``, ``tree``, ``read``, ``find`` and ``grep`` print of a tree, and ``cat`` of a node."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domsh_repl.engine.plain.elements import Elements
from domsh_repl.engine.plain.tree import PlainNode
from domsh_repl.engine.plain.words import Words
from domsh_repl.nodes import Kind

__all__ = ["card", "drawing", "entries", "found", "is_match", "of_role", "outline", "to_json"]

BREAK = "\r\n"
SIGNS = {Kind.DIRECTORY: "[d]", Kind.INTERACTIVE: "[x]", Kind.STATIC: "[-]"}
_TEXT_SHOWN = 80
_HTML_SHOWN = 300
_DEFAULT_DEPTH, _DEFAULT_LEVELS, _DEEPEST = 9, 2, 200
_ALIASES = {
    "input": ("textbox", "searchbox", "combobox"),
    "dropdown": ("combobox", "listbox"),
    "nav": ("navigation",),
    "btn": ("button",),
    "toggle": ("switch", "checkbox"),
    "modal": ("dialog",),
    "image": ("img", "image"),
    "sidebar": ("complementary",),
}
_CARD_LINES = (
    ("URL", "href"), ("Src", "src"), ("ID", "id"), ("Class", "class"), ("Alt", "alt"),
    ("Title", "title"), ("Placeholder", "placeholder"), ("Name", "domName"),
    ("Action", "action"),
)  # fmt: skip
_META = ("href", "src", "id", "tag")

Shown = tuple[str, PlainNode]
"""A node and how it is called in a listing: its name, or its path."""


def to_json(value: object) -> str:
    """Return JSON as a script of the page's own language writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _value(node: PlainNode) -> dict[str, Any]:
    return {} if node.ax.value in (None, "") else {"value": node.ax.value}


def _entry(name: str, node: PlainNode) -> dict[str, Any]:
    return {"name": name, "role": node.ax.role, "type": node.kind.value, **_value(node)}


async def _meta(elements: Elements, node: PlainNode) -> dict[str, Any]:
    facts = await elements.facts(node.ax)
    return {key: facts[key] for key in _META if key in facts}


async def entries(words: Words, listed: Sequence[Shown], elements: Elements) -> str:
    """Return what ``ls`` prints of entries."""
    role = words.flags.get("--type")
    fitting = [one for one in listed if not role or one[1].ax.role == role]
    if words.has("--count"):
        return _counted(fitting)
    limit, offset = words.number("-n", 0), words.number("--offset", 0)
    shown = fitting[offset : offset + limit] if limit else fitting[offset:]
    if words.has("--json"):
        if not fitting:
            return to_json({"children": []})
        children = [await _json_entry(words, one, elements) for one in shown]
        more = {"limit": limit} if limit else {}
        counted = {"total": len(fitting), "offset": offset, **more}
        return to_json({"children": children, **counted})
    lines = [await _line(words, one, elements) for one in shown]
    lines += _page_line(len(fitting), len(shown), offset)
    return BREAK.join(lines) or "(empty directory)"


def _counted(nodes: Sequence[Shown]) -> str:
    kinds = [node.kind for _, node in nodes]
    counts = ", ".join(f"{kinds.count(kind)} {sign}" for kind, sign in SIGNS.items())
    return f"{len(nodes)} total ({counts})"


async def _json_entry(words: Words, one: Shown, elements: Elements) -> dict[str, Any]:
    entry = _entry(*one)
    if words.has("--meta"):
        entry |= await _meta(elements, one[1])
    if words.has("--text"):
        entry["text"] = await _preview(words, one[1], elements)
    return entry


async def _preview(words: Words, node: PlainNode, elements: Elements) -> str:
    text = (await elements.inner_text(node.ax)).strip()
    longest = words.number("--textlen", 0)
    return text[:longest] if longest else text


async def _line(words: Words, one: Shown, elements: Elements) -> str:
    name, node = one
    shown = f"{name}/" if node.kind is Kind.DIRECTORY else name
    if not words.has("-l") and not words.has("--meta") and not words.has("--text"):
        return shown
    line = f"{SIGNS[node.kind]} {node.ax.role:<14} {shown}"
    if words.has("--meta"):
        line += f"  {_meta_text(await _meta(elements, node))}"
    if words.has("--text"):
        line += _quoted(words, (await elements.inner_text(node.ax)))
    return line.rstrip()


def _meta_text(meta: dict[str, Any]) -> str:
    facts = [f"{key}={value}" for key, value in meta.items() if key != "tag"]
    return " ".join([*facts, f"<{meta['tag']}>"]) if "tag" in meta else " ".join(facts)


def _quoted(words: Words, text: str) -> str:
    longest = words.number("--textlen", _TEXT_SHOWN)
    flat = text.strip() if words.has("--textlen") else re.sub(r"\s+", " ", text).strip()
    if not flat:
        return ""
    return f'  "{flat}"' if len(flat) <= longest else f'  "{flat[:longest]}..." ({len(flat)})'


def _page_line(total: int, shown: int, offset: int) -> Iterator[str]:
    last = offset + shown
    if last < total:
        yield f"... {offset + 1}-{last} of {total} (--offset {last} for next page)"
    elif offset:
        yield f"... {offset + 1}-{total if shown else total and offset} of {total}"


def drawing(top: PlainNode, words: Words) -> str:
    """Return what ``tree`` draws below a node."""
    first = words.operand()
    number = int(first[:9]) if first.isascii() and first.isdigit() else _DEEPEST
    levels = number if first else _DEFAULT_LEVELS
    lines = [f"{top.name}/", *_drawn(top.children, "", min(levels, _DEEPEST))]
    return BREAK.join(lines)


def _drawn(nodes: Sequence[PlainNode], indent: str, levels: int) -> Iterator[str]:
    if levels < 1:
        return
    for node in nodes:
        last = node is nodes[-1]
        yield f"{indent}{'└── ' if last else '├── '}{SIGNS[node.kind]} {node.shown}"
        yield from _drawn(node.inside, indent + ("    " if last else "│   "), levels - 1)


async def outline(top: PlainNode, words: Words, elements: Elements) -> str:
    """Return what ``read`` prints: names, roles and values, two columns a level."""
    depth = min(words.number("-d", _DEFAULT_DEPTH), _DEEPEST)
    limit = words.number("-n", 0)
    lines = [_outlined(top, 0)]
    for level, node in _levels(top.children, 1, depth):
        line = _outlined(node, level)
        if words.has("--meta"):
            meta = await _meta(elements, node)
            meta.pop("tag", None)
            line += f"  {{{_meta_text(meta)}}}" if meta else ""
        if words.has("--text"):
            line += _quoted(words, await elements.inner_text(node.ax))
        lines.append(line)
        if limit and len(lines) > limit:
            break
    return BREAK.join(lines)


def _levels(nodes: Iterable[PlainNode], level: int, depth: int) -> Iterator[tuple[int, PlainNode]]:
    if level > depth:
        return
    for node in nodes:
        yield level, node
        yield from _levels(node.inside, level + 1, depth)


def _outlined(node: PlainNode, level: int) -> str:
    value = "" if node.ax.value in (None, "") else f' "{node.ax.value}"'
    return f"{'  ' * level}{node.name} [{node.ax.role}]{value}"


def of_role(node: PlainNode, role: str) -> bool:
    """Tell whether a node has a role, which may be one of DOMShell's other words for it."""
    return node.ax.role in _ALIASES.get(role.lower(), (role,))


def is_match(node: PlainNode, pattern: str) -> bool:
    """Tell whether a pattern is a part of the name, the role or the value."""
    wanted = pattern.lower()
    value = "" if node.ax.value is None else str(node.ax.value)
    return any(wanted in text.lower() for text in (node.name, node.ax.role, value))


async def found(words: Words, matches: Sequence[Shown], elements: Elements) -> str:
    """Return what ``find`` and ``grep`` print of matches, by their paths."""
    limit = words.number("-n", 0)
    matches = matches[: limit or None]
    if words.has("--json"):
        results = [await _json_match(words, one, elements) for one in matches]
        return to_json({"results": results})
    lines = []
    for path, node in matches:
        shown = f"{path}/" if node.kind is Kind.DIRECTORY else path
        line = f"{SIGNS[node.kind]} {shown} ({node.ax.role})"
        if words.has("--meta"):
            line += f"  {_meta_text(await _meta(elements, node))}"
        if words.has("--text"):
            line += _quoted(words, await elements.inner_text(node.ax))
        lines.append(line.rstrip())
    return BREAK.join(lines)


async def _json_match(words: Words, one: Shown, elements: Elements) -> dict[str, Any]:
    path, node = one
    entry = {"path": path, **_entry(node.name, node), **await _meta(elements, node)}
    if words.has("--text"):
        entry["text"] = await _preview(words, node, elements)
    return entry


async def card(words: Words, node: PlainNode, elements: Elements) -> str:
    """Return what ``cat`` prints of a node."""
    facts = await elements.facts(node.ax)
    text = (await elements.text_content(node.ax)).strip() or str(facts.pop("value", ""))
    facts.pop("value", None)
    visible = (await elements.inner_text(node.ax)).strip()
    html = str(facts.pop("html", ""))[:_HTML_SHOWN]
    if words.has("--json"):
        told = {
            **_entry(node.name, node),
            "axNodeId": node.ax.id,
            "value": node.ax.value or None,
            "childCount": len(node.inside) or None,
            "backendDOMNodeId": node.ax.backend or None,
            **facts,
            "html": html or None,
            "text": text or None,
            "visibleText": visible if visible and visible != text else None,
        }
        order = ("name", "role", "type", "axNodeId", "value")
        first = {key: told[key] for key in order}
        return to_json({key: one for key, one in (first | told).items() if one is not None})
    return BREAK.join(_card_lines(node, facts, text, visible, html))


def _card_lines(
    node: PlainNode, facts: dict[str, Any], text: str, visible: str, html: str
) -> Iterator[str]:
    yield f"--- {node.name} ---"
    yield f"  Role:  {node.ax.role}"
    yield f"  Type:  {SIGNS[node.kind]} {node.kind}"
    yield f"  AXID:  {node.ax.id}"
    yield f"  DOM:   backend#{node.ax.backend}"
    if node.ax.value not in (None, ""):
        yield f"  Value: {node.ax.value}"
    if node.inside:
        yield f"  Children: {len(node.inside)}"
    if "tag" in facts:
        yield f"  Tag:   <{facts['tag']}>"
    for label, key in _CARD_LINES:
        if key in facts:
            yield f"  {label + ':':<6} {facts[key]}"
    for label, block in (("Text", text), ("VisibleText", "" if visible == text else visible)):
        if block:
            yield f"  {label}:{BREAK}  {block}"
    if html:
        yield f"  HTML:{BREAK}  {html}"
