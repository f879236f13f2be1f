"""What a written address means: a whole URL, a bare host, or a reference to the page. Pure.

The only place that decides which schemes are opened, for the shell as for other clients of the
engine. Which host is this machine is told here, too.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urljoin, urlsplit

from domsh_repl.errors import BlockedUrl, UsageError

__all__ = ["allowed_url", "is_loopback", "resolve_url"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_AND_PORT = re.compile(r"[A-Za-z0-9.-]+:[0-9]+(?:[/?#]|$)")
_RELATIVE = ("/", "./", "../", "?", "#")
_LEADING_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]+)?(?:[/?#]|$)")
_DROPPED = re.compile("[\t\n\r]")
"""Characters that browsers drop anywhere in a URL, so a scheme could hide behind them."""
_EDGES = "".join(map(chr, range(0x21)))
"""Characters that browsers drop around a URL (URL standard, basic URL parser)."""


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address means this machine, and no other can reach it.

    All names below ``localhost`` do (RFC 6761, section 6.3).
    """
    name = host.lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def resolve_url(text: str, current: str, *, allow_file: bool) -> str:
    """Return the URL that ``text`` means on the page ``current`` (docs/language.md §4 ``open``).

    Raises as ``allowed_url``, and ``UsageError`` where there is nothing to be relative to.
    """
    cleaned = _cleaned(text)
    if not cleaned.startswith(_RELATIVE):
        return allowed_url(cleaned, allow_file=allow_file)
    if not current.startswith(("http:", "https:", "file:")):
        raise UsageError(
            f"{cleaned!r} is relative and no page is open", "give the whole URL", word=text
        )
    try:
        joined = urljoin(current, cleaned)
    except ValueError as error:
        raise _no_url(cleaned, error) from error
    return _checked(joined, allow_file=allow_file)


def allowed_url(text: str, *, allow_file: bool) -> str:
    """Return the absolute URL of ``text``: a bare host gets https, one of this machine http.

    Raises ``BlockedUrl`` for a scheme that is not opened and ``UsageError`` for no URL at all.
    """
    cleaned = _cleaned(text)
    if not cleaned:
        raise UsageError("open needs a URL", "quote one that begins with #: open '#part'")
    host = _LEADING_HOST.match(cleaned)
    if host is not None and is_loopback(host.group(1)):
        return _checked(f"http://{cleaned}", allow_file=allow_file)
    if _SCHEME.match(cleaned) and not _HOST_AND_PORT.match(cleaned):
        return _checked(cleaned, allow_file=allow_file)
    if any(character.isspace() for character in cleaned):
        raise UsageError(f"{cleaned!r} is no URL", "an address holds no blanks", word=text)
    return _checked(f"https://{cleaned}", allow_file=allow_file)


def _cleaned(text: str) -> str:
    return _DROPPED.sub("", text).strip(_EDGES).strip()


def _checked(url: str, *, allow_file: bool) -> str:
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError as error:
        raise _no_url(url, error) from error
    if url.lower() == "about:blank" or scheme in ("http", "https"):
        return url
    if scheme == "file" and allow_file:
        return url
    hint = (
        "--allow-file permits it" if scheme == "file" else "http, https and about:blank are opened"
    )
    raise BlockedUrl(f"{scheme}: URLs are not opened", hint)


def _no_url(text: str, error: ValueError) -> UsageError:
    return UsageError(f"{text!r} is no URL ({error})", "open example.org, open /about", word=text)
