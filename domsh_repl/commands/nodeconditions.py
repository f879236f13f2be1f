"""Conditions about nodes of the page: there or gone, their texts, states, levels, how many."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress

from domsh_repl.aria import STATES
from domsh_repl.commands.accessibility import audited
from domsh_repl.commands.conditionwords import (
    COMPARISONS,
    MISSING,
    Comparison,
    Condition,
    ConditionWords,
    Seen,
    negation,
)
from domsh_repl.commands.session import Session
from domsh_repl.errors import Ambiguous, NotEnterable, NotFound, UsageError
from domsh_repl.link import asks
from domsh_repl.link.asks import Wanted
from domsh_repl.nodes import Card
from domsh_repl.paths import Path, SegmentKind
from domsh_repl.rolenames import check_role

__all__ = ["NODE_CONDITIONS"]


def _missing(error: NotFound) -> Seen:
    """Return what was seen where nothing is: the first segment that is not there, and the rest."""
    return Seen(ok=False, actual=f"it is not there: {error.message}", missing=True, hint=error.hint)


def _exists(words: ConditionWords) -> Condition:
    path = words.path()

    def look(session: Session) -> Seen:
        try:
            session.ask(asks.directory(session.absolute(path)))
        except NotFound as error:
            return Seen(ok=False, actual=error.message, hint=error.hint)
        except (NotEnterable, Ambiguous):
            pass
        return Seen(ok=True, actual="it is there")

    return Condition("", f"{path} exists", look)


def _gone(words: ConditionWords) -> Condition:
    exists = _exists(words)
    return Condition("", exists.expected.replace(" exists", " is gone"), negation(exists.look))


def _of_card(name: str, read: Callable[[Card], str]) -> Callable[[ConditionWords], Condition]:
    """Return what makes conditions on a text that a node's card holds, ``NAME PATH OP VALUE``."""

    def make(words: ConditionWords) -> Condition:
        path, test = words.path(), words.test()

        def look(session: Session) -> Seen:
            cards = _cards(session, path)
            if isinstance(cards, Seen):
                return cards
            texts = [read(card) for card in cards]
            return Seen(all(map(test.holds, texts)), ", ".join(texts))

        return Condition("", f"{name} of {path} {test.wording}", look)

    return make


def _cards(session: Session, path: Path) -> Sequence[Card] | Seen:
    """Return the cards of the nodes that a path means, or that it means none."""
    try:
        return session.ask(asks.cat(session.absolute(path))).cards or MISSING
    except NotFound as error:
        return _missing(error)


def _value_text(card: Card) -> str:
    """Return a value as the page has it: every digit of a number, and no more than these."""
    value = card.value
    if isinstance(value, float):
        return json.dumps(int(value) if value.is_integer() else value)
    return "" if value is None else str(value)


def _text(words: ConditionWords) -> Condition:
    path, test = words.path(), words.test()

    def look(session: Session) -> Seen:
        try:
            found = session.ask(asks.text(session.absolute(path))).text
        except NotFound as error:
            return _missing(error)
        return Seen(test.holds(found), found)

    return Condition("", f"text of {path} {test.wording}", look)


def _role(words: ConditionWords) -> Condition:
    path = words.path()
    if words.keyword() != "is":
        raise UsageError("a role is compared with `is`", "role PATH is button")
    wanted = check_role(words.text("ROLE"))

    def look(session: Session) -> Seen:
        cards = _cards(session, path)
        if isinstance(cards, Seen):
            return cards
        roles = [card.role for card in cards]
        same = all(role.casefold() == wanted.casefold() for role in roles)
        return Seen(same, ", ".join(roles))

    return Condition("", f"role of {path} is {wanted}", look)


def _state(words: ConditionWords) -> Condition:
    path = words.path()
    wanted = words.keyword()
    if wanted not in STATES:
        raise UsageError(f"{wanted!r} is no state", ", ".join(sorted(STATES)), word=wanted)

    def look(session: Session) -> Seen:
        cards = _cards(session, path)
        if isinstance(cards, Seen):
            return cards
        states = [state for card in cards for state in card.states]
        return Seen(all(wanted in card.states for card in cards), ", ".join(states) or "no state")

    return Condition("", f"{path} is {wanted}", look)


def _level(words: ConditionWords) -> Condition:
    path, comparison = words.path(), words.comparison()

    def look(session: Session) -> Seen:
        cards = _cards(session, path)
        if isinstance(cards, Seen):
            return cards
        levels = [card.properties.get("level") for card in cards]
        numbers = [level for level in levels if isinstance(level, int)]
        if len(numbers) < len(levels):
            return Seen(ok=False, actual="it has no level", missing=True)
        return Seen(all(map(comparison.holds, numbers)), ", ".join(map(str, numbers)))

    return Condition("", f"level of {path} {comparison.wording}", look)


def _count(words: ConditionWords) -> Condition:
    if words.options.role:
        return _count_by_role(words)
    path, comparison = words.path(), words.comparison()

    def count(session: Session) -> int:
        absolute = session.absolute(path)
        try:
            if path.may_match_many:
                return session.ask(asks.listing(absolute, limit=1, everything=True)).total
            return len(session.ask(asks.cat(absolute)).cards)
        except NotFound:
            _require(session, _directory_of(absolute))
            return 0

    return Condition("", f"count of {path} {comparison.wording}", _counted(count, comparison))


def _count_by_role(words: ConditionWords) -> Condition:
    role = words.options.role
    path = Path() if words.peek() in COMPARISONS else words.path()
    comparison = words.comparison()

    def count(session: Session) -> int:
        return session.ask(asks.find(session.absolute(path), Wanted(role=role))).total

    return Condition("", f"count of {role} {comparison.wording}", _counted(count, comparison))


def _directory_of(path: Path) -> Path:
    """Return the part of a path that must be there for its last segments to be counted."""
    kept = list(path.segments[:-1])
    while kept and kept[-1].kind is SegmentKind.ANY_DEPTH:
        kept.pop()
    return Path(tuple(kept), absolute=path.absolute)


def _require(session: Session, path: Path) -> None:
    """Raise ``NotFound`` for a place that is not there."""
    with suppress(NotEnterable, Ambiguous):
        session.ask(asks.directory(path))


def _counted(count: Callable[[Session], int], comparison: Comparison) -> Callable[[Session], Seen]:
    """Return the look that compares a count; where it is counted must be there."""

    def look(session: Session) -> Seen:
        try:
            found = count(session)
        except NotFound as error:
            return _missing(error)
        return Seen(comparison.holds(found), str(found))

    return look


def _a11y(words: ConditionWords) -> Condition:
    path = words.path() if len(words) else Path()

    def look(session: Session) -> Seen:
        try:
            return audited(session, path)
        except NotFound as error:
            return _missing(error)

    return Condition("", "no accessibility rule fails", look)


NODE_CONDITIONS: dict[str, Callable[[ConditionWords], Condition]] = {
    "exists": _exists,
    "gone": _gone,
    "text": _text,
    "value": _of_card("value", _value_text),
    "label": _of_card("label", lambda card: card.label),
    "description": _of_card("description", lambda card: card.description),
    "role": _role,
    "state": _state,
    "level": _level,
    "count": _count,
    "a11y": _a11y,
}
"""What makes each, by its first word."""
