"""Waits for a key before each line of a batch file (``domsh run --step``).

A key types the line, Enter runs it; Esc gives the shell, Ctrl-D lets the file go on by itself.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Iterator
from enum import Enum

from prompt_toolkit.input import create_input
from prompt_toolkit.input.base import Input
from prompt_toolkit.keys import Keys

__all__ = ["Wish", "asked"]

_SIGN = "› "  # noqa: RUF001  (the sign of an echoed line)
_ESCAPE_SECONDS = 0.1
"""Seconds in which the rest of a key's sequence has come; Esc alone is nothing more."""


class Wish(Enum):
    """What the user wants of the next line."""

    RUN = "run"
    SHELL = "shell"
    GO_ON = "go on"


def asked(line: str) -> Wish:
    """Show a line, which must be safe for a terminal, as keys ask for it; return the wish.

    Raises ``KeyboardInterrupt`` on Ctrl-C.
    """
    is_typed = False
    terminal = create_input()
    with terminal.raw_mode():
        _write(_SIGN)  # not sooner: the key that it asks for would show
        for key in _keys(terminal):
            if key is Keys.ControlC:
                _write("\r\n")
                raise KeyboardInterrupt
            if key is Keys.ControlD or key is Keys.Escape:
                _write("\r\n" if key is Keys.Escape or is_typed else f"{line}\r\n")
                return Wish.SHELL if key is Keys.Escape else Wish.GO_ON
            if not is_typed:
                _write(line)
                is_typed = True
            elif key in (Keys.ControlM, Keys.ControlJ):
                _write("\r\n")
                return Wish.RUN
    return Wish.GO_ON


def _keys(terminal: Input) -> Iterator[Keys | str]:
    """Yield keys as they come, until the terminal is gone."""
    while not terminal.closed:
        ready, _, _ = select.select([terminal.fileno()], [], [], _ESCAPE_SECONDS)
        pressed = terminal.read_keys() if ready else terminal.flush_keys()
        for one in pressed:
            yield one.key


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
