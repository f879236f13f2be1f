"""Conditions for ``wait`` and ``expect``: from words to what can be looked at (language.md §5)."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from domsh_repl.commands.conditionwords import (
    COMPARISONS,
    OPERATORS,
    Condition,
    ConditionWords,
    Options,
    Seen,
    negation,
)
from domsh_repl.commands.nodeconditions import NODE_CONDITIONS
from domsh_repl.commands.pageconditions import LOG_LEVELS, PAGE_CONDITIONS
from domsh_repl.commands.shellconditions import SHELL_CONDITIONS
from domsh_repl.errors import UsageError
from domsh_repl.language import ExpandedWord
from domsh_repl.safetext import one_line

__all__ = [
    "COMPARISONS",
    "LOG_LEVELS",
    "OPERATORS",
    "WORDS",
    "Condition",
    "Options",
    "Seen",
    "parse_condition",
]

_NO_OPTIONS = Options()
_MAKERS = {**NODE_CONDITIONS, **PAGE_CONDITIONS, **SHELL_CONDITIONS}
_BELONGS = (("role", "--type", "count"), ("level", "--level", "console"))
"""Options with the only condition that takes each."""

WORDS = tuple(_MAKERS)
"""The words that begin a condition."""


def parse_condition(words: Sequence[ExpandedWord], options: Options = _NO_OPTIONS) -> Condition:
    """Return the condition that the words make, with the options that stood between them.

    Raises ``UsageError``.
    """
    negated = bool(words) and words[0].bare and words[0].text == "not"
    rest = ConditionWords(words[1:] if negated else words, options)
    word = rest.keyword()
    make = _MAKERS.get(word)
    if make is None:
        raise _no_condition(word)
    for field, flag, owner in _BELONGS:
        if getattr(options, field) and word != owner:
            raise UsageError(f"{flag} belongs to {owner}", f"`help conditions` has {owner}")
    condition = make(rest)
    rest.finish()
    shown = _wording(words, options)
    if not negated:
        return Condition(shown, condition.expected, condition.look)
    return Condition(shown, f"not {condition.expected}", negation(condition.look))


def _wording(words: Sequence[ExpandedWord], options: Options) -> str:
    """Return the condition as it was written, its option behind the word that it belongs to."""
    shown = [_as_written(word) for word in words]
    for field, flag, owner in _BELONGS:
        value = getattr(options, field)
        if value:
            place = shown.index(owner) + 1
            shown[place:place] = [flag, one_line(value, 60)]
    return " ".join(shown)


def _as_written(word: ExpandedWord) -> str:
    text = one_line(word.text, 60)
    return text if word.bare else f'"{text}"'


def _no_condition(word: str) -> Exception:
    hint = f"there is {', '.join(sorted(_MAKERS))}: wait exists late_btn"
    if not word:
        return UsageError("a condition is missing", hint)
    near = difflib.get_close_matches(word, _MAKERS, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    return UsageError(f"{word!r} is no condition", f"{meant}{hint}", word=word)
