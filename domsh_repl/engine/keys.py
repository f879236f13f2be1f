"""Key chords: what ``Enter``, ``a`` or ``ctrl+shift+ArrowLeft`` are to Input.dispatchKeyEvent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domsh_repl.keynames import split_chord, split_modifiers

__all__ = ["Chord", "key_of_character", "modifier_bits", "parse_chord"]

_BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}

# name → (code, Windows virtual key code, text that the key types)
_NAMED = {
    "Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""), "Delete": ("Delete", 46, ""), "Insert": ("Insert", 45, ""),
    "Space": ("Space", 32, " "), "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""),
    "Home": ("Home", 36, ""), "End": ("End", 35, ""), "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""), "ContextMenu": ("ContextMenu", 93, ""),
    "Shift": ("ShiftLeft", 16, ""), "Control": ("ControlLeft", 17, ""), "Alt": ("AltLeft", 18, ""),
    "Meta": ("MetaLeft", 91, ""),
    **{f"F{number}": (f"F{number}", 111 + number, "") for number in range(1, 13)},
}  # fmt: skip

_PUNCTUATION = {
    ";": ("Semicolon", 186), "=": ("Equal", 187), ",": ("Comma", 188), "-": ("Minus", 189),
    ".": ("Period", 190), "/": ("Slash", 191), "`": ("Backquote", 192), "[": ("BracketLeft", 219),
    "\\": ("Backslash", 220), "]": ("BracketRight", 221), "'": ("Quote", 222),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chord:
    """One key with its modifiers (the bits of Input.dispatchKeyEvent)."""

    key: str
    code: str
    virtual: int
    text: str
    modifiers: int = 0

    def parameters(self, kind: str) -> dict[str, Any]:
        """Return the parameters of the ``keyDown`` or ``keyUp`` event."""
        down = kind == "keyDown"
        parameters: dict[str, Any] = {
            "type": kind if self.text or not down else "rawKeyDown",
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.virtual,
            "modifiers": self.modifiers,
        }
        if down and self.text:
            parameters["text"] = self.text
        if down and self.modifiers & 2 and self.key.lower() in _EDITING:
            parameters["commands"] = [_EDITING[self.key.lower()]]
        return parameters


# what the platform's own shortcut does; synthetic keys do not reach the platform
_EDITING = {"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo", "y": "redo"}


def key_of_character(character: str) -> Chord | None:
    """Return the key that types an ASCII character on a US keyboard; None for any other."""
    if character.isascii() and character.isalnum():
        code = f"Digit{character}" if character.isdigit() else f"Key{character.upper()}"
        shift = 8 if character.isupper() else 0
        return Chord(character, code, ord(character.upper()), character, shift)
    if character == " ":
        return Chord(" ", "Space", 32, " ")
    if character in _PUNCTUATION:
        return Chord(character, *_PUNCTUATION[character], character)
    if character.isascii() and character.isprintable():
        return Chord(character, "", 0, character)
    return None


def parse_chord(text: str) -> Chord:
    """Return the chord that ``ctrl+a`` or ``Enter`` means; raises ``UsageError``."""
    held, name = split_chord(text)
    return _with_modifiers(_key(name), sum(_BITS[one] for one in held))


def modifier_bits(text: str) -> int:
    """Return the bits of what ``ctrl+shift`` holds; raises ``UsageError``."""
    return sum(_BITS[one] for one in split_modifiers(text))


def _key(name: str) -> Chord:
    if name in _NAMED:
        code, virtual, typed = _NAMED[name]
        return Chord(" " if name == "Space" else name, code, virtual, typed)
    return key_of_character(name) or Chord(name, "", 0, name)


def _with_modifiers(key: Chord, modifiers: int) -> Chord:
    # with ctrl, alt or meta held a key types nothing
    text = "" if modifiers & 7 else key.text.upper() if modifiers & 8 else key.text
    name = key.key.upper() if modifiers & 8 and len(key.key) == 1 else key.key
    return Chord(name, key.code, key.virtual, text, key.modifiers | modifiers)
