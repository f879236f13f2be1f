from __future__ import annotations

import base64
import struct
import zlib

import pytest

from domsh_repl.errors import DialogOpen, Failed, Hidden, NotFound, UsageError
from domsh_repl.reports import Screenshot
from tests.conftest import EngineRunner, LaneRunner
from tests.engine.conftest import Show
from tests.engine.driving import foreign

STYLE = (
    "<style>html,body{margin:0} .r{background:#f00} .g{background:#0f0} .b{background:#00f}</style>"
)
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def colours(picture: Screenshot) -> set[tuple[int, ...]]:
    """Return the colours in a PNG of eight bits a channel (PNG, 9.2 filter types)."""
    data = base64.b64decode(picture.png)
    at, body, header = 8, b"", b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        if kind == b"IHDR":
            header = data[at + 8 : at + 8 + length]
        elif kind == b"IDAT":
            body += data[at + 8 : at + 8 + length]
        at += length + 12
    width, height, depth, kind_of_colour = struct.unpack(">IIBB", header[:10])
    assert (width, height, depth) == (picture.width, picture.height, 8)
    size = {2: 3, 6: 4}[kind_of_colour]
    return set(_pixels(zlib.decompress(body), width, size))


def _pixels(raw: bytes, width: int, size: int) -> list[tuple[int, ...]]:
    stride, found = width * size, []
    before = bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for n in range(stride):
            left = line[n - size] if n >= size else 0
            up, corner = before[n], before[n - size] if n >= size else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda one: abs(guess - one))
            line[n] = (line[n] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        found += [tuple(line[n : n + 3]) for n in range(0, stride, size)]
        before = line
    return found


def size(picture: Screenshot) -> tuple[int, int]:
    return picture.width, picture.height


def test_the_view_the_whole_page_and_one_element(lane: LaneRunner, shown: Show) -> None:
    shown(
        f"{STYLE}<div class=r style='height:700px'>x</div><div style='height:2000px'></div>"
        "<button class=b style='border:0;width:120px;height:40px;color:#00f'>x</button>"
    )
    view, whole = lane.value("screenshot"), lane.value("screenshot --full")
    assert view.height < 1000 < whole.height
    assert whole.height >= 2740
    assert colours(view) >= {RED}
    assert BLUE not in colours(view)
    assert colours(whole) >= {RED, BLUE}
    button = lane.value("screenshot /x_btn")
    assert (size(button), button.path) == ((120, 40), "/x_btn")
    assert colours(button) == {BLUE}
    assert size(lane.value("screenshot /")) == size(view)


def test_an_element_in_a_scrolled_box_is_cropped(lane: LaneRunner, shown: Show) -> None:
    shown(
        f"{STYLE}<div class=r style='height:100px;overflow:auto'><div style='height:900px'></div>"
        "<section aria-label=S class=g style='height:50px;width:50px'></section></div>"
    )
    picture = lane.value("screenshot /s")
    assert (size(picture), colours(picture)) == ((50, 50), {GREEN})


def test_an_element_larger_than_the_view_is_whole(lane: LaneRunner, shown: Show) -> None:
    shown(f"{STYLE}<section aria-label=S class=g style='height:1500px;width:200px'></section>")
    picture = lane.value("screenshot /s")
    assert (size(picture), colours(picture)) == ((200, 1500), {GREEN})


INSIDE = (
    f"{STYLE}<body class=b><div style='height:1200px'></div>"
    "<section aria-label=S class=g style='height:60px;width:60px'></section>"
    "<section aria-label=Large class=g style='height:900px;width:60px'></section>"
).replace('"', "&quot;")


def test_an_element_in_a_frame_is_cropped_to_what_the_frame_shows(
    lane: LaneRunner, shown: Show
) -> None:
    shown(
        f"{STYLE}<body class=r><div style='height:900px'></div>"
        "<iframe title=f style='border:5px solid #f00;margin-left:30px' height=200"
        f' srcdoc="{INSIDE}">'
        "</iframe><div style='height:900px'></div>"
    )
    small = lane.value("screenshot /f/s")
    assert (size(small), colours(small)) == ((60, 60), {GREEN})
    large = lane.value("screenshot /f/large")
    assert large.width == 60
    assert large.height <= 200
    assert colours(large) == {GREEN}


def test_an_element_in_a_frame_of_another_site_is_cropped(
    isolated_engine: EngineRunner, pages: str
) -> None:
    lane = LaneRunner(isolated_engine)
    lane.value(f"navigate {pages}/alpha.html")
    lane.value(
        "js new Promise((done) => { document.body.innerHTML = '<div style=height:900px></div>';"
        " const f = document.createElement('iframe'); f.title = 'f'; f.height = 300;"
        " f.style.cssText = 'border:7px solid red;margin-left:40px'; f.onload = done;"
        f" f.src = '{foreign(pages)}/colours.html'; document.body.append(f) }})"
    )
    picture = lane.value("screenshot /f/s")
    assert (size(picture), colours(picture)) == ((60, 60), {GREEN})
    lane.close()


@pytest.mark.parametrize(
    "markup",
    [
        "<input type=checkbox aria-label=s style='width:0;height:0;appearance:none;margin:0'>",
        "<div role=group aria-label=s style='display:contents'><b></b></div>",
    ],
)
def test_what_has_no_place_has_no_picture(lane: LaneRunner, shown: Show, markup: str) -> None:
    shown(markup)
    with pytest.raises(Hidden):
        lane.value("screenshot '\"s\"'")


def test_what_is_too_large_for_one_picture_says_so(lane: LaneRunner, shown: Show) -> None:
    shown("<section aria-label=S style='height:40000px'>x</section>")
    for line in ("screenshot --full", "screenshot /s"):
        with pytest.raises(Failed, match="pixels"):
            lane.value(line)


def test_wrong_calls_and_open_dialogs_are_told(lane: LaneRunner, shown: Show) -> None:
    shown("<button onclick='alert(1)'>Ask</button>")
    with pytest.raises(UsageError):
        lane.value("screenshot --full /ask_btn")
    with pytest.raises(NotFound):
        lane.value("screenshot /nosuch")
    lane.value("click /ask_btn")
    with pytest.raises(DialogOpen):
        lane.value("screenshot")
    lane.value("dialog accept")
