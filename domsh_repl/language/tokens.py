r"""A line's text cut into tokens. Pure and total: every text has tokens, broken ones too.

The parser, the prompt's colours and completion read the same tokens, so each knows where it
stands, and what is wrong with it is told on the token instead of being raised.
Between the tokens are only blanks and joined line ends (``\`` before a newline).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from domsh_repl.language.syntax import AnyPiece, Piece, VariablePiece, bare_text

__all__ = [
    "REST_OF_LINE",
    "Problem",
    "Token",
    "TokenKind",
    "Unfinished",
    "is_unfinished",
    "tokenize",
]

_ESCAPED_OUTSIDE = frozenset(" \t\\'\"$;&|<>#")
_ESCAPED_INSIDE = frozenset('\\"$')
_BETWEEN = re.compile(r"(?:[ \t]|\\\n)*")
_BARE_RUN = re.compile(r"[^ \t\n\\'\"$;|&<>]+")
_DOUBLE_QUOTED_RUN = re.compile(r'[^"\\$]+')
_NAME = r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[#@]"
_VARIABLE = re.compile(rf"\$(?:({_NAME})|\{{({_NAME})\}})")
_BROKEN_BRACES = re.compile(r"\$\{[^}\s\"']*\}?")
_JOINTS = re.compile(r"(?:\\\n)*")
_NAME_CHARACTER = re.compile(r"[A-Za-z0-9_]")
_TORN_SIGN = re.compile(r"\$[A-Za-z0-9_#@{(]|&&|<<")
_COMPARING = frozenset({"wait", "expect", "-wait", "-expect"})
REST_OF_LINE = frozenset({"raw", "-raw"})
"""Commands whose only operand is the rest of the line, whatever it holds."""
_BLANKS = re.compile(r"[ \t]*")
_REST = re.compile(r"[^\n]*[^ \t\n]")


class TokenKind(StrEnum):
    """What a token is."""

    WORD = "word"
    SEPARATOR = "separator"
    AND = "and"
    OR = "or"
    PIPE = "pipe"
    REDIRECT = "redirect"
    COMMENT = "comment"
    ERROR = "error"


class Unfinished(StrEnum):
    """What a last word still waits for."""

    SINGLE_QUOTE = "'"
    DOUBLE_QUOTE = '"'
    NEXT_LINE = "\\"
    NEXT_QUOTED_LINE = '"\\'


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a token is not in the language, and which characters are to blame."""

    message: str
    hint: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Token:
    """A token from ``start`` to before ``end``; only words have pieces and can be unfinished."""

    kind: TokenKind
    start: int
    end: int
    pieces: tuple[AnyPiece, ...] = ()
    unfinished: Unfinished | None = None
    problems: tuple[Problem, ...] = ()


_OPERATORS = (
    ("&&", TokenKind.AND),
    ("||", TokenKind.OR),
    (";", TokenKind.SEPARATOR),
    ("|", TokenKind.PIPE),
)
_REDIRECTIONS = ((">>", TokenKind.REDIRECT), (">", TokenKind.REDIRECT), ("<<", TokenKind.ERROR))
_ENDS_COMMAND = frozenset({TokenKind.SEPARATOR, TokenKind.AND, TokenKind.OR, TokenKind.PIPE})


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a line in their order; never raises."""
    return tuple(_tokens(text))


def is_unfinished(text: str) -> bool:
    r"""Tell whether the prompt should ask for more: an open quote or a ``\`` at the end."""
    tokens = tokenize(text)
    return bool(tokens) and tokens[-1].unfinished is not None


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    first_word = True
    comparing = False
    while (position := _after_blanks(text, position)) < len(text):
        token = _token(text, position, comparing=comparing)
        yield token
        position = token.end
        if token.kind in _ENDS_COMMAND:
            first_word, comparing = True, False
        elif token.kind is TokenKind.WORD and first_word:
            name = bare_text(token.pieces)
            first_word, comparing = False, name in _COMPARING
            if name in REST_OF_LINE and (rest := _rest_of_line(text, position)):
                yield rest
                position = rest.end


def _rest_of_line(text: str, position: int) -> Token | None:
    """Return the rest of a line as one word that means itself, whatever it holds."""
    start = _end_of(_BLANKS, text, position)
    end = _end_of(_REST, text, start)
    if start in (position, end):
        return None
    return Token(TokenKind.WORD, start, end, (Piece(text[start:end], quoted=True),))


def _after_blanks(text: str, position: int) -> int:
    return _end_of(_BETWEEN, text, position)


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _token(text: str, start: int, *, comparing: bool) -> Token:
    if text[start] == "#":
        end = text.find("\n", start)
        return Token(TokenKind.COMMENT, start, len(text) if end < 0 else end)
    if text[start] == "\n":
        problem = Problem("the line ends here", "give one line at a time", start, start + 1)
        return Token(TokenKind.ERROR, start, start + 1, problems=(problem,))
    for operator, kind in _operators(comparing=comparing):
        if text.startswith(operator, start):
            return _operator_token(operator, kind, start)
    return _WordScanner(text, start, comparing=comparing).scan()


def _operators(*, comparing: bool) -> tuple[tuple[str, TokenKind], ...]:
    return _OPERATORS if comparing else _OPERATORS + _REDIRECTIONS


def _operator_token(operator: str, kind: TokenKind, start: int) -> Token:
    end = start + len(operator)
    if kind is not TokenKind.ERROR:
        return Token(kind, start, end)
    hint = "put the text in quotes, or << in quotes to mean the characters"
    return Token(
        kind, start, end, problems=(Problem("text after << comes later", hint, start, end),)
    )


class _WordScanner:
    """Reads one word; every method moves ``position`` forward."""

    def __init__(self, text: str, start: int, *, comparing: bool) -> None:
        self.text = text
        self.start = start
        self.position = start
        self.operators = _operators(comparing=comparing)
        self.pieces: list[AnyPiece] = []
        self.problems: list[Problem] = []
        self.unfinished: Unfinished | None = None

    def scan(self) -> Token:
        text = self.text
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
        return Token(
            TokenKind.WORD,
            self.start,
            self.position,
            _joined(self.pieces),
            self.unfinished,
            tuple(self.problems),
        )

    def _at_word_end(self) -> bool:
        if self.text[self.position] in " \t\n":
            return True
        return any(self.text.startswith(operator, self.position) for operator, _ in self.operators)

    def _run(self, pattern: re.Pattern[str], *, quoted: bool) -> None:
        end = max(_end_of(pattern, self.text, self.position), self.position + 1)
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
        joint_end = _end_of(_JOINTS, self.text, start)
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
            hint = r"write \$ for the character, or the whole in '…'"
            self._blame("the result of a command, $(…), comes later", hint, start, start + 2)

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
