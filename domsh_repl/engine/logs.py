"""What the pages of one lane logged and asked for, as the browser tells of it: two bounded rings.

Messages are those of the console and of the browser itself (CDP Runtime, Log), exceptions that
nobody caught among them; requests are those of the Network domain. Both are kept beyond the
document and the tab that they came from, until the lane is closed.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domsh_repl.engine.cdp import Params, Session
from domsh_repl.engine.consoletext import exception_text, message_text
from domsh_repl.reports import Console, ConsoleEntry, Download, Downloads, Request, Requests
from domsh_repl.safetext import one_line

__all__ = ["Logs"]

_KEPT = 1000
_LONGEST_URL = 8000
_LONGEST_DATA_URL = 200
_LEVELS = {"warning": "warning", "error": "error", "assert": "error", "debug": "debug",
           "info": "info", "verbose": "debug"}  # fmt: skip
_LASTING = frozenset({"WebSocket", "EventSource", "Ping", "Media"})
"""Types of requests that end when they like."""
_NO_MESSAGES = frozenset({"clear", "endGroup", "profile", "profileEnd"})
_NOT_KEPT = frozenset({"violation"})
"""Sources of Log.LogEntry that say how long a handler took, which is nobody's question here."""


class Logs:
    """The rings of one lane; ``follow`` each session of each of its tabs.

    ``told`` counts the events.
    """

    def __init__(self) -> None:
        self._messages: deque[ConsoleEntry] = deque(maxlen=_KEPT)
        self._requests: OrderedDict[tuple[str, int], Request] = OrderedDict()
        self._open: dict[str, tuple[tuple[str, int], float]] = {}
        self._count = 0
        self._offered: dict[str, Download] = {}
        self.told = 0

    def follow(self, session: Session, tab: int, changed: Callable[[], None]) -> None:
        """Keep what a session tells from now on; ``changed`` is called after each event."""

        def on(event: str, handler: Callable[[Params, int], None]) -> None:
            def handle(params: Params) -> None:
                handler(params, tab)
                self.told += 1
                changed()

            session.on(event, handle)

        on("Runtime.consoleAPICalled", self._logged)
        on("Runtime.exceptionThrown", self._thrown)
        on("Log.entryAdded", self._told)
        on("Network.requestWillBeSent", self._requested)
        on("Network.responseReceived", self._responded)
        on("Network.loadingFinished", self._finished)
        on("Network.loadingFailed", self._failed)
        on("Network.webSocketCreated", self._socket_created)
        on("Network.webSocketHandshakeResponseReceived", self._responded)
        on("Network.webSocketFrameError", self._socket_failed)
        on("Network.webSocketClosed", self._finished)
        on("Page.downloadWillBegin", self._download)

    def console(self, limit: int) -> Console:
        """Return the last ``limit`` messages (0: all)."""
        kept = tuple(self._messages)
        return Console(kept[-limit:] if limit else kept, len(kept))

    def requests(self, limit: int, *, failed: bool) -> Requests:
        """Return the last ``limit`` requests (0: all), only those that ``failed`` if so wanted."""
        kept = tuple(one for one in self._requests.values() if one.failed or not failed)
        return Requests(kept[-limit:] if limit else kept, len(kept))

    def downloads(self) -> Downloads:
        """Return the files that the lane's tabs offered, oldest first."""
        return Downloads(tuple(self._offered.values()))

    def forget(self, tab: int) -> None:
        """Drop what a tab asked for and logged: it was one of ours."""
        for key in [key for key, one in self._requests.items() if one.tab == tab]:
            del self._requests[key]
        kept = [one for one in self._messages if one.tab != tab]
        self._messages = deque(kept, maxlen=_KEPT)

    def awaited(self, since: float, tab: int) -> str:
        """Return the URL of a request that was made ``since`` then and has not ended, or "".

        What stays open by its nature does not count.
        """
        for key, _ in self._open.values():
            request = self._requests.get(key)
            mine = request is not None and request.tab == tab and request.type not in _LASTING
            if request is not None and mine and request.time >= since:
                return one_line(request.url, 80)
        return ""

    def _download(self, event: Params, tab: int) -> None:
        """Keep a file that was offered; a frame's own session tells of it, too."""
        number, url = str(event.get("guid", "")), _short(str(event.get("url", "")))
        name = str(event.get("suggestedFilename") or url)
        self._offered.setdefault(number, Download(name, url, tab))
        if len(self._offered) > _KEPT:
            self._offered.pop(next(iter(self._offered)))

    def _logged(self, event: Params, tab: int) -> None:
        kind = str(event.get("type", "log"))
        if kind in _NO_MESSAGES:
            return
        text = message_text(kind, event.get("args", ()))
        time = float(event.get("timestamp", 0)) / 1000
        where = _where(event)
        self._messages.append(ConsoleEntry(_LEVELS.get(kind, "log"), text, *where, tab, time))

    def _thrown(self, event: Params, tab: int) -> None:
        details = event["exceptionDetails"]
        url, line = _where(details)
        if not url and details.get("url"):
            url, line = str(details["url"]), int(details.get("lineNumber", 0)) + 1
        time = float(event.get("timestamp", 0)) / 1000
        self._messages.append(
            ConsoleEntry("exception", exception_text(details), url, line, tab, time)
        )

    def _told(self, event: Params, tab: int) -> None:
        entry = event["entry"]
        if entry.get("source") in _NOT_KEPT:
            return
        line = entry.get("lineNumber")
        self._messages.append(
            ConsoleEntry(
                _LEVELS.get(str(entry.get("level")), "log"),
                str(entry.get("text", "")),
                _short(str(entry.get("url") or "")),
                None if line is None else int(line) + 1,
                tab,
                float(entry.get("timestamp", 0)) / 1000,
            )
        )

    def _requested(self, event: Params, tab: int) -> None:
        number, asked = str(event["requestId"]), event["request"]
        redirected = event.get("redirectResponse")
        if redirected is not None:
            self._answered(number, redirected)
            self._ended(number, event)
        elif number in self._open:
            return  # a frame in another process tells of its document, too
        self._begin(
            number,
            Request(
                str(asked.get("method", "")), _short(str(asked.get("url", ""))),
                str(event.get("type", "Other")), tab=tab, time=float(event.get("wallTime", 0)),
            ),
            float(event.get("timestamp", 0)),
        )  # fmt: skip

    def _socket_created(self, event: Params, tab: int) -> None:
        request = Request("GET", _short(str(event.get("url", ""))), "WebSocket", tab=tab)
        self._begin(str(event["requestId"]), request, 0)

    def _begin(self, number: str, request: Request, timestamp: float) -> None:
        self._count += 1
        key = (number, self._count)
        self._requests[key] = request
        self._open[number] = (key, timestamp)
        if len(self._requests) > _KEPT:
            (oldest, _), _ = self._requests.popitem(last=False)
            if oldest != number:
                self._open.pop(oldest, None)

    def _responded(self, event: Params, tab: int) -> None:
        del tab
        self._answered(str(event["requestId"]), event["response"])

    def _answered(self, number: str, response: Mapping[str, Any]) -> None:
        self._change(number, status=int(response.get("status", 0)) or None)

    def _finished(self, event: Params, tab: int) -> None:
        del tab
        self._ended(str(event["requestId"]), event)

    def _failed(self, event: Params, tab: int) -> None:
        del tab
        number = str(event["requestId"])
        reason = str(event.get("blockedReason") or event.get("errorText") or "failed")
        cors = event.get("corsErrorStatus") or {}
        if cors.get("corsError"):
            reason = f"{reason} (CORS: {cors['corsError']})"
        elif event.get("canceled"):
            reason = f"{reason} (canceled)"
        self._change(number, error=reason)
        self._ended(number, event)

    def _socket_failed(self, event: Params, tab: int) -> None:
        del tab
        self._change(str(event["requestId"]), error=str(event.get("errorMessage") or "failed"))

    def _ended(self, number: str, event: Params) -> None:
        known = self._open.get(number)
        if known is not None and known[1]:
            spent = float(event.get("timestamp", 0)) - known[1]
            self._change(number, ms=max(round(spent * 1000), 0))
        self._open.pop(number, None)

    def _change(self, number: str, **facts: Any) -> None:
        known = self._open.get(number)
        if known is not None and known[0] in self._requests:
            self._requests[known[0]] = replace(self._requests[known[0]], **facts)


def _where(event: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the script and line (from 1) at the top of a stack trace."""
    frames = (event.get("stackTrace") or {}).get("callFrames") or ()
    for frame in frames:
        return _short(str(frame.get("url", ""))), int(frame.get("lineNumber", 0)) + 1
    return "", None


def _short(url: str) -> str:
    longest = _LONGEST_DATA_URL if url.startswith("data:") else _LONGEST_URL
    return url if len(url) <= longest else f"{url[: longest - 1]}…"
