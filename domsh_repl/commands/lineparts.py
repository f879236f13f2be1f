"""What the pieces of a line can be, for whoever styles them; imports nothing for it."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Part"]


class Part(StrEnum):
    """What a piece of a line is; the names are those of a theme's styles."""

    COMMAND = "command"
    UNKNOWN = "unknown"
    OPTION = "option"
    PATH = "path"
    STRING = "string"
    VARIABLE = "variable"
    OPERATOR = "operator"
    COMMENT = "comment"
    TEXT = "text"
