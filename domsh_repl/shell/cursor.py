"""What stands at the cursor: which command, which of its operands or flags, how much of a word.

Pure: a text in, a value out. The words are cut as the parser cuts them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from domsh_repl.commands.arguments import COMMON_FLAGS
from domsh_repl.commands.registry import GROUPED, filters, names
from domsh_repl.commands.spec import Command, Flag, Operand, OperandKind
from domsh_repl.errors import UsageError
from domsh_repl.language import Piece, Token, TokenKind, VariablePiece, tokenize
from domsh_repl.language.syntax import bare_text
from domsh_repl.paths import Path

__all__ = [
    "Begun", "Cursor", "PathBegun", "cursor_at_end", "path_begun", "variable_begun", "word_start",
]  # fmt: skip

_FILE = Operand("FILE", OperandKind.FILE)
_VARIABLE = re.compile(r"\$(?:\{[A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_]*)?$")


@dataclass(frozen=True, slots=True)
class Begun:
    """The word that is being typed: as it was written, and the text that it means so far."""

    raw: str = ""
    text: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the cursor is.

    Without a ``command`` its name is being typed, after ``group`` the second word of a grouped
    spelling, or where it ``filters`` the lines of another one. ``operands`` are those before the
    cursor; ``flag`` is the one whose value it is. A ``file`` is being named after ``>``.
    """

    word: Begun
    command: Command | None = None
    group: str = ""
    operands: tuple[Token, ...] = ()
    flag: Flag | None = None
    given: tuple[str, ...] = ()
    flags_ended: bool = False
    filters: bool = False
    file: bool = False

    @property
    def operand(self) -> Operand | None:
        """The operand that the word would be."""
        if self.file:
            return _FILE
        places = self.command.operands if self.command else ()
        place = len(self.operands)
        if place < len(places):
            return places[place]
        return places[-1] if places and places[-1].many else None


def cursor_at_end(text: str) -> Cursor | None:
    """Return where the cursor is at the end of a text; None where nothing can be completed."""
    tokens = tokenize(text)
    if tokens and (tokens[-1].kind is TokenKind.COMMENT or tokens[-1].below):
        return None
    at_word = bool(tokens) and tokens[-1].kind is TokenKind.WORD and tokens[-1].end == len(text)
    begun = _begun(text, tokens[-1]) if at_word else Begun()
    if begun is None:
        return None
    before = tokens[:-1] if at_word else tokens
    if before and before[-1].kind is TokenKind.REDIRECT:
        return Cursor(begun, file=True)
    word = tokens[-1] if at_word else tokenize(f"{text}x")[-1]
    if word.names:
        return None if begun.raw.startswith("!") else Cursor(begun, filters=word.filters)
    return _in_command(begun, _last_command(before))


def variable_begun(text: str) -> str | None:
    """Return the variable that is being typed at the end of a text, such as ``$na`` or ``${``.

    None where a ``$`` means itself: in single quotes, behind a backslash, in a comment.
    """
    found = _VARIABLE.search(text)
    if found is None:
        return None
    tokens = tokenize(f"{text[: found.start()]}$x")
    last = tokens[-1].pieces[-1] if tokens and tokens[-1].pieces else None
    is_live = isinstance(last, VariablePiece) and last.name == "x" and not tokens[-1].names
    return found.group() if is_live else None


def word_start(text: str) -> int:
    """Return where the word at the end of a text begins; its length behind a blank."""
    tokens = tokenize(text)
    at_word = bool(tokens) and tokens[-1].kind is TokenKind.WORD and tokens[-1].end == len(text)
    return tokens[-1].start if at_word else len(text)


def _in_command(begun: Begun, command: Sequence[Token]) -> Cursor | None:
    """Return where the cursor is behind these words of a command."""
    if not command:
        return None
    first, rest = bare_text(command[0].pieces), command[1:]
    known = filters() if command[0].filters else names()
    if first in GROUPED and first not in known:
        if not rest:
            return Cursor(begun, group=first)
        first, rest = GROUPED[first].get(bare_text(rest[0].pieces), ""), rest[1:]
    found = known.get(first)
    return None if found is None else _among_words(begun, found, rest)


def _last_command(tokens: Sequence[Token]) -> list[Token]:
    """Return the words of the command that the last token belongs to, without a file's name."""
    words: list[Token] = []
    is_file = False
    for token in tokens:
        if token.names or (
            token.kind is not TokenKind.WORD and token.kind is not TokenKind.REDIRECT
        ):
            words.clear()
        if token.kind is TokenKind.WORD and not is_file:
            words.append(token)
        is_file = token.kind is TokenKind.REDIRECT
    return words


def _begun(text: str, token: Token) -> Begun | None:
    """Return the word under the cursor; None when a variable is in it."""
    pieces = [piece for piece in token.pieces if isinstance(piece, Piece)]
    if len(pieces) != len(token.pieces):
        return None
    return Begun(
        text[token.start : token.end],
        "".join(piece.text for piece in pieces),
        any(piece.quoted for piece in pieces),
    )


def _among_words(begun: Begun, command: Command, words: Sequence[Token]) -> Cursor:
    flags = {flag.name: flag for flag in (*command.flags, *COMMON_FLAGS)}
    operands: list[Token] = []
    given: list[str] = []
    ended = False
    rest = iter(words)
    for word in rest:
        text = bare_text(word.pieces)
        if ended or not text.startswith("-") or text == "-":
            operands.append(word)
        elif text == "--":
            ended = True
        else:
            given.append(text.partition("=")[0])
            flag = flags.get(text)
            if flag is not None and flag.value and next(rest, None) is None:
                return Cursor(begun, command, operands=tuple(operands), flag=flag)
    return Cursor(begun, command, operands=tuple(operands), given=tuple(given), flags_ended=ended)


@dataclass(frozen=True, slots=True)
class PathBegun:
    """A path that is being typed: its directory, and the part of the last segment so far.

    ``raw`` is that part as it was written; ``is_label`` tells that a quote is open before it.
    """

    directory: Path
    prefix: str
    raw: str
    is_label: bool


def path_begun(word: Begun) -> PathBegun | None:
    """Return the path that a word begins; None where its next segment cannot be completed."""
    if not word.quoted:
        head, slash, tail = word.text.rpartition("/")
        if tail != word.raw.rpartition("/")[2]:
            return None
        return _from_head(head + slash, tail, tail, is_label=False)
    for place in range(len(word.raw) - 1, -1, -1):
        if word.raw[place] == '"' and not _is_open(word.raw[:place]):
            return _quoted_segment(word.raw[:place], word.raw[place:])
    return None


def _quoted_segment(head: str, raw: str) -> PathBegun | None:
    if head and not head.endswith("/"):
        return None
    if not _is_open(raw):  # the quote is closed: a new segment may follow it
        _, slash, tail = raw.rpartition("/")
        rest = raw.removesuffix(slash + tail)
        if not slash or not rest.endswith('"'):
            return None
        return _from_head(f"{head}{rest}/", tail, tail, is_label=False)
    pieces = tokenize(raw)[-1].pieces
    text = "".join(piece.text for piece in pieces if isinstance(piece, Piece))
    return _from_head(head, text, raw, is_label=True)


def _from_head(head: str, prefix: str, raw: str, *, is_label: bool) -> PathBegun | None:
    if not head:
        return PathBegun(Path(), prefix, raw, is_label)
    pieces = tokenize(head)[0].pieces
    known = [(piece.text, piece.quoted) for piece in pieces if isinstance(piece, Piece)]
    try:
        return PathBegun(Path.of_pieces(known, bookmarks=True), prefix, raw, is_label)
    except UsageError:  # a place of the browser, which holds no nodes
        return None


def _is_open(raw: str) -> bool:
    tokens = tokenize(raw)
    return bool(tokens) and tokens[-1].unfinished is not None
