"""The screens of a run, as its options want them. Loads what paints."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import TextIO

from domsh_repl.nodes import View
from domsh_repl.options import Options
from domsh_repl.render.color import ColorMode
from domsh_repl.render.pager import Pager
from domsh_repl.render.renderer import Renderer
from domsh_repl.render.theme import theme_of

__all__ = ["drawn", "recolored", "renderer_of", "simplified", "text_of"]

_PLAIN_VIEW = View()


def renderer_of(options: Options, *, json: bool, pager: Pager | None = None) -> Renderer:
    """Return what shows answers on the standard streams."""
    return Renderer(
        sys.stdout,
        sys.stderr,
        json=json,
        color=ColorMode(options.color),
        quiet=options.quiet,
        theme=theme_of(options.theme, options.colors),
        pager=pager,
        plain=options.plain,
    )


def drawn(options: Options, stream: TextIO, json: bool) -> Renderer:
    """Return what draws answers for a pipe, a file or a variable."""
    return Renderer(stream, sys.stderr, json=json, color=ColorMode.NEVER, quiet=options.quiet)


def text_of(options: Options, value: object, view: View = _PLAIN_VIEW) -> str:
    """Return what a value is where no terminal is, without the last line's end."""
    kept = io.StringIO()
    drawn(options, kept, json=False).show(value, view)
    return kept.getvalue().removesuffix("\n")


def recolored(screens: Iterable[Renderer], mode: str) -> None:
    """Let screens show colours from now on as the word says."""
    for screen in screens:
        screen.recolor(ColorMode(mode))


def simplified(screens: Iterable[Renderer], is_plain: bool) -> None:
    """Let screens show all plainly from now on, or not."""
    for screen in screens:
        screen.simplify(is_plain=is_plain)
