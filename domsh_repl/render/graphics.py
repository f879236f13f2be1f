"""Pictures by a terminal's own graphics protocol, with textual-image (the extra ``pictures``).

A terminal is never asked what it can: an answer that comes late, or a key that is pressed
meanwhile, would be taken for something else. Its environment and its size in pixels tell.
"""

from __future__ import annotations

import fcntl
import io
import struct
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

__all__ = ["Cell", "Protocol", "cell_of", "picture_by", "protocol_of"]

_KITTY_TERMS = frozenset({"xterm-kitty", "xterm-ghostty"})
_SIXEL_TERMS = ("foot", "mlterm", "contour")
_SIXEL_PROGRAMS = frozenset({"WezTerm", "iTerm.app", "mintty"})
_FIRST_KONSOLE = 22_04_00
"""The first Konsole with sixels, as its variable has its version."""
_MULTIPLEXED = ("screen", "tmux")
_MOST_CELLS = 297
"""Columns or rows that kitty's placeholders can number."""


class Protocol(Enum):
    """How a terminal takes pictures."""

    KITTY = "kitty"
    SIXEL = "sixel"


@dataclass(frozen=True, slots=True)
class Cell:
    """The size of a terminal's cell, in pixels."""

    width: int
    height: int


def protocol_of(environment: Mapping[str, str]) -> Protocol | None:
    """Return what the terminal is known to understand; nothing below tmux and screen."""
    term = environment.get("TERM", "")
    if environment.get("TMUX") or environment.get("STY") or term.startswith(_MULTIPLEXED):
        return None
    if term in _KITTY_TERMS:
        return Protocol.KITTY
    konsole = environment.get("KONSOLE_VERSION", "")
    if (
        term.startswith(_SIXEL_TERMS)
        or environment.get("TERM_PROGRAM") in _SIXEL_PROGRAMS
        or (konsole.isdecimal() and int(konsole) >= _FIRST_KONSOLE)
    ):
        return Protocol.SIXEL
    return None


def cell_of(stream: TextIO) -> Cell | None:
    """Return the cell of the process's own terminal; none if the stream is another one.

    None, too, where the terminal does not tell, as those that only pretend to be one of the above.
    """
    try:
        if sys.__stdout__ is None or stream.fileno() != sys.__stdout__.fileno():
            return None  # textual-image writes there and nowhere else
        told = fcntl.ioctl(stream.fileno(), termios.TIOCGWINSZ, bytes(8))
    except (OSError, ValueError):
        return None
    rows, columns, width, height = struct.unpack("HHHH", told)
    if not rows or not columns or width < columns or height < rows:
        return None
    return Cell(width // columns, height // rows)


def picture_by(protocol: Protocol, png: bytes, columns: int, rows: int) -> ConsoleRenderable | None:
    """Return the picture in that many cells; none if the extra is not installed.

    Raises ``ValueError`` for a PNG that cannot be read.
    """
    if max(columns, rows) > _MOST_CELLS:
        return None
    try:
        with _no_terminal():
            from textual_image.renderable import SixelImage, TGPImage  # noqa: PLC0415  (an extra)
    except ImportError:
        return None
    kind = TGPImage if protocol is Protocol.KITTY else SixelImage
    try:
        return kind(io.BytesIO(png), columns, rows)
    except (OSError, SyntaxError) as error:  # both are what Pillow says of a damaged PNG
        raise ValueError("its data are damaged") from error


@contextmanager
def _no_terminal() -> Iterator[None]:
    """Let textual-image find no terminal: as it is imported it asks one, and eats what is typed."""
    kept = sys.__stdout__
    sys.__stdout__ = None  # type: ignore[misc]
    try:
        yield
    finally:
        sys.__stdout__ = kept  # type: ignore[misc]
