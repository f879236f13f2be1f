"""How a recording of a batch file looks, as the file says (``set size``, ``set theme``). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domsh_repl.errors import UsageError

__all__ = ["FILM_CHECKS", "FILM_SUMMARIES", "FILM_WORDS", "Film"]

_SIZE = re.compile(r"([1-9][0-9]{1,2})x([1-9][0-9]{0,2})", re.ASCII)
_MOST_KEYS_A_SECOND = 1000.0


@dataclass(frozen=True, slots=True)
class Film:
    """What a file asks of its recording: each is the text that ``set`` was given.

    ``size`` is columns and rows of the terminal, ``typing_speed`` keys a second.
    """

    size: str = "80x24"
    theme: str = "default"
    title: str = ""
    typing_speed: str = "20"
    loop: str = "off"


def _check_size(value: str) -> None:
    if _SIZE.fullmatch(value) is None:
        raise UsageError(f"{value!r} is no size", "columns and rows: set size 80x24", word=value)


def _check_speed(value: str) -> None:
    try:
        speed = float(value) if value.isascii() and "_" not in value else 0.0
    except ValueError:
        speed = 0.0
    if not 0 < speed <= _MOST_KEYS_A_SECOND:
        raise UsageError(
            f"{value!r} is no typing speed", "keys a second: set typing-speed 20", word=value
        )


FILM_SUMMARIES: Mapping[str, str] = {
    "size": "columns and rows of a recording: 80x24",
    "theme": "the colours of a recording: default, dark, light or mono",
    "title": "the title of a recording",
    "typing-speed": "keys a second in a recording: 20",
    "loop": "whether a recording begins again at its end: on or off",
}
"""The settings of a recording: none of them does anything where a file just runs."""
FILM_WORDS: Mapping[str, tuple[str, ...]] = {
    "theme": ("default", "dark", "light", "mono"),
    "loop": ("on", "off"),
}
"""All the values of those that have only some."""
FILM_CHECKS: Mapping[str, Callable[[str], None]] = {
    "size": _check_size,
    "typing-speed": _check_speed,
}
