"""Words with their variables filled in. Pure.

Text from a variable counts as quoted, whatever it holds: page text can never become a second
word, a command, an option, a glob, an index or a keyword.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from domsh_repl.errors import UsageError
from domsh_repl.language.syntax import Command, Piece, Word

__all__ = ["ExpandedWord", "PrintedText", "Variables", "expand", "expand_command"]

Variables = Mapping[str, str | tuple[str, ...]]


class PrintedText(str):
    """What a command printed: it can come from a page, so that it names no file and no option."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ExpandedWord:
    """A word as a command gets it; each piece is text and whether it counts as quoted.

    The pieces are what ``Path.of_pieces`` takes. ``printed`` tells that a part of it was printed
    by a command.
    """

    pieces: tuple[tuple[str, bool], ...]
    printed: bool = False

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(text for text, _ in self.pieces)

    @property
    def bare(self) -> bool:
        """True when nothing is quoted or from a variable: only then an option, glob, keyword."""
        return not any(quoted for _, quoted in self.pieces)


def expand_command(command: Command, variables: Variables) -> tuple[ExpandedWord, ...]:
    """Return all words of a command, its name first; raises as ``expand`` does."""
    return tuple(filled for word in command.words for filled in expand(word, variables))


def expand(word: Word, variables: Variables) -> tuple[ExpandedWord, ...]:
    """Return the word with its variables filled in: one word, or one for each item of ``$@``.

    ``variables`` holds texts by name, and under ``@`` the arguments, from which ``$1`` and ``$#``
    come. Raises ``UsageError`` for a variable that is not set.
    """
    words: list[list[tuple[str, bool]]] = [[]]
    for piece in word.pieces:
        if isinstance(piece, Piece):
            words[-1].append((piece.text, piece.quoted))
            continue
        value = _value(piece.name, variables)
        items = (value,) if isinstance(value, str) else value
        for number, item in enumerate(items):
            if number:
                words.append([])
            words[-1].append((item, True))
    return tuple(_expanded(pieces) for pieces in words if pieces)


def _expanded(pieces: list[tuple[str, bool]]) -> ExpandedWord:
    printed = any(isinstance(text, PrintedText) for text, _ in pieces)
    return ExpandedWord(tuple(pieces), printed)


def _value(name: str, variables: Variables) -> str | tuple[str, ...]:
    value = variables.get(name)
    if value is not None:
        return value
    given = variables.get("@", ())
    arguments = (given,) if isinstance(given, str) else given
    if name == "@":
        return arguments
    if name == "#":
        return str(len(arguments))
    if name.isdecimal():
        return _argument(name, arguments)
    raise UsageError(f"${name} is not set", _hint(name, variables))


def _argument(name: str, arguments: tuple[str, ...]) -> str:
    position = int(name) if len(name) < len(str(len(arguments))) + 1 else 0
    if 1 <= position <= len(arguments):
        return arguments[position - 1]
    given = "no argument was given" if not arguments else f"$1 to ${len(arguments)} are"
    raise UsageError(f"${name} is not set", f"{given}; write \\${name} for the text itself")


def _hint(name: str, variables: Variables) -> str:
    if name == "site":
        return "--site DIR serves a folder and sets it"
    near = get_close_matches(name, (known for known in variables if known.isidentifier()), n=1)
    text = f"write \\${name} for the text itself"
    return f"did you mean ${near[0]}? Otherwise {text}" if near else text
