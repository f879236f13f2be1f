"""When to colour. Imports nothing that paints: the prompt asks before anything else is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TextIO

__all__ = ["ColorMode", "is_colored"]

_NO_ESCAPES = frozenset({"dumb", "unknown"})


class ColorMode(StrEnum):
    """When to colour: ``auto`` on terminals that are not dumb, without ``NO_COLOR``."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def is_colored(stream: TextIO, mode: ColorMode, environment: Mapping[str, str]) -> bool:
    """Tell whether what goes to a stream is coloured."""
    if mode is not ColorMode.AUTO:
        return mode is ColorMode.ALWAYS
    wanted = not environment.get("NO_COLOR") and environment.get("TERM") not in _NO_ESCAPES
    return wanted and stream.isatty()
