"""How the prompt looks: its words from the state, its colours. The 16 ANSI colours only.

Host and path are page text: they are made safe here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from prompt_toolkit.styles import Style

from domsh_repl.commands.lineparts import Part
from domsh_repl.paths import split_names
from domsh_repl.render.ink import cells, cut
from domsh_repl.render.theme import Signs, Theme
from domsh_repl.safetext import one_line

if TYPE_CHECKING:
    from domsh_repl.state import PageState

__all__ = ["NO_PAGE", "Fragments", "Standing", "continuation", "host_of", "prompt_text", "style_of"]

Fragments = list[tuple[str, str]]
"""Styled text as prompt_toolkit takes it: pairs of style and text."""

_NAMES: Mapping[str, str] = {
    "prompt.host": "host",
    "prompt.path": "cwd",
    "prompt.mark": "mark",
    "prompt.failed": "failed",
    "prompt.danger": "danger",
    "toolbar": "toolbar",
    "auto-suggestion": "suggestion",
    **{f"line.{part.value}": part.value for part in Part if part is not Part.TEXT},
    "line.missing": "missing",
    "completion-menu.meta.completion": "link",
}
"""What the prompt's own classes are called in a theme."""

_OUR_WAY = ("completion-menu.meta.completion", "auto-suggestion")
"""Classes that prompt_toolkit has a style of its own for."""

_MENU = {
    "completion-menu": "",
    "completion-menu.completion": "",
    "completion-menu.completion.current": "reverse",
    "completion-menu.meta.completion.current": "reverse",
    "scrollbar.background": "",
    "scrollbar.button": "reverse",
}


def style_of(theme: Theme) -> Style:
    """Return the theme as prompt_toolkit takes it; nothing of its own style shows through."""
    styles = {own: _translated(theme[name]) for own, name in _NAMES.items()}
    plain = {own: f"noinherit {style}".strip() for own, style in _MENU.items()}
    own = {name: f"noinherit {styles[name]}".strip() for name in _OUR_WAY}
    return Style.from_dict({**styles, **plain, **own})


def _translated(style: str) -> str:
    """Return a style of ``render.theme.parse_style`` in prompt_toolkit's words."""
    words = style.split()
    named = (
        ("bg:" if before == "on" else "") + _COLOURS.get(word, word)
        for before, word in zip(["", *words], words, strict=False)
        if word != "on"
    )
    return " ".join(named)


_COLOURS = {
    **{name: f"ansi{name}" for name in ("black", "red", "green", "yellow", "blue", "magenta")},
    **{
        f"bright_{name}": f"ansibright{name}"
        for name in ("red", "green", "yellow", "blue", "magenta", "cyan")
    },
    "cyan": "ansicyan",
    "white": "ansigray",
    "bright_black": "ansibrightblack",
    "bright_white": "ansiwhite",
}

_SIGN = ("class:prompt.sign", "> ")
_NOWHERE: Fragments = [("class:prompt.host", "no page"), ("", " ")]
NO_PAGE: Fragments = [*_NOWHERE, _SIGN]
"""The prompt before anything was asked for."""

_LEAST = 14
"""Cells that a prompt may take on however narrow a terminal."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand beside the page: the ``status`` of the last line, and the connection.

    ``risky_lane`` is the id of a lane that is not ours. ``is_lost`` says that all that is shown
    is from before the connection was lost.
    """

    status: int = 0
    risky_lane: str = ""
    is_read_only: bool = False
    is_lost: bool = False


def prompt_text(
    state: PageState, standing: Standing, columns: int, signs: Signs, *, short: bool = False
) -> Fragments:
    """Return the prompt: host, working directory, marks; half of the ``columns`` at most.

    A ``short`` one has the directory's own name alone. Marks tell what is dangerous, then an
    open dialog, a load that goes on, and the status of a line that failed.
    """
    marks = [part for mark in _marks(state, standing, signs) for part in (mark, ("", " "))]
    room = max(columns // 2, _LEAST) - sum(cells(text) for _, text in marks) - len("> ")
    place = _name(state, room, signs) if short else _place(state, room, signs)
    return [*place, *marks, _SIGN]


def continuation(_width: int, _line: int, wraps: int) -> str:
    """Return what stands before a further line; nothing before a part of a long one."""
    return "" if wraps else "... "


def _place(state: PageState, room: int, signs: Signs) -> Fragments:
    url = state.page.url
    if url in ("", "about:blank"):
        return _NOWHERE
    host, path = host_of(url), one_line(state.cwd, 500)
    beside = room - cells(host) - 2
    if cells(path) > beside and beside < _LEAST:
        host, beside = "", room - 1
    path = _shortened(path, beside, signs)
    shown = [("class:prompt.host", host), ("", " ")] if host else []
    return [*shown, ("class:prompt.path", path), ("", " ")]


def _name(state: PageState, room: int, signs: Signs) -> Fragments:
    if state.page.url in ("", "about:blank"):
        return _NOWHERE
    name = (split_names(one_line(state.cwd, 500)) or ["/"])[-1] or "/"
    return [("class:prompt.path", cut(name, max(room - 1, _LEAST // 2), signs.ellipsis)), ("", " ")]


def host_of(url: str) -> str:
    """Return host and port of a URL, never its user and password; else its scheme."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "?"
    return one_line(parts.netloc.rpartition("@")[2] or f"{parts.scheme}:", 60)


def _shortened(path: str, room: int, signs: Signs) -> str:
    """Return the end of a path: as many whole names as fit; of the last one what fits."""
    names = split_names(path)
    shown = path
    for first in range(1, len(names)):
        if cells(shown) <= room:
            break
        shown = "/".join((signs.ellipsis, *names[first:]))
    return cut(shown, max(room, _LEAST // 2), signs.ellipsis)


def _marks(state: PageState, standing: Standing, signs: Signs) -> Iterator[tuple[str, str]]:
    if standing.risky_lane:
        yield "class:prompt.danger", f"lane {standing.risky_lane}!"
    if standing.is_lost:
        yield "class:prompt.danger", "lost!"
    if standing.is_read_only:
        yield "class:prompt.mark", "read-only"
    if state.page.dialog is not None:
        yield "class:prompt.mark", "dialog!"
    elif state.page.loading:
        yield "class:prompt.mark", f"loading{signs.ellipsis}"
    if standing.status:
        yield "class:prompt.failed", f"[{standing.status}]"
