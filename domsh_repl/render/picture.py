"""A picture in a terminal: by the terminal's graphics protocol, or as half blocks.

A half block is the upper half of a cell in one colour on another one, so a cell shows two
pixels. Loaded when the first picture is shown, for its imports of rich.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TextIO

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
from rich.segment import Segment
from rich.style import Style

from domsh_repl.render.graphics import Cell, cell_of, picture_by, protocol_of
from domsh_repl.render.png import Pixel, measures, shrunk
from domsh_repl.render.theme import HALF_BLOCK

__all__ = ["HalfBlocks", "Shown", "fitted", "picture_for"]

_LINES_BELOW = 3
"""Lines of the terminal for the file, its measures and the next prompt."""
_MOST_PIXELS = 40_000_000
"""Pixels that are given to a library: its copy of them has 160 MB."""
_DEEP = frozenset({"truecolor", "24bit"})


@dataclass(frozen=True, slots=True)
class Shown:
    """What rich prints, and whether that needs all the colours there are or no more than 256."""

    content: ConsoleRenderable
    deep: bool


def picture_for(
    png: bytes, stream: TextIO, size: os.terminal_size, environment: Mapping[str, str]
) -> Shown:
    """Return a picture that fits a terminal; raises ``ValueError`` for what cannot be shown."""
    columns, rows = size.columns, max(size.lines - _LINES_BELOW, 1)
    protocol = protocol_of(environment)
    cell = None if protocol is None else cell_of(stream)
    if protocol is not None and cell is not None:
        across, down = _cells(*measures(png), columns, rows, cell)
        made = picture_by(protocol, png, across, down)
        if made is not None:
            return Shown(made, deep=True)  # kitty's placeholders name the picture by their colour
    wide, high = fitted(*measures(png), columns, rows * 2)
    deep = environment.get("COLORTERM", "").casefold() in _DEEP
    return Shown(HalfBlocks(shrunk(png, wide, high)), deep=deep)


def _cells(width: int, height: int, columns: int, rows: int, cell: Cell) -> tuple[int, int]:
    if width * height > _MOST_PIXELS:
        raise ValueError("it has too many pixels")
    wide, high = fitted(width, height, columns * cell.width, rows * cell.height)
    return -(-wide // cell.width), -(-high // cell.height)


def fitted(width: int, height: int, most_across: int, most_down: int) -> tuple[int, int]:
    """Return the measures of a picture that is made smaller where it must be, never larger."""
    scale = min(1, most_across / width, most_down / height)
    return max(int(width * scale), 1), max(int(height * scale), 1)


class HalfBlocks:
    """Pixels for rich, two lines of them in a line of cells."""

    def __init__(self, pixels: list[list[Pixel]]) -> None:
        self._pixels = pixels

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a segment for each run of equal cells."""
        del console, options
        for upper, lower in zip_longest(self._pixels[::2], self._pixels[1::2]):
            below = lower or [None] * len(upper)
            for (top, bottom), run in groupby(zip(upper, below, strict=True)):
                style = Style(color=_color(top), bgcolor=bottom and _color(bottom))
                yield Segment(HALF_BLOCK * sum(1 for _ in run), style)
            yield Segment.line()


def _color(pixel: Pixel) -> Color:
    return Color.from_triplet(ColorTriplet(*pixel))
