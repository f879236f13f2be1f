"""A picture is blocks in colours on a terminal that has colours, and a file's name elsewhere."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest

from domsh_repl.render.color import ColorMode
from domsh_repl.render.graphics import Protocol, protocol_of
from domsh_repl.render.picture import fitted
from domsh_repl.render.renderer import Renderer
from domsh_repl.reports import SavedPicture
from tests.render.pngs import png, png_of
from tests.render.render_samples import Terminal

RED, GREEN, BLUE, GREY = (255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128)
XTERM = {"TERM": "xterm", "COLUMNS": "40"}
DEEP = {**XTERM, "COLORTERM": "truecolor"}
FLAG = png([[RED, RED, GREEN], [BLUE, BLUE, GREEN], [GREY, GREY, GREY]])


def shown(
    picture: bytes,
    environment: Mapping[str, str] = DEEP,
    *,
    color: ColorMode = ColorMode.AUTO,
    out: io.StringIO | None = None,
    json: bool = False,
) -> str:
    stream = Terminal() if out is None else out
    renderer = Renderer(stream, io.StringIO(), color=color, environment=environment, json=json)
    renderer.show(SavedPicture("a.png", 3, 3, None, picture))
    return stream.getvalue()


def test_two_lines_of_pixels_are_a_line_of_cells() -> None:
    assert shown(FLAG) == (
        "\x1b[38;2;255;0;0;48;2;0;0;255m▀▀\x1b[0m\x1b[38;2;0;255;0;48;2;0;255;0m▀\x1b[0m\n"
        "\x1b[38;2;128;128;128m▀▀▀\x1b[0m\n"
        "a.png\n"
    )


def test_a_terminal_that_does_not_say_that_it_has_more_gets_256_colours() -> None:
    assert shown(FLAG, XTERM) == (
        "\x1b[38;5;196;48;5;21m▀▀\x1b[0m\x1b[38;5;46;48;5;46m▀\x1b[0m\n"
        "\x1b[38;5;244m▀▀▀\x1b[0m\n"
        "a.png\n"
    )
    assert shown(FLAG, {**XTERM, "COLORTERM": "24bit"}) == shown(FLAG)


class Latin(Terminal):
    encoding = "latin-1"


@pytest.mark.parametrize(
    ("environment", "color", "out"),
    [
        ({**DEEP, "NO_COLOR": "1"}, ColorMode.AUTO, Terminal()),
        ({**DEEP, "TERM": "dumb"}, ColorMode.AUTO, Terminal()),
        (DEEP, ColorMode.NEVER, Terminal()),
        (DEEP, ColorMode.AUTO, io.StringIO()),
        (DEEP, ColorMode.ALWAYS, io.StringIO()),
        (DEEP, ColorMode.AUTO, Latin()),
    ],
    ids=["NO_COLOR", "dumb", "never", "pipe", "always in a pipe", "no such character"],
)
def test_elsewhere_there_is_the_file_alone(
    environment: Mapping[str, str], color: ColorMode, out: io.StringIO
) -> None:
    assert shown(FLAG, environment, color=color, out=out) == "a.png\n"


def test_json_is_the_same_with_a_picture_and_without() -> None:
    assert shown(FLAG, json=True) == shown(b"", json=True)
    assert shown(b"") == "a.png\n"


def test_a_picture_is_made_as_small_as_the_terminal_and_never_larger() -> None:
    rows = shown(png([[GREY] * 90] * 60), {**DEEP, "COLUMNS": "30"}).splitlines()[:-1]
    assert (len(rows), {row.count("▀") for row in rows}) == (10, {30})
    tall = shown(png([[GREY] * 9] * 600)).splitlines()[:-1]
    assert len(tall) <= 21
    assert {row.count("▀") for row in tall} == {1}
    assert fitted(100, 10, 200, 200) == (100, 10)
    assert fitted(1, 16_000, 80, 40) == (1, 40)
    assert fitted(16_000, 1, 80, 40) == (80, 1)


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (b"\x1b[2J", "not shown here: it is no PNG\n"),
        (png_of(100_000, 100_000, b""), "not shown here: it has too many pixels\n"),
    ],
)
def test_what_cannot_be_shown_is_saved_all_the_same(picture: bytes, said: str) -> None:
    out, err = Terminal(), io.StringIO()
    Renderer(out, err, environment=DEEP).show(SavedPicture("a.png", 3, 3, None, picture))
    assert out.getvalue() == "a.png\n"
    assert err.getvalue() == said + "3 x 3 pixels\n"


@pytest.mark.parametrize(
    ("environment", "protocol"),
    [
        ({}, None),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "xterm-kitty"}, Protocol.KITTY),
        ({"TERM": "xterm-ghostty"}, Protocol.KITTY),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"}, None),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, None),
        ({"TERM": "screen", "KONSOLE_VERSION": "230401"}, None),
        ({"TERM": "foot"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, None),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "220400"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "210801"}, None),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "new"}, None),
    ],
)
def test_the_environment_tells_what_a_terminal_understands(
    environment: Mapping[str, str], protocol: Protocol | None
) -> None:
    assert protocol_of(environment) is protocol


def test_a_stream_that_is_not_the_output_of_the_process_gets_blocks() -> None:
    assert shown(FLAG, {**DEEP, "TERM": "xterm-kitty"}) == shown(FLAG)
