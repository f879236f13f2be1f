"""Pictures in a terminal: blocks in each, graphics where they are understood, questions in none."""

from __future__ import annotations

import fcntl
import re
import struct
import termios
from pathlib import Path

import pytest

from tests.shell.conftest import Shell
from tests.shell.terminal import Terminal

PLAIN = {
    "TERM": "xterm", "COLORTERM": "truecolor", "TMUX": "", "STY": "", "TERM_PROGRAM": "",
    "KONSOLE_VERSION": "",
}  # fmt: skip
QUESTIONS = re.compile(rb"\x1b\[[0-9;>=?]*[cnt]|\x1b_G[^;]*a=q|\x1bP\+q")
"""What makes a terminal answer: who it is, where the cursor is, its sizes, its graphics."""
KITTY = re.compile(rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\")


def started(shell: Shell, page: str, **environment: str) -> Terminal:
    """Start a shell in a terminal whose cells have ten by twenty pixels."""
    terminal = shell(page, environment={**PLAIN, **environment})
    size = struct.pack("HHHH", 30, 100, 1000, 600)
    fcntl.ioctl(terminal.child.child_fd, termios.TIOCSWINSZ, size)
    terminal.prompt()
    return terminal


def written_by(terminal: Terminal, line: str) -> bytes:
    """Run a line and return what was written from Enter on, without the next prompt's question."""
    before = len(terminal.raw)
    terminal.run(line)
    return terminal.raw[before:].replace(b"\x1b[6n", b"")


def test_a_page_is_shown_in_blocks_above_its_file(
    shell: Shell, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    terminal = started(shell, f"{pages}/colours.html")
    written = written_by(terminal, "screenshot")
    lines = terminal.screen.splitlines()
    at = lines.index("domsh-1.png")
    assert at > 20
    assert set(lines[at - 1]) == set(lines[1]) == {"▀"}
    assert len(lines[1]) <= 100
    assert b"\x1b[38;2;" in written
    assert b"iVBOR" not in written
    assert (tmp_path / "domsh-1.png").read_bytes().startswith(b"\x89PNG")
    for line in ("screenshot -o mine.png", "screenshot | head", "set color never; screenshot"):
        assert "▀".encode() not in written_by(terminal, line)
        assert ".png" in terminal.screen


@pytest.mark.parametrize(
    ("term", "begins"), [("xterm-kitty", b"\x1b_G"), ("foot", b"\x1bP")], ids=["kitty", "sixel"]
)
def test_a_terminal_with_graphics_gets_them_and_is_asked_nothing(  # noqa: PLR0913, PLR0917
    shell: Shell,
    pages: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    term: str,
    begins: bytes,
) -> None:
    pytest.importorskip("textual_image")
    monkeypatch.chdir(tmp_path)
    terminal = started(shell, f"{pages}/colours.html", TERM=term, COLORTERM="")
    written = written_by(terminal, "screenshot")
    assert begins in written
    assert "▀".encode() not in written
    assert not QUESTIONS.search(written)
    assert "domsh-1.png" in terminal.screen
    parts = KITTY.findall(written)
    assert b"iVBOR" not in KITTY.sub(b"", written)
    if term == "xterm-kitty":
        assert all(b"q=2" in keys for keys, _ in parts)  # the terminal answers nothing
        assert any(b"a=p" in keys and b"U=1" in keys for keys, _ in parts)
        assert b"\x1b[38;2;" in KITTY.sub(b"", written)  # the colour is the picture's number


def test_what_is_typed_meanwhile_is_the_next_line(
    shell: Shell, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("textual_image")
    monkeypatch.chdir(tmp_path)
    terminal = started(shell, f"{pages}/colours.html", TERM="xterm-kitty")
    accepted = terminal.raw.count(b"\x1b[?2004l")
    terminal.type("screenshot", "Enter")
    terminal.wait(lambda: terminal.raw.count(b"\x1b[?2004l") > accepted, "accepted line")
    terminal.type("!echo here I am", "Enter")
    terminal.see("\nhere I am")
    terminal.prompt()
