"""The requests that read, on a look at the page: ``ls cd cat text tree find grep``.

The answers are those of the built-in engine, from what DOMShell and the probe tell.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.errors import DomshError, NotEnterable, UsageError
from domsh_repl.link.asks import Ask, Wanted
from domsh_repl.link.domshell import lines, probe, search
from domsh_repl.link.domshell.looking import Look
from domsh_repl.link.domshell.probe import Ask as Asked
from domsh_repl.link.domshell.probe import Looked
from domsh_repl.link.domshell.search import Pattern
from domsh_repl.link.domshell.snapshot import Spot
from domsh_repl.link.domshell.surveying import links, outline, with_text
from domsh_repl.link.domshell.told import Details, TextBelow
from domsh_repl.nodes import Branch, Card, Cards, Listing, Matches, Node, Text, TextListing, Tree
from domsh_repl.paths import Path, SegmentKind
from domsh_repl.roles import NOISE, TEXT_LEAVES

__all__ = ["READERS"]

_PAGE_OF_LISTING = 1000
_DEFAULT_DEPTH = 3
_DEEPEST = 300
_CARD_TEXT = 2000


def _number(ask: Ask[Any], name: str, default: int) -> int:
    return int(ask.options.get(name, default))


def _path(ask: Ask[Any], place: int = 0) -> Path:
    return Path.parse(ask.operands[place])


async def ls(look: Look, ask: Ask[Any]) -> Listing:
    """List a directory, the node itself when it has nothing inside, or what a glob matches."""
    where, found = await _listed(look, ask)
    if any(spot.node.role in TEXT_LEAVES for spot in found):
        await look.learn(found[:_PAGE_OF_LISTING])
        found = list(look.without_blank(look.fresh(found)))
    role = ask.options.get("--type")
    if role:
        found = [spot for spot in found if spot.node.role == role]
    offset, limit = _number(ask, "--offset", 0), _number(ask, "-n", _PAGE_OF_LISTING)
    shown = found[offset : offset + limit] if limit else found[offset:]
    nodes = await look.nodes(shown)
    if "--text" in ask.options:
        return TextListing(where, await with_text(look, shown, nodes), len(found), offset)
    return Listing(where, nodes, len(found), offset)


async def _listed(look: Look, ask: Ask[Any]) -> tuple[str, list[Spot]]:
    path = _path(ask)
    spots = await look.all(path)
    if path.may_match_many:
        loose = path.segments[-1].kind in (SegmentKind.GLOB, SegmentKind.ANY_DEPTH)
        hides = loose and "-a" not in ask.options
        return path.literal_part, _telling(spots) if hides else list(spots)
    spot = spots[0] if len(spots) == 1 else await look.one(path)
    if not spot.node.enterable:
        return look.snapshot.parent(spot).path, [spot]
    below = "-R" in ask.options
    found = look.snapshot.below(spot) if below else look.snapshot.children(spot)
    everything = "-a" in ask.options
    return spot.path, [one for one in found if everything or one.node.role not in NOISE]


def _telling(spots: Sequence[Spot]) -> list[Spot]:
    """Leave out what a plain listing hides, unless a glob named nothing else."""
    return [spot for spot in spots if spot.node.role not in NOISE] or list(spots)


async def cd(look: Look, ask: Ask[Any]) -> Node:
    """Return the directory that a path means; raises ``NotEnterable``."""
    spot = await look.one(_path(ask))
    if not spot.node.enterable:
        raise NotEnterable(
            f"{spot.path} has nothing inside to enter", f"`cat {spot.path}` shows it"
        )
    return spot.node


async def cat(look: Look, ask: Ask[Any]) -> Cards:
    """Return the cards of every node that the path means."""
    spots = await look.all(_path(ask))
    return Cards(tuple([await _card(look, spot) for spot in spots]))


async def _card(look: Look, spot: Spot) -> Card:
    if spot.is_root or not look.may_probe:
        return await _plain_card(look, spot)
    if spot.node.role in TEXT_LEAVES:
        (node,) = await look.nodes([spot])
        return _made_card(node, text=node.label.strip())
    try:
        looked = probe.read_looked(*await look.ask_any(spot, Asked.CARD))
    except probe.KeptOut:
        look.do_without()
        return await _plain_card(look, spot)
    row = look.snapshot.rows[spot.row]
    label, source = looked.label(row.name, row.role)
    return Card(
        name=spot.node.name, path=spot.path, role=spot.node.role, label=label,
        kind=spot.node.kind, enterable=spot.node.enterable, value=_value(spot, looked),
        states=looked.states, description=looked.description, name_from=source,
        text=looked.text[:_CARD_TEXT], text_cut=len(looked.text) > _CARD_TEXT,
        url=looked.url or None, tag=looked.tag or None, attributes=_attributes(looked),
        properties=_properties(looked),
    )  # fmt: skip


def _value(spot: Spot, looked: Looked) -> Any:
    """Return the value as it is now: DOMShell's tree keeps an old one while text is typed."""
    field = looked.field
    if field is None or not field.editable or isinstance(spot.node.value, (int, float)):
        return spot.node.value
    if field.secret:
        return PASSWORD_MASK if field.filled else None
    return field.value or None


def _attributes(looked: Looked) -> dict[str, str]:
    secret = looked.field is not None and looked.field.secret
    return {
        name: PASSWORD_MASK if secret and name == "value" and value else value
        for name, value in looked.attributes
    }


def _properties(looked: Looked) -> dict[str, object]:
    if looked.field is None or looked.field.options is None:
        return {}
    options = looked.field.options
    told = [{"label": o.label, "value": o.value, "selected": o.selected} for o in options]
    return {"options": told}


async def _plain_card(look: Look, spot: Spot) -> Card:
    """Return what DOMShell itself tells: no label, no states, and of passwords nothing."""
    if spot.is_root or spot.wire is None:
        return _made_card(spot.node)
    told = await look.talk.say(lines.cat(spot.wire), Details)
    secret = spot.node.value == PASSWORD_MASK or 'type="password"' in told.html
    attributes = dict(told.attributes) if not secret else {}
    text = "" if secret else told.text
    return _made_card(
        spot.node, text=text, url=told.href or None, tag=told.tag or None, attributes=attributes
    )


def _made_card(node: Node, text: str = "", **more: Any) -> Card:
    return Card(
        node.name, node.path, node.role, node.label, node.kind, node.enterable, node.value,
        node.states, text=text[:_CARD_TEXT], text_cut=len(text) > _CARD_TEXT, **more,
    )  # fmt: skip


async def text(look: Look, ask: Ask[Any]) -> Text:
    """Return the rendered text below a node; without a probe DOMShell's own, hidden text too."""
    spot = await look.one(_path(ask))
    links = "--links" in ask.options
    if not look.may_probe:
        return Text(spot.path, await _plain_text(look, spot))
    if spot.is_root:
        nonce = secrets.token_hex(8)
        line = probe.ask_body(nonce, Asked.TEXT, links=links, keep=True)
        told = await look.talk.script(line)
    else:
        try:
            told, nonce = await look.ask_any(spot, Asked.TEXT, links=links, keep=True)
        except probe.KeptOut:
            look.do_without()
            return Text(spot.path, await _plain_text(look, spot))
    return Text(spot.path, probe.read_text(await look.kept(told, nonce), nonce))


async def _plain_text(look: Look, spot: Spot) -> str:
    tops = look.snapshot.children(spot) if spot.is_root else (spot,)
    wires = [top.wire for top in tops if top.wire is not None]
    found = [(await look.talk.say(lines.text(wire), TextBelow)).text for wire in wires]
    return "\n".join(filter(None, found))


async def tree(look: Look, ask: Ask[Any]) -> Tree:
    """Return the subtree of a node, ``-L`` levels deep."""
    depth = _number(ask, "-L", _DEFAULT_DEPTH)
    if depth < 1:
        raise UsageError("-L takes a number from 1")
    top = await look.one(_path(ask))
    everything = "-a" in ask.options
    depth = min(depth, _DEEPEST)
    for _ in range(2):  # the second time what is inside of cards
        (top,) = look.fresh([top])
        await look.learn(_shown(look, top, depth, everything=everything))
    (top,) = look.fresh([top])
    return Tree(top.path, _branch(look, top, depth, everything=everything))


def _entries(look: Look, spot: Spot, *, everything: bool) -> list[Spot]:
    found = look.snapshot.children(spot) if spot.node.enterable else ()
    shown = look.without_blank(found)
    return [one for one in shown if everything or one.node.role not in NOISE]


def _shown(look: Look, top: Spot, depth: int, *, everything: bool) -> list[Spot]:
    found, level = [top], [top]
    for _ in range(depth):
        level = [one for spot in level for one in _entries(look, spot, everything=everything)]
        found += level
    return found


def _branch(look: Look, spot: Spot, depth: int, *, everything: bool) -> Branch:
    entries = _entries(look, spot, everything=everything)
    node = look.snapshot.spots[spot.at].node
    shown = entries if depth else []
    below = tuple(_branch(look, one, depth - 1, everything=everything) for one in shown)
    return Branch(
        node.name, node.path, node.role, node.label, node.kind, node.enterable, node.value,
        node.states, below, 0 if depth else len(entries),
    )  # fmt: skip


async def find(look: Look, ask: Ask[Any]) -> Matches:
    """Return every node below that has all the wanted features."""
    given = ask.options
    wanted = Wanted(
        role=given.get("--type", ""), name=given.get("--name", ""),
        label=given.get("--label", ""), css=given.get("--css", ""), state=given.get("--state", ""),
    )  # fmt: skip
    tops = await look.all(_path(ask))
    selected = await _selected(look, tops, wanted.css) if wanted.css else None
    if search.needs_facts(wanted):
        look.require_probe()
        await look.learn(_all_below(look, tops))
        tops = look.fresh(tops)
    spots = search.find(look.snapshot, tops, wanted, selected=selected)
    return await _matches(look, spots, _number(ask, "-n", 0))


def _all_below(look: Look, tops: Sequence[Spot]) -> list[Spot]:
    found = {spot.at: spot for top in tops for spot in look.snapshot.below(top)}
    return list(found.values())


async def _selected(look: Look, tops: Sequence[Spot], css: str) -> frozenset[int]:
    """Return the places of the nodes whose elements fit a selector: the page alone knows."""
    look.require_probe()
    told = await look.probed(_all_below(look, tops), Asked.MATCHES, css=css)
    found = set()
    for at, (text_, nonce) in told.items():
        try:
            if probe.read_matches(text_, nonce):
                found.add(at)
        except DomshError as error:
            if "selector" in error.message:
                raise UsageError(f"{css!r} is no CSS selector", "main a.card, #save") from error
    return frozenset(found)


async def grep(look: Look, ask: Ask[Any]) -> Matches:
    """Return the entries whose name, label, value or text matches a regular expression."""
    given = ask.options
    pattern = Pattern.of(ask.operands[0], ignore_case="-i" in given, inverted="-v" in given)
    path = _path(ask, 1)
    below = "-r" in given
    tops = await look.all(path) if below else (await look.one(path),)
    inside = [one for top in tops for one in look.snapshot.children(top)]
    await look.learn(_all_below(look, tops) if below else inside)
    tops = look.fresh(tops)
    spots = search.grep(look.snapshot, tops, pattern, below=below)
    return await _matches(look, spots, _number(ask, "-n", 0) if below else 0)


async def _matches(look: Look, spots: Sequence[Spot], limit: int) -> Matches:
    nodes = await look.nodes(spots[: limit or None])
    hidden = len(spots[limit:]) if limit else 0
    return Matches(nodes, len(nodes) + hidden)


READERS = {
    "ls": ls, "cd": cd, "cat": cat, "text": text, "tree": tree, "find": find, "grep": grep,
    "links": links, "outline": outline,
}  # fmt: skip
