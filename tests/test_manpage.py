"""The manual page is what the tables say, and the programs that show it find no fault in it."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from domsh_repl.commands.registry import commands
from domsh_repl.errors import EXIT_STATUSES
from domsh_repl.optiontables import OPTIONS
from script.manpage import FILE, manual_page
from tests.program import LONGEST, ROOT


def test_the_page_is_what_script_completions_makes() -> None:
    assert (ROOT / FILE).read_text(encoding="utf-8") == manual_page()


@pytest.mark.parametrize(
    "command",
    [
        ["man", "--warnings", "-E", "UTF-8", "-l"],
        ["groff", "-man", "-ww", "-Tutf8"],
        ["mandoc", "-T", "lint", "-W", "warning"],
    ],
    ids=lambda command: command[0],
)
def test_nothing_is_wrong_with_it(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(
        [*command, str(ROOT / FILE)], capture_output=True, text=True, timeout=LONGEST, check=False,
        env={**os.environ, "MANWIDTH": "100", "PAGER": "cat"}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "date" not in line]
    if command[0] == "mandoc":
        complaints += [line for line in done.stdout.splitlines() if "missing date" not in line]
    assert complaints == []


def test_it_tells_of_every_option_command_and_status() -> None:
    page = manual_page().replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")
    for option in OPTIONS:
        assert f"\n.B {option.head}\n" in page
    for command in commands():
        usage = command.usage.replace("…", "...").replace("·", "\\(md").replace("~", "\\(ti")
        assert f"\n.B {usage}\n" in page
    for status, meaning in EXIT_STATUSES.items():
        assert f"\n.B {status}\n{meaning}\n" in page
