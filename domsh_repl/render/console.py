"""Rich's console, which writes colours. Loaded when the first are written, for its imports."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console

__all__ = ["RaisingConsole"]


class RaisingConsole(Console):
    """A console that leaves it to its caller what a reader's end means.

    Rich's own gives away the process's standard output and ends the process: whoever leaves a
    pager before the last page would leave the shell.
    """

    def on_broken_pipe(self) -> NoReturn:
        """Raise the ``BrokenPipeError`` that is being handled."""
        raise  # noqa: PLE0704  (rich calls this where it handles it)
