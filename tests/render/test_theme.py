from __future__ import annotations

import io

import pytest
from rich.style import Style

from domsh_repl.errors import UsageError
from domsh_repl.nodes import Message
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer
from domsh_repl.render.theme import (
    DEFAULT_THEME,
    DIM,
    ERROR,
    GOOD,
    HEAD,
    LOOK_HERE,
    MATCH,
    THEMES,
    WARNING,
    parse_style,
    role_style,
    theme_of,
)
from domsh_repl.rolenames import ALL_ROLES
from domsh_repl.shell.look import style_of


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_has_a_style_for_everything_in_the_sixteen_colours(name: str) -> None:
    assert THEMES[name].keys() == DEFAULT_THEME.keys()
    for style in THEMES[name].values():
        assert parse_style(style) == style
        Style.parse(style)
    assert style_of(THEMES[name]).style_rules


def test_one_theme_has_no_colour() -> None:
    attributes = {"bold", "dim", "italic", "underline", "reverse"}
    assert {word for style in THEMES["mono"].values() for word in style.split()} <= attributes


def test_whatever_is_printed_has_a_style() -> None:
    for name in (DIM, ERROR, GOOD, HEAD, LOOK_HERE, MATCH, WARNING, *map(role_style, ALL_ROLES)):
        assert name == "" or name in DEFAULT_THEME


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("Bold Bright-Blue", "bold bright_blue"),
        ("red on black", "red on black"),
        ("none", ""),
        ("", ""),
    ],
)
def test_styles_are_colours_and_attributes(text: str, style: str) -> None:
    assert parse_style(text) == style


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pink", "'pink' is no colour"),
        ("#ff0000", "no colour"),
        ("bright_bold", "no colour"),
        ("red on", "missing after on"),
        ("red on bold", "'bold' is no colour"),
    ],
)
def test_other_styles_are_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_style(text)


def test_a_theme_is_what_is_painted() -> None:
    err = io.StringIO()
    theme = theme_of("default", {"warning": "bold cyan"})
    screen = Renderer(io.StringIO(), err, color=ColorMode.ALWAYS, theme=theme)
    screen.note("look", warning=True)
    screen.show(Message("x"))
    assert "\x1b[1;36m" in err.getvalue()
