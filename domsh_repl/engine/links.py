"""The links of a page, and what comes of asking each for its page."""

from __future__ import annotations

from urllib.parse import unquote, urldefrag

from domsh_repl.engine.desk import Desk
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.linkcheck import Answered, ask_all
from domsh_repl.engine.query import Query
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import run_in
from domsh_repl.nodes import CheckedLink, CheckedLinks, Link, Links
from domsh_repl.paths import Path

__all__ = ["links"]

_MOST = 200
"""Addresses that one command asks."""
_SHARE_OF_DEADLINE = 0.8
_UNTOLD_SECONDS = 20.0
_ROUTES = ("/", "!")
"""How fragments begin that a script of the page reads, which name no place in it."""


async def links(desk: Desk, line: CommandLine, path: Path) -> Links:
    """Return all links below a node; with ``--check`` asked, within the command's deadline."""
    top = await desk.resolver.one(path)
    spots = (await desk.search.find(top, Query(role="link"))).spots
    found = tuple(Link(spot.node.name, _url(spot), spot.path) for spot in spots)
    if not line.has("--check"):
        return Links(top.path, found)
    seconds = line.seconds("--timeout", _UNTOLD_SECONDS) * _SHARE_OF_DEADLINE
    inside = {spot.path: await _place_in_page(spot) for spot in spots}
    asked = dict.fromkeys(
        urldefrag(link.url).url for link in found if link.url and inside[link.path] is None
    )
    answers = await ask_all(desk.page, list(asked)[:_MOST], seconds)
    checked = [_checked(link, inside[link.path], answers) for link in found]
    return CheckedLinks(top.path, tuple(checked))


def _url(spot: Spot) -> str | None:
    url = spot.node.properties.get("url")
    return url if isinstance(url, str) and url else None


async def _place_in_page(spot: Spot) -> Answered | None:
    """Answer for a link to a place in its own document; None for links that lead elsewhere."""
    address, fragment = urldefrag(_url(spot) or "")
    if not fragment and not (_url(spot) or "").endswith("#"):
        return None
    found = (await run_in(spot.frame, "anchor", address, unquote(fragment))).get("value")
    if found == "elsewhere":
        return None
    if found or fragment.startswith(_ROUTES):
        return Answered(ok=True if found else None)
    return Answered(ok=False, problem=f"the page has no #{fragment}")


def _checked(link: Link, inside: Answered | None, answers: dict[str, Answered]) -> CheckedLink:
    if link.url is None:
        answer = Answered(ok=None, problem="it has no address")
    else:
        untold = Answered(ok=None, problem=f"not asked: only {_MOST} addresses are")
        answer = inside or answers.get(urldefrag(link.url).url, untold)
    return CheckedLink(link.label, link.url, link.path, answer.ok, answer.http, answer.problem)
