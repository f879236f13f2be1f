"""The line below the prompt: title, size, lane, server, time, what goes on behind it. Pure.

The title is page text: it is made safe here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from domsh_repl.render.ink import cells, cut
from domsh_repl.render.theme import Signs
from domsh_repl.safetext import one_line

__all__ = ["Bar", "toolbar_text"]

_LONGEST_TITLE = 300
_LEAST_TITLE = 16
"""Cells that a title keeps before what is less important than it goes."""
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Bar:
    """What there is to tell: ``seconds`` the last line took, ``background`` what goes on.

    ``mode`` is that of vi's keys, "" with those of emacs.
    """

    title: str = ""
    elements: int | None = None
    lane: str = ""
    server: str = ""
    seconds: float | None = None
    background: str = ""
    mode: str = ""


@lru_cache(4)  # each key asks several times
def toolbar_text(bar: Bar, columns: int, signs: Signs) -> str:
    """Return the line in fewer cells than ``columns``; "" where there is nothing to tell.

    Where that is too narrow the server goes first, then the lane, the size, the time, and at
    last the title is cut.
    """
    room = columns - 1  # a full line would make some terminals go to the next one
    between = f" {signs.dot} "
    title = one_line(bar.title, _LONGEST_TITLE)
    size = "" if bar.elements is None else f"{bar.elements:,} elements"
    time = "" if bar.seconds is None else _duration(bar.seconds)
    lane = f"lane {one_line(bar.lane, 20)}" if bar.lane else ""
    told = {"size": size, "lane": lane, "server": one_line(bar.server, 40), "time": time}
    before = [bar.mode] if bar.mode else []
    after = [bar.background] if bar.background else []
    for dropped in ("", "server", "lane", "size", "time"):
        told.pop(dropped, None)
        rest = [*filter(None, told.values()), *after]
        left = room - sum(cells(part) + len(between) for part in (*before, *rest))
        if left >= min(cells(title), _LEAST_TITLE):
            break
    shown = cut(title, left, signs.ellipsis) if left > cells(signs.ellipsis) else ""
    return cut(between.join(filter(None, (*before, shown, *rest))), room, signs.ellipsis)


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"
