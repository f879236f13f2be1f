"""Reads DOMShell's ``✓`` lines: it did what it was told, which is no proof of an effect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from domsh_repl.link.domshell.misread import Misread
from domsh_repl.link.domshell.told import Done

__all__ = ["CONFIRMED", "confirmed"]

_NAME = r"[\w-]+"


@dataclass(frozen=True, slots=True)
class _Confirmation:
    """A ``✓`` line: the groups ``name``, ``number`` and ``value`` fill a ``Done``."""

    what: str
    pattern: re.Pattern[str]

    def read(self, body: str) -> Done | None:
        """Return the confirmation, None for another one."""
        found = self.pattern.fullmatch(body)
        if found is None:
            return None
        told = found.groupdict()
        done = Done(self.what, told.get("name") or "", value=told.get("value") or "")
        number = told.get("number")
        return done if number is None else replace(done, number=float(number))


_REFRESHES = r"(?:\r\n\(tree will auto-refresh on next command\))?"
_ROLE = r" \((?P<value>\w+)\)"
_SCROLLED = (
    r"✓ Scrolled (?P<value>\w+)(?: [\d.]+ viewport\(s\))?"
    r"\r\nPosition: (?P<number>\d+)/\d+px \(\d+%\)"
)
CONFIRMED: dict[str, tuple[tuple[str, str], ...]] = {
    "click": (("clicked", rf"✓ Clicked: (?P<name>{_NAME}){_ROLE}{_REFRESHES}"),),
    "focus": (("focused", rf"✓ Focused: (?P<name>{_NAME})"),),
    "type": (("typed", r"✓ Typed (?P<number>\d+) characters"),),
    "key": (("key", r"✓ Key: (?P<name>\S+)(?: \((?P<value>\w+)\))?"),),
    "select": (("selected", r"✓ Selected: (?P<name>.*) \(value=(?P<value>.*)\)"),),
    "submit": (
        ("submitted", rf"✓ Submitted: typed \".*\" into (?P<name>{_NAME}), then .*?{_REFRESHES}"),
    ),
    "scroll": (
        ("scrolled", r"✓ Scrolled into view: (?P<name>.*)"),
        ("scrolled", _SCROLLED),
    ),
    "refresh": (("refreshed", r"✓ Refreshed\. (?P<number>\d+) AX nodes loaded\."),),
    "close": (("closed", r"✓ Closed: (?P<name>.*)"),),
}


def confirmed(words: Sequence[str], body: str) -> Done:
    """Read what a command confirms; raises ``Misread``."""
    for what, pattern in CONFIRMED[words[0].lower()]:
        done = _Confirmation(what, re.compile(pattern, re.DOTALL)).read(body)
        if done is not None:
            return done
    raise Misread(body)
