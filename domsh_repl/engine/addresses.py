"""How a URL that could not be opened is worded."""

from __future__ import annotations

from domsh_repl.engine.loading import NO_CONTENT
from domsh_repl.errors import NavigationFailed
from domsh_repl.safetext import one_line

__all__ = ["navigation_error", "reason_of"]

_REASONS = {
    "net::ERR_NAME_NOT_RESOLVED": "the host name is not known",
    "net::ERR_CONNECTION_REFUSED": "nothing listens there (connection refused)",
    "net::ERR_CONNECTION_RESET": "the connection was reset",
    "net::ERR_CONNECTION_CLOSED": "the server closed the connection",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_UNSAFE_PORT": "the browser refuses that port",
    "net::ERR_ACCESS_DENIED": "access is denied: its host may not be in the allowed list",
    "net::ERR_FILE_NOT_FOUND": "there is no such file",
    "net::ERR_EMPTY_RESPONSE": "the server sent nothing",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects for ever",
    "net::ERR_SSL_PROTOCOL_ERROR": "the server does not speak TLS",
    "net::ERR_INVALID_URL": "it is no URL",
}


def navigation_error(url: str, failure: str, status: int | None = None) -> NavigationFailed:
    """Word a failure of the network (``net::ERR_…``) or a reply without a page for the user."""
    shown = one_line(url, 120)
    if status in NO_CONTENT:
        return NavigationFailed(
            f"{shown} sent no page (HTTP {status}); the old one stays",
            "such an address only takes a request",
        )
    hint = "is the address right, and does the server run?"
    return NavigationFailed(f"cannot open {shown}: {reason_of(failure)}", hint)


def reason_of(failure: str) -> str:
    """Return in words what a failure of the network means."""
    if failure in _REASONS:
        return _REASONS[failure]
    if "CERT" in failure:
        return f"its certificate is not trusted ({failure})"
    return failure or "it failed to load"
