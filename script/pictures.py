"""Draws the README's pictures: runs the shell in a pseudo-terminal, types, and draws the screen.

The SVG holds text in a stack of fonts that every system has some of, loads nothing, and
follows the reader's preference for a light or a dark page.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

import pexpect
import pyte
from wcwidth import wcwidth

COLUMNS, ROWS = 88, 32
CELL, LINE, MARGIN = 8.4, 18, 16
PROMPT_DEADLINE = 30.0
QUIET = 0.6
"""Seconds without output after which the screen is taken to be complete."""

LINES = (
    "ls",
    "ls -l main_1",
    "cat main_1/shop_search/search_btn",
    "find --type searchbox",
    'click "See all fourteen teas"',
    "tree -L 1 main_1",
)

# pyte's names of the 16 ANSI colours; the values for a light and for a dark page
COLOURS = {
    "red": ("#c0392b", "#ff7b72"), "green": ("#1a7f37", "#7ee787"),
    "brown": ("#8a6100", "#e3b341"), "blue": ("#0550ae", "#79c0ff"),
    "magenta": ("#8250df", "#d2a8ff"), "cyan": ("#0b7285", "#56d4dd"),
    "white": ("#57606a", "#b1bac4"), "black": ("#24292f", "#6e7681"),
    "brightblack": ("#6e7781", "#8b949e"), "brightred": ("#cf222e", "#ffa198"),
    "brightgreen": ("#116329", "#56d364"), "brightbrown": ("#9a6700", "#e3b341"),
    "brightblue": ("#0969da", "#a5d6ff"), "brightmagenta": ("#a475f9", "#e2c5ff"),
    "brightcyan": ("#1b7c83", "#b3f0ff"), "brightwhite": ("#24292f", "#ffffff"),
}  # fmt: skip


def screen_of(lines: tuple[str, ...], root: Path) -> pyte.Screen:
    """Type the lines at a real prompt and return what the terminal then shows."""
    screen = pyte.HistoryScreen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    environment = {**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    environment.pop("NO_COLOR", None)
    environment["HOME"] = environment["XDG_STATE_HOME"] = str(root / ".venv" / "pictures-home")
    child = pexpect.spawn(
        str(root / ".venv/bin/domsh"),
        ["--site", str(root / "examples/site")],
        env=environment,
        dimensions=(ROWS, COLUMNS),
        timeout=PROMPT_DEADLINE,
    )
    try:
        feed_until_quiet(child, stream)
        for line in lines:
            child.send(f"{line}\r")
            feed_until_quiet(child, stream)
    finally:
        child.sendeof()
        child.close(force=True)
    return screen


def feed_until_quiet(child: pexpect.spawn[bytes], stream: pyte.ByteStream) -> None:
    """Give the terminal what comes, until nothing more does."""
    end = time.monotonic() + PROMPT_DEADLINE
    seen = False
    while time.monotonic() < end:
        try:
            stream.feed(child.read_nonblocking(65536, QUIET if seen else 5))
            seen = True
        except pexpect.TIMEOUT:
            return


def svg(screen: pyte.Screen, title: str) -> str:
    """Return the screen as an SVG document."""
    rows = list(shown_rows(screen))
    width, height = COLUMNS * CELL + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN
    body = "\n".join(row_svg(number, row) for number, row in enumerate(rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' role="img" aria-labelledby="t"><title id="t">{escape(title)}</title>\n'
        f"<style>{style()}</style>\n"
        f'<rect class="page" width="100%" height="100%" rx="8"/>\n{body}\n</svg>\n'
    )


def style() -> str:
    """Return the style sheet: both themes, and the fonts that terminals use."""
    light = "".join(f".{name}{{fill:{pair[0]}}}" for name, pair in COLOURS.items())
    dark = "".join(f".{name}{{fill:{pair[1]}}}" for name, pair in COLOURS.items())
    fonts = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
    return (
        f"text{{font:14px {fonts};white-space:pre;fill:#24292f}}.page{{fill:#f6f8fa}}"
        f".bold{{font-weight:700}}.dim{{opacity:.65}}{light}"
        f"@media (prefers-color-scheme:dark){{text{{fill:#e6edf3}}.page{{fill:#161b22}}{dark}}}"
    )


def shown_rows(screen: pyte.Screen) -> Iterator[list[pyte.screens.Char]]:
    """Yield the rows of the screen down to the last one that is not empty."""
    rows = [[screen.buffer[y][x] for x in range(COLUMNS)] for y in range(ROWS)]
    while rows and not "".join(char.data for char in rows[-1]).strip():
        rows.pop()
    yield from rows


def row_svg(number: int, row: list[pyte.screens.Char]) -> str:
    """Return the text elements of one row, a run of one look each; every run has its own place."""
    y = MARGIN + number * LINE + LINE - 5
    parts = []
    column = 0
    for look, run in groupby(row, key=lambda char: (char.fg, char.bold)):
        text = "".join(char.data for char in run)
        cells = sum(max(wcwidth(character), 0) for character in text)
        if text.strip():
            colour, bold = look
            classes = " ".join(filter(None, (colour if colour in COLOURS else "", "bold" * bold)))
            place = f'x="{MARGIN + column * CELL:.1f}" y="{y}"'
            length = f'textLength="{cells * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'
            kind = f' class="{classes}"' if classes else ""
            parts.append(f"<text {place} {length}{kind}>{escape(text)}</text>")
        column += cells
    return "".join(parts)


def main() -> None:
    """Draw every picture into the folder that the argument names."""
    root = Path(__file__).resolve().parent.parent
    folder = root / sys.argv[1]
    folder.mkdir(exist_ok=True)
    drawn = svg(screen_of(LINES, root), "domsh in its example shop: ls, cat, find, click and tree")
    (folder / "shell.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
