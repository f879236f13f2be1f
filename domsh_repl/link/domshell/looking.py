"""Looks at the page behind a real DOMShell: its tree, and labels and states where they count.

The tree is read anew for each request, since DOMShell keeps an old one while a page changes by
itself. Labels and states cost one round trip a node, so they are asked for those nodes only
that are shown or searched.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from domsh_repl.errors import DomshError, Stale, Unsupported
from domsh_repl.link.domshell import lines, probe, scripts
from domsh_repl.link.domshell.lines import Unwritable
from domsh_repl.link.domshell.places import Places, Suitable
from domsh_repl.link.domshell.probe import Ask, KeptOut, Looked
from domsh_repl.link.domshell.replies import read_deep_line
from domsh_repl.link.domshell.snapshot import Facts, Row, Snapshot, Spot, rows_of_read, zip_rows
from domsh_repl.link.domshell.talk import Talk
from domsh_repl.link.domshell.told import DeepLines, TextBelow, TreeLines
from domsh_repl.nodes import Kind, Node
from domsh_repl.paths import Path
from domsh_repl.roles import FIELDS, INTERACTIVE

__all__ = ["Look"]

_READINGS = 3
_MOST_PROBED = 4000
"""Nodes whose labels are asked for in one request: each is a round trip in the browser."""


@dataclass(slots=True)
class Look:
    """One look at the page; ``snapshot`` grows while labels, states and insides are learnt.

    ``may_probe`` is false where nothing but reading is allowed: then there are none.
    """

    talk: Talk
    snapshot: Snapshot
    may_probe: bool
    _facts: dict[str, Facts] = field(default_factory=dict)
    _blank: set[str] = field(default_factory=set)

    @classmethod
    async def at(cls, talk: Talk, *, may_probe: bool, title: str = "") -> Look:
        """Read the whole tree; the label of the document is its title."""
        for number in range(_READINGS):
            await talk.refresh()
            drawn = await talk.say(lines.tree(), TreeLines)
            deep = await talk.say(lines.read(), DeepLines)
            try:
                snapshot = Snapshot.of_rows(zip_rows(drawn, deep))
                return cls(talk, snapshot, may_probe, {"/": Facts(title)})
            except Stale:
                if number == _READINGS - 1:
                    raise
        raise AssertionError("unreachable")

    async def all(self, path: Path, suitable: Suitable | None = None) -> tuple[Spot, ...]:
        """Return every node that a path means; labels are compared with the page's own."""
        await self._enter(path)
        found = Places(self.snapshot).all(path, suitable=suitable)
        if found.certain:
            return found.spots
        await self.learn(found.spots)
        return Places(self._known()).all(path, suitable=suitable).spots

    async def one(self, path: Path, suitable: Suitable | None = None) -> Spot:
        """Return the only node that a path means."""
        await self._enter(path)
        found = Places(self.snapshot).one(path, suitable=suitable)
        if found.certain:
            return found.spots[0]
        await self.learn(found.spots)
        return Places(self._known()).one(path, suitable=suitable).spots[0]

    async def nodes(self, spots: Sequence[Spot]) -> tuple[Node, ...]:
        """Return nodes with their labels and states, but for texts of blanks."""
        await self.learn(spots)
        return tuple(spot.node for spot in self.without_blank(self.fresh(spots)))

    def without_blank(self, spots: Iterable[Spot]) -> tuple[Spot, ...]:
        """Leave out what is known to be a text of blanks: DOMShell lists those, too."""
        return tuple(spot for spot in spots if spot.path not in self._blank)

    def fresh(self, spots: Iterable[Spot]) -> tuple[Spot, ...]:
        """Return nodes as the snapshot has them now that more is known."""
        known = {spot.path: spot for spot in self.snapshot.spots}
        return tuple(known[spot.path] for spot in spots)

    async def learn(self, spots: Sequence[Spot]) -> None:
        """Ask the page for labels and states of nodes, and look into links that are cards."""
        asked = [spot for spot in self.fresh(spots) if spot.path not in self._facts]
        if not self.may_probe:
            return
        cards = []
        try:
            told = await self.probed(asked, Ask.BRIEF)
        except KeptOut:
            self.do_without()
            return
        for at, text in told.items():
            spot, looked = self.snapshot.spots[at], _looked(text)
            if looked is None:
                continue
            row = self.snapshot.rows[spot.row]
            self._facts[spot.path] = looked.facts(row.name, row.role)
            if looked.is_blank_text:
                self._blank.add(spot.path)
            if looked.inner and _may_hold(spot) and spot.wire and not spot.node.enterable:
                cards.append(spot)
        for spot in cards:
            await self.graft(spot)
        self._apply()

    def _apply(self) -> None:
        known = self._facts
        found = {spot.at: known[spot.path] for spot in self.snapshot.spots if spot.path in known}
        self.snapshot = self.snapshot.with_facts(found)

    async def probed(
        self, spots: Sequence[Spot], ask: Ask, **given: object
    ) -> Mapping[int, tuple[str, str]]:
        """Return the probe's answers for nodes by their places, each with its nonce."""
        groups: dict[int, list[Spot]] = {}
        for spot in spots:
            if not spot.is_root:
                card = next(filter(_may_hold, self.snapshot.above(spot)), self.snapshot.root)
                groups.setdefault(card.at, []).append(spot)
        found: dict[int, tuple[str, str]] = {}
        for group in groups.values():
            found.update(await self._probed_together(group, ask, given))
        return found

    async def _probed_together(
        self, asked: Sequence[Spot], ask: Ask, given: Mapping[str, object]
    ) -> Mapping[int, tuple[str, str]]:
        """Ask nodes of which none is inside of another that DOMShell draws as a leaf."""
        top = self._top(asked)
        deepest = max(_depth(spot) for spot in asked) - _depth(top)
        if len(self.snapshot.below(top)) > _MOST_PROBED and deepest > 1:
            raise Unsupported(
                f"labels of {len(self.snapshot.below(top))} nodes are too many for DOMShell",
                "look at a part of the page: `ls DIRECTORY`, `find DIRECTORY …`",
            )
        nonce = secrets.token_hex(8)
        probe.read_armed(await self.talk.script(probe.arm_all(nonce, ask, **given)))
        try:
            line = lines.read(top.wire or "", deepest, probed=True)
            deep = await self.talk.say(line, DeepLines)
        finally:
            await self.talk.script(probe.DISARM)
        marks = _marks(self._rows_below(top, deepest), deep.lines, nonce)
        places = {spot.row: spot.at for spot in asked}
        return {places[row]: (text, nonce) for row, text in marks.items() if row in places}

    async def ask_one(self, spot: Spot, ask: Ask, **given: object) -> tuple[str, str]:
        """Put one question of the probe to a node; the answer and its nonce.

        Raises ``Unsupported`` where DOMShell has no way to the element.
        """
        self.require_probe()
        if spot.wire is None:
            raise Unsupported(
                f"DOMShell cannot tell {spot.path} from the other one of its name",
                "the built-in server can: `--server builtin`",
            )
        line = lines.text(spot.wire)
        nonce = secrets.token_hex(8)
        probe.read_armed(await self.talk.script(probe.arm(nonce, ask, **given)))
        return (await self.talk.say(line, TextBelow)).text, nonce

    async def ask_any(self, spot: Spot, ask: Ask, **given: object) -> tuple[str, str]:
        """Put a question that only reads; also where DOMShell's paths do not lead."""
        try:
            return await self.ask_one(spot, ask, **given)
        except Unwritable:
            pass
        except Unsupported:
            if spot.wire is not None:
                raise
        told = await self.probed([spot], ask, **given)
        if spot.at not in told:
            raise Unsupported(f"DOMShell does not let domsh look at {spot.path}", "`refresh`")
        return told[spot.at]

    async def kept(self, text: str, nonce: str) -> str:
        """Return a long answer whole; the page kept what did not fit."""
        length = probe.kept_length(text, nonce)
        if not length:
            return text
        parts = [
            await self.talk.script(scripts.js_part(begin))
            for begin in range(0, length, scripts.PART)
        ]
        await self.talk.script(scripts.js_forget())
        return f"@{nonce}@{''.join(parts)}@{nonce}@"

    def do_without(self) -> None:
        """Go on without labels and states on a page that keeps the probe out, and say so."""
        self.may_probe = False
        self.talk.notices.append(
            "this page lets domsh see no labels and states through DOMShell, so none are shown"
        )

    def require_probe(self) -> None:
        """Raise ``Unsupported`` where only reading is allowed."""
        if not self.may_probe:
            raise Unsupported(
                "through DOMShell that cannot be read in read-only mode", "--server builtin can"
            )

    def _known(self) -> Snapshot:
        if not self.snapshot.facts_known:
            self.require_probe()
        return self.snapshot

    async def _enter(self, path: Path) -> None:
        """Learn the insides of links and buttons that a path may lead through.

        ``tree`` draws those as leaves; a card that is a link holds headings and texts.
        """
        if len(path.segments) < 2 or not path.is_plain:  # noqa: PLR2004
            return
        spot = self.snapshot.root
        for segment in path.segments[:-1]:
            children = self.snapshot.children(spot)
            inside = [one for one in children if one.node.name == segment.text]
            if not inside:
                return
            spot = inside[0]
            if _may_hold(spot) and spot.wire and not self.snapshot.children(spot):
                await self.graft(spot)
                (spot,) = self.fresh([spot])

    async def graft(self, spot: Spot) -> None:
        """Learn what is inside of an interactive node."""
        try:
            deep = await self.talk.say(lines.read(spot.wire or ""), DeepLines)
        except DomshError:
            return
        if deep.lines:
            self.snapshot = self.snapshot.grafted(spot, rows_of_read(deep))

    def _top(self, spots: Iterable[Spot]) -> Spot:
        """Return the deepest node above all of these that DOMShell has a path for."""
        common: list[int] | None = None
        for spot in spots:
            way = [above.at for above in self.snapshot.above(spot)][::-1]
            if common is None:
                common = way
            else:
                same = 0
                while same < min(len(common), len(way)) and common[same] == way[same]:
                    same += 1
                common = common[:same]
        for at in reversed(common or []):
            top = self.snapshot.spots[at]
            if top.wire and not top.wire.startswith("-"):
                return top
        return self.snapshot.root

    def _rows_below(self, top: Spot, depth: int) -> list[tuple[int, Row]]:
        """Return the raw rows below a node with their places, ``depth`` levels."""
        rows = self.snapshot.rows
        level = -1 if top.is_root else rows[top.row].depth
        found = []
        closed_at: int | None = None
        for place in range(top.row + 1, len(rows)):
            row = rows[place]
            if row.depth <= level:
                break
            if closed_at is not None and row.depth > closed_at:
                continue  # inside of a link or button, which is a leaf to DOMShell
            closed_at = row.depth if row.role in INTERACTIVE else None
            if row.depth <= level + depth:
                found.append((place, row))
        return found


def _may_hold(spot: Spot) -> bool:
    return spot.node.kind is Kind.INTERACTIVE and spot.node.role not in FIELDS


def _depth(spot: Spot) -> int:
    return 0 if spot.is_root else spot.path.count("/")


def _looked(told: tuple[str, str]) -> Looked | None:
    try:
        return probe.read_looked(*told)
    except DomshError:
        return None  # an answer that was cut: nothing is known then


def _marks(rows: Sequence[tuple[int, Row]], told: Sequence[str], nonce: str) -> dict[int, str]:
    """Return each row's answer; lines that are no row's belong to the row before."""
    pattern = re.compile(f"@{nonce}@.*?@{nonce}@", re.DOTALL)
    found: dict[int, str] = {}
    waiting = iter(rows)
    following = next(waiting, None)
    current: int | None = None
    for line in told:
        deep = read_deep_line(line)
        if following is not None and deep is not None and deep.name == following[1].name:
            current, following = following[0], next(waiting, None)
        mark = pattern.search(line)
        if mark is not None and current is not None:
            found.setdefault(current, mark.group())
    return found
