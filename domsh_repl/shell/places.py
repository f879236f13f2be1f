"""Candidates from the page: paths, options of a select, tabs. Looks at a bounded part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from domsh_repl.aria import EDITABLE, SELECTS, TOGGLES
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import OperandKind
from domsh_repl.errors import DomshError, UsageError
from domsh_repl.language import Piece, Token, TokenKind, quote_word
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask
from domsh_repl.nodes import Card, Kind, Listing, Node
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.safetext import has_unsafe, one_line
from domsh_repl.shell.candidates import Candidate, Tier, is_typed_as_it_is, places_of, told
from domsh_repl.shell.cursor import Begun, PathBegun, path_begun
from domsh_repl.shell.labels import Labels
from domsh_repl.shell.lookout import Lookout

__all__ = ["Places"]

MOST_ENTRIES = 500
"""Entries of a directory that are looked at; in a larger one those that begin as typed."""
_MOST_OPTIONS = 1000
_LONGEST_NAME = 200

_FITS: Mapping[OperandKind, Callable[[Node], bool]] = {
    OperandKind.DIRECTORY: lambda node: node.enterable,
    OperandKind.FIELD: lambda node: node.role in EDITABLE,
    OperandKind.SELECT: lambda node: node.role in SELECTS,
    OperandKind.TOGGLE: lambda node: node.role in TOGGLES,
    OperandKind.INTERACTIVE: lambda node: node.kind is Kind.INTERACTIVE,
}


class Places:
    """What completion can know of the page of a session."""

    def __init__(self, session: Session, lookout: Lookout) -> None:
        self._session = session
        self._lookout = lookout
        self._labels = Labels(lookout)

    def prepare(self) -> None:
        """Ask for what the working directory holds, before anybody presses Tab."""
        if self._session.state.page.url not in ("", "about:blank"):
            self._lookout.prepare(_listing(self._session.cwd))

    def paths(self, kind: OperandKind, word: Begun) -> Iterator[Candidate]:
        """Yield the next segments of a path: what fits the operand, what leads on, the rest.

        Behind those that begin as typed come those that hold what was typed.
        """
        begun = path_begun(word)
        directory = self._directory(begun) if begun is not None else None
        if begun is None or directory is None:
            return
        if begun.is_label:
            names = self._names(directory)
            yield from self._labels.below(directory, begun, _FITS.get(kind), names)
        elif begun.prefix == "..":
            yield Candidate("../", begun.raw, is_whole=False)
        else:
            yield from self._segments(kind, directory, begun)

    def _segments(
        self, kind: OperandKind, directory: Path, begun: PathBegun
    ) -> Iterator[Candidate]:
        typed, known = begun.prefix, self._entries(directory, begun.prefix)
        if known is None:
            return
        entries = [one for one in known if is_typed_as_it_is(one.name)]
        begins = [one for one in entries if one.name.startswith(typed)]
        for node, tier in _sorted(kind, begins):
            yield replace(_entry(node, begun.raw), tier=tier)
        others = {one.name: one for one in self._holding(directory, typed, entries)}
        hits = {name: places_of(typed, name) for name in others if not name.startswith(typed)}
        found = sorted(filter(hits.__getitem__, hits), key=lambda name: _closeness(hits[name]))
        for node, _ in _sorted(kind, [others[name] for name in found]):
            yield replace(_entry(node, begun.raw), tier=Tier.HOLDS, hits=hits[node.name])

    def exists(self, word: Token) -> bool | None:
        """Tell whether the path that a word means is there; None while that is not known.

        Goes down from where something is known to be, one listing a level; labels and globs
        mean a search, which is not worth a colour.
        """
        path = _path_of(word)
        absolute = None if path is None or path.bookmark else self._absolute(path)
        if absolute is None or not absolute.is_plain:
            return None
        known = self._session.cwd.segments
        start = len(known) if absolute.segments[: len(known)] == known else 0
        for depth in range(start, len(absolute.segments)):
            above = Path(absolute.segments[:depth], absolute=True)
            listing = self._lookout.look(_listing(above))
            if listing is None:
                return None
            name = absolute.segments[depth].text
            if listing.path != str(above) or all(node.name != name for node in listing.entries):
                return False if listing.total <= len(listing.entries) else None
        return True

    def options(self, select: Token, word: Begun) -> Iterator[Candidate]:
        """Yield the options of a select by their labels: those that begin as typed, the others."""
        path = _path_of(select)
        place = None if path is None else self._absolute(path)
        cards = None if place is None else self._lookout.look(asks.cat(place))
        labels = [label for card in (cards.cards if cards else ()) for label in _options(card)]
        typed = word.text.casefold()
        for label in labels[:_MOST_OPTIONS]:
            if label and not has_unsafe(label) and typed in label.casefold():
                begins = label.casefold().startswith(typed)
                tier = Tier.BEGINS if begins else Tier.HOLDS
                yield Candidate(quote_word(label), word.raw, "option", one_line(label), tier=tier)

    def tabs(self) -> Iterator[Candidate]:
        """Yield the numbers of the tabs."""
        known = self._lookout.look(asks.tabs())
        for tab in known.tabs if known else ():
            yield Candidate(str(tab.id), meta=one_line(tab.title or tab.url))

    def tab_paths(self) -> Iterator[Candidate]:
        """Yield the tabs as places to enter."""
        for tab in self.tabs():
            yield replace(tab, text=f"~/tabs/{tab.text}", shown=f"~/tabs/{tab.text}")

    def _absolute(self, path: Path) -> Path | None:
        """Return a path as it is seen from the root; None while a bookmark's place is not known."""
        if not path.bookmark:
            return path.under(self._session.cwd)
        with suppress(DomshError):
            mark = self._session.bookmarks.get(path.bookmark)
            node = self._lookout.look(asks.directory(Path.of_names(mark.path)))
            if node is not None and mark.fits(node):
                return replace(path, bookmark="").under(Path.of_names(node.path))
        return None

    def _directory(self, begun: PathBegun) -> Path | None:
        """Return the directory's printed path; None while it is not known."""
        path = self._absolute(begun.directory)
        if path is None or path.is_plain:
            return path
        if path.may_match_many:
            return None
        node = self._lookout.look(asks.directory(path))
        return None if node is None else Path.of_names(node.path)

    def _names(self, directory: Path) -> frozenset[str] | None:
        """Return the names of all entries; None where not all of them are known."""
        listing = self._lookout.look(_listing(directory))
        if listing is None or not _is_all(listing):
            return None
        return frozenset(node.name for node in listing.entries)

    def _entries(self, directory: Path, typed: str) -> Sequence[Node] | None:
        """Return the entries, of a large directory those that begin as typed."""
        listing = self._lookout.look(_listing(directory))
        if listing is None or listing.path != str(directory):
            return None  # what has nothing inside is listed by itself, in its parent
        if _is_all(listing) or not typed:
            return listing.entries
        return self._narrowed(directory, typed, "{}*".format)

    def _holding(self, directory: Path, typed: str, entries: Sequence[Node]) -> Sequence[Node]:
        """Return the entries that may hold what was typed.

        Those of a large directory are asked for, where none of them begins so.
        """
        listing = self._lookout.peek(_listing(directory))
        if not typed or listing is None or _is_all(listing):
            return entries
        if any(one.name.startswith(typed) for one in entries) or not _is_wordlike(typed):
            return ()
        found = self._narrowed(directory, typed.lower(), lambda text: "*".join(("", *text, "")))
        return [one for one in found or () if is_typed_as_it_is(one.name)]

    def _narrowed(
        self, directory: Path, typed: str, glob: Callable[[str], str]
    ) -> Sequence[Node] | None:
        """Return the entries of a large directory that fit; a shorter glob may have told them."""
        if len(typed) > _LONGEST_NAME:
            return ()
        for length in range(1, len(typed)):
            wider = self._lookout.peek(_listing(directory, glob(typed[:length])))
            if wider is not None and _is_all(wider):
                return wider.entries
        wanted = _listing(directory, glob(typed))
        narrow = self._lookout.look(wanted)
        if narrow is None:
            return () if self._lookout.is_refused(wanted) else None  # nothing matches
        return narrow.entries


def _is_wordlike(typed: str) -> bool:
    return typed.replace("_", "").isalnum()


def _listing(directory: Path, glob: str = "") -> Ask[Listing]:
    segments = (*directory.segments, Segment(SegmentKind.GLOB, glob)) if glob else None
    path = Path(segments, absolute=True) if segments else directory
    return asks.listing(path, limit=MOST_ENTRIES)


def _is_all(listing: Listing) -> bool:
    return listing.total <= len(listing.entries)


def _closeness(hits: tuple[int, ...]) -> tuple[int, int]:
    """Return by what those are sorted that hold what was typed: early, close together."""
    return hits[0], hits[-1] - hits[0]


def _options(card: Card) -> Iterator[str]:
    listed = card.properties.get("options", ())
    for option in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(option, Mapping):
            yield str(option.get("label", ""))


def _sorted(kind: OperandKind, nodes: list[Node]) -> Iterator[tuple[Node, Tier]]:
    """Yield what fits, then what leads on, then the rest; to ``cd`` the rest is nothing."""
    fits = _FITS.get(kind)
    if fits is None:
        yield from ((node, Tier.BEGINS) for node in nodes)
        return
    yield from ((node, Tier.BEGINS) for node in nodes if fits(node))
    if kind is not OperandKind.DIRECTORY:
        yield from ((node, Tier.BEGINS) for node in nodes if node.enterable and not fits(node))
        yield from ((node, Tier.REST) for node in nodes if not (node.enterable or fits(node)))


def _entry(node: Node, replaced: str) -> Candidate:
    text = f"{node.name}/" if node.enterable else node.name
    meta = told(node.role, *node.states, label=node.label)
    return Candidate(text, replaced, meta, is_whole=not node.enterable)


def _path_of(token: Token) -> Path | None:
    pieces = [(piece.text, piece.quoted) for piece in token.pieces if isinstance(piece, Piece)]
    if token.kind is not TokenKind.WORD or len(pieces) != len(token.pieces):
        return None
    try:
        return Path.of_pieces(pieces, bookmarks=True)
    except UsageError:
        return None
