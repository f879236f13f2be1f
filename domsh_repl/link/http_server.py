"""A server that runs already, reached by streamable HTTP with a bearer token.

The token is a header of every request and stands nowhere else: not in the address, not in a
message. What the SDK makes of an HTTP error loses the status, so that is kept here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from domsh_repl.addresses import is_loopback
from domsh_repl.errors import DomshError, Lost, NotConnected, TokenRefused, UsageError
from domsh_repl.link.domshell.refusals import transport_refusal
from domsh_repl.link.servers import ServerSource, leaves_of
from domsh_repl.safetext import one_line

__all__ = ["HttpSource"]

_EXAMPLE = "http://127.0.0.1:3001/mcp"
_SECONDS = 30.0
_READ_SECONDS = 300.0
"""Longer than any command: DOMShell itself gives up after 150 s."""
_NO_SERVER_HERE = frozenset({403, 404, 405, 406, 501})


class HttpSource(ServerSource):
    """A server at a URL, for example ``http://127.0.0.1:3001/mcp``."""

    mode = "legacy"
    is_told = True
    start_seconds = 30.0

    def __init__(self, url: str, token: str) -> None:
        """Take the address; raises ``UsageError`` for one with a secret in it, or a broken one."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise UsageError(f"--server is no address: {error}", _EXAMPLE) from error
        if parts.username or parts.password or "token" in url.casefold():
            raise UsageError(
                "a token does not belong into the address: others can read the command line",
                "DOMSHELL_TOKEN, or --token-env NAME, hands it over",
            )
        usable = parts.scheme in ("http", "https") and parts.hostname and port != 0
        if not usable or parts.fragment:
            raise UsageError(f"{one_line(url)} is no address of a server", _EXAMPLE)
        self.name = urlunsplit(parts)
        self._host = str(parts.hostname)
        self._token = token
        self._refusal: DomshError | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        """Give the transport; nothing is started, so nothing is stopped."""
        import anyio.to_thread  # noqa: PLC0415  (the prompt is first)

        httpx, transport = await anyio.to_thread.run_sync(_parts)
        self._refusal = None
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        async with httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(_SECONDS, read=_READ_SECONDS),
            trust_env=not is_loopback(self._host),
            event_hooks={"response": [self._seen]},
        ) as client:
            yield transport(self.name, http_client=client)

    def asked(self) -> None:
        """Forget what an earlier answer meant: nothing of a new request is explained by it."""
        self._refusal = None

    def explained(self, error: BaseException, *, started: bool) -> DomshError | None:
        """Tell a bad token, a dead session, something else at the port, and nothing there."""
        refusal, self._refusal = self._refusal, None
        if isinstance(refusal, TokenRefused) and not self._token:
            return TokenRefused("the server wants a token", "DOMSHELL_TOKEN holds none")
        if refusal is not None:
            return refusal
        if any(
            type(leaf).__name__ in ("ConnectError", "ConnectTimeout") for leaf in leaves_of(error)
        ):
            kind = Lost if started else NotConnected
            return kind(
                f"nothing answers at {self.name}",
                "is the server running? `--server domshell` starts one where there is none",
            )
        return None

    def progress(self) -> str:
        """Name the address."""
        return f"connecting to {self.name}"

    async def _seen(self, response: Any) -> None:
        """Keep what a bad answer to a request means: the SDK will not tell."""
        if response.request.method != "POST":
            return
        status = int(response.status_code)
        kind = str(response.headers.get("content-type", ""))
        if status < 400 and not kind.startswith("text/html"):  # noqa: PLR2004  (HTTP's numbers)
            return
        body = (await response.aread()).decode("utf-8", "replace")
        in_session = "mcp-session-id" in response.request.headers
        self._refusal = self._meaning(status, kind, body, in_session=in_session)

    def _meaning(self, status: int, kind: str, body: str, *, in_session: bool) -> DomshError:
        if in_session:  # it was an MCP server until now
            return transport_refusal(status, body).error
        is_page = kind.startswith("text/html") and "PayloadTooLargeError" not in body[:2000]
        if status in _NO_SERVER_HERE or (is_page and status < 500):  # noqa: PLR2004
            said = one_line(body, 60) if not is_page else "a web page"
            return NotConnected(
                f"{self.name} is no MCP server: it answers HTTP {status}, {said or 'nothing'}",
                "another program may have that port; DOMShell's address ends in :3001/mcp",
            )
        return transport_refusal(status, body).error


def _parts() -> tuple[Any, Any]:
    import httpx2  # noqa: PLC0415  (with mcp more than a second)
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415  (the same)

    return httpx2, streamable_http_client
