r"""A line's text cut into tokens. Pure and total: every text has tokens, broken ones too.

The parser, the prompt's colours and completion read the same tokens, so each knows where it
stands, and what is wrong with it is told on the token instead of being raised.
Between the tokens are only blanks and joined line ends (``\`` before a newline).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from domsh_repl.language.below import text_below
from domsh_repl.language.syntax import AnyPiece, Piece, bare_text
from domsh_repl.language.words import Problem, Unfinished, WordScanner, end_of

__all__ = [
    "LINE_AFTER_FLAGS",
    "LINE_AFTER_SIGN",
    "REST_OF_LINE",
    "Problem",
    "Token",
    "TokenKind",
    "Unfinished",
    "is_unfinished",
    "tokenize",
]

_BETWEEN = re.compile(r"(?:[ \t]|\\\n)*")
_BLANKS = re.compile(r"[ \t]*")
_REST = re.compile(r"[^\n]*[^ \t\n]")
_COMPARING = frozenset({"wait", "expect", "skip", "require"})
_TAKES_RESULT = "let"
_RESULT = "$("
REST_OF_LINE = frozenset({"raw"})
"""Commands whose only operand is the rest of the line, whatever it holds."""
LINE_AFTER_FLAGS: Mapping[str, frozenset[str]] = {
    "watch": frozenset({"-n", "--times"}),
    "defer": frozenset(),
}
"""Commands whose last operand is a line, with those of their options that take a value."""
LINE_AFTER_SIGN = frozenset({"alias"})
"""Commands whose last operand is a line that follows ``NAME =``."""


class TokenKind(StrEnum):
    """What a token is."""

    WORD = "word"
    SEPARATOR = "separator"
    AND = "and"
    OR = "or"
    PIPE = "pipe"
    REDIRECT = "redirect"
    OPEN = "open"
    CLOSE = "close"
    COMMENT = "comment"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Token:
    """A token from ``start`` to before ``end``; only words have pieces and can be unfinished.

    ``names`` tells that a command's name stands here, ``filters`` that it is one after ``|``.
    ``below`` is the word that ends a text below the line.
    """

    kind: TokenKind
    start: int
    end: int
    pieces: tuple[AnyPiece, ...] = ()
    unfinished: Unfinished | None = None
    problems: tuple[Problem, ...] = ()
    names: bool = False
    filters: bool = False
    below: str = ""


_OPERATORS = {
    "&&": TokenKind.AND,
    "||": TokenKind.OR,
    ";": TokenKind.SEPARATOR,
    "|": TokenKind.PIPE,
}
_REDIRECTIONS = {">>": TokenKind.REDIRECT, ">": TokenKind.REDIRECT}
_ENDS_COMMAND = frozenset({TokenKind.SEPARATOR, TokenKind.AND, TokenKind.OR, TokenKind.PIPE})
_BELOW = "<<"


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a line in their order; never raises."""
    return tuple(_Reader(text).tokens())


def is_unfinished(text: str) -> bool:
    r"""Tell whether the prompt should ask for more: an open quote, a ``\`` at the end, ``<<``."""
    tokens = tokenize(text)
    return bool(tokens) and tokens[-1].unfinished is not None


class _Reader:
    """Reads tokens and keeps in mind what the words so far make of the next one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.in_result = False
        self._begin_command()

    def _begin_command(self, *, filters: bool = False) -> None:
        self.naming = True
        self.filters = filters
        self.words: list[str] = []
        self.awaits_value = False

    @property
    def name(self) -> str:
        """The bare name of the command that the last words belong to, without a dash."""
        return self.words[0].removeprefix("-") if self.words else ""

    @property
    def is_comparing(self) -> bool:
        return self.name in _COMPARING

    def tokens(self) -> Iterator[Token]:
        text, position = self.text, 0
        while (position := end_of(_BETWEEN, text, position)) < len(text):
            token = self._token(position)
            position = token.end
            yield token
            self._follow(token)
            if token.names and self.name in REST_OF_LINE and (rest := self._rest(position)):
                yield rest
                position = rest.end

    def _follow(self, token: Token) -> None:
        if token.kind in _ENDS_COMMAND:
            self._begin_command(filters=token.kind is TokenKind.PIPE)
        elif token.kind is TokenKind.OPEN:
            self.in_result = True
            self._begin_command()
        elif token.kind is TokenKind.CLOSE:
            self.in_result, self.naming = False, False
            self.words = [""]
        elif token.kind is TokenKind.WORD:
            self._follow_word(token)
        elif token.kind in _REDIRECTIONS.values():
            self.words += ["", "", ""]  # no name and = of a `let` is what comes after it

    def _follow_word(self, token: Token) -> None:
        text = bare_text(token.pieces)
        if token.names:
            self._begin_command()
            self.naming = False
        self.words.append(text)
        if self.name in LINE_AFTER_FLAGS:
            was_value, self.awaits_value = self.awaits_value, False
            if not was_value:
                self.awaits_value = text in LINE_AFTER_FLAGS[self.name]
        elif self.name in LINE_AFTER_SIGN:
            self.naming = self._is_after_sign()

    def _is_after_sign(self) -> bool:
        return len(self.words) == len(("let", "x", "=")) and self.words[-1] == "="

    def _names(self, text: str) -> bool:
        """Tell whether a bare text that comes next names a command."""
        if self.naming:
            return True
        is_option = self.awaits_value or text.startswith("-")
        return self.name in LINE_AFTER_FLAGS and not is_option

    def _token(self, start: int) -> Token:
        text = self.text
        if text[start] == "#":
            end = text.find("\n", start)
            return Token(TokenKind.COMMENT, start, len(text) if end < 0 else end)
        if text[start] == "\n":
            problem = Problem("the line ends here", "give one line at a time", start, start + 1)
            return Token(TokenKind.ERROR, start, start + 1, problems=(problem,))
        if text[start] == ")" and self.in_result:
            return Token(TokenKind.CLOSE, start, start + 1)
        if text.startswith(_RESULT, start) and self._may_open():
            return Token(TokenKind.OPEN, start, start + len(_RESULT))
        return self._operator(start) or self._below(start) or self._word(start)

    def _may_open(self) -> bool:
        return self.name == _TAKES_RESULT and not self.in_result and self._is_after_sign()

    def _operators(self) -> Mapping[str, TokenKind]:
        return _OPERATORS if self.is_comparing else {**_OPERATORS, **_REDIRECTIONS}

    def _operator(self, start: int) -> Token | None:
        for sign, kind in self._operators().items():
            if self.text.startswith(sign, start):
                return Token(kind, start, start + len(sign))
        return None

    def _below(self, start: int) -> Token | None:
        found = None if self.is_comparing else text_below(self.text, start)
        if found is None:
            return None
        kind = TokenKind.WORD if found.name else TokenKind.ERROR
        return Token(
            kind,
            start,
            found.end,
            found.pieces,
            found.unfinished,
            found.problems,
            names=bool(found.name) and self._names(""),
            below=found.name,
        )

    def _word(self, start: int) -> Token:
        signs = [*self._operators()]
        if not self.is_comparing:
            signs.append(_BELOW)
        if self.in_result:
            signs.append(")")
        scanner = WordScanner(self.text, start, tuple(signs))
        scanner.scan()
        token = Token(
            TokenKind.WORD,
            start,
            scanner.position,
            scanner.joined,
            scanner.unfinished,
            tuple(scanner.problems),
        )
        if self._names(bare_text(token.pieces)):
            return replace(token, names=True, filters=self.filters)
        return token

    def _rest(self, position: int) -> Token | None:
        """Return the rest of a line as one word that means itself, whatever it holds."""
        text = self.text
        start = end_of(_BLANKS, text, position)
        end = end_of(_REST, text, start)
        if self.in_result and text[start:end].endswith(")"):
            end = start + len(text[start : end - 1].rstrip(" \t"))
        if start in (position, end):
            return None
        return Token(TokenKind.WORD, start, end, (Piece(text[start:end], quoted=True),))
