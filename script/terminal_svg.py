"""Draws what a terminal shows as SVG: cells on a fixed grid, in a window, for a light or dark page.

The picture loads nothing. Each run of cells is told its place and its width, so that any
monospaced font fits the grid. The same bytes and size give the same picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise

import pyte

__all__ = ["DARK", "LIGHT", "Look", "Palette", "Run", "Shown", "draw", "shown_by"]

_CELL, _LINE, _MARGIN, _BAR = 8.4, 18, 14, 34
"""User units of a picture: width and height of a cell, around the cells, the window's bar."""
_BASELINE = 13
_RADIUS = 8
_FONTS = (
    "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
)
_DIMMED = 0.62
"""How much of its colour dim text keeps; the rest is the ground's."""
_KEPT_BLANK = "\u00a0"
"""Several plain ones would be drawn as one."""
_BUTTONS = ("#ff5f57", "#febc2e", "#28c840")
_EXTENDED = {38: {5: 2, 2: 4}, 48: {5: 2, 2: 4}}
"""How many numbers follow those of SGR that begin a colour of 256, or one of red, green, blue."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a cell looks; a colour is ``default``, one of the 16 names, or six hex digits."""

    colour: str = "default"
    ground: str = "default"
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    struck: bool = False
    reverse: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring cells of one look from a column on; a wide character is a run by itself."""

    column: int
    cells: int
    text: str
    look: Look


@dataclass(frozen=True, slots=True)
class Shown:
    """What a terminal shows, row by row, and the cell that its cursor is in."""

    columns: int
    rows: tuple[tuple[Run, ...], ...]
    cursor: tuple[int, int]

    @property
    def text(self) -> str:
        """The rows as text, without blanks at their ends."""
        lines = ("".join(run.text for run in row).rstrip() for row in self.rows)
        return "\n".join(lines).rstrip()


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a picture: text and ground, the window's bar and edge, the 16 by name."""

    text: str
    ground: str
    bar: str
    edge: str
    named: Mapping[str, str]

    def hex(self, colour: str, default: str) -> str:
        """Return a colour of a ``Look`` as SVG takes it."""
        if colour == "default":
            return default
        return self.named.get(colour) or f"#{colour}"


def _named(*colours: str) -> Mapping[str, str]:
    names = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
    return dict(zip((*names, *(f"bright{name}" for name in names)), colours, strict=True))


LIGHT = Palette(
    "#24292f", "#ffffff", "#eaeef2", "#d0d7de",
    _named(
        "#24292f", "#b42318", "#1a7f37", "#7d5700", "#0550ae", "#8250df", "#0b6477", "#57606a",
        "#656d76", "#cf222e", "#116329", "#9a6700", "#0969da", "#9a4fe0", "#1b7c83", "#32383f",
    ),
)  # fmt: skip
DARK = Palette(
    "#e6edf3", "#0d1117", "#1c2128", "#373e47",
    _named(
        "#6e7681", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#b1bac4",
        "#8b949e", "#ffa198", "#56d364", "#f0c75e", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#ffffff",
    ),
)  # fmt: skip


class _Screen(pyte.Screen):
    """pyte's screen, which knows no dim text: what blinks stands for it, as nothing else blinks."""

    def select_graphic_rendition(self, *attrs: int, **others: bool) -> None:
        """Set how what follows looks (ECMA-48, SGR)."""
        super().select_graphic_rendition(*attrs, **others)
        for number in _without_colours(attrs or (0,)):
            if number in (0, 2, 22):
                attributes = self.cursor.attrs
                self.cursor.attrs = attributes._replace(blink=number == 2)  # noqa: PLR2004  (SGR)


def _without_colours(numbers: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of SGR without those that say which colour."""
    rest = iter(numbers)
    for number in rest:
        if number in _EXTENDED:
            for _ in range(_EXTENDED[number].get(next(rest, 0), 1) - 1):
                next(rest, None)
        else:
            yield number


def shown_by(output: bytes, columns: int, rows: int) -> Shown:
    """Return what a terminal of a size shows after it was sent this output."""
    screen = _Screen(columns, rows)
    pyte.ByteStream(screen).feed(output)
    shown = tuple(
        tuple(_runs([screen.buffer[row][column] for column in range(columns)]))
        for row in range(rows)
    )
    return Shown(columns, shown, (screen.cursor.x, screen.cursor.y))


def _runs(row: Sequence[pyte.screens.Char]) -> Iterator[Run]:
    """Yield the runs of a row; behind a wide character pyte has a cell without text."""
    starts = [column for column, char in enumerate(row) if char.data]
    cells = [
        (column, after - column, row[column]) for column, after in pairwise([*starts, len(row)])
    ]
    for (look, width, place), group in groupby(cells, _kind):
        run = list(group)
        del place
        yield Run(run[0][0], width * len(run), "".join(char.data for *_, char in run), look)


def _kind(cell: tuple[int, int, pyte.screens.Char]) -> tuple[Look, int, int]:
    """Return what the cells of a run have in common."""
    column, width, char = cell
    look = Look(
        char.fg, char.bg.replace("bfight", "bright"), char.bold, char.blink, char.italics,
        char.underscore, char.strikethrough, char.reverse,
    )  # fmt: skip
    return look, width, column if width > 1 else -1


def draw(shown: Shown, palette: Palette, title: str, *, described: str) -> str:
    """Return the picture of a terminal's window: its title, and what screen readers say of it."""
    width = shown.columns * _CELL + 2 * _MARGIN
    height = len(shown.rows) * _LINE + 2 * _MARGIN + _BAR
    cells = "\n".join(filter(None, (_row(row, y, palette) for y, row in enumerate(shown.rows))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}"'
        f' viewBox="0 0 {width:g} {height}" role="img" aria-labelledby="described">'
        f'<title id="described">{escape(described)}</title>\n'
        f"{_window(width, height, palette, title)}\n"
        f'<g transform="translate({_MARGIN} {_BAR + _MARGIN})" font-family="{_FONTS}"'
        f' font-size="14" fill="{palette.text}">\n{cells}\n{_cursor(shown.cursor, palette)}\n'
        "</g></svg>\n"
    )


def _window(width: float, height: float, palette: Palette, title: str) -> str:
    buttons = "".join(
        f'<circle cx="{_MARGIN + 6 + 20 * number}" cy="{_BAR / 2:g}" r="6" fill="{colour}"/>'
        for number, colour in enumerate(_BUTTONS)
    )
    edge = f'x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="{_RADIUS}"'
    bar = (
        f"M0.5 {_BAR}V{_RADIUS + 0.5}a{_RADIUS} {_RADIUS} 0 0 1 {_RADIUS} -{_RADIUS}"
        f"H{width - _RADIUS - 0.5:g}a{_RADIUS} {_RADIUS} 0 0 1 {_RADIUS} {_RADIUS}V{_BAR}z"
    )
    return (
        f'<rect {edge} fill="{palette.ground}"/><path d="{bar}" fill="{palette.bar}"/>'
        f'<rect {edge} fill="none" stroke="{palette.edge}"/>{buttons}'
        f'<text x="{width / 2:g}" y="{_BAR / 2 + 4.5:g}" text-anchor="middle"'
        f' font-family="{_FONTS}" font-size="13" fill="{palette.named["brightblack"]}">'
        f"{escape(title)}</text>"
    )


def _row(row: Sequence[Run], number: int, palette: Palette) -> str:
    return "".join(_grounds(row, number, palette)) + "".join(
        _text(run, number, palette) for run in row if run.text.strip()
    )


def _grounds(row: Sequence[Run], number: int, palette: Palette) -> Iterator[str]:
    for run in row:
        _, ground = _colours(run.look, palette)
        if ground != palette.ground:
            yield (
                f'<rect x="{run.column * _CELL:g}" y="{number * _LINE}"'
                f' width="{run.cells * _CELL:g}" height="{_LINE}" fill="{ground}"'
                ' shape-rendering="crispEdges"/>'
            )


def _text(run: Run, number: int, palette: Palette) -> str:
    """Return the text of a run in its place; blanks around it need none unless they have a line."""
    text, column, look = run.text, run.column, run.look
    if not (look.underline or look.struck):
        column += len(text) - len(text.lstrip(" "))
        text = text.strip(" ")
    cells = run.cells - (len(run.text) - len(text))
    colour, _ = _colours(look, palette)
    line = " ".join(["underline"] * look.underline + ["line-through"] * look.struck)
    said = {
        "fill": "" if colour == palette.text else colour,
        "font-weight": "bold" if look.bold else "",
        "font-style": "italic" if look.italic else "",
        "text-decoration": line,
    }
    ways = "".join(f' {name}="{value}"' for name, value in said.items() if value)
    return (
        f'<text x="{column * _CELL:g}" y="{number * _LINE + _BASELINE}"'
        f' textLength="{cells * _CELL:g}" lengthAdjust="spacingAndGlyphs"{ways}>'
        f"{escape(text, quote=False).replace(' ', _KEPT_BLANK)}</text>"
    )


def _colours(look: Look, palette: Palette) -> tuple[str, str]:
    """Return the colours of text and ground."""
    colour = palette.hex(look.colour, palette.text)
    ground = palette.hex(look.ground, palette.ground)
    if look.reverse:
        colour, ground = ground, colour
    return _mixed(colour, ground, _DIMMED) if look.dim else colour, ground


def _mixed(colour: str, ground: str, share: float) -> str:
    pairs = ((int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(share * one + (1 - share) * two):02x}" for one, two in pairs)


def _cursor(cursor: tuple[int, int], palette: Palette) -> str:
    column, row = cursor
    return (
        f'<rect x="{column * _CELL:g}" y="{row * _LINE}" width="{_CELL:g}" height="{_LINE}"'
        f' fill="{palette.text}" fill-opacity="0.55"/>'
    )
