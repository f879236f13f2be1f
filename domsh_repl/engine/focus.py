"""What has the focus: through frames, whatever their process, and through shadow roots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domsh_repl.engine.cdp import Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import call_on, document_of, element_of

__all__ = ["active_element"]

_DEEPEST_FRAMES = 50


async def active_element(page: Page) -> tuple[Session, str]:
    """Return the session and object id of what has the focus, through frames and shadow roots.

    Each document remembers an active element of its own, so the way leads down from the top;
    the id is "" where only a document has the focus.
    """
    frame = page.frames.main
    holder = await document_of(frame)
    for _ in range(_DEEPEST_FRAMES):
        active = str((await call_on(frame.session, holder, "active")).get("objectId") or "")
        if not active:
            break
        node = (await frame.session.call("DOM.describeNode", objectId=active))["node"]
        inner = page.frames.described_by(frame.session, node)
        roots = [root for root in node.get("shadowRoots", ()) if _is_closed(root)]
        if inner is not None:
            frame, holder = inner, await document_of(inner)
        elif roots:
            holder = await element_of(frame, roots[0]["backendNodeId"])
        else:
            return frame.session, "" if node["localName"] in ("body", "html") else active
    return frame.session, ""


def _is_closed(root: Mapping[str, Any]) -> bool:
    return root.get("shadowRootType") == "closed"
