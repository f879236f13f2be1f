"""The text DOMShell's commands that read the tree and its elements."""

from __future__ import annotations

import asyncio
import re

from domsh_repl.engine.plain import listing
from domsh_repl.engine.plain.listing import BREAK
from domsh_repl.engine.plain.visit import Said, Visit
from domsh_repl.engine.plain.words import Words

__all__ = ["cat", "find", "grep", "links", "ls", "read", "table", "text", "tree", "wait"]

_WAIT, _LONGEST_WAIT, _POLL = 10.0, 30.0, 0.5


async def ls(visit: Visit) -> str:
    """List a directory, or what is above the tabs."""
    where = visit.words.operand()
    if where.startswith("~") or not visit.place.tab:
        level = where.strip("~/") if where.startswith("~") else visit.place.path.strip("~/")
        return await visit.tabs.listed(level, as_json=visit.words.has("--json"))
    look = await visit.look()
    top = visit.found(look, "No such file or directory") if where else look.here
    listed = [(child.name, child) for child in top.inside]
    if visit.words.has("-r"):
        listed += [
            (f"{child.name}/{one.name}", one) for child in top.inside for one in child.inside
        ]
    text = await listing.entries(visit.words, listed, look.elements)
    return BREAK.join([look.notice, text]) if look.notice and text[:1] != "{" else text


async def cat(visit: Visit) -> str:
    """Tell all about a node."""
    visit.need(1)
    look = await visit.look()
    node = visit.found(look, "No such file or directory")
    return await listing.card(visit.words, node, look.elements)


async def text(visit: Visit) -> str:
    """Print the ``textContent`` of a node."""
    look = await visit.look()
    node = visit.found(look, "No such file or directory") if visit.words.operands else look.here
    linked = visit.words.has("--links")
    read = look.elements.linked_text if linked else look.elements.text_content
    text = (await read(node.ax)).strip()
    if not text:
        return f"(no text content in {'/' if node is look.tree.root else node.name})"
    head = f"--- Text{' (with links)' if linked else ''}: {node.name} ---"
    count, limit = len(text.encode("utf-16-le")) // 2, visit.words.number("-n", 0)
    if limit and limit < count:
        return BREAK.join([head, text[:limit], f"... ({count} chars total, showing first {limit})"])
    return BREAK.join([head, text, f"({count} chars)"])


async def tree(visit: Visit) -> str:
    """Draw what is below the cursor."""
    return listing.drawing((await visit.look()).here, visit.words)


async def read(visit: Visit) -> str:
    """Print names, roles and values of what is below a node."""
    look = await visit.look()
    top = visit.found(look, "No such file or directory") if visit.words.operands else look.here
    return await listing.outline(top, visit.words, look.elements)


async def find(visit: Visit) -> str:
    """Find nodes below the cursor by role or by a part of their names."""
    role, pattern = visit.words.flags.get("--type", ""), " ".join(visit.words.operands)
    if not role and not pattern:
        raise Said(visit.usage)
    look = await visit.look()
    matches = [
        (path, node)
        for path, node in look.here.below()
        if (not role or listing.of_role(node, role))
        and (not pattern or listing.is_match(node, pattern))
    ]
    if not matches and not visit.words.has("--json"):
        return f"No matches for '{pattern}'" if pattern else f"No matches for type '{role}'"
    return await listing.found(visit.words, matches, look.elements)


async def grep(visit: Visit) -> str:
    """Find entries by a part of their names; no paths are told."""
    visit.need(1)
    look = await visit.look()
    pattern = " ".join(visit.words.operands)
    nodes = [node for _, node in look.here.below()] if visit.words.has("-r") else look.here.inside
    matches = [(node.name, node) for node in nodes if listing.is_match(node, pattern)]
    if not matches:
        return f"No matches for '{pattern}'"
    return await listing.found(visit.words, matches, look.elements)


async def wait(visit: Visit) -> str:
    """Look again and again until something matches."""
    visit.need(1)
    pattern, role = " ".join(visit.words.operands), visit.words.flags.get("--type", "")
    given = visit.words.flags.get("--timeout", "")
    limit = float(given) if re.fullmatch(r"\d{1,5}(\.\d+)?", given) else _WAIT
    limit = min(limit, _LONGEST_WAIT)
    begun = asyncio.get_running_loop().time()
    while True:
        visit.place.stale = True
        look = await visit.look()
        seconds = asyncio.get_running_loop().time() - begun
        for path, node in look.here.below():
            if listing.is_match(node, pattern) and (not role or listing.of_role(node, role)):
                match = await listing.found(Words("find"), [(path, node)], look.elements)
                return f"✓ Found after {seconds:.1f}s{BREAK}  {match}"
        if seconds >= limit:
            raise Said(f'wait: timed out after {limit:g}s — "{pattern}" not found')
        await asyncio.sleep(_POLL)


async def table(visit: Visit) -> str:
    """Print the rows of a table."""
    visit.need(1)
    look = await visit.look()
    rows = await look.elements.rows(visit.found(look, "No such element").ax)
    limit = visit.words.number("-n", 0)
    rows = rows[: limit or None]
    if visit.words.flags.get("--format") == "csv":
        quoted = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows]
        return BREAK.join(",".join(row) for row in quoted)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    rule = f"| {' | '.join(['---'] * len(rows[0]))} |" if rows else "(empty table)"
    return BREAK.join([*lines[:1], rule, *lines[1:]])


async def links(visit: Visit) -> str:
    """List the links below a node."""
    look = await visit.look()
    top = visit.found(look, "No such element") if visit.words.operands else look.here
    links: list[str] = []
    for _, node in top.below():
        if node.ax.role == "link" and len(links) < visit.words.number("-n", 200):
            href = (await look.elements.facts(node.ax)).get("href", "")
            text = (await look.elements.inner_text(node.ax)).strip() or node.ax.name
            links.append(f"{len(links) + 1}. [{text}]({href})")
    return BREAK.join(links) or "(no links found)"
