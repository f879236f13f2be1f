"""Follows what a tab loads: which document is committed, whether it has loaded, how it answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domsh_repl.engine.cdp import Params, Session

__all__ = ["LoadTracker"]

_ERROR_PAGE = "chrome-error://"
_KEPT = 64
"""Documents of which load and status are remembered; late events tell of recent ones only."""
_SOON = 0.5
"""Seconds: a refresh that a page schedules for later is no load that anybody waits for."""


class LoadTracker:
    """The load state of a tab's main frame.

    ``document`` is the loader id of the committed document; ``commits`` counts documents and
    moves within them, ``requests`` navigations asked for, ``ends`` those that led to none.
    ``windows`` counts the tabs that the page asked for, ``windows_announced`` those that the
    browser told of and ``windows_adopted`` those that can be used or are closed again.
    """

    def __init__(self, frame_id: str) -> None:
        self.document = ""
        self.commits = 0
        self.requests = 0
        self.ends = 0
        self.windows = 0
        self.windows_announced = 0
        self.windows_adopted = 0
        self.crashed = False
        self.failed_url = ""
        self.requested_url = ""
        self._frame_id = frame_id
        self._loaded: dict[str, None] = {}
        self._statuses: dict[str, int] = {}
        self._scheduled = False
        self._started = ""

    @property
    def busy(self) -> bool:
        """True while a navigation is under way or the document has not loaded."""
        return self.pending or not self.loaded

    @property
    def loaded(self) -> bool:
        """True when the committed document fired ``load``, or there has been none yet."""
        return not self.document or self.document in self._loaded

    @property
    def pending(self) -> bool:
        """True between the request of a navigation and its commit or its end."""
        return self._scheduled or bool(self._started)

    @property
    def arrived(self) -> bool:
        """True when a fresh tab shows what it was opened for, or never will."""
        return not self.busy and bool(self.commits or self.ends)

    @property
    def http_status(self) -> int | None:
        """The HTTP status of the committed document; none where there was no HTTP."""
        return self._statuses.get(self.document)

    def status_of(self, document: str) -> int | None:
        """Return the HTTP status with which a loader was answered, committed or not."""
        return self._statuses.get(document)

    def listen(self, session: Session, changed: Callable[[], None]) -> None:
        """Follow the events of the tab's main session; ``changed`` is called after each."""

        def follow(event: str, handler: Callable[[Params], None]) -> None:
            def handle(params: Params) -> None:
                handler(params)
                changed()

            session.on(event, handle)

        follow("Page.frameNavigated", self._navigated)
        follow("Page.navigatedWithinDocument", self._moved)
        follow("Page.lifecycleEvent", self._lifecycle)
        follow("Page.frameRequestedNavigation", self._requested)
        follow("Page.frameScheduledNavigation", self._requested)
        follow("Page.frameClearedScheduledNavigation", self._cleared)
        follow("Page.frameStartedNavigating", self._begun)
        follow("Page.frameStoppedLoading", self._stopped)
        follow("Page.windowOpen", self._window_opened)
        session.on("Network.responseReceived", self._responded)

    def _is_main(self, params: Params) -> bool:
        return params.get("frameId") == self._frame_id

    def _navigated(self, params: Params) -> None:
        frame: dict[str, Any] = params["frame"]
        if frame.get("parentId"):
            return
        self.document = str(frame["loaderId"])
        self.commits += 1
        self._scheduled = False
        if self._started in ("", self.document):
            self._started = ""
        url = str(frame.get("url", ""))
        self.failed_url = str(frame.get("unreachableUrl") or "") if _ERROR_PAGE in url else ""
        self.requested_url = ""
        if params.get("type") == "BackForwardCacheRestore":
            _remember(self._loaded, self.document, None)

    def _moved(self, params: Params) -> None:
        if self._is_main(params):
            self.commits += 1
            self._scheduled = False

    def _lifecycle(self, params: Params) -> None:
        if self._is_main(params) and params.get("name") == "load":
            _remember(self._loaded, str(params.get("loaderId")), None)

    def _requested(self, params: Params) -> None:
        soon = params.get("delay", 0) <= _SOON
        here = params.get("disposition", "currentTab") == "currentTab"
        if self._is_main(params) and soon and here:
            self.requests += 1
            self._scheduled = True

    def _cleared(self, params: Params) -> None:
        if self._is_main(params):
            self._scheduled = False

    def _begun(self, params: Params) -> None:
        within_document = "same" in str(params.get("navigationType", "")).lower()
        if self._is_main(params) and not within_document:
            self.requests += 1
            self._started = str(params.get("loaderId") or "unknown")
            self.requested_url = str(params.get("url", ""))

    def _stopped(self, params: Params) -> None:
        if self._is_main(params):
            self._scheduled, self._started = False, ""
            self.ends += 1

    def _window_opened(self, _params: Params) -> None:
        self.windows += 1

    def _responded(self, params: Params) -> None:
        if params.get("type") == "Document" and self._is_main(params):
            _remember(
                self._statuses, str(params.get("loaderId")), int(params["response"]["status"])
            )


def _remember(kept: dict[str, Any], document: str, fact: object) -> None:
    kept[document] = fact
    if len(kept) > _KEPT:
        kept.pop(next(iter(kept)))
