"""What was accepted at the prompt, as lines of the language. Pure."""

from __future__ import annotations

import re

from domsh_repl.errors import ParseError
from domsh_repl.render.ink import cells
from domsh_repl.safetext import escape

__all__ = ["caret_lines", "goes_on", "place_in_words", "readable", "split_lines"]

_HALF = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """Return what was typed as text: a byte that is none, as in a binary paste, becomes a sign."""
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def goes_on(text: str) -> bool:
    """Tell whether a line that was typed is still to be gone on with."""
    if not text:
        return False
    from domsh_repl.language import is_unfinished  # noqa: PLC0415  (the prompt is first)

    return is_unfinished(text)


def split_lines(block: str) -> list[str]:
    r"""Return the lines of a typed or pasted text; an open quote and a ``\`` join lines."""
    lines: list[str] = []
    begun = ""
    for physical in readable(block).split("\n"):
        begun = f"{begun}\n{physical}" if begun else physical
        if not goes_on(begun):
            lines.append(begun)
            begun = ""
    return [line for line in [*lines, begun] if line.strip()]


def caret_lines(text: str, error: ParseError) -> tuple[str, str]:
    """Return the physical line that an error is in, safe to show, and carets below its place."""
    start = text.rfind("\n", 0, error.column) + 1
    line = text[start:].partition("\n")[0]
    column = error.column - start
    before = escape(line[:column])
    blamed = escape(line[column : column + error.length])
    carets = "^" * max(1, cells(blamed))
    return f"  {escape(line)}", f"  {' ' * cells(before)}{carets}"


def place_in_words(text: str, error: ParseError) -> tuple[str, ...]:
    """Return where an error is, for those who see no carets."""
    start = text.rfind("\n", 0, error.column) + 1
    blamed = escape(text[error.column : error.column + error.length])
    place = f"at character {error.column - start + 1}"
    return (f"{place}: {blamed}" if blamed.strip() else f"{place}, the end of the line",)
