"""Tokens to lines: which words make a command, what it is piped through, and when it runs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from domsh_repl.errors import ParseError
from domsh_repl.language.syntax import (
    Command,
    Condition,
    Line,
    Piece,
    Redirect,
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
_OF_THE_PROMPT = frozenset({"alias", "unalias"})
_SAME_LINE = "write it on the same line"


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
    parser = _Parser(text, batch=batch, number=number)
    steps = parser.read(tokenize(text))
    errors = sorted(parser.errors, key=lambda error: error.column)
    return Line(steps, number, text), tuple(errors)


@dataclass(slots=True)
class _Level:
    """A line that is being read: the whole one, or one that stands in a command."""

    opened: Token | None = None
    is_empty: bool = True
    operator: Token | None = None
    condition: Condition = Condition.ALWAYS
    steps: list[Step] = field(default_factory=list)
    parts: list[Command] = field(default_factory=list)
    pipe: Token | None = None
    words: list[Word] = field(default_factory=list)
    nested: Line | None = None
    end: int = 0
    redirection: Token | None = None
    redirect: Redirect | None = None

    def begin_part(self, pipe: Token | None) -> None:
        """Forget the command that has been read."""
        self.words, self.nested, self.pipe = [], None, pipe


class _Parser:
    """Collects steps and errors; an error never ends the reading."""

    def __init__(self, text: str, *, batch: bool, number: int) -> None:
        self.text = text
        self.batch = batch
        self.number = number
        self.errors: list[ParseError] = []
        self.levels = [_Level()]

    @property
    def level(self) -> _Level:
        """The innermost line."""
        return self.levels[-1]

    def read(self, tokens: Sequence[Token]) -> tuple[Step, ...]:
        """Return the steps that the tokens make."""
        for token in tokens:
            self._read(token)
        while len(self.levels) > 1:
            self._end_level(None)
        self._end_line()
        return tuple(self.level.steps)

    def _read(self, token: Token) -> None:
        for problem in token.problems:
            self._blame(problem.message, problem.hint, problem.start, problem.end)
        match token.kind:
            case TokenKind.WORD:
                self._word(token)
            case TokenKind.PIPE:
                self._pipe(token)
            case TokenKind.REDIRECT:
                self._redirection(token)
            case TokenKind.OPEN:
                self.levels.append(_Level(opened=token))
            case TokenKind.CLOSE:
                while self.level.opened is None:
                    self._end_level(None)
                self._end_level(token)
            case TokenKind.ERROR:
                self.level.is_empty = False
            case TokenKind.COMMENT:
                pass
            case _:
                self._operator(token)

    def _word(self, token: Token) -> None:
        if token.names and self.level.words and self.level.redirection is None:
            self.levels.append(_Level())  # a line is this command's last operand
        level, word = self.level, Word(token.pieces, token.start, token.end)
        if token.below and not level.words:
            self._blame(*_missing("before", "<<"), token.start, token.start + len("<<"))
        level.is_empty = False
        level.end = token.end
        if level.redirection is not None and level.redirect is None:
            self._target(level.redirection, word)
        elif level.redirect is not None:
            hint = "a file's name is one word: quote one with blanks"
            self._blame("> FILE stands at the end of its command", hint, word.start, word.end)
        elif level.nested is not None:
            hint = "$(…) is the whole value: join it with another let"
            self._blame("nothing can follow $(…)", hint, word.start, word.end)
        else:
            level.words.append(word)

    def _target(self, sign: Token, word: Word) -> None:
        appends = sign.end - sign.start == len(">>")
        self.level.redirect = Redirect(word, appends, sign.start, word.end)
        if _starts_with(word, "&"):
            hint = "errors stay on the terminal; quote a name that begins with &"
            self._blame("only answers go to a file", hint, sign.start, word.end)

    def _redirection(self, token: Token) -> None:
        level = self.level
        level.is_empty = False
        before = self.text[token.start - 1 : token.start] if token.start else ""
        is_of_stream = before == "&" or (before.isdigit() and self._stands_alone(token.start))
        if is_of_stream:
            hint = "errors stay on the terminal; put a blank before > otherwise"
            self._blame("only answers go to a file", hint, token.start - 1, token.end)
        elif not level.words:
            self._blame(*_missing("before", ">"), token.start, token.end)
        elif level.redirection is not None:
            hint = "one file an answer: `a | !tee FILE` gives it to more"
            self._blame("a second > FILE", hint, token.start, token.end)
        level.redirection = level.redirection or token

    def _stands_alone(self, end: int) -> bool:
        """Tell whether a digit before ``end`` is a word of its own."""
        word = self.level.words[-1] if self.level.words else None
        return word is not None and word.end == end and word.start == end - 1

    def _pipe(self, token: Token) -> None:
        if not self.level.words:
            self._blame(*_missing("before", "|"), token.start, token.end)
            self.level.pipe = None
        elif self.level.redirection is not None:
            sign = self.level.redirection
            hint = "pipe first: a | b > FILE"
            self._blame("> FILE stands at the end of a pipeline", hint, sign.start, sign.end)
        self._end_part()
        self.level.is_empty = False
        self.level.begin_part(token)

    def _operator(self, token: Token) -> None:
        sign = _CONDITIONS[token.kind].value
        if self.level.is_empty:
            self._blame(*_missing("before", sign), token.start, token.end)
        self._end_step()
        self.level.condition = _CONDITIONS[token.kind]
        self.level.operator, self.level.is_empty = token, True

    def _end_level(self, closing: Token | None) -> None:
        self._end_line()
        done = self.levels.pop()
        level, opened = self.level, done.opened
        level.end = closing.end if closing else done.end
        if opened is not None:
            self._check_result(done, opened, closing)
        level.nested = Line(tuple(done.steps), self.number)
        level.is_empty = False

    def _check_result(self, done: _Level, opened: Token, closing: Token | None) -> None:
        if closing is None:
            hint = "close it: let x = $(pwd)"
            self._blame("$( has no end", hint, opened.start, opened.end)
        elif not done.steps:
            self._blame("a command is missing in $(…)", "let x = $(pwd)", opened.start, closing.end)
        elif len(done.steps) > 1:
            second = done.steps[1].command
            hint = "one command, with | and filters, gives the value"
            self._blame("$(…) holds one command", hint, second.start, second.end)

    def _end_line(self) -> None:
        level = self.level
        operator = level.operator
        if operator and operator.kind is not TokenKind.SEPARATOR and level.is_empty:
            message, _ = _missing("after", level.condition.value)
            self._blame(message, _SAME_LINE, operator.start, operator.end)
        self._end_step()

    def _end_step(self) -> None:
        level = self.level
        self._end_part()
        sign = level.redirection
        if sign is not None and level.redirect is None:
            hint = "ls > names.txt; put > in quotes to mean the character"
            self._blame("a file is missing after >", hint, sign.start, sign.end)
        if level.parts:
            first, *filters = level.parts
            step = Step(first, level.condition, tuple(filters), level.redirect)
            level.steps.append(step)
        level.parts = []
        level.redirection = level.redirect = None
        level.begin_part(None)

    def _end_part(self) -> None:
        level = self.level
        if level.words:
            level.parts.append(self._command(level))
        elif level.pipe is not None:
            message, _ = _missing("after", "|")
            self._blame(message, _SAME_LINE, level.pipe.start, level.pipe.end)

    def _command(self, level: _Level) -> Command:
        first, forgiving = level.words[0], False
        start = first.start
        if self.batch and _starts_with(first, "-"):
            first, forgiving = self._without_dash(first), True
        program = _starts_with(first, "!")
        if program:
            first = self._program(first)
        self._check_name(first)
        words = (first, *level.words[1:])
        return Command(words, start, level.end, forgiving, program, level.nested)

    def _without_dash(self, word: Word) -> Word:
        level = self.level
        sign = level.condition.value if level.condition is not Condition.ALWAYS else ""
        if level.pipe is not None or len(self.levels) > 1:
            sign = "|" if level.pipe is not None else "what it stands in"
        if sign:
            self._blame(
                f"- cannot forgive what follows {sign}",
                "put the - at the start of the line",
                word.start,
                word.start + 1,
            )
        rest = _without_first(word)
        if not rest.pieces or _starts_with(rest, "-"):
            hint = "one - directly before the command forgives its failure: -click x"
            self._blame("no command starts with -", hint, word.start, word.end)
        return rest

    def _program(self, word: Word) -> Word:
        rest = _without_first(word)
        if _starts_with(rest, "!"):
            hint = "press the Up key and Enter"
            self._blame("!! does not repeat a line", hint, word.start, word.end)
        elif not rest.pieces:
            hint = "!date runs the program date; put ! in quotes to mean the character"
            self._blame("a program's name is missing after !", hint, word.start, word.end)
        return rest

    def _check_name(self, word: Word) -> None:
        if any(isinstance(piece, VariablePiece) for piece in word.pieces):
            hint = "write the command itself"
            self._blame("a command's name cannot be in a variable", hint, word.start, word.end)
        elif self.batch and bare_text(word.pieces) in _OF_THE_PROMPT:
            hint = "write the whole line"
            self._blame("aliases are for the prompt", hint, word.start, word.end)

    def _blame(self, message: str, hint: str, start: int, end: int) -> None:
        self.errors.append(ParseError(message, hint, column=start, length=max(1, end - start)))


def _missing(side: str, sign: str) -> tuple[str, str]:
    hint = f"write one, or put {sign} in quotes to mean the characters"
    return f"a command is missing {side} {sign}", hint


def _without_first(word: Word) -> Word:
    """Return the word without the sign that it begins with."""
    head, *tail = word.pieces
    text = head.text[1:] if isinstance(head, Piece) else ""
    pieces = (Piece(text), *tail) if text else tuple(tail)
    return Word(pieces, word.start + 1, word.end)


def _starts_with(word: Word, sign: str) -> bool:
    first = word.pieces[0] if word.pieces else None
    return isinstance(first, Piece) and not first.quoted and first.text.startswith(sign)
