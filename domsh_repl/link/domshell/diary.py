"""What a real DOMShell cannot tell of a tab and the link has to keep: its history, in numbers.

A session history entry has an id of the page's, and a position only among those of one origin.
Here each tab's entries are written down in the order in which they were met, so that ids and
positions are numbers that stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from domsh_repl.link.domshell.scripts import Check
from domsh_repl.nodes import PageInfo

__all__ = ["Diary"]


@dataclass(slots=True)
class _Tab:
    """The entries of one tab, where it stands among them, and how many the browser counts."""

    keys: list[str] = field(default_factory=list)
    at: int = -1
    length: int = 0


class Diary:
    """Turns looks at pages into page descriptions."""

    def __init__(self) -> None:
        self._tabs: dict[int, _Tab] = {}
        self._numbers: dict[tuple[int, str], int] = {}

    def page(self, tab: int, check: Check, notices: Sequence[str] = ()) -> PageInfo:
        """Return the description of a tab that was looked at now."""
        key = check.entry or f"document {check.document}"
        kept = self._tabs.setdefault(tab, _Tab())
        self._follow(kept, key, check.length)
        entry = self._numbers.setdefault((tab, key), len(self._numbers) + 1)
        return PageInfo(
            url=check.url,
            title=check.title,
            tab=tab,
            loading=check.loading,
            http=check.http,
            document=check.document,
            entry=entry,
            position=kept.at,
            notices=tuple(notices),
        )

    def forget(self, tab: int) -> None:
        """Drop a tab that was closed."""
        self._tabs.pop(tab, None)

    @staticmethod
    def _follow(tab: _Tab, key: str, length: int) -> None:
        """Go to a known entry; an unknown one was pushed, or has replaced the last one."""
        if key in tab.keys:
            tab.at = tab.keys.index(key)
        else:
            pushed = tab.at < len(tab.keys) - 1 or length != tab.length or tab.at < 0
            kept = tab.keys[: tab.at + 1] if pushed else tab.keys[: tab.at]
            tab.keys = [*kept, key]
            tab.at = len(kept)
        tab.length = length
