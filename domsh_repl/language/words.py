r"""One word of a line, cut into its pieces: quotes, backslashes, variables. Pure and total."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from domsh_repl.language.syntax import AnyPiece, Piece, VariablePiece

__all__ = ["Problem", "Unfinished", "WordScanner", "end_of"]

_ESCAPED_OUTSIDE = frozenset(" \t\\'\"$;&|<>#")
_ESCAPED_INSIDE = frozenset('\\"$')
_ESCAPED_BELOW = frozenset("\\$")
_BARE_RUN = re.compile(r"[^ \t\n\\'\"$;|&<>)]+")
_DOUBLE_QUOTED_RUN = re.compile(r'[^"\\$]+')
_BELOW_RUN = re.compile(r"[^\\$]+")
_NAME = r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[#@]"
_VARIABLE = re.compile(rf"\$(?:({_NAME})|\{{({_NAME})\}})")
_BROKEN_BRACES = re.compile(r"\$\{[^}\s\"']*\}?")
_JOINTS = re.compile(r"(?:\\\n)*")
_NAME_CHARACTER = re.compile(r"[A-Za-z0-9_]")
_TORN_SIGN = re.compile(r"\$[A-Za-z0-9_#@{(]|&&|<<")
_LESS_HINT = "put < in quotes to mean the character; `type PATH <<END` takes the lines below"
_RESULT_HINT = r"let x = $(pwd), then $x; write \$ for the character"


class Unfinished(StrEnum):
    """What a last word still waits for."""

    SINGLE_QUOTE = "'"
    DOUBLE_QUOTE = '"'
    NEXT_LINE = "\\"
    NEXT_QUOTED_LINE = '"\\'
    TEXT_BELOW = "<<"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a token is not in the language, and which characters are to blame."""

    message: str
    hint: str
    start: int
    end: int


def end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return where a match at the position ends; the position itself where there is none."""
    match = pattern.match(text, position)
    return match.end() if match else position


class WordScanner:
    """Reads one word; every method moves ``position`` forward.

    A word ends at one of ``signs``, whichever they are where it stands.
    """

    def __init__(self, text: str, start: int, signs: tuple[str, ...] = ()) -> None:
        self.text = text
        self.start = start
        self.position = start
        self.signs = signs
        self.pieces: list[AnyPiece] = []
        self.problems: list[Problem] = []
        self.unfinished: Unfinished | None = None

    @property
    def joined(self) -> tuple[AnyPiece, ...]:
        """The pieces that were read, neighbours of one kind joined."""
        return _joined(self.pieces)

    def scan(self) -> None:
        """Read up to the word's end."""
        text = self.text
        if text.startswith("<", self.start) and ">" in self.signs:
            self._blame(
                "nothing is read from a file with <", _LESS_HINT, self.start, self.start + 1
            )
        while self.position < len(text) and not self._at_word_end():
            match text[self.position]:
                case "'":
                    self._single_quoted()
                case '"':
                    self._double_quoted()
                case "\\":
                    self._backslash(_ESCAPED_OUTSIDE)
                case "$":
                    self._dollar(quoted=False)
                case _:
                    self._run(_BARE_RUN, quoted=False)

    def scan_below(self, end: int) -> None:
        """Read text that stands below its line, up to ``end``: variables, and two escapes."""
        while self.position < end:
            match self.text[self.position]:
                case "\\" if self.text[self.position + 1 : self.position + 2] in _ESCAPED_BELOW:
                    self.pieces.append(Piece(self.text[self.position + 1], quoted=True))
                    self.position += 2
                case "$":
                    self._dollar(quoted=True)
                case _:
                    self._run(_BELOW_RUN, quoted=True)

    def _at_word_end(self) -> bool:
        if self.text[self.position] in " \t\n":
            return True
        return any(self.text.startswith(sign, self.position) for sign in self.signs)

    def _run(self, pattern: re.Pattern[str], *, quoted: bool) -> None:
        end = max(end_of(pattern, self.text, self.position), self.position + 1)
        self.pieces.append(Piece(self.text[self.position : end], quoted))
        self.position = end

    def _single_quoted(self) -> None:
        start = self.position
        end = self.text.find("'", start + 1)
        if end < 0:
            self.unfinished = Unfinished.SINGLE_QUOTE
            self._blame_quote("'", start)
            end = len(self.text)
        self.pieces.append(Piece(self.text[start + 1 : end], quoted=True))
        self.position = min(end + 1, len(self.text))

    def _double_quoted(self) -> None:
        start = self.position
        count = len(self.pieces)
        self.position += 1
        while self.position < len(self.text) and self.text[self.position] != '"':
            match self.text[self.position]:
                case "\\":
                    self._backslash(_ESCAPED_INSIDE)
                case "$":
                    self._dollar(quoted=True)
                case _:
                    self._run(_DOUBLE_QUOTED_RUN, quoted=True)
        if len(self.pieces) == count:
            self.pieces.append(Piece("", quoted=True))
        if self.position == len(self.text):
            self.unfinished = self.unfinished or Unfinished.DOUBLE_QUOTE
            self._blame_quote('"', start)
        self.position = min(self.position + 1, len(self.text))

    def _blame_quote(self, quote: str, start: int) -> None:
        # A backslash at the end of an open quote was blamed first; the quote is the reason.
        self.problems = [problem for problem in self.problems if problem.start < start]
        hint = f"close it, or write \\{quote} for the character"
        self._blame(f"the quote {quote} has no end", hint, start, start + 1)

    def _backslash(self, escaped: frozenset[str]) -> None:
        inside = escaped is _ESCAPED_INSIDE
        start = self.position
        following = self.text[start + 1 : start + 2]
        self.position += 2 if following == "\n" or following in escaped else 1
        if following == "\n":
            self._check_joint(start, inside=inside)
        elif not following:
            self.unfinished = Unfinished.NEXT_QUOTED_LINE if inside else Unfinished.NEXT_LINE
            hint = r"write \\ for a backslash at the end"
            self._blame("the line goes on after \\, but nothing follows", hint, start, start + 1)
        elif following in escaped:
            self.pieces.append(Piece(following, quoted=True))
        else:
            self.pieces.append(Piece("\\", quoted=inside))

    def _check_joint(self, start: int, *, inside: bool) -> None:
        """Refuse to join lines in the middle of ``$name``, ``&&`` or ``<<``.

        Without the line end it would be a sign or a longer name; read in two halves it is not.
        """
        last = self.pieces[-1] if self.pieces else None
        sign = self.text[start - 1]
        joint_end = end_of(_JOINTS, self.text, start)
        after = self.text[joint_end : joint_end + 1]
        if isinstance(last, VariablePiece):
            torn = bool(_NAME_CHARACTER.match(sign) and _NAME_CHARACTER.match(after))
        elif last is None or last.quoted is not inside or not last.text.endswith(sign):
            torn = False
        else:
            torn = bool(_TORN_SIGN.match(sign + after))
        if torn:
            hint = "end the line before or after it"
            self._blame("the line is broken inside a variable or sign", hint, start, start + 1)

    def _dollar(self, *, quoted: bool) -> None:
        start = self.position
        match = _VARIABLE.match(self.text, start)
        if match:
            self.position = match.end()
            self.pieces.append(VariablePiece(match[1] or match[2], quoted))
            return
        self.position += 1
        self.pieces.append(Piece("$", quoted))
        broken = _BROKEN_BRACES.match(self.text, start)
        if broken:
            hint = r"write ${name}, or \$ for the character"
            self._blame(f"{broken[0]} is no variable", hint, start, broken.end())
        elif self.text.startswith("$(", start):
            self._blame(
                "the result of a command, $(…), is for let alone", _RESULT_HINT, start, start + 2
            )

    def _blame(self, message: str, hint: str, start: int, end: int) -> None:
        self.problems.append(Problem(message, hint, start, end))


def _joined(pieces: list[AnyPiece]) -> tuple[AnyPiece, ...]:
    joined: list[AnyPiece] = []
    for kind, group in groupby(pieces, lambda piece: (type(piece), piece.quoted)):
        if kind[0] is VariablePiece:
            joined.extend(group)
        else:
            text = "".join(piece.text for piece in group if isinstance(piece, Piece))
            joined.append(Piece(text, kind[1]))
    return tuple(joined)
