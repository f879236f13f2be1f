"""The two streams as places to paint on: plain lines, or rich's escapes where colours are wanted.

The only module that writes. Rich is imported when the first coloured line or picture is painted,
here and by what makes pictures.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Literal, TextIO

from domsh_repl.errors import CannotWrite
from domsh_repl.render.canvas import Canvas, encodable
from domsh_repl.render.color import ColorMode, is_colored
from domsh_repl.render.ink import Line
from domsh_repl.render.theme import DEFAULT_THEME, HALF_BLOCK, PLAIN_SIGNS, Theme, signs_for

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Screen"]

_LINES_AT_ONCE = 500
_Colors = Literal["standard", "256", "truecolor"]
_WIDTH = 80
_LINES = 24
"""Cells and lines of a terminal that does not tell its size."""


class Screen:
    """One stream; ``width`` in cells overrides what the terminal says."""

    def __init__(
        self,
        stream: TextIO,
        color: ColorMode,
        width: int | None,
        environment: Mapping[str, str],
        theme: Theme = DEFAULT_THEME,
    ) -> None:
        self._stream = stream
        self._color = color
        self._theme = theme
        self._width = width
        self._environment = environment
        self._console: Console | None = None
        self.encoding = stream.encoding or "utf-8"
        self.is_terminal = stream.isatty()
        self.is_plain = False
        self.recolor(color)

    @property
    def canvas(self) -> Canvas:
        """What to draw for now; a terminal's width is asked for each time."""
        if self.is_plain:
            return Canvas(None, PLAIN_SIGNS, self.encoding, plain=True)
        width = (self._width or self.size.columns) if self.is_terminal else None
        return Canvas(width, signs_for(self.encoding), self.encoding)

    def recolor(self, color: ColorMode) -> None:
        """Show colours from now on as the mode says; ``auto`` shows none in the plain layout."""
        self._color = color
        mode = ColorMode.NEVER if self.is_plain and color is ColorMode.AUTO else color
        self.is_colored = is_colored(self._stream, mode, self._environment)

    def simplify(self, *, is_plain: bool) -> None:
        """Let what is drawn for a terminal be plain from now on, or not; a pipe stays as it is."""
        self.is_plain = is_plain and self.is_terminal
        self.recolor(self._color)

    def paint(self, lines: Iterable[Line]) -> None:
        """Write the lines and flush; raises ``CannotWrite``."""
        waiting = iter(lines)
        while chunk := list(islice(waiting, _LINES_AT_ONCE)):
            if self.is_colored:
                self._paint_colored(chunk)
            else:
                self.write("".join(f"{''.join(span.text for span in line)}\n" for line in chunk))
        self.flush()

    @property
    def takes_pictures(self) -> bool:
        """Whether this is a terminal that can show one, at least as blocks in colours."""
        can_write = encodable(HALF_BLOCK, self.encoding) == HALF_BLOCK
        return self.is_terminal and self.is_colored and not self.is_plain and can_write

    def paint_picture(self, png: bytes) -> None:
        """Show a picture and flush; raises ``ValueError`` for what is none, ``CannotWrite``."""
        from domsh_repl.render.picture import picture_for  # noqa: PLC0415  (it imports rich)

        shown = picture_for(png, self._stream, self.size, self._environment)
        self.flush()
        with _writing():
            console = self._made_console("truecolor" if shown.deep else "256", self.size)
            console.print(shown.content, end="")

    def write(self, text: str) -> None:
        """Write text as it is."""
        with _writing():
            self._stream.write(text)

    def flush(self) -> None:
        """Hand on what was written."""
        with _writing():
            self._stream.flush()

    @property
    def size(self) -> os.terminal_size:
        """The terminal's columns and lines."""
        try:
            size = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            size = shutil.get_terminal_size((_WIDTH, _LINES))
        columns = self._environment.get("COLUMNS", "")
        wanted = int(columns) if columns.isdecimal() else 0
        return os.terminal_size((wanted or size.columns or _WIDTH, size.lines or _LINES))

    def onto(self, stream: TextIO) -> Screen:
        """Return a screen that paints on another stream what this one would paint."""
        other = Screen(stream, ColorMode.NEVER, self._width, self._environment, self._theme)
        other.is_colored = self.is_colored
        return other

    def _paint_colored(self, lines: list[Line]) -> None:
        from rich.text import Text  # noqa: PLC0415  (58 ms that pipes and JSON do not pay)

        text = Text()
        for line in lines:
            for span in line:
                text.append(span.text, self._style(span.style))
            text.append("\n")
        with _writing():
            self._rich().print(text, end="", soft_wrap=True)

    def _style(self, names: str) -> str:
        """Return the style that the theme has for what a span is."""
        return " ".join(self._theme.get(name, name) for name in names.split())

    def _rich(self) -> Console:
        if self._console is None:
            self._console = self._made_console("standard")
        return self._console

    def _made_console(self, colors: _Colors, size: os.terminal_size | None = None) -> Console:
        from domsh_repl.render.console import RaisingConsole  # noqa: PLC0415  (as above)

        return RaisingConsole(
            file=self._stream,
            force_terminal=True,
            color_system=colors,
            width=size and size.columns,
            height=size and size.lines,
            no_color=False,
            highlight=False,
            markup=False,
            emoji=False,
            force_jupyter=False,
            _environ={"TERM": "xterm"},
        )


@contextmanager
def _writing() -> Iterator[None]:
    """Name what a stream that takes nothing more raises; a reader that has gone is no failure."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.strerror or type(error).__name__) from error
