"""Who may speak to the HTTP server: a gate before every request, whatever its path or method.

A web page in the user's browser can send requests to this machine, and by DNS rebinding under a
name of its own: so ``Host`` and ``Origin`` must be ours. The token comes after that.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from domsh_repl.addresses import is_loopback

__all__ = ["App", "Gate", "Receive", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(.+)")
_FORBIDDEN, _UNAUTHORIZED = 403, 401


class Gate:
    """An ASGI application that lets through to ``app`` what comes from here and has the token.

    ``host`` is what the server is bound to. Where that is every address of the machine, any
    address is a good ``Host``, but no name: only names can be rebound.
    """

    def __init__(self, app: App, token: str, host: str) -> None:
        self._app = app
        self._token = token.encode()
        self._host = host.strip("[]").lower()
        self._anywhere = _is_unspecified(self._host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope["headers"])
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await _refuse(send, *refusal)

    def _refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        given: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            given.setdefault(name.lower(), []).append(value)
        hosts, origins = given.get(b"host", []), given.get(b"origin", [])
        if len(hosts) != 1 or not self._is_ours(hosts[0].decode("latin-1")):
            return _FORBIDDEN, "Forbidden: the Host header names another host"
        for origin in origins:
            found = _ORIGIN.fullmatch(origin.decode("latin-1").lower())
            if found is None or not self._is_ours(found.group(1)):
                return _FORBIDDEN, "Forbidden: the request comes from another origin"
        if not self._knows_token(given.get(b"authorization", [])):
            return _UNAUTHORIZED, "Unauthorized: send the header `Authorization: Bearer TOKEN`"
        return None

    def _is_ours(self, authority: str) -> bool:
        found = _AUTHORITY.fullmatch(authority.lower())
        if found is None:
            return False
        host = found.group(1).strip("[]")
        if is_loopback(host) or host == self._host:
            return True
        return self._anywhere and _is_address(host)

    def _knows_token(self, values: list[bytes]) -> bool:
        if len(values) != 1:
            return False
        scheme, _, token = values[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_unspecified(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


async def _refuse(send: Send, status: int, message: str) -> None:
    error = {"jsonrpc": "2.0", "error": {"code": -32000, "message": message}, "id": None}
    body = json.dumps(error).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what the body of the request holds is not read
    ]
    if status == _UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
