from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from domsh_repl.userfiles import config_file, make_private, state_file


def test_each_file_has_the_place_that_the_environment_names() -> None:
    environment = {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}
    assert config_file(environment) == "/c/domsh/config.toml"
    assert state_file("history", environment) == "/s/domsh/history"


@pytest.mark.parametrize("named", [{}, {"XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "relative"}])
def test_without_a_name_it_is_the_usual_place(
    monkeypatch: pytest.MonkeyPatch, named: dict[str, str]
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setattr(sys, "platform", "linux")
    assert config_file(named) == "/home/ada/.config/domsh/config.toml"
    assert state_file("history", named) == "/home/ada/.local/state/domsh/history"
    monkeypatch.setattr(sys, "platform", "darwin")
    library = "/home/ada/Library/Application Support/domsh"
    assert config_file(named) == f"{library}/config.toml"
    assert state_file("history", named) == f"{library}/history"


def test_a_private_file_is_made_with_its_folders_and_keeps_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "file"
    make_private(str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.write_text("kept")
    file.chmod(0o644)
    make_private(str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == "kept"
