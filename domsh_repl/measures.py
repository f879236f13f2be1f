"""Numbers and durations as people write them: one grammar for options and operands. Pure.

What is too large is refused and never cut: a number that was changed would be a lie.
"""

from __future__ import annotations

import re

from domsh_repl.errors import UsageError

__all__ = ["parse_duration", "parse_number", "parse_port", "parse_seconds"]

_MOST_DIGITS = 9
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)(ms|s|m)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, None: 1.0}
_LONGEST = 86_400.0
_HIGHEST_PORT = 65_535
_SHAPES = "3, 300ms, 3s or 2m"


def parse_number(text: str, message: str, hint: str) -> int:
    """Return a whole number in ASCII digits; raises ``UsageError`` with ``message`` for others.

    Nine digits at most: no page holds more of anything.
    """
    if not (text.isascii() and text.isdigit()):
        raise UsageError(message, hint, word=text)
    digits = text.lstrip("0")
    if len(digits) > _MOST_DIGITS:
        raise UsageError(f"{text[:20]} is too large", hint, word=text)
    return int(digits or "0")


def parse_port(text: str, message: str, *, least: int = 0) -> int:
    """Return the number of a port; raises ``UsageError`` with ``message`` for what is none.

    Where the ``least`` is 0 that stands for any port that is free.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_HIGHEST_PORT))
    if not is_number or not least <= int(text) <= _HIGHEST_PORT:
        raise UsageError(message, f"a number up to {_HIGHEST_PORT}")
    return int(text)


def parse_seconds(text: str) -> float:
    """Return a duration in seconds: ``3``, ``300ms``, ``3s``, ``2m``; raises ``UsageError``."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no duration", _SHAPES, word=text)
    seconds = float(found.group(1)) * _UNITS[found.group(2)]
    if seconds > _LONGEST:
        raise UsageError(f"{text!r} is no duration: a day is the longest", _SHAPES, word=text)
    return seconds


def parse_duration(text: str, what: str) -> float:
    """Return seconds as ``parse_seconds`` does, but none at all; ``what`` would have so long."""
    seconds = parse_seconds(text)
    if not seconds:
        raise UsageError(f"0 is no duration for {what}", "30, 300ms, 2m", word=text)
    return seconds
