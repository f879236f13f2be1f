"""What each piece of a line is, for whoever colours it: the prompt and the pygments lexer.

Pure. The pieces are the parser's own tokens and the names are the registry's, so the colours
never say something else than the line means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from domsh_repl.commands.lineparts import Part
from domsh_repl.language.syntax import bare_text
from domsh_repl.language.tokens import REST_OF_LINE, Token, TokenKind, Unfinished, tokenize

if TYPE_CHECKING:
    from domsh_repl.commands.spec import Command

__all__ = ["Mark", "marks_of_file", "marks_of_line"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of a text, from ``start`` to before ``end``; of a path with its whole ``word``."""

    part: Part
    start: int
    end: int
    word: Token | None = None


_VARIABLE = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[#@]|\{[^}\s]*\})")
_QUOTES = (Unfinished.SINGLE_QUOTE, Unfinished.DOUBLE_QUOTE)


def marks_of_line(text: str) -> Iterator[Mark]:
    """Yield what a line at the prompt is made of, blanks left out.

    A name at the very end is not unknown: it may be still on its way.
    """
    for tokens in _commands(tokenize(text)):
        for mark in _marks(text, tokens):
            is_begun = mark.end == len(text) and mark.start == tokens[0].start
            if is_begun and mark.part is Part.UNKNOWN and tokens[0].kind is TokenKind.WORD:
                yield replace(mark, part=Part.TEXT)
            else:
                yield mark


def marks_of_file(text: str) -> Iterator[Mark]:
    r"""Yield what a batch file is made of: lines, joined by a ``\`` at their ends."""
    start = 0
    while start < len(text):
        end = _end_of_line(text, start)
        line = text[start:end]
        for tokens in _commands(tokenize(line)):
            for mark in _marks(line, tokens, forgives=True):
                yield replace(mark, start=mark.start + start, end=mark.end + start)
        start = end + 1


def _end_of_line(text: str, start: int) -> int:
    """Return where a line ends, with those that it is joined with."""
    end = start - 1
    while True:
        end = text.find("\n", end + 1)
        if end < 0:
            return len(text)
        if text[end - 1 : end] != "\\" or not _goes_on(text[start:end]):
            return end


def _goes_on(line: str) -> bool:
    tokens = tokenize(line)
    last = tokens[-1].unfinished if tokens else None
    return last is not None and last not in _QUOTES


def _commands(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the words of each command, and what stands between two by itself."""
    words: list[Token] = []
    for token in tokens:
        if token.kind is TokenKind.WORD:
            if token.names and words:  # a line within a line
                yield words
                words = []
            words.append(token)
            continue
        if words:
            yield words
        yield [token]
        words = []
    if words:
        yield words


def _marks(text: str, tokens: list[Token], *, forgives: bool = False) -> Iterator[Mark]:
    first = tokens[0]
    if first.kind is TokenKind.COMMENT:
        yield Mark(Part.COMMENT, first.start, first.end)
    elif first.kind is not TokenKind.WORD:
        yield Mark(Part.UNKNOWN if first.problems else Part.OPERATOR, first.start, first.end)
    else:
        yield from _of_command(text, tokens, forgives=forgives)


def _of_command(text: str, tokens: list[Token], *, forgives: bool) -> Iterator[Mark]:
    name, start = bare_text(tokens[0].pieces), tokens[0].start
    if forgives and name.startswith("-") and len(name) > 1:
        yield Mark(Part.OPERATOR, start, start + 1)
        name, start = name[1:], start + 1
    if not tokens[0].names:  # the file after >
        yield from _plain(text, tokens)
        return
    if name.startswith("!"):
        yield Mark(Part.OPERATOR, start, start + 1)
        if start + 1 < tokens[0].end:
            yield Mark(Part.COMMAND, start + 1, tokens[0].end)
        yield from _plain(text, tokens[1:])
        return
    second = bare_text(tokens[1].pieces) if len(tokens) > 1 else ""
    found, taken = _found(name, second, filters=tokens[0].filters)
    is_known = found is not None or 1 < taken <= len(tokens)
    yield Mark(Part.COMMAND if is_known else Part.UNKNOWN, start, tokens[0].end)
    for word in tokens[1:taken]:
        yield Mark(Part.UNKNOWN if found is None else Part.COMMAND, word.start, word.end)
    words = tokens[taken:]
    parts = [Part.TEXT] * len(words) if found is None else _parts(found, words)
    for word, part in zip(words, parts, strict=True):
        yield from _of_word(text, word, part)


def _plain(text: str, words: Sequence[Token]) -> Iterator[Mark]:
    """Yield words that are no options or paths, whatever they look like."""
    for word in words:
        yield from _of_word(text, word, Part.TEXT)


def _found(first: str, second: str, *, filters: bool) -> tuple[Command | None, int]:
    """Return the command that is named, and how many words its name takes."""
    from domsh_repl.commands import registry  # noqa: PLC0415  (the prompt is first)
    from domsh_repl.commands.registry import GROUPED, names  # noqa: PLC0415  (the same)

    if filters:
        return registry.filters().get(first), 1
    if first in names() or first not in GROUPED:
        return names().get(first), 1
    return names().get(GROUPED[first].get(second, "")), 2


def _parts(command: Command, words: Sequence[Token]) -> list[Part]:
    """Return what each word after a command's name is."""
    from domsh_repl.commands.arguments import flags_in  # noqa: PLC0415  (the prompt is first)

    if command.name in REST_OF_LINE:
        return [Part.STRING] * len(words)
    parts = [Part.TEXT] * len(words)
    operands: list[int] = []
    rest = iter(range(len(words)))
    for place in rest:
        text = bare_text(words[place].pieces)
        if text == "--":
            parts[place] = Part.OPTION
            operands += rest
        elif not text.startswith("-") or text == "-":
            operands.append(place)
            if command.flags_first:
                operands += rest
        else:
            flags = flags_in(text, command)
            parts[place] = Part.OPTION if flags else Part.UNKNOWN
            if flags and flags[-1][0].value and flags[-1][1] is None:
                next(rest, None)
    texts = [bare_text(words[place].pieces) for place in operands]
    for place, part in zip(operands, _parts_of_operands(command, texts), strict=True):
        parts[place] = part
    return parts


def _parts_of_operands(command: Command, texts: Sequence[str]) -> list[Part]:
    from domsh_repl.commands.spec import NODE_KINDS, OperandKind  # noqa: PLC0415  (as above)

    operands = command.operands_for(len(texts))
    if any(one.kind is OperandKind.CONDITION for one in operands):
        return _parts_of_condition(texts)
    parts = [
        Part.PATH if one.kind in NODE_KINDS and text not in one.words else Part.TEXT
        for one, text in zip(operands, texts, strict=False)
    ]
    return [*parts, *[Part.TEXT] * (len(texts) - len(parts))]


def _parts_of_condition(texts: Sequence[str]) -> list[Part]:
    from domsh_repl.commands.conditions import COMPARISONS, OPERATORS  # noqa: PLC0415  (as above)
    from domsh_repl.commands.topics import CONDITIONS  # noqa: PLC0415

    place = 1 if texts[:1] == ["not"] else 0
    form = CONDITIONS.get(texts[place]) if len(texts) > place else None
    signs = (*COMPARISONS, *OPERATORS, "not")
    parts = [Part.OPERATOR if text in signs else Part.TEXT for text in texts]
    if form is not None:
        parts[place] = Part.OPERATOR
        takes = [word.strip("[]") for word in form.usage.split()[1:2]]
        if takes in (["PATH"], ["GLOB"]) and parts[place + 1 :][:1] == [Part.TEXT]:
            parts[place + 1] = Part.PATH
    return parts


def _of_word(text: str, word: Token, part: Part) -> Iterator[Mark]:
    """Yield the quoted, the variable and the bare pieces of a word."""
    if word.below:
        yield Mark(Part.STRING, word.start, word.end)
        return
    if part not in (Part.TEXT, Part.PATH):
        yield Mark(part, word.start, word.end)
        return
    blamed = {problem.start: problem.end for problem in word.problems}
    for kind, start, end in _pieces(text, word.start, word.end):
        begun = min(blamed.get(start, start), end)
        if start < begun:
            yield Mark(Part.UNKNOWN, start, begun)
        if begun < end and kind is Part.TEXT:
            yield Mark(part, begun, end, word)
        elif begun < end:
            yield Mark(kind, begun, end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[Part, int, int]]:
    """Yield the runs of a word: bare ones, quoted ones with their quotes, and variables."""
    begun, position, quote = start, start, ""
    while position < end:
        sign = text[position]
        variable = None if quote == "'" else _VARIABLE.match(text, position, end)
        if sign == "\\" and quote != "'":
            position = min(position + 2, end)
        elif variable is not None:
            yield _run(quote), begun, position
            yield Part.VARIABLE, position, variable.end()
            begun = position = variable.end()
        elif sign in "'\"" and quote in ("", sign):
            middle = position + len(quote)
            yield _run(quote), begun, middle
            quote = "" if quote else sign
            begun, position = middle, position + 1
        else:
            position += 1
    yield _run(quote), begun, end


def _run(quote: str) -> Part:
    return Part.STRING if quote else Part.TEXT
