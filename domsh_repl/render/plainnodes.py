"""The plain look of what a page holds: a node is one line of words, as a screen reader says it.

Pure. A line begins with what can be typed, then come role, label, states and value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.nodes import (
    Branch,
    Card,
    Kind,
    Listing,
    Matches,
    Node,
    Outline,
    OutlineEntry,
    TextListing,
    Tree,
    View,
)
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.listing import listing_notes
from domsh_repl.render.matches import match_notes
from domsh_repl.render.table import Fact, fact_lines
from domsh_repl.render.wording import card_role, role_words, state_words, untold

__all__ = [
    "plain_card",
    "plain_line",
    "plain_listing",
    "plain_matches",
    "plain_outline",
    "plain_text_listing",
    "plain_tree",
]

_UNLABELLED = "no label"
_HIDDEN = "value hidden"


def plain_line(*parts: str) -> Line:
    """Return the parts that say something, as one line of a sentence."""
    return (Span(", ".join(filter(None, parts))),)


def _named(node: Node, base: str, canvas: Canvas) -> str:
    """Return the name as it can be typed in ``base``."""
    inside = base if base.endswith("/") else f"{base}/"
    below = node.path.startswith(inside) and node.path != inside
    return canvas.text(node.path.removeprefix(inside) if below else node.name or node.path)


def _facts(node: Node, canvas: Canvas, level: int | None = None) -> list[str]:
    """Return role and label, states, value, and whether ``cd`` goes in."""
    role = canvas.text(role_words(node, level))
    label = f" {canvas.quoted(node.label)}" if node.label.strip() else ""
    lacks = node.kind is Kind.INTERACTIVE and not label
    return [
        f"{role}{label}",
        _UNLABELLED if lacks else "",
        *map(canvas.text, state_words(node)),
        _value(node, canvas),
    ]


def _value(node: Node, canvas: Canvas) -> str:
    if node.value is None or node.value == "":
        return ""
    if node.value == PASSWORD_MASK:
        return _HIDDEN
    shown = canvas.quoted(node.value) if isinstance(node.value, str) else str(node.value)
    return f"value {shown}"


def _way_in(node: Node) -> str:
    return "directory" if node.enterable else ""


def plain_listing(listing: Listing, view: View, canvas: Canvas) -> Picture:
    """Return a line an entry: name and role, with ``long`` all of it, with ``single`` the name."""
    return Picture(
        (_entry(node, listing.path, view, canvas) for node in listing.entries),
        tuple(listing_notes(listing)),
    )


def _entry(node: Node, base: str, view: View, canvas: Canvas) -> Line:
    name = _named(node, base, canvas)
    if view.long:
        return plain_line(name, *_facts(node, canvas), _way_in(node))
    if view.single:
        return plain_line(name)
    return plain_line(name, canvas.text(role_words(node)), _way_in(node))


def plain_text_listing(listing: TextListing, _view: View, canvas: Canvas) -> Picture:
    """Return name and role of each entry, and the beginning of its text."""
    lines = (
        plain_line(
            _named(entry, listing.path, canvas),
            canvas.text(role_words(entry)),
            f"text {canvas.quoted(entry.text)}" if entry.text else "",
        )
        for entry in listing.entries
    )
    return Picture(lines, tuple(listing_notes(listing)))


def plain_matches(matches: Matches, view: View, canvas: Canvas) -> Picture:
    """Return the path of each match and what it is, or only how many there are."""
    if view.count_only:
        return Picture([plain_line(str(matches.total))])
    lines = (
        plain_line(f"{number}: {path}" if view.numbered else path, *_facts(node, canvas))
        for number, node in enumerate(matches.matches, 1)
        for path in (canvas.text(node.path),)
    )
    return Picture(lines, tuple(match_notes(matches)))


def plain_outline(outline: Outline, _view: View, canvas: Canvas) -> Picture:
    """Return what each entry is, in document order, and its path."""
    lines = [_outline_line(entry, canvas) for entry in outline.outline]
    return Picture(lines, () if lines else ("nothing of that kind",))


def _outline_line(entry: OutlineEntry, canvas: Canvas) -> Line:
    level = entry.level if entry.role == "heading" else None
    lacks = level is not None and not entry.label.strip()
    unlabelled = _UNLABELLED if lacks else ""
    return plain_line(*_facts(entry, canvas, level), unlabelled, canvas.text(entry.path))


def plain_tree(tree: Tree, _view: View, canvas: Canvas) -> Picture:
    """Return each node of the subtree with its level, the root named by its path."""
    return Picture(_tree_lines(tree, canvas))


def _tree_lines(tree: Tree, canvas: Canvas) -> Iterator[Line]:
    # A stack instead of recursion: pages nest deeper than Python likes to.
    waiting: list[tuple[int, str, Branch]] = [(1, canvas.text(tree.path), tree.tree)]
    while waiting:
        level, name, branch = waiting.pop()
        yield plain_line(name, *_facts(branch, canvas), _more(branch), f"level {level}")
        waiting += [
            (level + 1, _named(child, branch.path, canvas), child)
            for child in reversed(branch.children)
        ]


def _more(branch: Branch) -> str:
    return f"{branch.more} more inside" if branch.more else ""


def plain_card(card: Card, _view: View, canvas: Canvas) -> Picture:
    """Return all that is known of a node, a fact a line."""
    return Picture(fact_lines(list(_card_facts(card, canvas)), canvas))


def _card_facts(card: Card, canvas: Canvas) -> Iterator[Fact]:
    yield Fact("name", [canvas.text(card.name)])
    yield Fact("path", [canvas.text(card.path)])
    yield Fact("role", [canvas.text(card_role(card))])
    yield Fact("label", [canvas.text(card.label) if card.label.strip() else "none"])
    if card.value is not None:
        hidden = card.value == PASSWORD_MASK
        yield Fact("value", ["hidden"] if hidden else canvas.block(str(card.value)))
    states = state_words(card)
    if states:
        yield Fact("states", [canvas.text(", ".join(states))])
    for key, text in (
        ("description", card.description),
        ("label from", card.name_from),
        ("address", card.url or ""),
        ("tag", card.tag or ""),
        ("directory", "yes, cd goes in" if card.enterable else ""),
    ):
        if text:
            yield Fact(key, [canvas.text(text)])
    for name, text in card.attributes.items():
        yield Fact(f"attribute {canvas.text(name)}", [canvas.text(text)])
    yield from _properties(untold(card), canvas)
    if card.text:
        rest = ["the rest is cut; text shows all of it"] if card.text_cut else []
        yield Fact("text", [*canvas.block(card.text), *rest])


def _properties(properties: Mapping[str, object], canvas: Canvas) -> Iterator[Fact]:
    for name, value in properties.items():
        items = value if isinstance(value, (list, tuple)) else [value]
        yield Fact(canvas.text(name), [canvas.text(_spoken(item)) for item in items])


def _spoken(item: object) -> str:
    """Return a property in words: of a mapping what is not false."""
    if isinstance(item, Mapping):
        return ", ".join(_pairs(item.items()))
    return item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)


def _pairs(items: Iterable[tuple[object, object]]) -> Iterator[str]:
    for key, value in items:
        if value is True:
            yield str(key)
        elif value not in (False, None, ""):
            yield f"{key} {_spoken(value)}"
