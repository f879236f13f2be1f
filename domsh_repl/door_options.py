"""The command lines of ``domsh serve`` and ``domsh bridge``. Imports argparse and nothing heavy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from domsh_repl.columns import wrapped
from domsh_repl.errors import UsageError
from domsh_repl.option import Option, OptionParser, Values, option_lines
from domsh_repl.optiontables import BRIDGE_OPTIONS, SERVE_OPTIONS, SETTINGS
from domsh_repl.protocol import TOKEN_VARIABLE
from domsh_repl.settings import read_settings

__all__ = ["DOORS", "Door", "DoorOptions", "door_help", "parse_door_options"]


@dataclass(frozen=True, slots=True)
class Door:
    """A mode that gives the engine to others."""

    usage: str
    summary: str
    options: tuple[Option, ...]


DOORS: Mapping[str, Door] = {
    "serve": Door(
        "[--stdio | --http HOST:PORT] [OPTION…]",
        "Gives other MCP clients the tool domshell_execute over a browser of our own: on standard "
        "input and output, or at http://HOST:PORT/mcp (port 0: a free one). The URL and a token "
        "are printed on standard error; every HTTP request must have the token: "
        "`Authorization: Bearer TOKEN`. Without --token-env and its variable a token is made.",
        SERVE_OPTIONS,
    ),
    "bridge": Door(
        "[--port PORT] [OPTION…]",
        "Takes the place of DOMShell's Chrome extension at a DOMShell server (@apireno/domshell) "
        "on this machine: its clients then drive a headless browser of our own.",
        BRIDGE_OPTIONS,
    ),
}
"""The modes that give the engine to others."""


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """What ``serve`` or ``bridge`` is told; ``http`` is a host and a port, none means stdio.

    ``warnings`` are what the configuration says that there is not.
    """

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
    warnings: tuple[str, ...] = ()


def door_help(door: str) -> str:
    """Return what ``domsh DOOR --help`` prints."""
    return "\n".join(_help_lines(door, DOORS[door]))


def _help_lines(name: str, door: Door) -> Iterator[str]:
    yield f"usage: domsh {name} {door.usage}"
    yield ""
    yield from wrapped(door.summary, 96)
    yield ""
    yield from option_lines(door.options)


def parse_door_options(
    door: str, argv: Sequence[str], environment: Mapping[str, str] | None = None
) -> DoorOptions:
    """Return what the words after ``serve`` or ``bridge`` ask for; raises ``UsageError``.

    With an ``environment`` its settings count, too, and those of the configuration file.
    """
    options = DOORS[door].options
    given = OptionParser(f"domsh {door}", options).parse(argv)
    if given.get("help"):
        return DoorOptions(door, help_text=door_help(door))
    if given.get("stdio") and given.get("http"):
        raise UsageError("--stdio and --http exclude each other", f"`domsh {door} --help`")
    own = {one.place for one in options}
    others = tuple(one for one in SETTINGS if one.place not in own)
    settings = read_settings((*options, *others), given, environment)
    return DoorOptions(door, warnings=settings.warnings, **_fields(settings.values))


def _fields(values: Values) -> dict[str, Any]:
    known = {one.name for one in fields(DoorOptions)} - {"help_text"}
    found = {place: value for place, value in values.items() if place in known}
    return found | {"token_variable": values["token_env"] or TOKEN_VARIABLE}
