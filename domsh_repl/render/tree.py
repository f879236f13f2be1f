"""How ``tree`` looks: guides on a terminal, two blanks a level in a pipe.

Pure. A label is shown where the name does not already say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from domsh_repl.nodes import Branch, Tree, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span, line_cells
from domsh_repl.render.theme import DIM, role_style

__all__ = ["draw_tree"]

_LEAST_LABEL = 12
_PIPE_INDENT = "  "
_WHAT_A_NAME_ADDS = re.compile(
    r"(btn|link|input|chk|radio|select|item|tab|slider|search|switch|img|heading)?[0-9]*"
)


def draw_tree(tree: Tree, _view: View, canvas: Canvas) -> Picture:
    """Return the subtree, its root named by its path."""
    return Picture(_lines(tree, canvas))


def _lines(tree: Tree, canvas: Canvas) -> Iterator[Line]:
    slash = "/" if tree.tree.enterable and not tree.path.endswith("/") else ""
    root = (Span(canvas.text(tree.path), role_style(tree.tree.role)), Span(slash))
    yield _described(root, tree.tree, canvas)
    # A stack instead of recursion: pages nest deeper than Python likes to.
    waiting = list(reversed(_inside(tree.tree, "", canvas)))
    while waiting:
        guide, lead, branch = waiting.pop()
        if isinstance(branch, int):
            yield (Span(guide, DIM), Span(f"{canvas.signs.ellipsis} {branch} more", DIM))
            continue
        yield _described((Span(guide, DIM), *canvas.name(branch)), branch, canvas)
        waiting += reversed(_inside(branch, lead, canvas))


def _inside(branch: Branch, lead: str, canvas: Canvas) -> list[tuple[str, str, Branch | int]]:
    """Return what stands below, each with the guide before it and the lead of its own inside."""
    things: list[Branch | int] = list(branch.children)
    if branch.children and branch.more:
        things.append(branch.more)
    signs = canvas.signs
    if canvas.width is None:
        return [(lead + _PIPE_INDENT, lead + _PIPE_INDENT, thing) for thing in things]
    inside = [(lead + signs.branch, lead + signs.trunk, thing) for thing in things]
    if inside:
        inside[-1] = (lead + signs.last_branch, lead + signs.gap, things[-1])
    return inside


def _described(head: Line, branch: Branch, canvas: Canvas) -> Line:
    spans = [*head, Span(f"  {canvas.text(branch.role)}", DIM)]
    cut = f"  {canvas.signs.ellipsis} {branch.more} more"
    tail = [Span(cut, DIM)] if branch.more and not branch.children else []
    if branch.label and not _says(branch.name, branch.label):
        spans += [Span("  "), Span(canvas.quoted(branch.label, _room(spans, tail, canvas)))]
    return (*spans, *tail)


def _room(spans: list[Span], tail: list[Span], canvas: Canvas) -> int | None:
    if canvas.width is None:
        return None
    return max(canvas.width - line_cells((*spans, *tail)) - 2, _LEAST_LABEL)


def _says(name: str, label: str) -> bool:
    """Tell whether the name is the label's slug, but for a suffix of its role or a number."""
    said, wanted = _letters(name), _letters(label)
    added = said.removeprefix(wanted)
    return bool(wanted) and said.startswith(wanted) and bool(_WHAT_A_NAME_ADDS.fullmatch(added))


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
