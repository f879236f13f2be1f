"""The command lines of ``domsh serve`` and ``domsh bridge``. Imports argparse and nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from domsh_repl.errors import UsageError
from domsh_repl.measures import parse_port, parse_seconds
from domsh_repl.protocol import TOKEN_VARIABLE

__all__ = ["DOORS", "DoorOptions", "parse_door_options"]

_BROWSER_HELP = """\
  --browser PATH     use this browser
  --cdp URL          use a browser that runs already (--remote-debugging-port)
  --headed           show the browser's window
  --profile DIR      keep the browser's profile in DIR
  --proxy URL        let the browser use a proxy
  --insecure         accept certificates that are not trusted
  --allow-file       allow file: URLs"""
_SERVE_HELP = f"""\
usage: domsh serve [--stdio | --http HOST:PORT] [OPTION…]

Gives other MCP clients the tool domshell_execute over a browser of our own: on standard input
and output, or at http://HOST:PORT/mcp (port 0: a free one). The URL and a token are printed on
standard error; every HTTP request must have the token: `Authorization: Bearer TOKEN`.

  --token-env NAME   the environment variable with the token ({TOKEN_VARIABLE}); without one a
                     token is made
  --allow-remote     listen where other machines can connect, too
  --read-only        refuse what could change a page
  --allow-domains L  open only these hosts and those below them: example.com,127.0.0.1
{_BROWSER_HELP}"""
_BRIDGE_HELP = f"""\
usage: domsh bridge [--port PORT] [OPTION…]

Takes the place of DOMShell's Chrome extension at a DOMShell server (@apireno/domshell) on this
machine: its clients then drive a headless browser of our own.

  --port PORT        the server's WebSocket port (9876)
  --wait T           how long to wait for a server that does not listen yet (60 s): 5, 300ms, 2m
  --token-env NAME   the environment variable with the server's token ({TOKEN_VARIABLE})
  --plain            answer in text only, as DOMShell's own extension does
  --read-only        refuse what could change a page
{_BROWSER_HELP}"""
DOORS = {"serve": _SERVE_HELP, "bridge": _BRIDGE_HELP}
"""The modes that give the engine to others, with their help."""


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """What ``serve`` or ``bridge`` is told; ``http`` is a host and a port, none means stdio."""

    door: str
    help_text: str = ""
    http: tuple[str, int] | None = None
    allow_remote: bool = False
    domains: str | None = None
    port: int = 9876
    patience: float = 60.0
    plain: bool = False
    token_variable: str = TOKEN_VARIABLE
    read_only: bool = False
    browser: str | None = None
    cdp: str | None = None
    headed: bool = False
    profile: str | None = None
    proxy: str | None = None
    insecure: bool = False
    allow_file: bool = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise instead of printing and leaving: errors are told in one way."""
        raise UsageError(message, f"`{self.prog} --help` lists the options")


def _parser(door: str) -> _Parser:
    parser = _Parser(prog=f"domsh {door}", add_help=False, allow_abbrev=False)
    parser.add_argument("--token-env", dest="token_variable", default=TOKEN_VARIABLE)
    for name in ("--browser", "--cdp", "--profile", "--proxy"):
        parser.add_argument(name)
    for name in ("--headed", "--insecure", "--allow-file", "--read-only", "--debug"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("-h", "--help", dest="help", action="store_true")
    if door == "bridge":
        parser.add_argument("--port", default="9876")
        parser.add_argument("--wait", dest="patience", default="60")
        parser.add_argument("--plain", action="store_true")
    else:
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--stdio", action="store_true")
        where.add_argument("--http")
        parser.add_argument("--allow-remote", action="store_true")
        parser.add_argument("--allow-domains", dest="domains")
    return parser


def parse_door_options(door: str, argv: Sequence[str]) -> DoorOptions:
    """Return what the words after ``serve`` or ``bridge`` ask for; raises ``UsageError``."""
    given = _parser(door).parse_args(list(argv))
    if given.help:
        return DoorOptions(door, help_text=DOORS[door])
    fields = {name: value for name, value in vars(given).items() if name not in _NO_FIELDS}
    if door == "bridge":
        fields["port"] = _port(given.port)
        fields["patience"] = parse_seconds(given.patience)
    elif given.http is not None:
        fields["http"] = _address(given.http)
    return DoorOptions(door, **fields)


_NO_FIELDS = frozenset({"help", "stdio", "debug"})


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host and text.isascii() and text.isdigit():
        host, port = "127.0.0.1", text
    if not host or (":" in host and not host.startswith("[")):
        raise UsageError(f"--http {text!r} is no HOST:PORT", "--http 127.0.0.1:3001")
    return host.strip("[]"), _port(port)


def _port(text: str) -> int:
    return parse_port(text, f"{text!r} is no port")
