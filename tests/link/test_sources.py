"""From ``--server`` and the environment to a server."""

from __future__ import annotations

import pytest

from domsh_repl.errors import UsageError
from domsh_repl.link import asks
from domsh_repl.link.link import Link
from domsh_repl.link.sources import port_of, source_of
from tests.fakeserver import Script, serving_http


def test_a_domshell_server_is_attached_to_where_the_environment_says() -> None:
    with serving_http(Script(token="secret")) as (url, fake):
        port = url.split(":")[2].split("/")[0]
        environment = {"DOMSHELL_PORT": port, "DOMSHELL_TOKEN": "secret"}
        link = Link(source_of("domshell", environment))
        assert link.ask(asks.where()).value is not None
        link.close()
        assert fake.count("initialize") == 1


@pytest.mark.parametrize("text", ["a\nb", "Schlüssel", "a\x1bb"])
@pytest.mark.parametrize("server", ["domshell", "http://127.0.0.1:1/mcp", "cat"])
def test_what_is_no_token_is_a_usage_error_that_does_not_show_it(server: str, text: str) -> None:
    with pytest.raises(UsageError, match="DOMSHELL_TOKEN holds no token") as error:
        source_of(server, {"DOMSHELL_TOKEN": text})
    assert text not in f"{error.value.message} {error.value.hint}"


def test_without_a_word_the_port_is_domshells_own() -> None:
    assert port_of({}) == port_of({"DOMSHELL_PORT": " "}) == 3001


@pytest.mark.parametrize("text", ["http", "-1", "0", "65536", "0655351", "9" * 5000, "٣"])
def test_what_is_no_port_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="DOMSHELL_PORT holds no port"):
        source_of("domshell", {"DOMSHELL_PORT": text})
