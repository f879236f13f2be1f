"""Which URLs may be opened, and how a failed one is worded."""

from __future__ import annotations

import re

from domsh_repl.engine.loading import NO_CONTENT
from domsh_repl.errors import BlockedUrl, NavigationFailed, UsageError
from domsh_repl.safetext import one_line

__all__ = ["allowed_url", "navigation_error"]

_SCHEMES = frozenset({"http", "https"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[A-Za-z0-9.-]+:[0-9]+(?:[/?#]|$)")
_LOOPBACK = re.compile(r"(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?([/?#]|$)", re.IGNORECASE)
# what browsers drop before they look for a scheme (URL standard, basic URL parser)
_DROPPED = re.compile("[\t\n\r]")
_EDGES = "".join(map(chr, range(0x21)))
_REASONS = {
    "net::ERR_NAME_NOT_RESOLVED": "the host name is not known",
    "net::ERR_CONNECTION_REFUSED": "nothing listens there (connection refused)",
    "net::ERR_CONNECTION_RESET": "the connection was reset",
    "net::ERR_CONNECTION_CLOSED": "the server closed the connection",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_UNSAFE_PORT": "the browser refuses that port",
    "net::ERR_FILE_NOT_FOUND": "there is no such file",
    "net::ERR_EMPTY_RESPONSE": "the server sent nothing",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects for ever",
    "net::ERR_SSL_PROTOCOL_ERROR": "the server does not speak TLS",
    "net::ERR_INVALID_URL": "it is no URL",
}


def allowed_url(url: str, *, allow_file: bool) -> str:
    """Return the URL if its scheme may be opened; raises ``BlockedUrl`` naming the scheme.

    A bare host gets https, a loopback one http. Raises ``UsageError`` for no URL at all.
    """
    cleaned = _DROPPED.sub("", url).strip(_EDGES)
    if not cleaned:
        raise UsageError("a URL is missing", "usage: navigate URL")
    if cleaned.lower() == "about:blank":
        return cleaned
    if _LOOPBACK.match(cleaned):
        return f"http://{cleaned}"
    if not _SCHEME.match(cleaned) or _HOST_AND_PORT.match(cleaned):
        return f"https://{cleaned}"
    scheme = cleaned.partition(":")[0].lower()
    if scheme in _SCHEMES or (scheme == "file" and allow_file):
        return cleaned
    hint = (
        "--allow-file permits it" if scheme == "file" else "http, https and about:blank are opened"
    )
    raise BlockedUrl(f"{scheme}: URLs are not opened", hint)


def navigation_error(url: str, failure: str, status: int | None = None) -> NavigationFailed:
    """Word a failure of the network (``net::ERR_…``) or a reply without a page for the user."""
    shown = one_line(url, 120)
    if status in NO_CONTENT:
        return NavigationFailed(
            f"{shown} sent no page (HTTP {status}); the old one stays",
            "such an address only takes a request",
        )
    reason = _REASONS.get(failure)
    if reason is None and "CERT" in failure:
        reason = f"its certificate is not trusted ({failure})"
    hint = "is the address right, and does the server run?"
    return NavigationFailed(
        f"cannot open {shown}: {reason or failure or 'it failed to load'}", hint
    )
