"""Plain text in lines and in two columns, for help and manuals. Pure; only ASCII is measured well.

textwrap would cost its import.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["in_columns", "wrapped"]

_GAP = 2
"""Blanks that part a head from its text at least."""


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text, broken at blanks; its own line ends stay."""
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and len(line) + 1 + len(word) > width:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
        yield line


def in_columns(head: str, text: str, *, room: int, width: int, indent: int = 2) -> Iterator[str]:
    """Yield a head and its text beside it: ``room`` for the head, ``width`` for all, in characters.

    A head that is too long gets a line of its own.
    """
    before = " " * indent
    if len(head) > room - _GAP and text:
        yield f"{before}{head}"
        head = ""
    for line in wrapped(text, width - room - indent):
        yield f"{before}{head:<{room}}{line}".rstrip()
        head = ""
