"""Conditions for ``wait`` and ``expect``: parsed from words, looked at through the session.

Built so far: exists, gone, text, value, state, url, title and count (docs/language.md §5).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from domsh_repl.aria import STATES
from domsh_repl.commands.arguments import path_of
from domsh_repl.commands.session import Session
from domsh_repl.errors import (
    Ambiguous,
    NotEnterable,
    NotFound,
    Unsupported,
    UsageError,
)
from domsh_repl.language import ExpandedWord
from domsh_repl.link import asks
from domsh_repl.link.asks import Wanted
from domsh_repl.measures import parse_number
from domsh_repl.nodes import Card
from domsh_repl.paths import Path, SegmentKind
from domsh_repl.patterns import compile_pattern
from domsh_repl.safetext import one_line

__all__ = ["COMPARISONS", "OPERATORS", "WORDS", "Condition", "Seen", "parse_condition"]

_LATER = frozenset({
    "label", "role", "http", "settled", "dialog", "download", "output", "status", "console",
    "announced", "level", "description", "that", "a11y",
})  # fmt: skip
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
OPERATORS = ("is", "contains", "matches")
"""How texts are compared."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look saw, and whether the condition held.

    ``missing`` tells that there was nothing to look at, which makes a condition on it false
    whether it is negated or not: a misspelt path must not pass a test.
    """

    ok: bool
    actual: str
    missing: bool = False


_MISSING = Seen(ok=False, actual="it is not there", missing=True)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with its wording; ``look`` asks the page once."""

    text: str
    expected: str
    look: Callable[[Session], Seen]


def parse_condition(words: Sequence[ExpandedWord], role: str = "") -> Condition:
    """Return the condition that the words make; ``role`` is the value of ``--type``.

    Raises ``UsageError``, and ``Unsupported`` for a condition that this version lacks.
    """
    shown = _wording(words, role)
    negated = bool(words) and _keyword(words[0]) == "not"
    rest = _Words(words[1:] if negated else words)
    word = rest.keyword()
    make = _MAKERS.get(word)
    if make is None:
        raise _no_condition(word)
    if role and word != "count":
        raise UsageError("--type belongs to count", "wait count --type ROLE [PATH] CMP N")
    condition = _count_by_role(rest, role) if role else make(rest)
    rest.finish()
    if not negated:
        return Condition(shown, condition.expected, condition.look)
    return Condition(shown, f"not {condition.expected}", _negation(condition.look))


def _wording(words: Sequence[ExpandedWord], role: str) -> str:
    """Return the condition as it was written, the ``--type`` of ``count`` in its place."""
    shown = [_as_written(word) for word in words]
    if role and "count" in shown:
        place = shown.index("count") + 1
        shown[place:place] = ["--type", one_line(role, 60)]
    return " ".join(shown)


def _no_condition(word: str) -> Exception:
    if word in _LATER:
        return Unsupported(f"the condition {word} is not in this version yet", _hint())
    if not word:
        return UsageError("a condition is missing", _hint())
    return UsageError(f"{word!r} is no condition", _hint(), word=word)


def _hint() -> str:
    return f"there is {', '.join(sorted(_MAKERS))}: wait exists late_btn"


def _negation(look: Callable[[Session], Seen]) -> Callable[[Session], Seen]:
    def negated(session: Session) -> Seen:
        seen = look(session)
        return seen if seen.missing else Seen(not seen.ok, seen.actual)

    return negated


def _as_written(word: ExpandedWord) -> str:
    text = one_line(word.text, 60)
    return text if word.bare else f'"{text}"'


def _keyword(word: ExpandedWord) -> str:
    return word.text if word.bare else ""


class _Words:
    """The words of a condition, taken one by one."""

    def __init__(self, words: Sequence[ExpandedWord]) -> None:
        self._words = list(words)

    def __len__(self) -> int:
        return len(self._words)

    def keyword(self) -> str:
        """Take a bare word; "" when there is none."""
        return _keyword(self._words.pop(0)) if self._words else ""

    def peek(self) -> str:
        """Return the next word if it is bare."""
        return _keyword(self._words[0]) if self._words else ""

    def text(self, name: str) -> str:
        """Take a word of any kind."""
        if not self._words:
            raise UsageError(f"the condition needs {name}", _hint())
        return self._words.pop(0).text

    def path(self) -> Path:
        """Take a path."""
        if not self._words:
            raise UsageError("the condition needs a PATH", _hint())
        return path_of(self._words.pop(0))

    def finish(self) -> None:
        """Raise ``UsageError`` when words are left."""
        if self._words:
            extra = self._words[0].text
            message = f"the condition ends before {extra!r}"
            raise UsageError(message, "quote a value with blanks", word=extra)


@dataclass(frozen=True, slots=True)
class _Test:
    """``OP VALUE``: a comparison of texts."""

    wording: str
    holds: Callable[[str], bool]


def _text_test(words: _Words) -> _Test:
    negated = words.peek() == "not"
    if negated:
        words.keyword()
    operator = words.keyword()
    if operator not in OPERATORS:
        message = f"{operator or 'nothing'!r} is no comparison"
        raise UsageError(message, "is, contains or matches", word=operator)
    value = words.text("VALUE")
    holds = _holding(operator, value)
    wording = f"{'not ' if negated else ''}{operator} {value!r}"
    return _Test(wording, (lambda text: not holds(text)) if negated else holds)


def _holding(operator: str, value: str) -> Callable[[str], bool]:
    if operator == "is":
        return lambda text: text.strip() == value.strip() or _folded(text) == _folded(value)
    if operator == "contains":
        return lambda text: value in text or _folded(value) in _folded(text)
    slashed = len(value) > 1 and value.startswith("/") and value.endswith("/")
    source = value[1:-1] if slashed else value
    return compile_pattern(source).search


def _folded(text: str) -> str:
    return " ".join(text.split())


def _exists(words: _Words) -> Condition:
    path = words.path()

    def look(session: Session) -> Seen:
        try:
            session.ask(asks.directory(session.absolute(path)))
        except NotFound as error:
            return Seen(ok=False, actual=error.message)
        except (NotEnterable, Ambiguous):
            pass
        return Seen(ok=True, actual="it is there")

    return Condition("", f"{path} exists", look)


def _gone(words: _Words) -> Condition:
    exists = _exists(words)
    return Condition("", exists.expected.replace(" exists", " is gone"), _negation(exists.look))


def _of_card(words: _Words, name: str, read: Callable[[Card], str]) -> Condition:
    path = words.path()
    test = _text_test(words)

    def look(session: Session) -> Seen:
        cards = _cards(session, path)
        if not cards:
            return _MISSING
        return Seen(all(test.holds(read(card)) for card in cards), ", ".join(map(read, cards)))

    return Condition("", f"{name} of {path} {test.wording}", look)


def _cards(session: Session, path: Path) -> Sequence[Card]:
    try:
        return session.ask(asks.cat(session.absolute(path))).cards
    except NotFound:
        return ()


def _value_text(card: Card) -> str:
    """Return a value as the page has it: every digit of a number, and no more than these."""
    value = card.value
    if isinstance(value, float):
        return json.dumps(int(value) if value.is_integer() else value)
    return "" if value is None else str(value)


def _value(words: _Words) -> Condition:
    return _of_card(words, "value", _value_text)


def _text(words: _Words) -> Condition:
    path = words.path()
    test = _text_test(words)

    def look(session: Session) -> Seen:
        try:
            found = session.ask(asks.text(session.absolute(path))).text
        except NotFound:
            return _MISSING
        return Seen(test.holds(found), found)

    return Condition("", f"text of {path} {test.wording}", look)


def _state(words: _Words) -> Condition:
    path = words.path()
    wanted = words.keyword()
    if wanted not in STATES:
        raise UsageError(f"{wanted!r} is no state", ", ".join(sorted(STATES)), word=wanted)

    def look(session: Session) -> Seen:
        cards = _cards(session, path)
        if not cards:
            return _MISSING
        states = [state for card in cards for state in card.states]
        return Seen(all(wanted in card.states for card in cards), ", ".join(states) or "no state")

    return Condition("", f"{path} is {wanted}", look)


def _url(words: _Words) -> Condition:
    test = _text_test(words)

    def look(session: Session) -> Seen:
        url = session.ask(asks.where()).url
        return Seen(test.holds(url), url)

    return Condition("", f"url {test.wording}", look)


def _title(words: _Words) -> Condition:
    test = _text_test(words)

    def look(session: Session) -> Seen:
        title = session.ask(asks.where()).title
        return Seen(test.holds(title), title)

    return Condition("", f"title {test.wording}", look)


@dataclass(frozen=True, slots=True)
class _Comparison:
    wording: str
    holds: Callable[[int], bool]


def _comparison(words: _Words) -> _Comparison:
    sign = words.keyword()
    compare = COMPARISONS.get(sign)
    if compare is None:
        message = f"{sign or 'nothing'!r} is no comparison"
        raise UsageError(message, "== != < <= > >=", word=sign)
    text = words.text("N")
    wanted = parse_number(text, f"{text!r} is no number", f"{sign} 3")
    return _Comparison(f"{sign} {wanted}", lambda count: compare(count, wanted))


def _count(words: _Words) -> Condition:
    path = words.path()
    comparison = _comparison(words)

    def count(session: Session) -> int | None:
        absolute = session.absolute(path)
        try:
            if path.may_match_many:
                return session.ask(asks.listing(absolute, limit=1, everything=True)).total
            return len(session.ask(asks.cat(absolute)).cards)
        except NotFound:
            return 0 if _is_there(session, _directory_of(absolute)) else None

    return Condition("", f"count of {path} {comparison.wording}", _counted(count, comparison))


def _count_by_role(words: _Words, role: str) -> Condition:
    path = Path() if words.peek() in COMPARISONS else words.path()
    comparison = _comparison(words)

    def count(session: Session) -> int | None:
        try:
            return session.ask(asks.find(session.absolute(path), Wanted(role=role))).total
        except NotFound:
            return None

    return Condition("", f"count of {role} {comparison.wording}", _counted(count, comparison))


def _directory_of(path: Path) -> Path:
    """Return the part of a path that must be there for its last segments to be counted."""
    kept = list(path.segments[:-1])
    while kept and kept[-1].kind is SegmentKind.ANY_DEPTH:
        kept.pop()
    return Path(tuple(kept), absolute=path.absolute)


def _is_there(session: Session, path: Path) -> bool:
    try:
        session.ask(asks.directory(path))
    except NotFound:
        return False
    except (NotEnterable, Ambiguous):
        pass
    return True


def _counted(
    count: Callable[[Session], int | None], comparison: _Comparison
) -> Callable[[Session], Seen]:
    """Return the look that compares a count; none means that its directory is not there."""

    def look(session: Session) -> Seen:
        found = count(session)
        if found is None:
            return _MISSING
        return Seen(comparison.holds(found), str(found))

    return look


_MAKERS: dict[str, Callable[[_Words], Condition]] = {
    "exists": _exists,
    "gone": _gone,
    "text": _text,
    "value": _value,
    "state": _state,
    "url": _url,
    "title": _title,
    "count": _count,
}

WORDS = tuple(_MAKERS)
"""The words that begin a condition."""
