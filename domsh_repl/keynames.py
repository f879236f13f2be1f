"""The grammar of key chords: ``Enter``, ``a``, ``ctrl+shift+ArrowLeft``. Pure.

Key names are those of the UI Events specification (KeyboardEvent.key), without case.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from domsh_repl.errors import UsageError

__all__ = ["KEY_NAMES", "MODIFIERS", "split_chord", "split_modifiers"]

KEY_NAMES = (
    "Enter", "Tab", "Escape", "Backspace", "Delete", "Insert", "Space", "ArrowLeft", "ArrowUp",
    "ArrowRight", "ArrowDown", "Home", "End", "PageUp", "PageDown", "ContextMenu",
    *(f"F{number}" for number in range(1, 13)),
    "Shift", "Control", "Alt", "Meta",
)  # fmt: skip
"""The named keys, those that are held last."""

MODIFIERS = ("ctrl", "shift", "alt", "meta")
"""The keys that are held, as they are shown."""

_HELD = {
    **{name: name for name in MODIFIERS},
    "option": "alt", "control": "ctrl", "cmd": "meta", "command": "meta",
}  # fmt: skip
_ALIASES = {
    "esc": "Escape", "return": "Enter", "del": "Delete", "left": "ArrowLeft",
    "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown",
}  # fmt: skip
_BY_FOLDED = {name.casefold(): name for name in KEY_NAMES} | _ALIASES


def split_chord(text: str) -> tuple[frozenset[str], str]:
    """Return the ``MODIFIERS`` that a chord holds and its key: one of ``KEY_NAMES`` or a character.

    Raises ``UsageError`` for a key or a modifier that there is not.
    """
    *held, last = _plus(text) if text == "+" or text.endswith("++") else text.split("+")
    return _held(held, text), _key(last, text)


def split_modifiers(text: str) -> frozenset[str]:
    """Return the ``MODIFIERS`` that a text such as ``ctrl+shift`` names; raises ``UsageError``."""
    return _held(text.removesuffix("+").split("+"), text)


def _held(names: Sequence[str], text: str) -> frozenset[str]:
    for name in names:
        if name.casefold() not in _HELD:
            hint = "modifiers are ctrl, shift, alt and meta"
            raise UsageError(f"{name!r} is no modifier", hint, word=text)
    return frozenset(_HELD[name.casefold()] for name in names)


def _plus(text: str) -> list[str]:
    return [*filter(None, text[:-1].split("+")), "+"]


def _key(name: str, chord: str) -> str:
    named = _BY_FOLDED.get(name.casefold())
    if named is not None:
        return named
    if len(name) == 1:
        return name
    near = difflib.get_close_matches(name.casefold(), list(_BY_FOLDED), 1)
    hint = f"did you mean {_BY_FOLDED[near[0]]}?" if near else "Enter, Tab, a, ctrl+a …"
    raise UsageError(f"{name!r} is no key", hint, word=chord)
