"""Where a click goes: scrolls the element into view and asks the page what lies on top there.

Input events are trusted and sent to the session in which the element lives. An element that
something covers, that has no place or that does not receive the pointer is an error, never a
click on its neighbour (CDP.md §7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.roots import element_of
from domsh_repl.engine.tree import Spot
from domsh_repl.errors import Covered, DomshError, Hidden, Stale
from domsh_repl.safetext import one_line

__all__ = ["Target", "aim", "click_at", "element_at"]

_SCROLL_TO_MIDDLE = "function() { this.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}) }"

_AS_ELEMENT = """function() {
  return this.nodeType === 1 ? this : this.nodeType === 9 ? this.documentElement : this.parentElement;
}"""

_RECEIVES = """function(hit) {
  if (hit === this) return true;
  for (let n = hit; n; n = n.assignedSlot || n.parentNode || n.host) {
    if (n === this) return true;
    if (n.localName === 'label' && n.control === this) return true;
  }
  return false;
}"""

_LABEL_OF_TOGGLE = """function() {
  const toggle = this.localName === 'input' && (this.type === 'checkbox' || this.type === 'radio');
  return toggle && this.labels && this.labels.length ? this.labels[0] : null;
}"""

_WHY_UNSEEN = """function() {
  if (!this.isConnected) return 'stale';
  const style = getComputedStyle(this);
  if (style.display === 'none' || !this.checkVisibility()) return 'not displayed';
  if (style.visibility !== 'visible') return 'invisible (visibility: ' + style.visibility + ')';
  const box = this.getBoundingClientRect();
  if (!box.width || !box.height) return 'of no size';
  if (style.pointerEvents === 'none') return 'not reachable by the pointer (pointer-events: none)';
  return '';
}"""

_DESCRIBE_COVER = """function() {
  let e = this.nodeType === 1 ? this : this.parentElement;
  if (!e) return '';
  const name = e.computedName || e.getAttribute('aria-label') || (e.innerText || '').slice(0, 60);
  return '<' + e.localName + (e.id ? ' id=' + e.id : '') + '>' + (name.trim() ? ' "' + name.trim() + '"' : '');
}"""


@dataclass(frozen=True, slots=True)
class Target:
    """A point of an element, in CSS pixels of its session's viewport."""

    session: Session
    object_id: str
    x: float
    y: float


async def element_at(spot: Spot) -> str:
    """Return the object id of the element at a spot, for a text that of its parent."""
    node_id = await element_of(spot.session, spot.node.backend)
    reply = await spot.session.call(
        "Runtime.callFunctionOn", objectId=node_id, functionDeclaration=_AS_ELEMENT
    )
    object_id = reply["result"].get("objectId")
    if object_id is None:
        raise Stale("the element is no longer in the page", "`ls` shows what is there now")
    return str(object_id)


async def aim(spot: Spot) -> Target:
    """Return where to send the pointer; raises ``Hidden``, ``Covered`` or ``Stale``."""
    object_id = await element_at(spot)
    try:
        return await _aim_at(spot.session, object_id)
    except (Hidden, Covered) as refused:
        label = await _called(spot.session, object_id, _LABEL_OF_TOGGLE)
        if not label.get("objectId"):
            raise
        try:
            return await _aim_at(spot.session, str(label["objectId"]))
        except (Hidden, Covered):
            raise refused from None


async def click_at(
    target: Target, *, button: str = "left", modifiers: int = 0, count: int = 1
) -> None:
    """Press and release the button there (Input.dispatchMouseEvent)."""
    common: dict[str, Any] = {"x": target.x, "y": target.y, "modifiers": modifiers}
    await target.session.call("Input.dispatchMouseEvent", type="mouseMoved", **common)
    for number in range(1, count + 1):
        for kind in ("mousePressed", "mouseReleased"):
            await target.session.call(
                "Input.dispatchMouseEvent",
                type=kind,
                button=button,
                clickCount=number,
                **common,
            )


async def _aim_at(session: Session, object_id: str) -> Target:
    failure: DomshError | None = None
    for attempt in range(2):
        if attempt:
            # a bar that sticks to the edge covers what was only just scrolled into view
            await _called(session, object_id, _SCROLL_TO_MIDDLE)
        try:
            x, y = await _visible_point(session, object_id)
        except Hidden as hidden:
            failure = hidden
            continue
        cover = await _cover(session, object_id, x, y)
        if cover is None:
            return Target(session, object_id, x, y)
        failure = cover
    assert failure is not None
    raise failure


async def _visible_point(session: Session, object_id: str) -> tuple[float, float]:
    try:
        await session.call("DOM.scrollIntoViewIfNeeded", objectId=object_id)
        quads = (await session.call("DOM.getContentQuads", objectId=object_id))["quads"]
    except CdpError as error:
        raise await _unseen(session, object_id) from error
    for quad in quads:
        if _area(quad) >= 1:
            return sum(quad[0::2]) / 4, sum(quad[1::2]) / 4
    raise await _unseen(session, object_id)


def _area(quad: Sequence[float]) -> float:
    xs, ys = quad[0::2], quad[1::2]
    pairs = zip(range(4), (1, 2, 3, 0), strict=True)
    return abs(sum(xs[i] * ys[j] - xs[j] * ys[i] for i, j in pairs)) / 2


async def _unseen(session: Session, object_id: str) -> DomshError:
    reason = str((await _called(session, object_id, _WHY_UNSEEN)).get("value") or "without a place")
    if reason == "stale":
        return Stale("the element is no longer in the page", "`ls` shows what is there now")
    return Hidden(f"the element is {reason}", "`cat` shows it; something may have to open first")


async def _cover(session: Session, object_id: str, x: float, y: float) -> DomshError | None:
    """Return what keeps the pointer from the element at that point, if anything does."""
    metrics = await session.call("Page.getLayoutMetrics")
    view = metrics["cssVisualViewport"]
    try:
        hit = await session.call(
            "DOM.getNodeForLocation",  # takes document coordinates, unlike quads and input
            x=round(x + view["pageX"]),
            y=round(y + view["pageY"]),
            includeUserAgentShadowDOM=False,
        )
        hit_id = await element_of(session, hit["backendNodeId"])
        received = await session.call(
            "Runtime.callFunctionOn",
            objectId=object_id,
            functionDeclaration=_RECEIVES,
            arguments=[{"objectId": hit_id}],
            returnByValue=True,
        )
    except CdpError:
        return await _foreign_hit(session, object_id)
    if received["result"].get("value") is True:
        return None
    unseen = await _called(session, object_id, _WHY_UNSEEN)
    reason = str(unseen.get("value") or "")
    if reason:
        return await _unseen(session, object_id)
    described = str((await _called(session, hit_id, _DESCRIBE_COVER)).get("value") or "something")
    return Covered(
        f"the element is covered by {one_line(described, 80)}",
        "close or move what covers it, then try again",
    )


async def _foreign_hit(session: Session, object_id: str) -> DomshError | None:
    """Judge a hit in another frame: it is inside the element only if that is a frame itself."""
    tag = await _called(session, object_id, "function() { return this.localName }")
    if tag.get("value") in ("iframe", "frame", "object", "embed", "html"):
        return None
    return Covered("the element is covered by a frame", "close or move what covers it")


async def _called(session: Session, object_id: str, function: str) -> dict[str, Any]:
    """Call a function on an element; by value where the result is no object."""
    reply = await session.call(
        "Runtime.callFunctionOn", objectId=object_id, functionDeclaration=function
    )
    result: dict[str, Any] = reply["result"]
    return result
