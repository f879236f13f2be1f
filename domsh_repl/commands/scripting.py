"""A batch file while it runs, as far as its own lines can see it: sections and deferred lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from domsh_repl.errors import DomshError, TimedOut
from domsh_repl.language import Line

__all__ = ["FAIL_ON", "ON_ERROR", "Deferred", "Scripting", "time_is_over"]

ON_ERROR = ("stop", "continue")
"""What a line that fails does to the file (``set on-error``)."""
FAIL_ON = ("exception", "console-error", "http-5xx")
"""What a page may do that makes a line fail (``set fail-on``)."""


def time_is_over() -> DomshError:
    """Return what is told when a file has no time left."""
    return TimedOut("the time of the whole file is over", "--deadline gives it more")


@dataclass(frozen=True, slots=True)
class Deferred:
    """A line that waits for the end, and where it was written."""

    line: Line
    where: str


@dataclass(slots=True)
class Scripting:
    """The file that runs: ``begin_section`` takes the label of a section that begins.

    ``at`` is told of each line that runs, also in files that are sourced: file and number.
    """

    begin_section: Callable[[str], None]
    at: Callable[[str, int], None] = lambda _file, _number: None
    deferred: list[Deferred] = field(default_factory=list)

    def defer(self, line: Line, where: str) -> None:
        """Keep a line for the end."""
        self.deferred.append(Deferred(line, where))
