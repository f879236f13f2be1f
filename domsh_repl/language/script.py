r"""Batch files as a whole: text to a script or to every mistake in it. Pure; reads no file.

Lines end at LF or CRLF and nowhere else: other characters that some tools take for a line
end are text. A ``\`` at a line's end joins it with the next one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from domsh_repl.errors import ParseError
from domsh_repl.language.parser import parse_with_errors
from domsh_repl.language.syntax import Line, Script
from domsh_repl.language.tokens import Unfinished, tokenize
from domsh_repl.safetext import escape

__all__ = ["ScriptError", "ScriptErrors", "awaited_end", "goes_on", "parse_file"]

_NEEDS_MORE = frozenset({Unfinished.NEXT_LINE, Unfinished.NEXT_QUOTED_LINE, Unfinished.TEXT_BELOW})
Check = Callable[[Line], Iterable[ParseError]]


@dataclass(frozen=True, slots=True)
class ScriptError:
    """One mistake in ``source``: ``line`` from 1, ``column`` from 0, ``length`` in characters.

    ``file`` is set where it is in a file that this one sources.
    """

    line: int
    column: int
    length: int
    source: str
    error: ParseError
    file: str = ""

    def place(self, name: str) -> str:
        """Return ``file:line:col``; ``name`` is the file that was read first."""
        return f"{self.file or name}:{self.line}:{self.column + 1}"

    def render(self, name: str) -> str:
        """Return ``name:line:col: message``, the source and the carets, safe for a terminal."""
        before = _shown(self.source[: self.column])
        blamed = _shown(self.source[self.column : self.column + self.length])
        lines = [
            f"{escape(self.place(name))}: {escape(self.error.message)}",
            before + blamed + _shown(self.source[self.column + self.length :]),
            " " * _width(before) + "^" * max(1, _width(blamed)),
        ]
        if self.error.hint:
            lines.append(f"hint: {escape(self.error.hint)}")
        return "\n".join(lines)


class ScriptErrors(ParseError):  # noqa: N818 - it is more than one error
    """Every mistake of a file, in order; the message tells the first one and how many more."""

    def __init__(self, name: str, errors: tuple[ScriptError, ...]) -> None:
        first = errors[0]
        place = first.place(name)
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(
            f"{place}: {first.error.message}{more}",
            first.error.hint,
            column=first.column,
            length=first.length,
        )
        self.name = name
        self.errors = errors

    def render(self) -> str:
        """Return all mistakes as ``domsh check`` shows them, safe for a terminal."""
        return "\n".join(error.render(self.name) for error in self.errors)


def parse_file(text: str, name: str, check: Check | None = None) -> Script:
    """Return the script that a file's text means; a BOM and CRLF are accepted.

    ``name`` stands in messages; ``check`` looks for more mistakes in a line that is in the
    language, those of another file among them. Raises ``ScriptErrors`` with every mistake.
    """
    lines: list[Line] = []
    errors: list[ScriptError] = []
    for number, source in _logical_lines(text):
        line, found = parse_with_errors(source, batch=True, number=number)
        if check is not None and not found:
            found = tuple(check(line))
        for error in found:
            errors.extend(_all_located(error, number, source))
        if line.steps:
            lines.append(line)
    if errors:
        raise ScriptErrors(name, tuple(errors))
    return Script(name, tuple(lines))


def goes_on(text: str) -> bool:
    r"""Tell whether a file's line needs the next one, too: a ``\`` at its end, or ``<<``."""
    tokens = tokenize(text)
    return bool(tokens) and tokens[-1].unfinished in _NEEDS_MORE


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    rows = [row.removesuffix("\r") for row in text.removeprefix("\ufeff").split("\n")]
    if rows[-1] == "":
        rows.pop()
    first = 0
    while first < len(rows):
        end = _logical_end(rows, first)
        yield first + 1, "\n".join(rows[first:end])
        first = end


def _logical_end(rows: list[str], first: int) -> int:
    """Return the index after the last row that belongs to the row ``first``."""
    end = _joined_end(rows, first)
    opening = "\n".join(rows[first:end])
    name = awaited_end(opening) if "<<" in opening else ""
    if not name:
        return end
    return rows.index(name, end) + 1 if name in rows[end:] else len(rows)


def awaited_end(text: str) -> str:
    """Return the word that ends the text below these rows, "" where none is begun."""
    tokens = tokenize(text)
    last = tokens[-1] if tokens else None
    return last.below if last and last.unfinished is Unfinished.TEXT_BELOW else ""


def _joined_end(rows: list[str], first: int) -> int:
    r"""Return the index after the last row that a ``\`` joins to the row ``first``."""
    opening = ""
    for number in range(first, len(rows)):
        following = _opening(opening + rows[number]) if rows[number].endswith("\\") else None
        if following is None:
            return number + 1
        opening = following
    return len(rows)


def _opening(row: str) -> str | None:
    """Return what puts the next row into this row's context, or None if it is not joined.

    A short stand-in for all that came before: rereading that for each row takes quadratic time.
    """
    last = tokenize(row)[-1]
    if last.unfinished is Unfinished.NEXT_QUOTED_LINE:
        return '"'
    if last.unfinished is Unfinished.NEXT_LINE:
        return "x" if last.end - last.start > len("\\") else ""
    return None


def _all_located(error: ParseError, number: int, source: str) -> Iterator[ScriptError]:
    if isinstance(error, ScriptErrors):
        yield from (replace(one, file=one.file or error.name) for one in error.errors)
    else:
        yield _located(error, number, source)


def _located(error: ParseError, number: int, source: str) -> ScriptError:
    line_start = source.rfind("\n", 0, error.column) + 1
    row = source[line_start:].split("\n", 1)[0]
    column = error.column - line_start
    length = max(1, min(error.length, len(row) - column))
    return ScriptError(number + source.count("\n", 0, line_start), column, length, row, error)


def _shown(text: str) -> str:
    return escape(text.replace("\t", " "))


def _width(text: str) -> int:
    """Return the columns that a terminal needs (UAX #11; combining marks take none)."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
