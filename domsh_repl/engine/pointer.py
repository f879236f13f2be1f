"""Where a click goes: scrolls the element into view and asks the page what lies on top there.

Input events are trusted and sent to the session in which the element lives. An element that
something covers, that has no place or that does not receive the pointer is an error, never a
click on its neighbour.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.frames import Frame, FrameSessions
from domsh_repl.engine.geometry import Point, Viewport, points_inside
from domsh_repl.engine.tree import Spot
from domsh_repl.engine.worlds import call_on, element_of
from domsh_repl.errors import Covered, DomshError, Hidden, Stale
from domsh_repl.safetext import one_line

__all__ = [
    "Press",
    "Target",
    "aim",
    "bring_into_view",
    "click_at",
    "come_over",
    "element_at",
    "is_hovered",
]

_APPROACHES = 3
"""Times that an element which moves when the pointer comes is followed."""
_FRAME_TAGS = frozenset({"iframe", "frame", "object", "embed", "fencedframe"})


@dataclass(frozen=True, slots=True)
class Target:
    """A point of an element, in CSS pixels of its session's viewport.

    ``backend`` is the element's backend id where that is known, else 0.
    """

    session: Session
    point: Point
    element: str
    backend: int = 0


@dataclass(frozen=True, slots=True)
class _Aimed:
    """An element to hit, and the node whose boxes say where: its own, a text's, an image's."""

    session: Session
    element: str
    boxes: str
    offset: Point | None = None
    backend: int = 0


async def element_at(spot: Spot) -> str:
    """Return the object id of the element at a spot, for a text that of its parent."""
    node_id = await element_of(spot.frame, spot.node.backend)
    return await _element_of_node(spot.session, node_id)


async def aim(spot: Spot, frames: FrameSessions) -> Target:
    """Return where to send the pointer; raises ``Hidden``, ``Covered`` or ``Stale``."""
    session = spot.session
    backend = spot.node.backend
    aimed = await _aimed(session, await element_of(spot.frame, backend), backend)
    element = aimed.element
    try:
        return await _aim_at(aimed, frames)
    except (Hidden, Covered) as refused:
        label = await _asked(session, element, "label of toggle")
        if not label.get("objectId"):
            raise
        label_id = str(label["objectId"])
        try:
            return await _aim_at(_Aimed(session, label_id, label_id), frames, strict=True)
        except (Hidden, Covered):
            raise refused from None


async def _aimed(session: Session, node: str, backend: int = 0) -> _Aimed:
    kind = (await _asked(session, node, "kind")).get("value")
    if kind == "gone":
        raise _stale()
    if kind == "area":
        image = await _asked(session, node, "image of area")
        middle = await _asked(session, node, "middle of area", by_value=True)
        if image.get("objectId"):
            return _Aimed(session, node, str(image["objectId"]), Point(*middle["value"]))
    if kind == "element":
        return _Aimed(session, node, node, backend=backend)
    element = await _element_of_node(session, node)
    return _Aimed(session, element, node if kind == "text" else element)


async def bring_into_view(spot: Spot) -> None:
    """Scroll until the element can be seen; raises ``Hidden`` where it has no place, ``Stale``."""
    node = await element_of(spot.frame, spot.node.backend)
    await _visible_points(await _aimed(spot.session, node))


async def is_hovered(target: Target) -> bool:
    """Tell whether the page takes the pointer to be over the element (CSS ``:hover``)."""
    answer = await _asked(target.session, target.element, "hovered", by_value=True)
    return answer.get("value") is True


async def come_over(spot: Spot, frames: FrameSessions) -> Target:
    """Bring the pointer over an element and return where it can be pressed.

    A page may answer the pointer's coming: the element moves away, or something covers it. So
    what lies on top is asked again with the pointer there; raises as ``aim``.
    """
    target = await aim(spot, frames)
    for _ in range(_APPROACHES):
        await _hover(target)
        view = Viewport.of(await target.session.call("Page.getLayoutMetrics"))
        aimed = _Aimed(target.session, target.element, target.element, backend=target.backend)
        if isinstance(await _verdict(aimed, target.point, view, frames), str):
            return target
        target = await aim(spot, frames)
    raise Covered("the element moves away from the pointer", "`key Enter` may work on it")


async def _hover(target: Target) -> None:
    """Move the pointer there (Input.dispatchMouseEvent)."""
    await _mouse(target, "mouseMoved")


@dataclass(frozen=True, slots=True)
class Press:
    """How the mouse is clicked: ``modifiers`` are the bits of Input.dispatchMouseEvent."""

    right: bool = False
    double: bool = False
    modifiers: int = 0

    @property
    def event(self) -> str:
        """The event that a page gets of it."""
        return "contextmenu" if self.right else "dblclick" if self.double else "click"


_LEFT = Press()


async def click_at(target: Target, press: Press = _LEFT) -> None:
    """Press and release a button where the pointer is (Input.dispatchMouseEvent)."""
    button = "right" if press.right else "left"
    for count in (1, 2) if press.double else (1,):
        for kind in ("mousePressed", "mouseReleased"):
            await _mouse(target, kind, button=button, clickCount=count, modifiers=press.modifiers)


async def _mouse(target: Target, kind: str, **more: Any) -> None:
    point = target.point
    await target.session.call("Input.dispatchMouseEvent", type=kind, x=point.x, y=point.y, **more)


async def _aim_at(aimed: _Aimed, frames: FrameSessions, *, strict: bool = False) -> Target:
    """Try where the element is, then with the element in the middle of the view.

    A point that belongs to a control inside the element is taken only where there is no other,
    and not at all when ``strict``: a click on a label must not follow a link in it.
    """
    failure: DomshError | None = None
    for attempt in range(2):
        if attempt:
            # a bar that sticks to the edge covers what was only just scrolled into view
            await _asked(aimed.session, aimed.boxes, "scroll to middle")
        second_best: Point | None = None
        try:
            points, view = await _visible_points(aimed)
        except Hidden as hidden:
            failure = hidden
            continue
        for point in points:
            verdict = await _verdict(aimed, point, view, frames)
            if isinstance(verdict, DomshError):
                failure = failure or verdict
            elif verdict == "direct":
                return Target(aimed.session, point, aimed.element, aimed.backend)
            else:
                second_best = second_best or point
        if second_best is not None and not strict:
            return Target(aimed.session, second_best, aimed.element, aimed.backend)
    raise failure or Covered("the element is covered by the controls in it", "click one of them")


async def _visible_points(aimed: _Aimed) -> tuple[tuple[Point, ...], Viewport]:
    session = aimed.session
    try:
        _, found, metrics = await asyncio.gather(  # they are done in this order
            session.call("DOM.scrollIntoViewIfNeeded", objectId=aimed.boxes),
            session.call("DOM.getContentQuads", objectId=aimed.boxes),
            session.call("Page.getLayoutMetrics"),
        )
    except CdpError as error:
        raise await _unseen(session, aimed.element) from error
    view = Viewport.of(metrics)
    quads = found["quads"]
    if aimed.offset is not None:
        corners = [Point(quad[0] + aimed.offset.x, quad[1] + aimed.offset.y) for quad in quads[:1]]
        points = tuple(point for point in corners if view.holds(point))
    else:
        points = points_inside(quads, view)
    if not points:
        raise await _unseen(session, aimed.element)
    return points, view


async def _unseen(session: Session, element: str) -> DomshError:
    answer = await _asked(session, element, "why unseen")
    reason = str(answer.get("value") or "outside of what the page shows")
    if reason == "stale":
        return _stale()
    return Hidden(f"the element is {reason}", "`cat` shows it; something may have to open first")


async def _verdict(
    aimed: _Aimed, point: Point, view: Viewport, frames: FrameSessions
) -> DomshError | str:
    """Return "direct" or "nested" when the element receives the pointer there, else why not."""
    session = aimed.session
    hit = await _hit(session, point, view)
    if hit is None:
        return await _unseen(session, aimed.element)
    if aimed.backend == hit.backend:
        return await _cover_of_frame(session, point, frames) or "direct"
    node = await element_of(hit.frame, hit.backend)
    received = await _received(session, aimed.element, node)
    if received == "no":
        answer = await _asked(session, aimed.element, "why unseen")
        if answer.get("value"):
            return await _unseen(session, aimed.element)
        return await _covered(session, node)
    return await _cover_of_frame(session, point, frames) or received


async def _received(session: Session, element: str, hit: str) -> str:
    try:
        found = await call_on(
            session, element, "pointer", "receives", objects=({"objectId": hit},), by_value=True
        )
    except CdpError:
        # what was hit lives in another frame: it is inside the element only if that shows it
        tag = (await _asked(session, element, "tag")).get("value")
        return "direct" if tag in _FRAME_TAGS or tag == "html" else "no"
    return str(found.get("value") or "no")


@dataclass(frozen=True, slots=True)
class _Hit:
    """A node on top, and the frame in whose document it stands."""

    frame: Frame
    backend: int


async def _hit(session: Session, point: Point, view: Viewport) -> _Hit | None:
    """Return what lies on top at a point of the view, if anything does."""
    try:
        hit = await session.call(
            "DOM.getNodeForLocation",  # takes document coordinates, unlike quads and input
            x=round(point.x + view.left),
            y=round(point.y + view.top),
            includeUserAgentShadowDOM=False,
        )
    except CdpError:
        return None
    return _Hit(Frame(session, str(hit["frameId"])), int(hit["backendNodeId"]))


async def _covered(session: Session, hit: str) -> Covered:
    described = str((await _asked(session, hit, "describe")).get("value") or "something")
    return Covered(
        f"the element is covered by {one_line(described, 80)}",
        "close or move what covers it, then try again",
    )


async def _cover_of_frame(
    session: Session, point: Point, frames: FrameSessions
) -> DomshError | None:
    """Return what covers the frame there, seen from the pages around it in other processes."""
    owner = frames.owner(session)
    while owner is not None:
        parent, frame_id = owner
        try:
            shown = await parent.call("DOM.getFrameOwner", frameId=frame_id)
            box, inside, around = await asyncio.gather(
                parent.call("DOM.getBoxModel", backendNodeId=shown["backendNodeId"]),
                session.call("Page.getLayoutMetrics"),
                parent.call("Page.getLayoutMetrics"),
            )
        except CdpError:
            return Hidden("the frame around the element is not displayed", "`ls` shows what is")
        point = Viewport.of(inside).mapped(point, box["model"]["content"])
        hit = await _hit(parent, point, Viewport.of(around))
        if hit is None:
            return Hidden("the element is outside of what its frame shows", "`scroll` moves it")
        frame = await element_of(hit.frame, shown["backendNodeId"])
        node = await element_of(hit.frame, hit.backend)
        if await _received(parent, frame, node) == "no":
            return await _covered(parent, node)
        session, owner = parent, frames.owner(parent)
    return None


async def _element_of_node(session: Session, node_id: str) -> str:
    object_id = (await _asked(session, node_id, "element")).get("objectId")
    if object_id is None:
        raise _stale()
    return str(object_id)


def _stale() -> Stale:
    return Stale("the element is no longer in the page", "`ls` shows what is there now")


async def _asked(
    session: Session, object_id: str, question: str, *, by_value: bool = False
) -> dict[str, Any]:
    """Put one question of ``pointer.js`` to a node; objects come as their ids unless by value."""
    return await call_on(session, object_id, "pointer", question, by_value=by_value)
