"""Follows what a tab loads: which document is committed, whether it has loaded, how it answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domsh_repl.engine.cdp import Params, Session
from domsh_repl.engine.memory import remember

__all__ = ["NO_CONTENT", "LoadMark", "LoadTracker"]

_ERROR_PAGE = "chrome-error://"
_SOON = 0.5
"""Seconds: a refresh that a page schedules for later is no load that anybody waits for."""


_ELSEWHERE = frozenset({"newTab", "newWindow"})
"""Dispositions of a link that was clicked with a key held; no Page.windowOpen tells of it."""

NO_CONTENT = frozenset({204, 205})
"""HTTP statuses at which a browser keeps the page that it shows."""


@dataclass(frozen=True, slots=True)
class LoadMark:
    """How far a tab's loads had come at some moment; the fields are those of ``LoadTracker``."""

    document: str
    requests: int
    commits: int
    refused: int


class LoadTracker:
    """The load state of a tab's main frame.

    ``document`` is the loader id of the committed document; ``commits`` counts documents and
    moves within them, ``requests`` navigations asked for, ``ends`` loads that ended, and
    ``refused`` those of which an answer came that is no page, as it is with a download.
    ``windows`` counts the tabs that the page asked for, ``windows_announced`` those that the
    browser told of and ``windows_adopted`` those that can be used or are closed again.
    """

    def __init__(self, frame_id: str) -> None:
        self.document = ""
        self.commits = 0
        self.requests = 0
        self.ends = 0
        self.refused = 0
        self.windows = 0
        self.windows_announced = 0
        self.windows_adopted = 0
        self.crashed = False
        self.failed_url = ""
        self.requested_url = ""
        self._frame_id = frame_id
        self._loaded: dict[str, None] = {}
        self._statuses: dict[str, int] = {}
        self._failures: dict[str, str] = {}
        self._scheduled = False
        self._started = ""

    def mark(self) -> LoadMark:
        """Return where the tab is now, to compare with later."""
        return LoadMark(self.document, self.requests, self.commits, self.refused)

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
    def leaving(self) -> bool:
        """True while another document was asked for: the page answers no call until it comes."""
        return bool(self._started)

    @property
    def arrived(self) -> bool:
        """True when a fresh tab shows what it was opened for, or never will."""
        return not self.busy and bool(self.commits or self.ends)

    @property
    def http_status(self) -> int | None:
        """The HTTP status of the committed document; none where there was no HTTP."""
        return self._statuses.get(self.document)

    @property
    def failure(self) -> str:
        """The network's name for why the committed document is an error page (net::ERR_…)."""
        return self._failures.get(self.document, "")

    def status_of(self, document: str) -> int | None:
        """Return the HTTP status with which a loader was answered, committed or not."""
        return self._statuses.get(document)

    @property
    def expects_window(self) -> bool:
        """True when the page asked for a tab of which the browser has not told yet."""
        return self.windows > self.windows_announced

    def window_announced(self) -> None:
        """Note that the browser told of a tab that the page opened, from whichever frame."""
        self.windows_announced += 1
        self.windows = max(self.windows, self.windows_announced)

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
        session.on("Network.loadingFailed", self._failed)

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
            remember(self._loaded, self.document, None)

    def _moved(self, params: Params) -> None:
        if self._is_main(params):
            self.commits += 1
            self._scheduled = False

    def _lifecycle(self, params: Params) -> None:
        if self._is_main(params) and params.get("name") == "load":
            remember(self._loaded, str(params.get("loaderId")), None)

    def _requested(self, params: Params) -> None:
        soon = params.get("delay", 0) <= _SOON
        here = params.get("disposition", "currentTab") == "currentTab"
        if self._is_main(params) and soon and here:
            self.requests += 1
            self._scheduled = True
        if params.get("disposition") in _ELSEWHERE:
            self.windows += 1

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
            status = self._statuses.get(self._started)
            self.refused += status is not None and status not in NO_CONTENT
            self._scheduled, self._started = False, ""
            self.ends += 1
            remember(self._loaded, self.document, None)  # also when it was stopped half-way

    def _window_opened(self, _params: Params) -> None:
        self.windows += 1

    def _responded(self, params: Params) -> None:
        if params.get("type") == "Document" and self._is_main(params):
            remember(self._statuses, str(params.get("loaderId")), int(params["response"]["status"]))

    def _failed(self, params: Params) -> None:
        if params.get("type") == "Document":  # the request of a document has its loader's id
            remember(self._failures, str(params.get("requestId")), str(params.get("errorText", "")))
