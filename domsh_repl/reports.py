"""The values that are about the browser rather than about a page's nodes: logs, pictures, lanes.

All are frozen dataclasses whose field names are the keys of the JSON (docs/language.md §7).
Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "Announcements",
    "Comparison",
    "Console",
    "ConsoleEntry",
    "Difference",
    "Differences",
    "Download",
    "Downloads",
    "Finding",
    "Findings",
    "Lane",
    "Lanes",
    "Request",
    "Requests",
    "SavedFile",
    "SavedPicture",
    "Screenshot",
]


@dataclass(frozen=True, slots=True)
class Announcements:
    """What the live regions of a page said since the last action, oldest first."""

    announced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConsoleEntry:
    """A message of a page: ``level`` is debug, info, log, warning, error or exception.

    ``url`` and ``line`` (from 1) say where it came from, ``time`` is in seconds since 1970.
    """

    level: str
    text: str
    url: str = ""
    line: int | None = None
    tab: int = 0
    time: float = 0


@dataclass(frozen=True, slots=True)
class Console:
    """The last messages of the lane's tabs, oldest first; ``total`` counts all that are kept."""

    console: tuple[ConsoleEntry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a page: ``type`` is Chromium's, ``status`` none while no answer has come.

    ``error`` says why it failed, ``ms`` are the milliseconds to its end (none: it goes on),
    ``time`` is its start in seconds since 1970.
    """

    method: str
    url: str
    type: str
    status: int | None = None
    error: str = ""
    ms: int | None = None
    tab: int = 0
    time: float = 0

    @property
    def failed(self) -> bool:
        """True when it did not work: no answer, or one of 400 and above."""
        return bool(self.error) or (self.status or 0) >= _FIRST_ERROR


_FIRST_ERROR = 400


@dataclass(frozen=True, slots=True)
class Requests:
    """The last requests of the lane's tabs, oldest first; ``total`` counts all that fit."""

    requests: tuple[Request, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a page offered: the name that it suggests, and where it comes from."""

    name: str
    url: str
    tab: int = 0


@dataclass(frozen=True, slots=True)
class Downloads:
    """The files that the lane's tabs offered, oldest first."""

    downloads: tuple[Download, ...]


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture on its way: ``png`` in base64, its measures in pixels, "" or what it shows."""

    png: str
    width: int
    height: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class SavedPicture:
    """A picture in a file; ``path`` is the element that it shows, none for the page.

    ``png`` is the picture itself where it is to be shown, too; the JSON has it not.
    """

    file: str
    width: int
    height: int
    path: str | None = None
    png: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane of this shell; ``id`` is the server's, "" before its first request."""

    name: str
    id: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes of this shell, in the order in which they were made."""

    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What an accessibility rule found: ``level`` is fail, practice or review.

    ``wcag`` is the number of the success criterion that a ``fail`` misses, none for the rest.
    ``path`` is the element, or the nearest thing around it that has one. ``role``, ``label`` and
    ``landmark`` (role and label of the landmark around it) tell it from others in a baseline.
    """

    rule: str
    level: str
    wcag: str | None
    path: str
    message: str
    role: str = ""
    label: str = ""
    landmark: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rules found, in their order; ``not_checked`` names what no rule looks at.

    ``cut`` says why this is not all, "" where it is; ``old`` counts what a baseline has already.
    """

    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...] = ()
    cut: str = ""
    old: int = 0

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that miss a success criterion."""
        return tuple(finding for finding in self.findings if finding.level == "fail")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two snapshots differ: ``what`` happened to the node, ``place`` around it.

    ``path`` is where it is now, none for what is gone. ``was`` and ``now`` are what changed;
    ``inside`` counts what came or went with it.
    """

    what: str
    role: str
    label: str
    place: str
    path: str | None = None
    was: str = ""
    now: str = ""
    inside: int = 0


@dataclass(frozen=True, slots=True)
class Differences:
    """What came, went and changed between two snapshots, in document order."""

    added: tuple[Difference, ...] = ()
    removed: tuple[Difference, ...] = ()
    changed: tuple[Difference, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The page beside a snapshot; ``cut`` says what was not compared, "" for nothing."""

    changes: Differences
    cut: str = ""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file that a command wrote, and a sentence about what is in it."""

    file: str
    text: str
