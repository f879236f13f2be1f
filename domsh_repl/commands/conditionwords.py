"""The words of a condition and what they compare: ``OP VALUE`` for texts, ``CMP N`` for numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from domsh_repl.commands.arguments import path_of
from domsh_repl.commands.session import Session
from domsh_repl.errors import UsageError
from domsh_repl.language import ExpandedWord
from domsh_repl.measures import parse_number
from domsh_repl.paths import Path
from domsh_repl.patterns import compile_pattern

__all__ = [
    "COMPARISONS",
    "MISSING",
    "OPERATORS",
    "Comparison",
    "Condition",
    "ConditionWords",
    "Options",
    "Seen",
    "TextTest",
    "negation",
]

COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
OPERATORS = ("is", "contains", "matches")
"""How texts are compared."""
_HINT = "`help conditions` has them all: wait exists late_btn"


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look saw, and whether the condition held; ``hint`` is what to try.

    ``missing`` tells that there was nothing to look at, which makes a condition on it false
    whether it is negated or not: a misspelt path must not pass a test.
    """

    ok: bool
    actual: str
    missing: bool = False
    hint: str = ""


MISSING = Seen(ok=False, actual="it is not there", missing=True)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with its wording; ``look`` asks once."""

    text: str
    expected: str
    look: Callable[[Session], Seen]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``wait`` and ``expect`` that belong to a condition, "" for none."""

    role: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class TextTest:
    """``OP VALUE``: a comparison of texts."""

    wording: str
    holds: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``CMP N``: a comparison of numbers."""

    wording: str
    holds: Callable[[float], bool]


class ConditionWords:
    """The words of a condition, taken one by one."""

    def __init__(self, words: Sequence[ExpandedWord], options: Options) -> None:
        self._words = list(words)
        self.options = options

    def __len__(self) -> int:
        return len(self._words)

    def keyword(self) -> str:
        """Take a bare word; "" when there is none."""
        return _bare(self._words.pop(0)) if self._words else ""

    def peek(self) -> str:
        """Return the next word if it is bare."""
        return _bare(self._words[0]) if self._words else ""

    def text(self, name: str) -> str:
        """Take a word of any kind."""
        if not self._words:
            raise UsageError(f"the condition needs {name}", _HINT)
        return self._words.pop(0).text

    def path(self) -> Path:
        """Take a path."""
        if not self._words:
            raise UsageError("the condition needs a PATH", _HINT)
        return path_of(self._words.pop(0))

    def number(self) -> int:
        """Take a whole number."""
        text = self.text("N")
        return parse_number(text, f"{text!r} is no number", "a whole number")

    def test(self) -> TextTest:
        """Take ``[not] OP VALUE``."""
        negated = self.peek() == "not"
        if negated:
            self.keyword()
        operator = self.keyword()
        if operator not in OPERATORS:
            message = f"{operator or 'nothing'!r} is no comparison"
            raise UsageError(message, "is, contains or matches", word=operator)
        value = self.text("VALUE")
        holds = _holding(operator, value)
        wording = f"{'not ' if negated else ''}{operator} {value!r}"
        return TextTest(wording, (lambda text: not holds(text)) if negated else holds)

    def comparison(self) -> Comparison:
        """Take ``CMP N``."""
        sign = self.sign()
        text = self.text("N")
        wanted = parse_number(text, f"{text!r} is no number", f"{sign} 3")
        compare = COMPARISONS[sign]
        return Comparison(f"{sign} {wanted}", lambda found: compare(found, wanted))

    def sign(self) -> str:
        """Take a CMP."""
        sign = self.keyword()
        if sign not in COMPARISONS:
            message = f"{sign or 'nothing'!r} is no comparison"
            raise UsageError(message, "== != < <= > >=", word=sign)
        return sign

    def finish(self) -> None:
        """Raise ``UsageError`` when words are left."""
        if self._words:
            extra = self._words[0].text
            message = f"the condition ends before {extra!r}"
            raise UsageError(message, "quote a value with blanks", word=extra)


def _bare(word: ExpandedWord) -> str:
    return word.text if word.bare else ""


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


def negation(look: Callable[[Session], Seen]) -> Callable[[Session], Seen]:
    """Return the look of the opposite; what is missing stays so."""

    def negated(session: Session) -> Seen:
        seen = look(session)
        return seen if seen.missing else replace(seen, ok=not seen.ok, hint="")

    return negated
