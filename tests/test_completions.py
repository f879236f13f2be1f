"""The files in ``completions/`` are what the tables say, and the shells complete with them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from script.completions import FILES
from tests.program import LONGEST, ROOT

Offers = Callable[..., set[str]]
MODES = {"run", "check", "config", "doctor", "daemon", "serve", "bridge"}


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_script_completions_makes(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == FILES[name]()


# --- what is offered, asked of each shell without a terminal ------------------------------------


def bash(folder: Path, *words: str) -> set[str]:
    """Return what bash offers for the last word."""
    script = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_domsh 2>&1
printf '%s\\n' "${COMPREPLY[@]}"
"""
    file = str(ROOT / "completions/domsh.bash")
    return _lines(["bash", "--norc", "-c", script, "bash", file, "domsh", *words], folder)


def fish(folder: Path, *words: str) -> set[str]:
    """Return what fish offers for the last word, without what it says of it."""
    line = " ".join(["domsh", *words])
    code = f'source {ROOT}/completions/domsh.fish; complete -C "{line}"'
    found = _lines(["fish", "--no-config", "-c", code], folder)
    return {one.partition("\t")[0] for one in found}


def _lines(command: list[str], folder: Path) -> set[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST, check=True, cwd=folder,
        env={**environment, "MY_TOKEN_HERE": "x"}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.stderr == ""
    return set(done.stdout.splitlines()) - {""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a script, a page and a folder, with blanks in their names."""
    (tmp_path / "my tour.domsh").touch()
    (tmp_path / "page.html").touch()
    (tmp_path / "a folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("offers", [bash, fish])
def test_the_modes_are_offered_first(offers: Offers, folder: Path) -> None:
    assert offers(folder, "") == MODES
    assert offers(folder, "--headed", "con") == {"config"}


@pytest.mark.parametrize("offers", [bash, fish])
def test_the_options_of_each_mode_are_offered(offers: Offers, folder: Path) -> None:
    main = offers(folder, "--")
    assert {"--site", "--read-only", "--config", "--help"} <= main
    assert {"--http", "--port"}.isdisjoint(main)
    assert "--http" in offers(folder, "serve", "--")
    assert "--port" in offers(folder, "bridge", "--")
    assert "--site" not in offers(folder, "serve", "--")
    assert offers(folder, "run", "--si") == {"--site"}


@pytest.mark.parametrize("offers", [bash, fish])
def test_what_can_be_done_with_the_daemon_is_offered(offers: Offers, folder: Path) -> None:
    assert offers(folder, "daemon", "") == {"start", "stop", "status"}
    assert offers(folder, "--headed", "daemon", "sta") == {"start", "status"}
    assert "start" not in offers(folder, "doctor", "")


@pytest.mark.parametrize("offers", [bash, fish])
def test_values_are_offered(offers: Offers, folder: Path) -> None:
    assert offers(folder, "--color", "") == {"auto", "always", "never"}
    assert offers(folder, "--server", "dom") == {"domshell"}
    assert "MY_TOKEN_HERE" in offers(folder, "--token-env", "MY_")
    assert offers(folder, "--timeout", "") == set()


def test_bash_completes_files_and_folders(folder: Path) -> None:
    assert bash(folder, "run", "") == {"my tour.domsh", "a folder"}
    assert bash(folder, "--site", "") == {"a folder"}
    assert bash(folder, "--config", "p") == {"page.html"}
    assert bash(folder, "--site", "x", "run", "my") == {"my tour.domsh"}


def test_bash_completes_after_an_equals_sign(folder: Path) -> None:
    assert bash(folder, "--color", "=", "al") == {"always"}
    assert bash(folder, "--color", "=") == {"auto", "always", "never"}
    assert bash(folder, "--color", "=", "never", "ser") == {"serve"}


def test_fish_completes_files_and_folders(folder: Path) -> None:
    assert "my tour.domsh" in {one.replace("\\", "") for one in fish(folder, "run", "")}
    assert {one.replace("\\", "") for one in fish(folder, "--site", "a")} == {"a folder/"}


# --- real shells at a terminal ------------------------------------------------------------------


def types(shell: pexpect.spawn[str], typed: str, whole: str) -> None:
    """Expect that Tab makes the line ``whole``, then clear it."""
    shell.send(f"{typed}\t")
    shell.expect_exact(whole)
    shell.send("\x15")


@pytest.fixture
def folder_with_domsh(folder: Path) -> dict[str, str]:
    """Give an environment in which ``domsh`` is a command, without any one's settings."""
    program = folder / "bin" / "domsh"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": "> "}


def test_bash_completes_at_a_terminal(folder: Path, folder_with_domsh: dict[str, str]) -> None:
    shell = pexpect.spawn(
        "bash", ["--norc", "--noprofile", "-i"], env=folder_with_domsh, encoding="utf-8",
        timeout=LONGEST, cwd=folder, dimensions=(24, 200),
    )  # fmt: skip
    try:
        shell.sendline(f"source '{ROOT}/completions/domsh.bash'; echo rea''dy")
        shell.expect_exact("ready")
        types(shell, "domsh con", "domsh config ")
        types(shell, "domsh daemon sto", "domsh daemon stop ")
        types(shell, "domsh --color=al", "domsh --color=always ")
        types(shell, "domsh run my", "domsh run my\\ tour.domsh ")
        types(shell, "domsh serve --allow-d", "domsh serve --allow-domains ")
    finally:
        shell.close(force=True)


def test_zsh_completes_at_a_terminal(folder: Path, folder_with_domsh: dict[str, str]) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    shell = pexpect.spawn(
        "zsh", ["-f", "-i"], env=folder_with_domsh, encoding="utf-8", timeout=LONGEST, cwd=folder,
        dimensions=(24, 200),
    )  # fmt: skip
    try:
        shell.sendline(
            f"unsetopt zle_bracketed_paste; fpath=('{ROOT}/completions' $fpath);"
            " autoload -Uz compinit; compinit -u -D; echo rea''dy"
        )
        shell.expect_exact("ready")
        types(shell, "domsh con", "fig ")
        types(shell, "domsh daemon sto", "p ")
        types(shell, "domsh --color=alw", "ays ")
        types(shell, "domsh --read-o", "nly ")
        types(shell, "domsh run my", "\\ tour.domsh ")
        types(shell, "domsh serve --allow-d", "omains=")
        types(shell, "domsh --headed con", "fig ")
    finally:
        shell.close(force=True)
