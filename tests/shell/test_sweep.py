from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from domsh_repl.shell.sweep import postpone, sweep


@pytest.fixture
def full() -> Iterator[list[int]]:
    """Count full collections, with few objects to each, from a clean start."""
    counted: list[int] = []

    def count(phase: str, facts: dict[str, int]) -> None:
        if phase == "start" and facts["generation"] == len(gc.get_threshold()) - 1:
            counted.append(1)

    before = gc.get_threshold()
    gc.set_threshold(10, 2, 2)
    gc.freeze()  # or the many objects of a test run keep full collections away
    gc.collect()
    gc.callbacks.append(count)
    try:
        yield counted
    finally:
        gc.callbacks.remove(count)
        gc.set_threshold(*before)
        gc.unfreeze()


def make_objects() -> list[list[int]]:
    return [[number] for number in range(5_000)]


def test_no_full_collection_stops_what_goes_on_until_it_is_time_for_one(full: list[int]) -> None:
    postpone()
    kept = make_objects()
    assert full == []
    sweep()
    assert full == [1]
    assert len(kept) == 5_000


def test_what_is_not_due_is_not_done(full: list[int]) -> None:
    postpone()
    sweep()
    assert full == []


def test_without_that_they_come_at_any_time(full: list[int]) -> None:
    kept = make_objects()
    assert full
    assert kept
