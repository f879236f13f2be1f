"""What has the focus: through frames, whatever their process, and through shadow roots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domsh_repl.engine.cdp import Session
from domsh_repl.engine.page import Page
from domsh_repl.engine.roots import element_of

__all__ = ["active_element"]

_DEEPEST_ACTIVE = """function() {
  let e = this.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e;
}"""
_DEEPEST_FRAMES = 50


async def active_element(page: Page) -> tuple[Session, str]:
    """Return the session and object id of what has the focus, through frames and shadow roots.

    Each document remembers an active element of its own, so the way leads down from the top;
    the id is "" where only a document has the focus.
    """
    session, holder = page.main, await _document(page.main)
    for _ in range(_DEEPEST_FRAMES):
        reply = await session.call(
            "Runtime.callFunctionOn", objectId=holder, functionDeclaration=_DEEPEST_ACTIVE
        )
        active = str(reply["result"].get("objectId") or "")
        if not active:
            break
        node = (await session.call("DOM.describeNode", objectId=active))["node"]
        other = page.session_of_frame(str(node.get("frameId", "")))
        inner = [root for root in node.get("shadowRoots", ()) if _is_closed(root)]
        inner += [node["contentDocument"]] if "contentDocument" in node else []
        if other is not None and node["localName"] in ("iframe", "frame"):
            session, holder = other, await _document(other)
        elif inner:
            holder = await element_of(session, inner[0]["backendNodeId"])
        else:
            return session, "" if node["localName"] in ("body", "html") else active
    return session, ""


def _is_closed(root: Mapping[str, Any]) -> bool:
    return root.get("shadowRootType") == "closed"


async def _document(session: Session) -> str:
    reply = await session.call("Runtime.evaluate", expression="document")
    return str(reply["result"]["objectId"])
