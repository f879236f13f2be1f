"""What the tests of reading share: pages opened in a lane, and the walk that is the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domsh_repl.engine.query import CURRENT, Query, without_inner_text
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import element_of
from domsh_repl.errors import Stale
from tests.conftest import LaneRunner
from tests.site_server import PAGES

CHANGING = {
    "alert_in_head.html": "its dialog must be answered first",
    "rerendering.html": "it replaces its nodes twice a second",
    "flaky.html": "its nodes come when they like",
}
"""Pages that do not hold still while they are compared with themselves, and why."""

QUIET_PAGES = sorted(page.name for page in PAGES.glob("*.html") if page.name not in CHANGING)

MARKUP_ADDED_LATE = "for (let i = 0; i < 20; i++) m.innerHTML += '<button>b' + i + '</button>'"


def open_page(lane: LaneRunner, url: str) -> None:
    """Open a page; one that adds its content late gets it at once."""
    lane.value(f"navigate {url}")
    if url.endswith("late_hydration.html"):
        script(lane, MARKUP_ADDED_LATE)


def script(lane: LaneRunner, expression: str) -> Any:
    """Run an expression in the page and return its value."""

    async def evaluated() -> Any:
        call = lane.lane.page.main.call
        reply = await call("Runtime.evaluate", expression=expression, returnByValue=True)
        return reply["result"].get("value")

    return lane.run(evaluated())


async def all_below(lane: LaneRunner, top: Spot) -> list[Spot]:
    """Return every node below, as an exhaustive walk yields them."""
    return [spot async for spot in lane.desk.tree.walk(top)]


async def expected(lane: LaneRunner, walked: Sequence[Spot], top: Spot, query: Query) -> list[str]:
    """Return the paths of the walked nodes that a query means below ``top``."""
    found = [spot for spot in walked if top.is_root or spot.inside(top)]
    found = [spot for spot in found if query.matches(spot)]
    if query.state == CURRENT:
        found = [spot for spot in found if CURRENT in await lane.desk.tree.states(spot)]
    if query.css:
        found = [spot for spot in found if await _is_selected(spot, query.css)]
    return [spot.path for spot in without_inner_text(found)]


async def _is_selected(spot: Spot, selector: str) -> bool:
    """Ask the element itself; the controls of audio and video are no elements of the page."""
    try:
        element = await element_of(spot.frame, spot.node.backend)
    except Stale:
        return False  # a marker or a control of Chromium's own, which is no DOM node
    reply = await spot.session.call(
        "Runtime.callFunctionOn",
        objectId=element,
        functionDeclaration="""function(selector) {
          if (!(this instanceof Element)) return false;
          const own = Node.prototype.getRootNode.call(this).host?.localName;
          const isPages = own !== 'audio' && own !== 'video';
          return isPages && Element.prototype.matches.call(this, selector);
        }""",
        arguments=[{"value": selector}],
        returnByValue=True,
    )
    return bool(reply["result"].get("value"))
