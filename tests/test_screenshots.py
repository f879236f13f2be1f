"""The README's pictures: what they hold, and what script/screenshots makes of a terminal."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from script.screenshots import PICTURES, SIZES, Size, session, with_shown_time
from script.terminal_svg import DARK, LIGHT, Look, Run, Shown, draw, shown_by
from tests.program import ROOT

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SVG}{name}" for name in ("svg", "title", "g", "rect", "circle", "path", "text")}
"""None of them loads anything."""


def texts(picture: str) -> list[ET.Element]:
    """Return the elements that hold the text of cells; the window's title is not among them."""
    return ET.fromstring(picture).findall(f"{SVG}g/{SVG}text")


# --- the README ---------------------------------------------------------------------------------


def test_the_readme_shows_every_picture_and_prefers_the_readers_colours() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sources = re.findall(r'<source media="([^"]+)" srcset="docs/pictures/([^"]+)">', readme)
    fallback = re.findall(r'<img src="docs/pictures/([^"]+)" alt="[^"]+">', readme)
    assert {*fallback, *(name for _, name in sources)} == set(PICTURES)
    for media, name in sources:
        assert ("prefers-color-scheme: dark" in media) is name.startswith("dark-")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_an_image_that_loads_nothing(name: str) -> None:
    elements = list(ET.parse(ROOT / "docs" / "pictures" / name).iter())
    assert {element.tag for element in elements} <= DRAWN
    values = [value for element in elements for value in element.attrib.values()]
    assert not [value for value in values if re.search(r"//|url\(|data:|javascript:", value)]
    assert len([element for element in elements if element.tag == f"{SVG}text"]) > 20


# --- what is shown ------------------------------------------------------------------------------


def test_cells_of_one_look_are_a_run_and_a_wide_character_is_one_by_itself() -> None:
    shown = shown_by("\x1b[1;34mls\x1b[0m 登录 x".encode(), 12, 2)
    assert shown == Shown(
        12,
        (
            (
                Run(0, 2, "ls", Look(colour="blue", bold=True)),
                Run(2, 1, " ", Look()),
                Run(3, 2, "登", Look()),
                Run(5, 2, "录", Look()),
                Run(7, 5, " x   ", Look()),
            ),
            (Run(0, 12, " " * 12, Look()),),
        ),
        (9, 0),
    )
    assert shown.text == "ls 登录 x"


@pytest.mark.parametrize(
    ("sent", "look"),
    [
        ("2", Look(dim=True)),
        ("2;31", Look(colour="red", dim=True)),
        ("2m\x1b[22", Look()),
        ("2m\x1b[", Look()),
        ("38;5;2", Look(colour="00cd00")),
        ("48;2;2;2;2", Look(ground="020202")),
        ("38;5;2;2", Look(colour="00cd00", dim=True)),
        ("3;4;7;9", Look(italic=True, underline=True, reverse=True, struck=True)),
        ("95;105", Look(colour="brightmagenta", ground="brightmagenta")),
    ],
)
def test_a_look_is_what_was_sent(sent: str, look: Look) -> None:
    ((run,),) = shown_by(f"\x1b[{sent}mx".encode(), 1, 1).rows
    assert run.look == look


# --- what is drawn ------------------------------------------------------------------------------


def test_a_run_is_drawn_in_its_cells_whatever_the_font() -> None:
    picture = draw(shown_by("\r\n   a  b\x1b[1m登".encode(), 10, 3), LIGHT, "t", described="d")
    plain, wide = texts(picture)
    assert (plain.text, wide.text) == ("a\u00a0\u00a0b", "登")
    assert plain.attrib == {
        "x": "25.2", "y": "31", "textLength": "33.6", "lengthAdjust": "spacingAndGlyphs",
    }  # fmt: skip
    assert (wide.get("x"), wide.get("textLength"), wide.get("font-weight")) == (
        "58.8", "16.8", "bold",
    )  # fmt: skip


def test_reverse_changes_text_and_ground_and_dim_goes_towards_the_ground() -> None:
    picture = draw(shown_by(b"\x1b[7mno\x1b[0;2mso", 4, 1), DARK, "t", described="d")
    reverse, dim = texts(picture)
    assert reverse.get("fill") == DARK.ground
    ground = ET.fromstring(picture).find(f"{SVG}g/{SVG}rect")
    assert ground is not None
    assert (ground.get("fill"), ground.get("width")) == (DARK.text, "16.8")
    assert dim.get("fill") == "#94999f"


def test_blanks_are_drawn_where_they_have_a_line() -> None:
    (line,) = texts(draw(shown_by(b"\x1b[4m a ", 3, 1), LIGHT, "t", described="d"))
    assert (line.text, line.get("text-decoration")) == ("\u00a0a\u00a0", "underline")
    assert not texts(draw(shown_by(b"   ", 3, 1), LIGHT, "t", described="d"))


def test_what_a_page_says_stays_text() -> None:
    picture = draw(shown_by(b"<script>&amp;</script>", 30, 1), LIGHT, "<t>", described="a<b")
    assert [text.text for text in texts(picture)] == ["<script>&amp;</script>"]


def test_the_time_that_the_toolbar_tells_is_the_same_in_each_picture() -> None:
    def lines(time: str) -> list[str]:
        bar = f"9 ms | > ls\r\n\x1b[2mTea · {time}\x1b[0m\x1b[1;12H".encode()
        return with_shown_time(shown_by(bar, 30, 2)).text.splitlines()

    assert lines("1.3 s") == lines("217 ms") == ["9 ms | > ls", "Tea · 20 ms"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size.columns))
def test_the_session_shows_what_the_pictures_are_for_and_no_port_of_its_own(size: Size) -> None:
    shown = session(size)
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", shown.text)) == {"54321"}
    for part in ("hint: did you mean search_btn?", "filled ", "clicked ", '"Shop search"'):
        assert part in shown.text
