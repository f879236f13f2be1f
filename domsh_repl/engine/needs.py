"""The letters that every match must hold, so that the page itself can leave out most nodes.

Texts are compared by their *letters*: lower case, and nothing kept but ASCII letters and digits,
kana, Han and Hangul, whose forms do not depend on case, language or Unicode version. What is a
part of a text is then a part of its letters, too, however blanks were folded, the case was
transformed or a name was made of a label. ``scan.js`` does the same with what the page holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domsh_repl.engine.query import Query

__all__ = ["DROPPED", "UNSTEADY", "Needs", "letters", "needs_of"]

DROPPED = "[^a-z0-9\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
UNSTEADY = "[\u00df\u0130\u0131\u0149\u017f\u01f0\u1e96-\u1e9a\u1e9e\u212a\ufb00-\ufb06]"
"""Characters that become ASCII letters in another case or normal form: such a text may match."""

_DROPPED = re.compile(DROPPED)
_GLOB_WILD = re.compile(r"\*|\?|\[!?\]?[^\]]*\]")
_LAST_DIGITS = re.compile("[0-9]+$")
_REPEATED = re.compile(r"\{[0-9]*,?[0-9]*\}")
_NOT_IN_A_NAME = re.compile(r"[\x00-,./:-@\[-^`{-\x7f]")
_UNREAD_ESCAPES = frozenset("xuUN0123456789")


@dataclass(frozen=True, slots=True)
class Needs:
    """Letters of which a match holds at least one run (none: nothing is known of it).

    ``whole`` says that they are all its letters, ``names`` that they may stand in its name, which
    has a suffix, or its role and a number.
    """

    any_of: tuple[str, ...] = ()
    whole: bool = False
    names: bool = False


def letters(text: str) -> str:
    """Return the letters of a text."""
    return _DROPPED.sub("", text.lower())


def needs_of(query: Query) -> Needs:
    """Return what the query needs of a node."""
    whole = query.exact_label or query.folded_label
    if query.label or whole:
        found = letters((query.label or whole).casefold())
        return Needs((found,) if found else (), whole=not query.label)
    if query.pattern is not None:
        return Needs(_of_expression(query.pattern.source), names=True)
    if query.name:
        return Needs(_all_or_none([_longest(_GLOB_WILD.split(query.name))]), names=True)
    return Needs()


def _all_or_none(runs: Iterable[str]) -> tuple[str, ...]:
    found = tuple(runs)
    return found if all(found) else ()


def _longest(pieces: Iterable[str]) -> str:
    return max(map(_steady, pieces), key=len, default="")


def _steady(piece: str) -> str:
    """Return a literal's letters, without what the number at the end of a name could give."""
    if _NOT_IN_A_NAME.search(piece) is None:
        piece = _LAST_DIGITS.sub("", piece)
    return letters(piece)


def _of_expression(source: str) -> tuple[str, ...]:
    """Return one run for each alternative of a regular expression; none where one is not simple."""
    alternatives: list[list[str]] = [[]]
    for piece in _literals(source):
        if piece is None:
            return ()
        if piece == "|":
            alternatives.append([])
        else:
            alternatives[-1].append(piece)
    return _all_or_none(_longest(pieces) for pieces in alternatives)


def _literals(source: str) -> Iterator[str | None]:
    """Yield the literal runs, ``|`` between alternatives, and None for what is not understood."""
    run: list[str] = []
    position = 0
    while position < len(source):
        character, following = source[position], source[position + 1 : position + 2]
        position += 1
        if character == "(" or (character == "\\" and following in _UNREAD_ESCAPES):
            yield None
            return
        if character == "\\" and not following.isalnum():
            run.append(following)
            position += 1
            continue
        repeated = _REPEATED.match(source, position - 1) if character == "{" else None
        if character not in "\\[.^$*?+|" and repeated is None:
            run.append(character)
            continue
        if character in "*?{":
            del run[-1:]
        yield "".join(run)
        run = []
        if character == "|":
            yield "|"
        position = _after(source, position, repeated)
    yield "".join(run)


def _after(source: str, position: int, repeated: re.Match[str] | None) -> int:
    """Return where to read on after a special character: behind its set, count or class letter."""
    if repeated is not None:
        return repeated.end()
    if source[position - 1] == "\\":
        return position + 1
    if source[position - 1] != "[":
        return position
    position += source.startswith("^", position)
    position += source.startswith("]", position)
    while position < len(source) and source[position] != "]":
        position += 2 if source[position] == "\\" else 1
    return position + 1
