"""Short names at the prompt: an alias gives way to the line that it stands for. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from domsh_repl.language.syntax import bare_text
from domsh_repl.language.tokens import LINE_AFTER_SIGN, Token, tokenize

__all__ = ["expand_aliases"]


def expand_aliases(text: str, aliases: Mapping[str, str]) -> str:
    """Return the text with the names that are aliases replaced, each once at a place.

    Only where a command is named; what an alias stands for may begin with another one. The line
    of an ``alias`` command stays as it is until it is used.
    """
    return _expanded(text, aliases, frozenset())


def _expanded(text: str, aliases: Mapping[str, str], done: frozenset[str]) -> str:
    if not aliases:
        return text
    parts, position = [], 0
    for token in tokenize(text):
        name = _name(token)
        if name in LINE_AFTER_SIGN:
            break
        if name in aliases and name not in done:
            parts += [
                text[position : token.start],
                _expanded(aliases[name], aliases, done | {name}),
            ]
            position = token.end
    return "".join([*parts, text[position:]])


def _name(token: Token) -> str:
    return bare_text(token.pieces) if token.names else ""
