"""The one tree of errors that a user can meet.

Every class carries a code (docs/language.md §7) and the exit status that belongs to it; an
instance adds the message and, where there is one, the hint that names what to type next.
Page text may stand in a message: whoever prints it passes it through ``safetext`` first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

__all__ = [
    "EXIT_STATUSES",
    "Ambiguous",
    "BlockedUrl",
    "CannotWrite",
    "Covered",
    "Denied",
    "DialogOpen",
    "Disabled",
    "DomshError",
    "Failed",
    "Hidden",
    "Interrupted",
    "LaneFailed",
    "Lost",
    "Misused",
    "NavigationFailed",
    "NotConnected",
    "NotEditable",
    "NotEnterable",
    "NotFound",
    "OptionNotFound",
    "ParseError",
    "ReadOnly",
    "ServerRefused",
    "Skipped",
    "Stale",
    "TabCrashed",
    "TabGone",
    "TimedOut",
    "TokenRefused",
    "Unsupported",
    "UsageError",
    "ValueRejected",
    "error_for",
]

EXIT_STATUSES: Mapping[int, str] = {
    0: "worked",
    1: "failed",
    2: "usage",
    3: "no server or browser",
    4: "timed out",
    130: "interrupted",
}
"""What ``domsh`` and each command in it end with (docs/language.md §1)."""


class DomshError(Exception):
    """Something that the user is told in one line, with an exit status and no traceback.

    ``nothing_sent`` is true only where it is certain that the page got no input before it: then
    the same may be tried again.
    """

    code: ClassVar[str] = "failed"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.nothing_sent = False


class Failed(DomshError):
    """A command that did not work for a reason that has no code of its own."""


class ServerRefused(Failed):
    """A failure in a server's own words: the message may be a block of lines."""


class CannotWrite(Exception):
    """Standard output takes nothing more, which ends the run; no command's failure."""


class UsageError(DomshError):
    """A command, option or operand that does not exist or does not fit.

    ``word`` is the text of the word that is to blame, "" where it is not a single one.
    """

    code = "usage"
    exit_status = 2

    def __init__(self, message: str, hint: str = "", *, word: str = "") -> None:
        super().__init__(message, hint)
        self.word = word


class ParseError(DomshError):
    """A line that is not in the language; ``column`` (0-based, characters) is where it breaks."""

    code = "parse"
    exit_status = 2

    def __init__(self, message: str, hint: str = "", *, column: int = 0, length: int = 1) -> None:
        super().__init__(message, hint)
        self.column = column
        self.length = length


class Misused(ParseError):
    """A usage error that was found before anything ran, with its place in the line."""

    code = "usage"


class NotFound(DomshError):
    """A path, label or tab that is not there.

    ``reached`` is the path of the deepest node on the way that does exist, so that a
    working directory whose end is gone can fall back to its nearest living parent.
    """

    code = "not_found"

    def __init__(self, message: str, hint: str = "", *, reached: str = "/") -> None:
        super().__init__(message, hint)
        self.reached = reached


class Ambiguous(DomshError):
    """An operand of an action that matches more than one node."""

    code = "ambiguous"


class NotEnterable(DomshError):
    """A node without children where a directory is needed."""

    code = "not_enterable"


class Stale(DomshError):
    """The node or its document went away between looking and acting."""

    code = "stale"


class Disabled(DomshError):
    """The element is disabled."""

    code = "disabled"


class Covered(DomshError):
    """Another element would receive the input."""

    code = "covered"


class Hidden(DomshError):
    """The element has no place on the screen."""

    code = "hidden"


class NotEditable(DomshError):
    """The element takes no text or no such change."""

    code = "not_editable"


class OptionNotFound(DomshError):
    """A select without that option."""

    code = "option_not_found"


class ValueRejected(DomshError):
    """The field holds something else than what was put in."""

    code = "value_rejected"


class DialogOpen(DomshError):
    """A JavaScript dialog blocks the page."""

    code = "dialog_open"


class NavigationFailed(DomshError):
    """The document could not be loaded, or there is no such history entry."""

    code = "navigation_failed"


class TabGone(DomshError):
    """The tab was closed."""

    code = "tab_gone"


class TabCrashed(DomshError):
    """The tab's renderer crashed."""

    code = "tab_crashed"


class BlockedUrl(DomshError):
    """A URL of a scheme that is not opened."""

    code = "blocked_url"


class ReadOnly(DomshError):
    """A write in read-only mode."""

    code = "read_only"


class Denied(DomshError):
    """The server refuses the command."""

    code = "denied"


class TimedOut(DomshError):
    """A deadline passed."""

    code = "timeout"
    exit_status = 4


class Lost(DomshError):
    """The server or the browser went away; what was under way has an unknown outcome."""

    code = "lost"
    exit_status = 3


class NotConnected(DomshError):
    """No server or browser could be reached or started."""

    code = "not_connected"
    exit_status = 3


class TokenRefused(NotConnected):
    """A server that is there and does not take the token."""


class LaneFailed(DomshError):
    """The server gave no lane, so nothing was sent."""

    code = "lane_failed"
    exit_status = 3


class Unsupported(DomshError):
    """Something that this version or this server cannot do."""

    code = "unsupported"


class Skipped(Exception):
    """A batch file ends itself without a verdict, for a reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Interrupted(DomshError):
    """The user pressed Ctrl-C."""

    code = "interrupted"
    exit_status = 130


_BY_CODE: dict[str, type[DomshError]] = {
    kind.code: kind
    for kind in (
        Failed, UsageError, ParseError, NotFound, Ambiguous, NotEnterable, Stale, Disabled, Covered,
        Hidden, NotEditable, OptionNotFound, ValueRejected, DialogOpen, NavigationFailed, TabGone,
        TabCrashed, BlockedUrl, ReadOnly, Denied, TimedOut, Lost, NotConnected, LaneFailed,
        Unsupported, Interrupted,
    )
}  # fmt: skip


def error_for(code: str, message: str, hint: str = "", *, reached: str = "/") -> DomshError:
    """Return the error that stands for ``code``; an unknown code becomes ``Failed``."""
    kind = _BY_CODE.get(code, Failed)
    if issubclass(kind, NotFound):
        return kind(message, hint, reached=reached)
    return kind(message, hint)
