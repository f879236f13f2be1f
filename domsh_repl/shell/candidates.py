"""What completion offers, in which order, and how much of it Tab may take for granted. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice

from prompt_toolkit.completion import Completion
from prompt_toolkit.formatted_text import StyleAndTextTuples

from domsh_repl.language import tokenize
from domsh_repl.language.syntax import bare_text
from domsh_repl.paths import Path
from domsh_repl.render.ink import cut
from domsh_repl.safetext import has_unsafe, one_line
from domsh_repl.shell.cursor import Begun

__all__ = [
    "MOST_OFFERED", "Candidate", "Tier", "is_typed_as_it_is", "matching", "offered", "places_of",
    "plain", "told",
]  # fmt: skip

MOST_OFFERED = 200
"""Entries of a menu: nobody reads on, one types on."""
_META_ROOM = 60
_SHOWN_ROOM = 48
_LONGEST_MATCHED = 200
_HIT = "class:fuzzymatch.inside.character"


class Tier(IntEnum):
    """How well a candidate fits: it goes on from what was typed, or does not fit the command.

    The last ones hold what was typed, with other characters in between.
    """

    BEGINS = 0
    REST = 1
    HOLDS = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text for the place of ``replaced``; ``is_whole`` when a blank comes next.

    ``hits`` are the places in ``shown`` of the characters that were typed.
    """

    text: str
    replaced: str = ""
    meta: str = ""
    shown: str | None = None
    is_whole: bool = True
    tier: Tier = Tier.BEGINS
    hits: tuple[int, ...] = ()

    def replacing(self, replaced: str) -> Candidate:
        """Return it in the place of what was typed."""
        return replace(self, replaced=replaced)

    def completion(self, blank: str) -> Completion:
        """Return it as the line editor takes it, followed by ``blank`` where it is whole."""
        return Completion(
            self.text + (blank if self.is_whole else ""),
            -len(self.replaced),
            display=self._display(),
            display_meta=cut(self.meta, _META_ROOM, "…"),
        )

    def _display(self) -> StyleAndTextTuples:
        shown = cut(self.text if self.shown is None else self.shown, _SHOWN_ROOM, "…")
        hits = frozenset(self.hits)
        return [(_HIT if place in hits else "", sign) for place, sign in enumerate(shown)]


def told(*words: str, label: str = "") -> str:
    """Return what stands beside a candidate: words, and a label in quotes; safe to show."""
    quoted = f'"{one_line(label)}"' if label else ""
    return " ".join(filter(None, (*map(one_line, words), quoted)))


def is_typed_as_it_is(name: str) -> bool:
    """Tell whether a name means itself where it is typed, and is fit to be shown."""
    if has_unsafe(name) or name.startswith(("-", "~", "@")):
        return False
    if name.isidentifier():
        return True
    tokens = tokenize(name)
    if len(tokens) != 1 or bare_text(tokens[0].pieces) != name:
        return False
    path = Path.of_pieces([(name, False)])
    return path.is_plain and len(path.segments) == 1


def matching(candidates: Iterable[Candidate], word: Begun) -> Iterator[Candidate]:
    """Yield those that go on from what was typed."""
    for one in candidates:
        if one.text.startswith(word.raw):
            yield one.replacing(word.raw)


def plain(words: Iterable[str], word: Begun) -> Iterator[Candidate]:
    """Yield the words that go on from what was typed."""
    return matching(map(Candidate, words), word)


def places_of(begun: str, text: str) -> tuple[int, ...]:
    """Return where the characters of ``begun`` stand in a text, in their order, without case.

    The first place where all have come by, and from there back as close together as they are: two
    passes, whatever the text is. None where they do not all come.
    """
    wanted, held = begun.lower(), text.lower()
    if not wanted or len(held) != len(text) or len(text) > _LONGEST_MATCHED:
        return ()
    end = -1
    for sign in wanted:
        end = held.find(sign, end + 1)
        if end < 0:
            return ()
    found = []
    for sign in reversed(wanted):
        end = held.rindex(sign, 0, end + 1)
        found.append(end)
        end -= 1
    return tuple(reversed(found))


def offered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return what the menu shows, the best first.

    Where what goes on from the typed text says how it goes on, that alone is offered: what only
    holds the same characters never keeps Tab from writing what is common to the others.
    """
    found = list(dict.fromkeys(islice(candidates, MOST_OFFERED)))
    begins = [one for one in found if one.tier is Tier.BEGINS]
    if len(begins) == 1 or _goes_on(begins):
        return begins
    return sorted(found, key=lambda one: one.tier)


def _goes_on(begins: list[Candidate]) -> bool:
    if not begins:
        return False
    further = len(begins[0].replaced) + 1
    heads = {one.text[:further] for one in begins}
    return len(heads) == 1 and heads.pop().startswith(begins[0].replaced)
