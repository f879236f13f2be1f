"""Where the daemon is, and whom its folder may belong to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from domsh_repl.daemon.lock import Lock, is_locked
from domsh_repl.daemon.place import NOT_RUNNING, Place, Refusal, State


def test_the_runtime_folder_of_the_user_comes_first(tmp_path: Path) -> None:
    assert Place({"XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": "/t"}).folder == "/run/user/7/domsh"
    assert Place({"XDG_RUNTIME_DIR": "not/absolute", "TMPDIR": "/t"}).folder == own("/t")
    assert Place({"TEMP": str(tmp_path)}).folder == own(str(tmp_path))
    assert Place({}).folder == own("/tmp")


def own(folder: str) -> str:
    return f"{folder}/domsh-{os.getuid()}"


def test_a_long_path_takes_no_socket() -> None:
    assert Place({"XDG_RUNTIME_DIR": "/run/user/7"}).takes_socket
    assert not Place({"XDG_RUNTIME_DIR": f"/{'é' * 50}"}).takes_socket


def test_only_a_folder_of_ones_own_is_trusted(tmp_path: Path) -> None:
    place = Place({"XDG_RUNTIME_DIR": str(tmp_path)})
    with pytest.raises(Refusal) as caught:
        place.check()
    assert caught.value is NOT_RUNNING
    place.make()
    place.make()
    Path(place.folder).chmod(0o770)
    with pytest.raises(Refusal, match="open to others"):
        place.check()
    Path(place.folder).rmdir()
    Path(place.folder).symlink_to(tmp_path)
    with pytest.raises(Refusal, match="is no folder"):
        place.make()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be made") as caught:
        Place({"XDG_RUNTIME_DIR": str(tmp_path / "nosuch")}).make()
    assert "XDG_RUNTIME_DIR" in caught.value.hint


def test_the_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    place = Place({"XDG_RUNTIME_DIR": str(tmp_path)})
    place.make()
    assert place.read_state() is None
    Path(place.state).write_text(State(5, "1.2", 80, "secret").text)
    state = place.read_state()
    assert state is not None
    assert vars(state) == {"pid": 5, "version": "1.2", "port": 80, "token": "secret"}
    Path(place.state).write_text("nonsense")
    assert place.read_state() is None


def test_a_lock_is_taken_once_and_goes_with_its_owner(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    assert not is_locked(path)
    first, second = Lock(path), Lock(path)
    assert first.take()
    assert is_locked(path)
    assert not second.take()
    assert first.is_in_place()
    Path(path).unlink()
    assert not first.is_in_place()
    os.close(first._descriptor)
    assert not is_locked(path)
