"""Writes PNG files of any filter, so that reading them can be tested."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

Pixels = Sequence[Sequence[tuple[int, ...]]]


def png(pixels: Pixels, *, filters: Sequence[int] = (0,), interlaced: bool = False) -> bytes:
    """Return a PNG of RGB or RGBA pixels, its lines filtered by these in turn (PNG, 9.2)."""
    size = len(pixels[0][0])
    lines, above = b"", bytes(size * len(pixels[0]))
    for number, row in enumerate(pixels):
        line = bytes(value for pixel in row for value in pixel)
        kind = filters[number % len(filters)]
        lines += bytes([kind]) + _filtered(kind, line, above, size)
        above = line
    kind_of_colour = {3: 2, 4: 6}[size]
    return png_of(len(pixels[0]), len(pixels), lines, (8, kind_of_colour, 0, 0, interlaced))


def png_of(width: int, height: int, lines: bytes, kind: Sequence[int] = (8, 2, 0, 0, 0)) -> bytes:
    """Return a PNG with these measures and this rest of its header, whatever its lines are."""
    header = struct.pack(">II", width, height) + bytes(kind)
    packed = zlib.compress(lines)
    middle = len(packed) // 2  # browsers cut the data into several chunks, too
    parts = (
        (b"IHDR", header), (b"IDAT", packed[:middle]), (b"tEXt", b"k\0v"),
        (b"IDAT", packed[middle:]), (b"IEND", b""),
    )  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _filtered(kind: int, line: bytes, above: bytes, size: int) -> bytes:
    left, corner = bytes(size) + line, bytes(size) + above
    guesses = [
        (0, a, b, (a + b) // 2, _paeth(a, b, c))[kind]
        for a, b, c in zip(left, above, corner, strict=False)
    ]
    return bytes((value - guess) & 255 for value, guess in zip(line, guesses, strict=True))


def _paeth(left: int, up: int, corner: int) -> int:
    return min((left, up, corner), key=lambda one: abs(left + up - corner - one))
