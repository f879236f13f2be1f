"""The pixels of a PNG made smaller, without a library that every installation would need.

Reads what Chromium and its canvases write: eight bits a channel, RGB with or without alpha, not
interlaced (PNG, third edition, 11.2.1 and 9.2). Pages are opaque, so alpha is left out. Pure.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add

__all__ = ["Pixel", "measures", "shrunk"]

Pixel = tuple[int, int, int]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}
_MOST_PIXELS = 4_000_000
"""Pixels that take a second or two."""


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    height: int
    channels: int

    @property
    def stride(self) -> int:
        """Bytes of a line, without the one that names its filter."""
        return self.width * self.channels


def measures(png: bytes) -> tuple[int, int]:
    """Return width and height in pixels; raises ``ValueError`` for what is no PNG."""
    if png[:8] != _SIGNATURE or png[12:16] != b"IHDR" or len(png) < _END_OF_HEADER:
        raise ValueError("it is no PNG")
    width, height = struct.unpack(">II", png[16:24])
    if not width or not height:
        raise ValueError("it has no pixels")
    return width, height


_END_OF_HEADER = 33


def shrunk(png: bytes, columns: int, rows: int) -> list[list[Pixel]]:
    """Return the picture in that many pixels, each the mean of those that it stands for.

    Neither may be more than the picture has. Raises ``ValueError`` for what is no such PNG, is
    cut off, or has more than 4,000,000 pixels.
    """
    header = _header(png)
    across = list(pairwise(n * header.width // columns for n in range(columns + 1)))
    lines = _lines(_unpacked(png, header), header)
    made = []
    for top, bottom in pairwise(n * header.height // rows for n in range(rows + 1)):
        sums = [[0] * columns for _ in range(3)]
        for _ in range(bottom - top):
            for plane, totals in zip(next(lines), sums, strict=True):
                for column, (left, right) in enumerate(across):
                    totals[column] += sum(plane[left:right])
        areas = [(right - left) * (bottom - top) for left, right in across]
        means = ([total // area for total, area in zip(one, areas, strict=True)] for one in sums)
        made.append(list(zip(*means, strict=True)))
    return made


def _header(png: bytes) -> _Header:
    width, height = measures(png)
    depth, kind, *methods = png[24:29]
    if depth != 8 or kind not in _CHANNELS or any(methods):  # noqa: PLR2004  (bits a channel)
        raise ValueError("it is a PNG of another kind than browsers write")
    if width * height > _MOST_PIXELS:
        raise ValueError("it has too many pixels")
    return _Header(width, height, _CHANNELS[kind])


def _unpacked(png: bytes, header: _Header) -> bytes:
    """Return the filtered lines; no more is unpacked than the header says that there is."""
    size = header.height * (header.stride + 1)
    try:
        raw = zlib.decompressobj().decompress(b"".join(_data(png)), size)
    except zlib.error as error:
        raise ValueError("its data are damaged") from error
    if len(raw) < size:
        raise ValueError("it is cut off")
    return raw


def _data(png: bytes) -> Iterator[bytes]:
    at = len(_SIGNATURE)
    while at + 8 <= len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            yield png[at + 8 : at + 8 + length]
        at += length + 12


def _lines(raw: bytes, header: _Header) -> Iterator[list[bytes]]:
    """Yield each line's reds, greens and blues: the filters know nothing but their own channel."""
    size = header.channels
    above = [bytes(header.width)] * 3
    for start in range(0, len(raw), header.stride + 1):
        line = raw[start + 1 : start + 1 + header.stride]
        above = [_unfiltered(raw[start], line[n::size], above[n]) for n in range(3)]
        yield above


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """Undo a filter: none, Sub, Up, Average or Paeth."""
    if kind == 0:
        return line
    if kind == 1:
        return bytes(n & 255 for n in accumulate(line))
    if kind == 2:  # noqa: PLR2004  (the numbers of the filters, as 9.2 has them)
        return bytes(n & 255 for n in map(add, line, above))
    if kind == 3:  # noqa: PLR2004
        return _from_average(line, above)
    if kind == 4:  # noqa: PLR2004
        return _from_paeth(line, above)
    raise ValueError("its data are damaged")


def _from_average(line: bytes, above: bytes) -> bytes:
    made, left = bytearray(), 0
    for value, up in zip(line, above, strict=True):
        left = (value + (left + up) // 2) & 255
        made.append(left)
    return bytes(made)


def _from_paeth(line: bytes, above: bytes) -> bytes:
    made, left, corner = bytearray(), 0, 0
    for value, up in zip(line, above, strict=True):
        to_left, to_up = up - corner, left - corner
        to_corner = abs(to_left + to_up)
        to_left, to_up = abs(to_left), abs(to_up)
        if to_left > to_up or to_left > to_corner:
            left = up if to_up <= to_corner else corner
        left = (value + left) & 255
        corner = up
        made.append(left)
    return bytes(made)
