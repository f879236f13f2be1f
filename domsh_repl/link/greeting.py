"""The first words with a server: is it a DOMShell, which one, and how are lines to be written.

``domshell_about`` costs nothing and touches no page. It is also the first call that needs the
token: the handshake works without one.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass

from domsh_repl.errors import Failed, NotConnected
from domsh_repl.link.owner import Session
from domsh_repl.link.servers import ServerSource
from domsh_repl.protocol import ENVELOPE, ENVELOPES
from domsh_repl.safetext import one_line

__all__ = [
    "OLDEST_SERVER",
    "About",
    "ask_about",
    "greet",
    "numbers_of",
    "read_about",
    "require_extension",
]

_ABOUT = "domshell_about"
_EXECUTE = "domshell_execute"
_SECONDS = 15.0
_LOOK_EVERY = 0.5
OLDEST_SERVER = (2, 0, 2)
"""The oldest version of DOMShell's server that has what domsh needs."""
_NOT_THERE = re.compile(r"(?i)(?:unknown tool|no tool|tool \S+ not found|method not found)")


@dataclass(frozen=True, slots=True)
class About:
    """What a server says of itself; ``has_envelopes`` when it answers in ours.

    ``extension`` is the version of the browser's side, "" while that is not connected; the
    built-in server needs none, and tells which ``browser`` it has.
    """

    version: str
    has_envelopes: bool = False
    needs_extension: bool = True
    extension: str = ""
    browser: str = ""

    @property
    def is_builtin(self) -> bool:
        """True for our own server with nothing of DOMShell's in between."""
        return self.has_envelopes and not self.needs_extension

    @property
    def waits_for_extension(self) -> bool:
        """True while there is no browser behind the server."""
        return self.needs_extension and not self.extension


def read_about(text: str) -> About:
    """Read the answer of ``domshell_about``; raises ``NotConnected`` for another one."""
    try:
        told = json.loads(text)
        engine = told.get("engine") or {}
        version = str(told["mcp_server_version"])
        bridged = bool(told.get("extension_bridged"))
        extension = str(told.get("extension_version") or "unknown") if bridged else ""
        browser = str(told.get("browser") or "")
        ours = engine.get("name") == "domsh"
        enveloped = ours and engine.get("envelope") == ENVELOPE
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        said = one_line(text, 100) or "nothing"
        raise NotConnected(f"the server says {said} of itself: it is no DOMShell") from error
    if not ours and numbers_of(version) < OLDEST_SERVER:
        raise NotConnected(
            f"the DOMShell server is version {one_line(version, 40)}; 2.0.2 or newer is needed",
            "`npm install -g @apireno/domshell` brings the newest",
        )
    enveloped = enveloped or extension.endswith(ENVELOPES)
    return About(version, enveloped, not ours, extension, browser)


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the first three numbers of a version, for comparing."""
    return tuple(map(int, re.findall(r"\d{1,6}", version)[:3]))


async def greet(session: Session, source: ServerSource) -> About:
    """Ask the server what it is, and wait for its extension as long as the source allows.

    Raises ``NotConnected`` with what is wrong: token, version, extension, or no DOMShell.
    """
    about = await ask_about(session)
    until = time.monotonic() + source.extension_seconds
    if about.waits_for_extension and source.extension_seconds:
        source.ask_for_extension()
    while about.waits_for_extension and time.monotonic() < until:
        await _sleep()
        about = await ask_about(session)
    require_extension(about)
    return about


def require_extension(about: About) -> None:
    """Raise ``NotConnected`` where there is no browser behind the server."""
    if about.waits_for_extension:
        raise NotConnected(
            "DOMShell's browser extension is not connected to the server",
            "open DOMShell's side panel in the browser and type `connect` with the server's token;"
            " or `domsh bridge` takes its place",
        )


async def _sleep() -> None:
    import anyio  # noqa: PLC0415  (it imports asyncio)

    await anyio.sleep(_LOOK_EVERY)


async def ask_about(session: Session, seconds: float = _SECONDS) -> About:
    """Ask the server what it is; raises ``NotConnected`` for no DOMShell, or one too old."""
    try:
        reply = await session.call(_ABOUT, {}, seconds)
    except Failed as error:
        if not _NOT_THERE.search(error.message):
            raise NotConnected(error.message, error.hint) from error
        raise await _without_about(session) from error
    if reply.failed:
        raise (
            await _without_about(session)
            if _NOT_THERE.search(reply.text)
            else NotConnected(f"the server says: {one_line(reply.text)}")
        )
    return read_about(reply.text)


async def _without_about(session: Session) -> NotConnected:
    tools = await session.tools()
    if _EXECUTE in tools:
        return NotConnected(
            f"the DOMShell server is too old: it has no {_ABOUT}",
            "`npm install -g @apireno/domshell` brings the newest",
        )
    named = one_line(", ".join(tools[:5]), 120) or "none"
    return NotConnected(f"that is no DOMShell server (its tools: {named})", "`--server builtin`")
