"""What the operand of ``open`` means: a whole URL, a bare host, or a reference to the page."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from domsh_repl.errors import BlockedUrl, UsageError

__all__ = ["resolve_url"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_AND_PORT = re.compile(r"[A-Za-z0-9.-]+:[0-9]+(?:[/?#]|$)")
_RELATIVE = ("/", "./", "../", "?", "#")
_LOOPBACK = re.compile(
    r"(([a-z0-9-]+\.)*localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?([/?#]|$)", re.IGNORECASE
)
"""This machine: all names below ``localhost`` are (RFC 6761, section 6.3)."""
_BROWSERS_OWN = "\t\n\r"
"""Characters that browsers drop from URLs, so a scheme could hide behind them."""


def resolve_url(text: str, current: str, *, allow_file: bool) -> str:
    """Return the URL that ``text`` means on the page ``current`` (docs/language.md §4 ``open``).

    Raises ``BlockedUrl`` for a scheme that is not opened and ``UsageError`` for no URL at all.
    """
    cleaned = "".join(c for c in text if c not in _BROWSERS_OWN).strip()
    if not cleaned:
        raise UsageError("open needs a URL", "quote one that begins with #: open '#part'")
    if cleaned.startswith(_RELATIVE):
        return _checked(_joined(cleaned, current), allow_file=allow_file)
    if _LOOPBACK.match(cleaned):
        return f"http://{cleaned}"
    if _SCHEME.match(cleaned) and not _HOST_AND_PORT.match(cleaned):
        return _checked(cleaned, allow_file=allow_file)
    if any(character.isspace() for character in cleaned):
        raise UsageError(f"{cleaned!r} is no URL", "an address holds no blanks")
    return f"https://{cleaned}"


def _joined(text: str, current: str) -> str:
    if not current.startswith(("http:", "https:", "file:")):
        raise UsageError(f"{text!r} is relative and no page is open", "give the whole URL")
    return urljoin(current, text)


def _checked(url: str, *, allow_file: bool) -> str:
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError as error:
        raise UsageError(f"{url!r} is no URL ({error})") from error
    if url.lower() == "about:blank" or scheme in ("http", "https"):
        return url
    if scheme == "file" and allow_file:
        return url
    hint = (
        "--allow-file permits it" if scheme == "file" else "http, https and about:blank are opened"
    )
    raise BlockedUrl(f"{scheme}: URLs are not opened", hint)
