"""Pixels come out of a PNG as they went in, and what is none is refused."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.render.png import measures, shrunk
from tests.render.pngs import png, png_of

CHANNEL = st.integers(0, 255)
LARGE = 3_000


@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(
            st.lists(st.tuples(CHANNEL, CHANNEL, CHANNEL), min_size=width, max_size=width),
            min_size=1,
            max_size=6,
        )
    ),
    st.lists(st.integers(0, 4), min_size=1, max_size=6),
    st.booleans(),
)
def test_every_filter_is_undone(
    pixels: list[list[tuple[int, int, int]]], filters: list[int], alpha: bool
) -> None:
    written = [[(*pixel, 9) if alpha else pixel for pixel in row] for row in pixels]
    picture = png(written, filters=filters)
    assert measures(picture) == (len(pixels[0]), len(pixels))
    assert shrunk(picture, len(pixels[0]), len(pixels)) == pixels


def test_a_smaller_picture_has_the_means_of_what_it_covers() -> None:
    rows = [
        [(0, 0, 0), (100, 0, 0), (1, 2, 3)],
        [(0, 40, 0), (100, 0, 8), (3, 4, 5)],
        [(9, 9, 9), (9, 9, 9), (7, 7, 7)],
    ]
    assert shrunk(png(rows), 1, 1) == [[(25, 7, 4)]]
    assert shrunk(png(rows), 2, 1)[0][0] == (3, 16, 3)
    assert shrunk(png(rows), 3, 1) == [[(3, 16, 3), (69, 3, 5), (3, 4, 5)]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no PNG"),
        (b"GIF89a" + bytes(60), "no PNG"),
        (png([[(1, 2, 3)]])[:30], "no PNG"),
        (png_of(0, 5, b""), "no pixels"),
        (png_of(1, 1, bytes(4))[:50], "cut off"),
        (png_of(2, 2, bytes(13)), "cut off"),
        (png_of(1, 1, b"\x05abc"), "damaged"),
        (png_of(1, 1, bytes(4)).replace(zlib.compress(bytes(4))[:5], b"wrong"), "damaged"),
        (png_of(1, 1, bytes(2), (8, 0, 0, 0, 0)), "another kind"),
        (png_of(1, 1, bytes(7), (16, 2, 0, 0, 0)), "another kind"),
        (png([[(1, 2, 3)]], interlaced=True), "another kind"),
        (png_of(LARGE, LARGE, b""), "too many pixels"),
        (png_of(2**32 - 1, 2**32 - 1, b""), "too many pixels"),
    ],
)
def test_what_is_no_such_png_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        shrunk(data, 1, 1)
