"""Frames: whole ones come out however the bytes arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domsh_repl.daemon.frames import HEAD, DamagedError, Unpacker, pack


@given(
    st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=40))),
    st.lists(st.integers(1, 30), min_size=1),
)
def test_frames_come_out_as_they_went_in(frames: list[tuple[int, bytes]], sizes: list[int]) -> None:
    data = b"".join(pack(kind, payload) for kind, payload in frames)
    unpacker = Unpacker()
    found: list[tuple[int, bytes]] = []
    while data:
        size = sizes[len(found) % len(sizes)]
        found += unpacker.feed(data[:size])
        data = data[size:]
    assert found == frames


def test_a_frame_that_no_memory_could_hold_is_no_frame() -> None:
    with pytest.raises(DamagedError):
        Unpacker().feed(b"\1" + b"\xff" * (HEAD - 1))
