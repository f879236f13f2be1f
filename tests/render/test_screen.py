from __future__ import annotations

import contextlib
import os
import pty
import select
import termios
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

import pytest
from wcwidth import wcswidth

from domsh_repl.nodes import View
from domsh_repl.render.color import ColorMode
from domsh_repl.render.ink import Span
from domsh_repl.render.renderer import Renderer
from domsh_repl.render.screen import Screen
from tests.render.render_samples import FORM_LISTING


@dataclass
class Pty:
    """A real terminal of 33 columns: what is written to ``stream`` comes out of ``read``."""

    stream: TextIO
    master: int

    def read(self) -> str:
        """Return what was written: the kernel may hand it over in several parts."""
        parts: list[bytes] = []
        while select.select([self.master], [], [], 0.2 if parts else 5)[0]:
            parts.append(os.read(self.master, 65536))
        return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.fixture
def terminal() -> Iterator[Pty]:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 33))
    with open(slave, "w", encoding="utf-8") as stream:  # noqa: PTH123  (a file descriptor)
        yield Pty(stream, master)
    os.close(master)


def test_a_real_terminal_tells_its_width_again_each_time(terminal: Pty) -> None:
    renderer = Renderer(terminal.stream, terminal.stream, environment={"NO_COLOR": "1"})

    renderer.show(FORM_LISTING)
    narrow = terminal.read()
    termios.tcsetwinsize(terminal.stream.fileno(), (24, 120))
    renderer.show(FORM_LISTING)
    wide = terminal.read()

    assert max(map(wcswidth, narrow.splitlines())) <= 33
    assert 33 < max(map(wcswidth, wide.splitlines())) <= 120


def test_a_real_terminal_gets_colours_and_remarks_are_dim(terminal: Pty) -> None:
    renderer = Renderer(terminal.stream, terminal.stream, environment={"TERM": "xterm"})

    renderer.show(FORM_LISTING, View(single=True))
    renderer.note("by the way")

    written = terminal.read()
    assert "\x1b[32msave_btn\x1b[0m\n" in written
    assert written.endswith("\x1b[2mby the way\x1b[0m\n")


def test_only_the_stream_that_is_a_terminal_is_coloured(terminal: Pty) -> None:
    pipe_end, pipe = os.pipe()
    with open(pipe, "w", encoding="utf-8") as out:  # noqa: PTH123  (a file descriptor)
        renderer = Renderer(out, terminal.stream, environment={"TERM": "xterm"})
        renderer.show(FORM_LISTING)
        renderer.note("by the way")
    data = os.read(pipe_end, 65536)
    os.close(pipe_end)

    assert b"\x1b" not in data
    assert terminal.read() == "\x1b[2mby the way\x1b[0m\n"


def test_more_lines_than_are_painted_at_once_all_arrive() -> None:
    lines = [(Span(str(number), "green"),) for number in range(1234)]
    pipe_end, pipe = os.pipe()
    with open(pipe, "w", encoding="utf-8") as out:  # noqa: PTH123  (a file descriptor)
        Screen(out, ColorMode.NEVER, None, {}).paint(lines)
    data = os.read(pipe_end, 65536).decode().splitlines()
    os.close(pipe_end)

    assert data == [str(number) for number in range(1234)]


@pytest.mark.parametrize("color", [ColorMode.NEVER, ColorMode.ALWAYS])
def test_a_reader_that_has_gone_is_told_to_who_paints(color: ColorMode) -> None:
    reading, pipe = os.pipe()
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        os.close(reading)
        with pytest.raises(BrokenPipeError):
            Screen(out, color, None, {}).paint([(Span("text", "green"),)])
        with contextlib.suppress(BrokenPipeError):
            out.close()
