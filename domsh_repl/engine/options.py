"""Which browser the engine uses. Imports nothing, so that options cost nothing to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["BrowserOptions"]


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """Which browser to use and how: a program to start, or a running one at ``cdp``.

    ``flags`` are more of a started one's command line.
    """

    browser: str | None = None
    cdp: str | None = None
    headed: bool = False
    profile: str | None = None
    proxy: str | None = None
    insecure: bool = False
    allow_file: bool = False
    flags: tuple[str, ...] = ()

    @classmethod
    def of(cls, told: Any) -> BrowserOptions:
        """Return what options of a command line say of it, in fields of these names."""
        return cls(
            told.browser, told.cdp, told.headed, told.profile, told.proxy, told.insecure,
            told.allow_file,
        )  # fmt: skip
