"""A login that is kept: the cookies of a lane, and what pages stored in it, by origin.

The field names are the keys of the file (docs/language.md §4). Values are secrets: they are left
out of every representation, and only written into the file. Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Cookie", "Item", "Kept", "Login", "Stored"]


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie as the browser has it (CDP Network.Cookie).

    ``domain`` begins with a dot where hosts below get it, too. ``expires`` is in seconds since
    1970, none for one that ends with the session. ``partition_site`` is the site at the top that
    a partitioned one belongs to.
    """

    name: str
    domain: str
    path: str = "/"
    value: str = field(default="", repr=False)
    expires: float | None = None
    http_only: bool = False
    secure: bool = False
    same_site: str = ""
    priority: str = "Medium"
    source_scheme: str = "Unset"
    source_port: int = -1
    partition_site: str | None = None
    partition_cross_site: bool = False

    @property
    def identity(self) -> tuple[str, str, str, str | None]:
        """What there is one of: name, domain, path and partition."""
        return self.name, self.domain, self.path, self.partition_site


@dataclass(frozen=True, slots=True)
class Item:
    """A key of a storage with its value."""

    key: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stored:
    """What an origin stored: for good, and for the tab."""

    origin: str
    local_storage: tuple[Item, ...] = ()
    session_storage: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Login:
    """All that makes a lane logged in."""

    cookies: tuple[Cookie, ...] = ()
    origins: tuple[Stored, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """What the browser took of a login: how many cookies, and of how many origins the storage.

    ``problems`` says what it did not take, without any value.
    """

    cookies: int = 0
    origins: int = 0
    problems: tuple[str, ...] = ()
