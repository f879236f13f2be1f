"""Secrets taken out of what is shown, also as messages and addresses spell them. Pure."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import TypeVar

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.errors import DomshError
from domsh_repl.safetext import escape

__all__ = ["hidden", "hidden_error"]

T = TypeVar("T")
_CUT = "…"
"""What stands where a message was shortened (``safetext.one_line``)."""
_LEAST = 4
"""Characters of a secret that tell too much of it where the rest was cut off."""


def hidden(value: T, secrets: Collection[str]) -> T:
    """Return the value with a mask in place of each secret, in all its texts."""
    return _hidden(value, secrets) if secrets else value  # type: ignore[return-value]


def hidden_error(error: DomshError, secrets: Collection[str]) -> DomshError:
    """Return the error with a mask in place of each secret."""
    if not secrets:
        return error
    shown = copy.copy(error)
    shown.message = _masked(error.message, secrets)
    shown.hint = _masked(error.hint, secrets)
    shown.args = (shown.message,)
    return shown


def _hidden(value: object, secrets: Collection[str]) -> object:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return _masked(value, secrets)
    if isinstance(value, Mapping):
        return {_hidden(key, secrets): _hidden(one, secrets) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_hidden(one, secrets) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {one.name: _hidden(getattr(value, one.name), secrets) for one in fields(value)}
        return replace(value, **changed)
    return value


def _masked(text: str, secrets: Collection[str]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):  # one can be the beginning of another
        spellings = _spellings(secret)
        text = re.compile("".join(spellings)).sub(PASSWORD_MASK, text)
        if _CUT in text:
            text = _without_beginnings(text, spellings)
    return text


def _without_beginnings(text: str, spellings: Sequence[str]) -> str:
    """Return the text with a mask for as much of a secret as stands before a cut."""
    first = re.compile("".join(spellings[:_LEAST]))
    *parts, last = text.split(_CUT)
    for number, part in enumerate(parts):
        starts = (found.start() for found in first.finditer(part))
        start = next((one for one in starts if _begins(part[one:], spellings)), None)
        if start is not None:
            parts[number] = part[:start] + PASSWORD_MASK
    return _CUT.join((*parts, last))


def _begins(part: str, spellings: Sequence[str]) -> bool:
    """Tell whether the part is the beginning of the secret, to its end."""
    place = 0
    for spelling in spellings:
        if place >= len(part):
            return True
        found = re.compile(spelling).match(part, place)
        if found is None:
            return False
        place = found.end()
    return False


@cache
def _spellings(secret: str) -> tuple[str, ...]:
    """Return a pattern for each character, or run of blanks, of a secret."""
    return tuple(map(_spelling, re.findall(r"\s+|\S", secret)))


def _spelling(characters: str) -> str:
    """Match a character as it is, in a quoted text, or in an address; blanks also as one."""
    if characters.isspace():
        return r"(?:\s|\+|%20|%0[9aAdD]|\\[nrt])+"
    coded = "".join(f"%{byte:02x}" for byte in characters.encode(errors="surrogatepass"))
    ways = {characters, escape(characters), repr(characters)[1:-1], coded, coded.upper()}
    if characters in "\\'\"":
        ways.add(f"\\{characters}")
    return f"(?:{'|'.join(map(re.escape, sorted(ways, key=len, reverse=True)))})"
