"""Conditions about the shell itself: what the last command printed, how it ended, any word."""

from __future__ import annotations

import math
from collections.abc import Callable

from domsh_repl.commands.conditionwords import COMPARISONS, Condition, ConditionWords, Seen
from domsh_repl.commands.session import Session

__all__ = ["SHELL_CONDITIONS"]


def _output(words: ConditionWords) -> Condition:
    test = words.test()

    def look(session: Session) -> Seen:
        printed = session.output()
        return Seen(test.holds(printed), printed or "nothing was printed")

    return Condition("", f"output {test.wording}", look)


def _status(words: ConditionWords) -> Condition:
    wanted = words.number()

    def look(session: Session) -> Seen:
        return Seen(session.status == wanted, str(session.status))

    return Condition("", f"status {wanted}", look)


def _that(words: ConditionWords) -> Condition:
    word = words.text("WORD")
    if words.peek() not in COMPARISONS:
        test = words.test()
        return Condition("", f"{word!r} {test.wording}", lambda _: Seen(test.holds(word), word))
    sign, other = words.sign(), words.text("WORD")
    seen = _compared(word, sign, other)
    return Condition("", f"{word!r} {sign} {other!r}", lambda _: seen)


def _compared(word: str, sign: str, other: str) -> Seen:
    """Compare two words as numbers; == and != compare what is none as text."""
    one, two = _number(word), _number(other)
    if one is not None and two is not None:
        return Seen(COMPARISONS[sign](one, two), word)
    if sign in ("==", "!="):
        return Seen((word == other) == (sign == "=="), word)
    wrong = word if one is None else other
    return Seen(ok=False, actual=f"{wrong!r}, which is no number", missing=True)


def _number(text: str) -> float | None:
    try:
        found = float(text.strip())
    except ValueError:
        return None
    return found if math.isfinite(found) and "_" not in text else None


SHELL_CONDITIONS: dict[str, Callable[[ConditionWords], Condition]] = {
    "output": _output,
    "status": _status,
    "that": _that,
}
"""What makes each, by its first word."""
