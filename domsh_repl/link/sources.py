"""From ``--server`` and the environment to a server; the token is in the environment only."""

from __future__ import annotations

from collections.abc import Mapping

from domsh_repl.errors import UsageError
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.npm_server import DEFAULT_PORT, NpmSource
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.stdio_server import StdioSource
from domsh_repl.measures import parse_port
from domsh_repl.protocol import token_in

__all__ = ["port_of", "source_of"]

_PORT_NAME = "DOMSHELL_PORT"


def source_of(
    server: str, environment: Mapping[str, str], *, token_name: str = "", read_only: bool = False
) -> ServerSource:
    """Return the server that ``--server`` names: ``domshell``, a URL or a command.

    Raises ``UsageError`` for none of these, and for a variable that is not set.
    """
    if token_name and token_name not in environment:
        raise UsageError(
            f"there is no environment variable {token_name} with a token in it",
            f"`export {token_name}=…`, or leave --token-env out",
        )
    token = token_in(environment, token_name)
    if server == "domshell":
        return NpmSource(token, read_only=read_only, port=port_of(environment))
    if server.lower().startswith(("http://", "https://")):
        return HttpSource(server, token)
    return StdioSource(server, token)


def port_of(environment: Mapping[str, str]) -> int:
    """Return the port at which a DOMShell server of this machine is looked for.

    Raises ``UsageError`` where ``DOMSHELL_PORT`` is none.
    """
    text = environment.get(_PORT_NAME, "").strip()
    if not text:
        return DEFAULT_PORT
    return parse_port(text, f"{_PORT_NAME} holds no port", least=1)
