"""Tokens to lines: which words make a command, and when it runs. Pure.

What the language will have but does not have yet is refused by name, so that no line changes
its meaning later.
"""

from __future__ import annotations

from collections.abc import Iterable

from domsh_repl.errors import ParseError
from domsh_repl.language.syntax import (
    Command,
    Condition,
    Line,
    Piece,
    Step,
    VariablePiece,
    Word,
    bare_text,
)
from domsh_repl.language.tokens import Token, TokenKind, tokenize

__all__ = ["parse_line", "parse_with_errors"]

_CONDITIONS = {
    TokenKind.SEPARATOR: Condition.ALWAYS,
    TokenKind.AND: Condition.IF_OK,
    TokenKind.OR: Condition.IF_FAILED,
}
_LATER_TOKENS = {
    TokenKind.PIPE: ("pipes come later", 'put text that holds | in quotes: "a|b"'),
    TokenKind.REDIRECT: (
        "writing to a file with > comes later",
        'put text that holds > in quotes: "a > b"',
    ),
}
_LATER_COMMANDS = {
    "let": ("setting variables with let comes later", "write the text itself"),
    "alias": ("aliases come later", "write the whole line"),
    "unalias": ("aliases come later", "write the whole line"),
    "!!": ("!! does not repeat a line", "press the Up key and Enter"),
}


def parse_line(text: str, *, batch: bool = False, number: int = 1) -> Line:
    """Return the line that a text means.

    ``batch`` lines may begin with ``-`` (forgiving); ``number`` is the line's, from 1. Raises
    ``ParseError`` for what is not in the language, the first mistake only.
    """
    line, errors = parse_with_errors(text, batch=batch, number=number)
    if errors:
        raise errors[0]
    return line


def parse_with_errors(
    text: str, *, batch: bool = False, number: int = 1
) -> tuple[Line, tuple[ParseError, ...]]:
    """Return what can be read of the line, and every mistake in it from left to right."""
    parser = _Parser(batch=batch)
    parser.read(tokenize(text))
    errors = sorted(parser.errors, key=lambda error: error.column)
    return Line(tuple(parser.steps), number, text), tuple(errors)


class _Parser:
    """Collects steps and errors; an error never ends the reading."""

    def __init__(self, *, batch: bool) -> None:
        self.batch = batch
        self.steps: list[Step] = []
        self.errors: list[ParseError] = []
        self.words: list[Word] = []
        self.condition = Condition.ALWAYS

    def read(self, tokens: Iterable[Token]) -> None:
        operator: Token | None = None
        empty = True
        for token in tokens:
            self._blame_token(token)
            if token.kind is TokenKind.WORD:
                self.words.append(Word(token.pieces, token.start, token.end))
            if token.kind in _CONDITIONS:
                self._end_command(token, missing=empty)
                self.condition = _CONDITIONS[token.kind]
                operator, empty = token, True
            elif token.kind is not TokenKind.COMMENT:
                empty = False
        if operator and operator.kind is not TokenKind.SEPARATOR and empty:
            sign = self.condition.value
            hint = "write it on the same line"
            self._blame(f"a command is missing after {sign}", hint, operator.start, operator.end)
        self._end_command(None, missing=False)

    def _end_command(self, operator: Token | None, *, missing: bool) -> None:
        if operator and missing:
            sign = _CONDITIONS[operator.kind].value
            hint = f"write one, or put {sign} in quotes to mean the characters"
            self._blame(f"a command is missing before {sign}", hint, operator.start, operator.end)
        if self.words:
            self.steps.append(Step(self._command(self.words), self.condition))
            self.words = []

    def _command(self, words: list[Word]) -> Command:
        first, forgiving = words[0], False
        if self.batch and _starts_with_dash(first):
            first, forgiving = self._without_dash(first), True
        self._check_name(first)
        start, end = words[0].start, words[-1].end
        return Command((first, *words[1:]), start, end, forgiving)

    def _without_dash(self, word: Word) -> Word:
        if self.condition is not Condition.ALWAYS:
            self._blame(
                f"- cannot forgive what follows {self.condition.value}",
                "put the - at the start of the line",
                word.start,
                word.start + 1,
            )
        head, *tail = word.pieces
        text = head.text[1:] if isinstance(head, Piece) else ""
        pieces = (Piece(text), *tail) if text else tuple(tail)
        if not pieces or text.startswith("-"):
            hint = "one - directly before the command forgives its failure: -click x"
            self._blame("no command starts with -", hint, word.start, word.end)
        return Word(pieces, word.start + 1, word.end)

    def _check_name(self, word: Word) -> None:
        if any(isinstance(piece, VariablePiece) for piece in word.pieces):
            hint = "write the command itself"
            self._blame("a command's name cannot be in a variable", hint, word.start, word.end)
        name = bare_text(word.pieces)
        if name in _LATER_COMMANDS:
            self._blame(*_LATER_COMMANDS[name], word.start, word.end)
        elif _starts_with(word, "!"):
            hint = "put ! in quotes to mean the character"
            self._blame("running programs with ! comes later", hint, word.start, word.end)

    def _blame_token(self, token: Token) -> None:
        if token.kind in _LATER_TOKENS:
            self._blame(*_LATER_TOKENS[token.kind], token.start, token.end)
        for problem in token.problems:
            self._blame(problem.message, problem.hint, problem.start, problem.end)

    def _blame(self, message: str, hint: str, start: int, end: int) -> None:
        self.errors.append(ParseError(message, hint, column=start, length=max(1, end - start)))


def _starts_with(word: Word, sign: str) -> bool:
    first = word.pieces[0] if word.pieces else None
    return isinstance(first, Piece) and not first.quoted and first.text.startswith(sign)


def _starts_with_dash(word: Word) -> bool:
    return _starts_with(word, "-")
