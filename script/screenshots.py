"""Draws the README's pictures: types a session at a real prompt, and draws what is shown then.

They are the same each time: nothing of the session depends on when or where it runs but the port
of the example shop and how long the last line took, and for both a fixed number is shown.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from script.terminal_svg import DARK, LIGHT, Run, Shown, draw, shown_by
from tests.shell.terminal import Terminal

__all__ = ["PICTURES", "SIZES", "Size", "main", "session", "with_shown_time"]

_ROOT = Path(__file__).resolve().parent.parent
_FOLDER = _ROOT / "docs" / "pictures"
_PALETTES = {"light": LIGHT, "dark": DARK}
_PORT = re.compile(rb"(?<=127\.0\.0\.1:)\d+")
_SHOWN_PORT = b"54321"
_TIME = re.compile(r"\b\d+ ms|\b\d+\.\d s")
_SHOWN_TIME = "20 ms"


@dataclass(frozen=True, slots=True)
class Typed:
    """A line, and the path in it that the shell comes to know and underlines before Enter."""

    line: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Size:
    """A terminal's size, the lines that are run in it, one that is begun, and what Tab shows."""

    columns: int
    rows: int
    lines: tuple[Typed, ...]
    begun: str = 'click "s'
    seen: str = '"Shop search"'


_SEARCH = (
    Typed("ls -l main_1", "main_1"),
    Typed("cd main_1/shop_search", "main_1/shop_search"),
    Typed("fill search_teas_search japan", "search_teas_search"),
    Typed("click serch_btn"),
    Typed("click search_btn", "search_btn"),
)
_FIND = Typed("find --type link main_1", "main_1")
SIZES = (Size(80, 24, _SEARCH), Size(120, 30, (*_SEARCH, _FIND)))
PICTURES = tuple(f"{name}-{size.columns}.svg" for size in SIZES for name in _PALETTES)


def session(size: Size) -> Shown:
    """Type the lines in the example shop, begin another one, and let Tab list what goes on."""
    with tempfile.TemporaryDirectory(prefix="domsh-t") as folder:
        home = Path(folder)
        _be_no_stranger(home)
        site = str(_ROOT / "examples" / "site")
        terminal = Terminal(home, "--site", site, columns=size.columns, rows=size.rows)
        try:
            terminal.prompt()
            for typed in size.lines:
                _run(terminal, size, typed)
            terminal.type(size.begun, "Tab")
            terminal.see(size.seen)
            output = _with_shown_port(terminal.raw)
            return with_shown_time(shown_by(output, size.columns, size.rows))
        finally:
            terminal.close()


def _run(terminal: Terminal, size: Size, typed: Typed) -> None:
    """Type a line, and press Enter when the shell has looked at it."""

    def is_known() -> bool:
        shown = shown_by(terminal.raw, size.columns, size.rows)
        runs = shown.rows[shown.cursor[1]]
        return not typed.path or any(run.text == typed.path and run.look.underline for run in runs)

    terminal.type(typed.line)
    terminal.wait(lambda: typed.line in terminal.line and is_known(), typed.line)
    terminal.run("")


def _be_no_stranger(home: Path) -> None:
    """Make a history, so that there is no tip for the first time."""
    history = home / "state" / "domsh" / "history"
    history.parent.mkdir(parents=True)
    history.touch()


def _with_shown_port(output: bytes) -> bytes:
    """Return the output with another port of as many digits, so that no line is broken anew."""
    return _PORT.sub(lambda found: _SHOWN_PORT[: len(found[0])], output)


def with_shown_time(shown: Shown) -> Shown:
    """Return it with another time below the line that is being typed, where the toolbar is."""
    below = shown.cursor[1] + 1
    rows = (*shown.rows[:below], *(tuple(map(_timed, row)) for row in shown.rows[below:]))
    return replace(shown, rows=rows)


def _timed(run: Run) -> Run:
    text = _TIME.sub(_SHOWN_TIME, run.text.rstrip())
    return run if text == run.text.rstrip() else replace(run, text=text, cells=len(text))


def main() -> None:
    """Draw every picture."""
    _FOLDER.mkdir(exist_ok=True)
    for size in SIZES:
        shown = session(size)
        for name, palette in _PALETTES.items():
            picture = draw(shown, palette, _TITLE, described=_DESCRIBED)
            (_FOLDER / f"{name}-{size.columns}.svg").write_text(picture, encoding="utf-8")


_TITLE = "domsh --site examples/site"
_DESCRIBED = (
    "domsh in its example shop: a listing, a search that is filled in, a mistyped name with a hint,"
    " a click, and the menu of completion"
)


if __name__ == "__main__":
    main()
