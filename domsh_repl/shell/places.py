"""Candidates from the page: paths, labels, options of a select, tabs, addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from domsh_repl.aria import EDITABLE, SELECTS, TOGGLES
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import OperandKind
from domsh_repl.errors import UsageError
from domsh_repl.language import Piece, Token, TokenKind, quote_word, tokenize
from domsh_repl.language.syntax import bare_text
from domsh_repl.link import asks
from domsh_repl.link.asks import Wanted
from domsh_repl.nodes import Card, Kind, Node
from domsh_repl.paths import Path, Segment, SegmentKind
from domsh_repl.safetext import has_unsafe, one_line
from domsh_repl.shell.cursor import Begun, PathBegun, path_begun
from domsh_repl.shell.lookout import Lookout

__all__ = ["Candidate", "Places"]

_MOST = 500
"""Entries of a directory that are looked at; in a larger one those that begin as typed."""
_MOST_LABELS = 50
_META_ROOM = 60
_LABEL_ROOM = 40
_LONGEST_LABEL = 100

_FITS: Mapping[OperandKind, Callable[[Node], bool]] = {
    OperandKind.DIRECTORY: lambda node: node.enterable,
    OperandKind.FIELD: lambda node: node.role in EDITABLE,
    OperandKind.SELECT: lambda node: node.role in SELECTS,
    OperandKind.TOGGLE: lambda node: node.role in TOGGLES,
    OperandKind.INTERACTIVE: lambda node: node.kind is Kind.INTERACTIVE,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text for the place of ``replaced``; ``is_whole`` when a blank comes next."""

    text: str
    replaced: str = ""
    meta: str = ""
    shown: str | None = None
    is_whole: bool = True

    def replacing(self, replaced: str) -> Candidate:
        """Return it in the place of what was typed."""
        return replace(self, replaced=replaced)


class Places:
    """What completion can know of the page of a session."""

    def __init__(self, session: Session, lookout: Lookout) -> None:
        self._session = session
        self._lookout = lookout

    def paths(self, kind: OperandKind, word: Begun) -> Iterator[Candidate]:
        """Yield the next segments of a path: what fits the operand, then what leads on."""
        begun = path_begun(word)
        directory = self._directory(begun) if begun is not None else None
        if begun is None or directory is None:
            return
        if begun.is_label:
            yield from self._labels(kind, directory, begun)
        elif begun.prefix == "..":
            yield Candidate("../", begun.raw, is_whole=False)
        else:
            found = [
                node
                for node in self._entries(directory, begun.prefix)
                if node.name.startswith(begun.prefix) and _is_typed_as_it_is(node.name)
            ]
            yield from (_entry(node, begun.raw) for node in _sorted(kind, found))

    def exists(self, word: Token) -> bool | None:
        """Tell whether the path that a word means is there; None while that is not known.

        Goes down from where something is known to be, one listing a level; labels and globs
        mean a search, which is not worth a colour.
        """
        path = _path_of(word)
        absolute = None if path is None else self._session.absolute(path)
        if absolute is None or not absolute.is_plain:
            return None
        known = self._session.cwd.segments
        start = len(known) if absolute.segments[: len(known)] == known else 0
        for depth in range(start, len(absolute.segments)):
            above = Path(absolute.segments[:depth], absolute=True)
            listing = self._lookout.look(asks.listing(above, limit=_MOST))
            if listing is None:
                return None
            names = {node.name for node in listing.entries}
            if listing.path != str(above) or absolute.segments[depth].text not in names:
                return False if listing.total <= len(listing.entries) else None
        return True

    def options(self, select: Token, word: Begun) -> Iterator[Candidate]:
        """Yield the options of a select by their labels."""
        path = _path_of(select)
        cards = self._lookout.look(asks.cat(self._session.absolute(path))) if path else None
        for card in cards.cards if cards else ():
            for label in _option_labels(card):
                if not has_unsafe(label) and label.casefold().startswith(word.text.casefold()):
                    yield Candidate(quote_word(label), word.raw)

    def tabs(self) -> Iterator[Candidate]:
        """Yield the numbers of the tabs."""
        known = self._lookout.look(asks.tabs())
        for tab in known.tabs if known else ():
            yield Candidate(str(tab.id), meta=one_line(tab.title or tab.url, _META_ROOM))

    def tab_paths(self) -> Iterator[Candidate]:
        """Yield the tabs as places to enter."""
        for tab in self.tabs():
            yield replace(tab, text=f"~/tabs/{tab.text}", shown=f"~/tabs/{tab.text}")

    def urls(self) -> Iterator[tuple[str, str]]:
        """Yield addresses that were open, the last first, each with its title."""
        if "site" in self._session.variables:
            yield "$site/", "the folder of --site"
        entries = [
            entry
            for tab in self._session.state.tabs.values()
            for entry in (*tab.past, *tab.forward)
        ]
        titles = {entry.url: entry.title for entry in reversed(entries)}
        for url, title in titles.items():
            if url.startswith(("http", "file")) and not has_unsafe(url):
                yield url, one_line(title, _META_ROOM)

    def _directory(self, begun: PathBegun) -> Path | None:
        """Return the directory's printed path; None while it is not known."""
        path = self._session.absolute(begun.directory)
        if path.is_plain:
            return path
        if path.may_match_many:
            return None
        node = self._lookout.look(asks.directory(path))
        return None if node is None else Path.of_names(node.path)

    def _entries(self, directory: Path, prefix: str) -> Iterable[Node]:
        listing = self._lookout.look(asks.listing(directory, limit=_MOST))
        if listing is None or listing.path != str(directory):
            return ()  # what has nothing inside is listed by itself, in its parent
        if listing.total <= len(listing.entries) or not prefix:
            return listing.entries
        beginning = Segment(SegmentKind.GLOB, f"{prefix}*")
        narrow = Path((*directory.segments, beginning), absolute=True)
        listing = self._lookout.look(asks.listing(narrow, limit=_MOST))
        return () if listing is None else listing.entries

    def _labels(self, kind: OperandKind, directory: Path, begun: PathBegun) -> Iterator[Candidate]:
        """Yield labels anywhere below; without a beginning those of the directory itself."""
        if begun.prefix:
            wanted = Wanted(label=begun.prefix)
            matches = self._lookout.look(asks.find(directory, wanted, limit=_MOST_LABELS))
            found: Iterable[Node] = matches.matches if matches else ()
        else:
            found = self._entries(directory, "")
        start = begun.prefix.casefold()
        labelled = [
            node
            for node in found
            if node.label.casefold().startswith(start) and _is_typed_in_quotes(node.label)
        ]
        seen: set[str] = set()
        for node in _sorted(kind, labelled):
            if node.label not in seen:
                seen.add(node.label)
                meta = one_line(f"{node.role} {node.path}", _META_ROOM)
                shown = quote_word(one_line(node.label, _LABEL_ROOM), force=True)
                yield Candidate(quote_word(node.label, force=True), begun.raw, meta, shown)


def _option_labels(card: Card) -> Iterator[str]:
    listed = card.properties.get("options", ())
    for option in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(option, Mapping):
            yield str(option.get("label", ""))


def _sorted(kind: OperandKind, nodes: list[Node]) -> list[Node]:
    """Return what fits, then what leads on; all where neither is there, but for directories."""
    fits = _FITS.get(kind)
    if fits is None:
        return nodes
    fitting = [node for node in nodes if fits(node)]
    leading = [node for node in nodes if node.enterable and not fits(node)]
    if kind is OperandKind.DIRECTORY:
        return fitting
    return [*fitting, *leading] or nodes


def _entry(node: Node, replaced: str) -> Candidate:
    text = f"{node.name}/" if node.enterable else node.name
    label = f' "{node.label}"' if node.label else ""
    meta = one_line(f"{node.role}{label}", _META_ROOM)
    return Candidate(text, replaced, meta, is_whole=not node.enterable)


def _is_typed_as_it_is(name: str) -> bool:
    """Tell whether a name means itself where it is typed, and is fit to be shown."""
    tokens = tokenize(name)
    return not has_unsafe(name) and len(tokens) == 1 and bare_text(tokens[0].pieces) == name


def _is_typed_in_quotes(label: str) -> bool:
    return 0 < len(label) <= _LONGEST_LABEL and not has_unsafe(label)


def _path_of(token: Token) -> Path | None:
    pieces = [(piece.text, piece.quoted) for piece in token.pieces if isinstance(piece, Piece)]
    if token.kind is not TokenKind.WORD or len(pieces) != len(token.pieces):
        return None
    try:
        return Path.of_pieces(pieces)
    except UsageError:
        return None
