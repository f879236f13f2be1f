"""Regular expressions of users over texts of pages: Python's syntax, bounded in time. Pure.

Python's own ``re`` cannot be stopped: a catastrophic expression would freeze the process. The
``regex`` library can; what it reads in its own way is escaped, so that the syntax stays ``re``'s.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from domsh_repl.errors import TimedOut, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    import regex

__all__ = ["BUDGET", "Pattern", "compile_pattern"]

T = TypeVar("T")

BUDGET = 2.0
"""Seconds of this process's time that all searches of one pattern may take together."""
_LEAST = 0.001
_TOKEN = re.compile(
    r"\\N\{[^}]*\}|\\.|\[(?P<not>\^?)(?P<set>\]?(?:\\.|[^\]\\])*)\]|\{(?:[0-9]+,?[0-9]*|,[0-9]*)\}|\{",
    re.DOTALL,
)
_IN_SET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_HINT = "a \\ takes a sign's meaning away: '\\('"


class Pattern:
    """A compiled expression; its searches share one ``BUDGET`` and raise ``TimedOut`` after it."""

    def __init__(self, source: str, compiled: regex.Pattern[str], *, ignore_case: bool) -> None:
        self.source = source
        self.ignore_case = ignore_case
        self._compiled = compiled
        self._left = BUDGET

    def __repr__(self) -> str:
        return f"Pattern({self.source!r}, ignore_case={self.ignore_case})"

    def search(self, text: str) -> bool:
        """Tell whether a part of the text matches."""
        return self._timed(lambda left: self._compiled.search(text, timeout=left)) is not None

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where each match that is not empty begins and ends."""
        matches = self._compiled.finditer(text, timeout=max(self._left, _LEAST))
        while (match := self._timed(lambda _left: next(matches, None))) is not None:
            if match.group():
                yield match.span()

    def _timed(self, work: Callable[[float], T]) -> T:
        start = time.process_time()  # as the library counts
        try:
            if self._left <= 0:
                raise TimeoutError  # noqa: TRY301  (worded like one of the library)
            return work(self._left)
        except TimeoutError as error:
            raise TimedOut(
                f"matching {self.source[:60]!r} took longer than {BUDGET:g} s",
                "one repetition inside another, as in (a+)+, takes for ever",
            ) from error
        finally:
            self._left -= time.process_time() - start


def compile_pattern(source: str, *, ignore_case: bool = False) -> Pattern:
    """Return the compiled expression; raises ``UsageError`` for what Python's ``re`` refuses."""
    import regex  # noqa: PLC0415  (takes 20 ms to load, and most commands need none)

    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python tells of syntax that may change once
            re.compile(source, flags)
            version = regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0)
            compiled = regex.compile(_as_python_reads(source), version)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        raise UsageError(f"{source!r} is no regular expression: {error}", _HINT) from error
    return Pattern(source, compiled, ignore_case=ignore_case)


def _as_python_reads(source: str) -> str:
    """Escape what ``regex`` takes for more: signs of a set in a set, braces that are no count."""
    return _TOKEN.sub(_escaped, source)


def _escaped(token: re.Match[str]) -> str:
    if token["set"] is not None:
        return f"[{token['not']}{_IN_SET.sub(_escaped_in_set, token['set'])}]"
    return "\\{" if token.group() == "{" else token.group()


def _escaped_in_set(token: re.Match[str]) -> str:
    return f"\\{token.group()}" if token.group() in "[]" else token.group()
