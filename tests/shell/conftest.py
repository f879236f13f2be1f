"""Shells in terminals, ended after the test whatever happens in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.shell.terminal import Terminal

Shell = Callable[..., Terminal]


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """Start domsh in a terminal: ``shell(*arguments, columns=…, rows=…, environment=…)``."""
    with ExitStack() as stack:

        def start(*arguments: str, **options: Any) -> Terminal:
            terminal = Terminal(tmp_path, *arguments, **options)
            stack.callback(terminal.close)
            return terminal

        yield start
