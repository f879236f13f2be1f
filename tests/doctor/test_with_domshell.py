"""The doctor at a real DOMShell server, with the engine in the place of its extension."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import Run, domsh
from tests.real_domshell import VERSION, Caller, RealServer, as_client, bridged, real_server

OF_SERVER = ("server", "token", "extension", "lane")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a DOMShell server."""
    with real_server(tmp_path_factory.mktemp("domshell")) as started:
        yield started


def examined(server: RealServer, token: str) -> tuple[Run, dict[str, dict[str, str]]]:
    """Run the doctor at that server; give the run and its rows by their names."""
    environment = {"DOMSHELL_TOKEN": token, "npm_config_registry": "http://127.0.0.1:9/"}
    ran = domsh("doctor", "--json", "--server", server.url, environment=environment)
    assert server.token not in ran.out + ran.err
    return ran, {check["name"]: check for check in ran.objects[0]["checks"]}


def results(rows: dict[str, dict[str, str]]) -> list[str]:
    """Return the results of the server's rows."""
    return [rows[name]["result"] for name in OF_SERVER]


def test_without_an_extension_that_fails_and_says_what_to_type(server: RealServer) -> None:
    ran, rows = examined(server, server.token)
    assert ran.status == 3
    assert results(rows) == ["ok", "ok", "fail", "n-a"]
    assert rows["server"]["found"] == f"DOMShell {VERSION}, {server.url}"
    assert "type `connect`" in rows["extension"]["hint"]


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_wrong_token_fails_with_the_reason(server: RealServer, token: str) -> None:
    ran, rows = examined(server, token)
    assert ran.status == 3
    assert results(rows) == ["ok", "fail", "n-a", "n-a"]
    assert ("refuses the token" if token else "wants a token") in rows["token"]["found"]


@pytest.mark.parametrize("form", [(), ("--plain",)])
def test_with_an_extension_all_is_well_and_the_lane_is_closed_again(
    server: RealServer, tmp_path: Path, form: tuple[str, ...]
) -> None:
    with bridged(server, tmp_path / "bridge.log", *form):
        ran, rows = examined(server, server.token)
        assert ran.status == 0
        assert results(rows) == ["ok", "ok", "ok", "ok"]
        assert rows["extension"]["found"].startswith("connected, version ")
        number = rows["lane"]["found"].split()[0]
        assert number.isdecimal()

        async def ask(caller: Caller) -> str:
            return await caller("pwd", number)

        assert "no lane" in as_client(server.url, server.token, ask)
