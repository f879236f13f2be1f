"""Colours for the line that is being typed, from the tokens of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.lexers import Lexer

from domsh_repl.language import Piece, Token, TokenKind, VariablePiece, tokenize
from domsh_repl.language.syntax import bare_text

__all__ = ["LineLexer"]


class LineLexer(Lexer):
    """Known and unknown commands, options, quotes, variables, comments."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return what gives the styled text of each line."""
        lines = list(split_lines(list(_styled(document.text))))

        def line(number: int) -> StyleAndTextTuples:
            return lines[number] if number < len(lines) else []

        return line


def _styled(text: str) -> Iterator[tuple[str, str]]:
    position, naming = 0, True
    for token in tokenize(text):
        yield "", text[position : token.start]
        is_last = token.end == len(text)
        yield _style(token, naming=naming, is_last=is_last), text[token.start : token.end]
        position = token.end
        naming = token.kind is not TokenKind.WORD
    yield "", text[position:]


def _style(token: Token, *, naming: bool, is_last: bool) -> str:
    if token.kind is TokenKind.COMMENT:
        return "class:line.comment"
    if token.kind is not TokenKind.WORD:
        return "class:line.unknown" if token.problems else ""
    if naming:
        return _name_style(bare_text(token.pieces), is_last=is_last)
    if any(isinstance(piece, VariablePiece) for piece in token.pieces):
        return "class:line.variable"
    if any(isinstance(piece, Piece) and piece.quoted for piece in token.pieces):
        return "class:line.quoted"
    return "class:line.flag" if bare_text(token.pieces).startswith("-") else ""


def _name_style(name: str, *, is_last: bool) -> str:
    from domsh_repl.commands.registry import GROUPED, names  # noqa: PLC0415  (the prompt is first)

    if name in names() or name in GROUPED:
        return "class:line.command"
    return "" if is_last else "class:line.unknown"  # it may be still on its way
