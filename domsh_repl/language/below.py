"""Text that stands below its line: ``<<END``, the lines, and ``END`` alone. Pure and total.

As in sh, variables are filled in, and a quoted ``'END'`` takes the text as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from domsh_repl.language.syntax import AnyPiece, Piece
from domsh_repl.language.words import Problem, Unfinished, WordScanner

__all__ = ["TextBelow", "text_below"]

_SIGN = "<<"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_OPENING = re.compile(rf"<<[ \t]*(?:'({_NAME})'|\"({_NAME})\"|({_NAME}))[ \t]*(?:#[^\n]*)?(\n|$)")
_FORM = (
    "write <<END at the end of the line, the text below, END alone after it; quote << for itself"
)


@dataclass(frozen=True, slots=True)
class TextBelow:
    """What was read up to ``end``; ``name`` is what ends the text, "" where there is none."""

    end: int
    name: str = ""
    pieces: tuple[AnyPiece, ...] = ()
    unfinished: Unfinished | None = None
    problems: tuple[Problem, ...] = ()


def text_below(text: str, start: int) -> TextBelow | None:
    """Return what a ``<<`` at ``start`` takes; None where there is no such sign."""
    if not text.startswith(_SIGN, start):
        return None
    opening = _OPENING.match(text, start)
    sign_end = start + len(_SIGN)
    if opening is None:
        problem = Problem("<< takes no text like that", _FORM, start, sign_end)
        return TextBelow(sign_end, problems=(problem,))
    name = opening[1] or opening[2] or opening[3]
    is_literal = opening[3] is None
    body = opening.end()
    closing = re.compile(rf"^{name}$", re.MULTILINE).search(text, body) if opening[4] else None
    if closing is None:
        hint = f"write {name} alone on the line after the text"
        problem = Problem(f"the text after <<{name} has no end", hint, start, sign_end)
        pieces = _pieces(text, body, len(text), is_literal=is_literal).pieces
        return TextBelow(len(text), name, pieces, Unfinished.TEXT_BELOW, (problem,))
    read = _pieces(text, body, max(body, closing.start() - 1), is_literal=is_literal)
    return TextBelow(closing.end(), name, read.pieces, problems=read.problems)


def _pieces(text: str, start: int, end: int, *, is_literal: bool) -> TextBelow:
    if is_literal or start == end:
        return TextBelow(end, pieces=(Piece(text[start:end], quoted=True),))
    scanner = WordScanner(text[:end], start)
    scanner.scan_below(end)
    return TextBelow(end, pieces=scanner.joined, problems=tuple(scanner.problems))
