"""A pygments lexer for batch files, found by its entry point in editors and documentation.

The only module that imports pygments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Error, Name, Operator, String, Text, Whitespace, _TokenType

from domsh_repl.commands.highlight import marks_of_file
from domsh_repl.commands.lineparts import Part

__all__ = ["DomshLexer"]

_TYPES = {
    Part.COMMAND: Name.Builtin,
    Part.UNKNOWN: Error,
    Part.OPTION: Name.Attribute,
    Part.PATH: Name.Entity,
    Part.STRING: String,
    Part.VARIABLE: Name.Variable,
    Part.OPERATOR: Operator,
    Part.COMMENT: Comment.Single,
    Part.TEXT: Text,
}


class DomshLexer(Lexer):
    """The language of domsh, from its own tokens and its list of commands."""

    name = "domsh"
    url = "https://pypi.org/project/domsh-repl/"
    aliases: ClassVar[list[str]] = ["domsh"]
    filenames: ClassVar[list[str]] = ["*.domsh"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield position, type and text of every piece; nothing of the text is left out."""
        position = 0
        for mark in marks_of_file(text):
            if position < mark.start:
                yield position, Whitespace, text[position : mark.start]
            piece = text[mark.start : mark.end]
            kind = Operator.Word if piece.isalpha() and mark.part is Part.OPERATOR else None
            yield mark.start, kind or _TYPES[mark.part], piece
            position = mark.end
        if position < len(text):
            yield position, Whitespace, text[position:]
