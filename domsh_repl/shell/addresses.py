"""Addresses to open: pages of this shell, links of the page, earlier ``open`` lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from domsh_repl.commands.registry import GROUPED, names
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Operand, OperandKind
from domsh_repl.language import Piece, TokenKind, quote_word, tokenize
from domsh_repl.language.syntax import bare_text
from domsh_repl.link import asks
from domsh_repl.link.asks import Wanted
from domsh_repl.paths import Path
from domsh_repl.safetext import has_unsafe, one_line
from domsh_repl.shell.candidates import Candidate, Tier
from domsh_repl.shell.cursor import Begun
from domsh_repl.shell.lookout import Lookout

__all__ = ["Addresses"]

_MOST_LINES = 1000
"""Lines of the history that are looked at, the last ones."""
_MOST_LINKS = 1000
"""Links of a page; of one that has more, those of the working directory."""
_LARGE = 20_000
"""Elements of a page whose links are not looked for: that takes a browser many seconds."""
_LONGEST = 2000


class Addresses:
    """What ``open`` can be given."""

    def __init__(self, session: Session, lookout: Lookout) -> None:
        self._session = session
        self._lookout = lookout

    def matching(self, word: Begun) -> Iterator[Candidate]:
        """Yield addresses that begin as typed, with or without scheme, then those that hold it."""
        if "site" in self._session.variables and "$site/".startswith(word.raw):
            yield Candidate("$site/", word.raw, "the folder of --site", is_whole=False)
        known: dict[str, str] = {}
        for url, about in self._all():
            if len(url) <= _LONGEST and not has_unsafe(url):
                known[url] = known.get(url) or about
        found = [
            one
            for url, about in known.items()
            if (one := _candidate(self._written(url, word.text), about, word)) is not None
        ]
        yield from sorted(found, key=lambda one: one.tier)

    def _all(self) -> Iterator[tuple[str, str]]:
        yield from self._shown_before()
        yield from self._links()
        yield from ((url, "") for url in self._opened_before())

    def _shown_before(self) -> Iterator[tuple[str, str]]:
        tabs = self._session.state.tabs.values()
        entries = [entry for tab in tabs for entry in (*tab.past, *tab.forward)]
        for entry in reversed(entries):
            if entry.url.startswith(("http", "file")):
                yield entry.url, entry.title

    def _links(self) -> Iterator[tuple[str, str]]:
        if (self._session.state.page.elements or 0) > _LARGE:
            return
        top, cwd = Path(absolute=True), self._session.cwd
        for place in (top, cwd) if cwd != top else (top,):
            counted = self._lookout.look(asks.find(place, Wanted(role="link"), limit=_MOST_LINKS))
            if counted is None:
                return
            if counted.total <= _MOST_LINKS:
                links = self._lookout.look(asks.links(place))
                for link in links.links if links else ():
                    if link.url:
                        yield link.url, link.label
                return

    def _opened_before(self) -> Iterator[str]:
        lines = self._session.history() if self._session.history is not None else []
        for line in islice(reversed(lines), _MOST_LINES):
            yield from _opened_in(line)

    def _written(self, url: str, typed: str) -> str:
        """Return how an address is written: without its origin when it begins like that."""
        if not typed.startswith("/"):
            return url
        origin = _origin(self._session.state.page.url)
        return url.removeprefix(origin) if origin and url.startswith(f"{origin}/") else url


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


def _candidate(url: str, about: str, word: Begun) -> Candidate | None:
    """Return an address that fits what was typed."""
    typed = word.text.casefold()
    if url.startswith(word.text):
        tier = Tier.BEGINS
    elif typed in url.casefold() and not word.text.startswith("/"):
        host = url.partition("://")[2].removeprefix("www.")
        tier = Tier.REST if host.casefold().startswith(typed) else Tier.HOLDS
    else:
        return None
    return Candidate(quote_word(url), word.raw, one_line(about), url, tier=tier)


def _opened_in(line: str) -> Iterator[str]:
    """Yield what the commands of a line were to open, but for what variables were in it."""
    opens, group = False, ""
    for token in tokenize(line):
        said = bare_text(token.pieces)
        if token.kind is not TokenKind.WORD or (token.names and not token.filters):
            known = names().get(said) if token.kind is TokenKind.WORD else None
            opens = known is not None and _takes_url(known.operands)
            group = said if known is None and said in GROUPED else ""
        elif group:
            known = names().get(GROUPED[group].get(said, ""))
            opens, group = known is not None and _takes_url(known.operands), ""
        elif opens and not said.startswith("-"):
            pieces = [piece.text for piece in token.pieces if isinstance(piece, Piece)]
            if len(pieces) == len(token.pieces) and any(pieces):
                yield "".join(pieces)
            opens = False


def _takes_url(operands: tuple[Operand, ...]) -> bool:
    return bool(operands) and operands[0].kind is OperandKind.URL
