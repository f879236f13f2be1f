"""The sort and the value of an entry, made of the role that DOMShell tells.

Where DOMShell sorts otherwise (a text is a directory there, a date field too), the built-in
engine's sort is given, so that both servers tell the same.
"""

from __future__ import annotations

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.nodes import Kind, Value
from domsh_repl.roles import ALWAYS_DIRECTORY, INTERACTIVE, TEXT_LEAVES

__all__ = ["kind_of", "value_of"]

_NUMERIC = frozenset({"slider", "spinbutton", "progressbar", "meter", "scrollbar"})


def kind_of(role: str, *, holds: bool) -> Kind:
    """Return the sort of a node by its role; ``holds`` says that it has children."""
    if role in INTERACTIVE:
        return Kind.INTERACTIVE
    if role in TEXT_LEAVES:
        return Kind.STATIC
    return Kind.DIRECTORY if holds or role in ALWAYS_DIRECTORY else Kind.STATIC


def value_of(role: str, said: Value) -> Value:
    """Return a node's value as the tree has it: numbers of numeric roles, passwords masked."""
    if not isinstance(said, str):
        return said
    if role in _NUMERIC:
        return _number(said)
    return PASSWORD_MASK if said and not said.strip("•") else said


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
