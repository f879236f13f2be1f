"""The language of lines: tokens, parser, expansion and quoting. Pure: no I/O, the words only."""

from __future__ import annotations

from domsh_repl.language.aliases import expand_aliases
from domsh_repl.language.expansion import (
    ExpandedWord,
    PrintedText,
    Variables,
    expand,
    expand_command,
)
from domsh_repl.language.parser import parse_line
from domsh_repl.language.quote import print_line, print_script, quote_word
from domsh_repl.language.script import (
    ScriptError,
    ScriptErrors,
    awaited_end,
    goes_on,
    parse_file,
)
from domsh_repl.language.syntax import (
    Command,
    Condition,
    Line,
    Piece,
    Redirect,
    Script,
    Step,
    VariablePiece,
    Word,
)
from domsh_repl.language.tokens import (
    Problem,
    Token,
    TokenKind,
    Unfinished,
    is_unfinished,
    tokenize,
)

__all__ = [
    "Command",
    "Condition",
    "ExpandedWord",
    "Line",
    "Piece",
    "PrintedText",
    "Problem",
    "Redirect",
    "Script",
    "ScriptError",
    "ScriptErrors",
    "Step",
    "Token",
    "TokenKind",
    "Unfinished",
    "VariablePiece",
    "Variables",
    "Word",
    "awaited_end",
    "expand",
    "expand_aliases",
    "expand_command",
    "goes_on",
    "is_unfinished",
    "parse_file",
    "parse_line",
    "print_line",
    "print_script",
    "quote_word",
    "tokenize",
]
