"""The verbs that read: ``ls cd cat text tree find grep diff``, each from one line to one value."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice

from domsh_repl.aria import STATES
from domsh_repl.engine.changes import changes_since
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.query import Query
from domsh_repl.engine.tree import Spot
from domsh_repl.errors import Failed, NotEnterable, UsageError
from domsh_repl.nodes import (
    Branch,
    Cards,
    Diff,
    Listing,
    Matches,
    Node,
    Text,
    TextListing,
    TextNode,
    Tree,
)
from domsh_repl.paths import Path, SegmentKind
from domsh_repl.patterns import Pattern, compile_pattern
from domsh_repl.roles import NOISE
from domsh_repl.safetext import escape

__all__ = ["cat", "cd", "diff", "find", "grep", "ls", "text", "tree"]

_PAGE_OF_WALK = 1000
_DEFAULT_DEPTH = 3
_DEEPEST = 300
"""Levels that ``tree`` reads at most: JSON nested deeper cannot be read back by everyone."""
_LONGEST_PATTERN = 1000
_TEXTS_AT_ONCE = 32


async def ls(desk: Desk, line: CommandLine, path: Path) -> Listing:
    """List a directory, the node itself when it has nothing inside, or what a glob matches."""
    spots = await desk.resolver.all(path)
    where, found = await _listed(desk, line, path, spots)
    role = line.text("--type")
    if role:
        found = [spot for spot in found if spot.node.role == role]
    offset, limit = line.number("--offset", 0), line.number("-n", _PAGE_OF_WALK)
    shown = found[offset : offset + limit] if limit else found[offset:]
    nodes = await desk.tree.nodes(shown)
    if line.has("--text") and line.envelope:
        texts = await _texts(desk, shown)
        told = tuple(_with_text(node, text) for node, text in zip(nodes, texts, strict=True))
        return TextListing(where, told, len(found), offset)
    return Listing(where, nodes, len(found), offset)


async def _texts(desk: Desk, spots: Sequence[Spot]) -> list[str]:
    found: list[str] = []
    for start in range(0, len(spots), _TEXTS_AT_ONCE):
        some = spots[start : start + _TEXTS_AT_ONCE]
        found += await asyncio.gather(*map(desk.describer.preview, some))
    return found


def _with_text(node: Node, text: str) -> TextNode:
    facts = {field.name: getattr(node, field.name) for field in fields(Node)}
    return TextNode(**facts, text=text)


async def _listed(
    desk: Desk, line: CommandLine, path: Path, spots: Sequence[Spot]
) -> tuple[str, list[Spot]]:
    if path.may_match_many:
        loose = path.segments[-1].kind in (SegmentKind.GLOB, SegmentKind.ANY_DEPTH)
        found = list(spots) if line.has("-a") or not loose else _telling(spots)
        return path.literal_part, found
    spot = spots[0] if len(spots) == 1 else await desk.resolver.one(path)
    if not await desk.tree.enterable(spot):
        return spot.parent().path, [spot]
    if line.has("-R"):
        found = [below async for below in desk.tree.walk(spot)]
    else:
        found = await desk.tree.children(spot)
    if not line.has("-a"):
        found = [child for child in found if child.node.role not in NOISE]
    return spot.path, found


def _telling(spots: Sequence[Spot]) -> list[Spot]:
    """Leave out what a plain listing hides, unless a glob named nothing else."""
    return [spot for spot in spots if spot.node.role not in NOISE] or list(spots)


async def diff(desk: Desk, line: CommandLine, path: Path) -> Diff:
    """Tell what changed since the last action in what had been read before it."""
    del line, path
    before = desk.before_action
    if before is None:
        raise Failed("nothing has been done to this page yet", "`diff` compares with before that")
    return Diff(await changes_since(before, desk.tree))


async def cd(desk: Desk, line: CommandLine, path: Path) -> Node:
    """Return the directory that a path means; raises ``NotEnterable``."""
    del line
    spot = await desk.resolver.one(path)
    if not await desk.tree.enterable(spot):
        raise NotEnterable(
            f"{spot.path} has nothing inside to enter", f"`cat {spot.path}` shows it"
        )
    return await desk.tree.node(spot)


async def cat(desk: Desk, line: CommandLine, path: Path) -> Cards:
    """Return the cards of every node that the path means."""
    del line
    spots = await desk.resolver.all(path)
    return Cards(tuple([await desk.describer.card(spot) for spot in spots]))


async def text(desk: Desk, line: CommandLine, path: Path) -> Text:
    """Return the rendered text below a node."""
    spot = await desk.resolver.one(path)
    return await desk.describer.text(spot, links=line.has("--links"))


async def tree(desk: Desk, line: CommandLine, path: Path) -> Tree:
    """Return the subtree of a node, ``-L`` levels deep and of at most ``-n`` nodes."""
    depth = line.number("-L", _DEFAULT_DEPTH)
    if depth < 1:
        raise UsageError("-L takes a number from 1")
    spot = await desk.resolver.one(path)
    asked = _TreeAsked(min(depth, _DEEPEST), line.number("-n", 0), line.has("-a"))
    return Tree(spot.path, await _branch(desk, spot, asked))


@dataclass(frozen=True, slots=True)
class _TreeAsked:
    """How much of a tree is wanted: levels, nodes (0: all), and texts that say nothing, too."""

    depth: int
    most: int
    everything: bool


async def _branch(desk: Desk, top: Spot, asked: _TreeAsked) -> Branch:
    """Read level by level, what is on one level together, and put the branches together after."""
    depth, everything = asked.depth, asked.everything
    total = 1
    rounds: list[list[_Read]] = [[_Read((await desk.tree.nodes([top]))[0], top)]]
    for _ in range(depth + 1):
        inside = await asyncio.gather(
            *(_entries(desk, read, everything=everything) for read in rounds[-1])
        )
        spots = [spot for entries in inside for spot in entries]
        for read, entries in zip(rounds[-1], inside, strict=True):
            read.count = len(entries)
        total += len(spots)
        if len(rounds) > depth or not spots or 0 < asked.most < total:
            break
        nodes = await desk.tree.nodes(spots)
        rounds.append([_Read(node, spot) for node, spot in zip(nodes, spots, strict=True)])
    below: Iterator[Branch] = iter(())
    for reads in reversed(rounds):
        last = reads is rounds[-1]
        below = iter([_grown(read, below, cut=last) for read in reads])
    return next(below)


@dataclass(slots=True)
class _Read:
    """A node of a tree that is being read, and how many entries it has."""

    node: Node
    spot: Spot
    count: int = 0


async def _entries(desk: Desk, read: _Read, *, everything: bool) -> list[Spot]:
    found = await desk.tree.children(read.spot) if read.node.enterable else []
    return [spot for spot in found if everything or spot.node.role not in NOISE]


def _grown(read: _Read, below: Iterator[Branch], *, cut: bool) -> Branch:
    node = read.node
    return Branch(
        node.name, node.path, node.role, node.label, node.kind, node.enterable, node.value,
        node.states, () if cut else tuple(islice(below, read.count)), read.count if cut else 0,
    )  # fmt: skip


async def find(desk: Desk, line: CommandLine, path: Path) -> Matches:
    """Return every node below that has all the wanted features."""
    state = line.text("--state")
    if state and state not in STATES:
        near = difflib.get_close_matches(state, STATES, 1)
        known = f"did you mean {near[0]}?" if near else f"states: {' '.join(sorted(STATES))}"
        raise UsageError(f"{escape(state)} is no state", known)
    query = Query(
        role=line.text("--type"),
        name=line.text("--name"),
        label=line.text("--label"),
        css=line.text("--css"),
        state=state,
    )
    if query == Query():
        raise UsageError(
            "find needs something to look for", "--label TEXT, --type ROLE, --name GLOB, --css …"
        )
    return await _matches(desk, path, query, line.number("-n", 0))


async def grep(desk: Desk, line: CommandLine, path: Path) -> Matches:
    """Return the entries whose name, label, value or text matches a regular expression."""
    pattern, inverted = _pattern(line), line.has("-v")
    query = Query(pattern=pattern, inverted=inverted)
    if line.has("-r"):
        return await _matches(desk, path, query, line.number("-n", 0))
    spot = await desk.resolver.one(path)
    children = await desk.tree.listed(spot)
    found = []
    for start in range(0, len(children), _TEXTS_AT_ONCE):
        some = children[start : start + _TEXTS_AT_ONCE]
        fits = await asyncio.gather(*(_fits(desk, child, pattern) for child in some))
        found += [child for child, fit in zip(some, fits, strict=True) if fit != inverted]
    return Matches(await desk.tree.nodes(found), len(found))


def _pattern(line: CommandLine) -> Pattern:
    source = line.operand(0)
    if not source or len(source) > _LONGEST_PATTERN:
        raise UsageError("grep needs a regular expression", "usage: grep [-ivcn] [-r] RE [PATH]")
    return compile_pattern(source, ignore_case=line.has("-i"))


async def _fits(desk: Desk, spot: Spot, pattern: Pattern) -> bool:
    """Tell whether an entry matches, or the text of one that has no label to match."""
    if Query(pattern=pattern).matches(spot):
        return True
    if not spot.node.child_ids or spot.node.name:
        return False
    return pattern.search((await desk.describer.text(spot, links=False)).text)


async def _matches(desk: Desk, path: Path, query: Query, limit: int) -> Matches:
    tops = await desk.resolver.all(path)
    if len(tops) == 1:
        part = await desk.search.find(tops[0], query, limit)
        return Matches(await desk.tree.nodes(part.spots), part.total)
    found: dict[str, Spot] = {}
    for top in tops:  # one may be inside another: what both hold counts once
        found.update((spot.path, spot) for spot in (await desk.search.find(top, query)).spots)
    spots = list(found.values())
    return Matches(await desk.tree.nodes(spots[: limit or None]), len(spots))
