"""Shells in terminals, ended after the test whatever happens in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.shell.terminal import Terminal

Shell = Callable[..., Terminal]


def need_a_terminal() -> None:
    """Skip the test where no pseudo-terminal can be had."""
    try:
        ends = os.openpty()
    except OSError as error:
        pytest.skip(f"this machine has no pseudo-terminals ({error}); is /dev/pts mounted?")
    for end in ends:
        os.close(end)


def need_less() -> None:
    """Skip the test where the usual pager is missing."""
    if shutil.which("less") is None:
        pytest.skip("this machine has no less (Debian: apt install less)")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """Start domsh in a terminal: ``shell(*arguments, columns=…, rows=…, environment=…)``."""
    need_a_terminal()
    with ExitStack() as stack:

        def start(*arguments: str, **options: Any) -> Terminal:
            terminal = Terminal(tmp_path, *arguments, **options)
            stack.callback(terminal.close)
            return terminal

        yield start
