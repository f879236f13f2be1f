"""Follows what a tab loads: which document is committed, whether it has loaded, how it answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domsh_repl.engine.cdp import Params, Session

__all__ = ["LoadTracker"]

_ERROR_PAGE = "chrome-error://"
_KEPT_STATUSES = 64


class LoadTracker:
    """The load state of a tab's main frame.

    ``document`` is the loader id of the committed document; ``commits`` counts documents and
    moves within them, ``requests`` navigations asked for, ``windows`` tabs that the page opened.
    """

    def __init__(self, frame_id: str) -> None:
        self.document = ""
        self.commits = 0
        self.requests = 0
        self.crashed = False
        self.failed_url = ""
        self.downloads = 0
        self._frame_id = frame_id
        self._loaded: set[str] = set()
        self._statuses: dict[str, int] = {}
        self.windows = 0
        self._scheduled = False
        self._started = False

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
        return self._scheduled or self._started

    @property
    def http_status(self) -> int | None:
        """The HTTP status of the committed document; none where there was no HTTP."""
        return self._statuses.get(self.document)

    def has_loaded(self, document: str) -> bool:
        """Tell whether that loader id has fired ``load``."""
        return document in self._loaded

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

    def adopt(self, frame: Params, *, loaded: bool) -> None:
        """Take over a tab that was open before (``Page.getFrameTree``)."""
        self.document = str(frame.get("loaderId", ""))
        if loaded:
            self._loaded.add(self.document)

    def _is_main(self, params: Params) -> bool:
        return params.get("frameId") == self._frame_id

    def _navigated(self, params: Params) -> None:
        frame: dict[str, Any] = params["frame"]
        if frame.get("parentId"):
            return
        self.document = str(frame["loaderId"])
        self.commits += 1
        self._scheduled = self._started = False
        url = str(frame.get("url", ""))
        self.failed_url = str(frame.get("unreachableUrl") or "") if _ERROR_PAGE in url else ""
        if params.get("type") == "BackForwardCacheRestore":
            self._loaded.add(self.document)

    def _moved(self, params: Params) -> None:
        if self._is_main(params):
            self.commits += 1
            self._scheduled = self._started = False

    def _lifecycle(self, params: Params) -> None:
        if self._is_main(params) and params.get("name") == "load":
            self._loaded.add(str(params.get("loaderId")))

    def _requested(self, params: Params) -> None:
        if self._is_main(params) and params.get("disposition", "currentTab") == "currentTab":
            self.requests += 1
            self._scheduled = True

    def _cleared(self, params: Params) -> None:
        if self._is_main(params):
            self._scheduled = False

    def _begun(self, params: Params) -> None:
        within_document = "same" in str(params.get("navigationType", "")).lower()
        if self._is_main(params) and not within_document:
            self.requests += 1
            self._started = True

    def _stopped(self, params: Params) -> None:
        if self._is_main(params):
            self._scheduled = self._started = False

    def _window_opened(self, _params: Params) -> None:
        self.windows += 1

    def _responded(self, params: Params) -> None:
        if params.get("type") == "Document" and self._is_main(params):
            self._statuses[str(params.get("loaderId"))] = int(params["response"]["status"])
            if len(self._statuses) > _KEPT_STATUSES:
                self._statuses.pop(next(iter(self._statuses)))
