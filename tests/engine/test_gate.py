from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from domsh_repl.addresses import is_loopback
from domsh_repl.engine.gate import Gate

OURS = ("127.0.0.1:3001", "localhost", "LOCALHOST:80", "[::1]:3001", "127.8.9.1")
FOREIGN = ("evil.org", "127.0.0.1.evil.org", "localhost.evil.org", "10.0.0.1", "", "a b", "[::2]")


def status(headers: list[tuple[str, str]], host: str = "127.0.0.1", token: str = "t") -> int:
    """Return the status that a request with these headers gets; 200 when it is let through."""
    sent: list[MutableMapping[str, Any]] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        raise AssertionError("a refused request is not read")

    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": "http", "headers": encoded}
    asyncio.run(Gate(app, token, host)(scope, receive, send))
    return int(sent[0]["status"])


TOKEN = ("authorization", "Bearer t")


@pytest.mark.parametrize("host", OURS)
def test_a_request_from_here_with_the_token_is_let_through(host: str) -> None:
    assert status([("host", host), TOKEN]) == 200
    assert status([("host", host), TOKEN, ("origin", f"http://{host}")]) == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_host_or_origin_is_refused_with_the_token_too(host: str) -> None:
    assert status([("host", host), TOKEN]) == 403
    assert status([("host", "127.0.0.1"), ("origin", f"http://{host}"), TOKEN]) == 403
    assert status([("host", "127.0.0.1"), ("origin", "null"), TOKEN]) == 403


def test_no_host_and_two_hosts_are_refused() -> None:
    assert status([TOKEN]) == 403
    assert status([("host", "127.0.0.1"), ("host", "evil.org"), TOKEN]) == 403


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("authorization", "Bearer")],
        [("authorization", "Bearer ")],
        [("authorization", "Bearer T")],
        [("authorization", "Basic t")],
        [("authorization", "t")],
        [("authorization", "Bearer tt")],
        [TOKEN, TOKEN],
        [("authorization", "Bearer \xff")],
    ],
)
def test_without_the_token_nothing_is_let_through(headers: list[tuple[str, str]]) -> None:
    assert status([("host", "127.0.0.1"), *headers]) == 401


def test_a_server_for_all_takes_addresses_and_no_other_names() -> None:
    for host in ("10.1.2.3:80", "[fe80::1]", "localhost"):
        assert status([("host", host), TOKEN], host="0.0.0.0") == 200
    assert status([("host", "evil.org"), TOKEN], host="::") == 403
    assert status([("host", "box.lan"), TOKEN], host="box.lan") == 200


def test_only_this_machine_is_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "::1", "[::1]", "localhost", "127.1.2.3")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "example.com", "", "127.0.0")))
