"""Keeps the documents of a lane's tabs, frames and windows to the hosts that are allowed.

Below the vocabulary, since a page goes to places by itself: by links, scripts, redirects and
history. Each request of a document is held until it is judged (CDP Fetch domain). What an
allowed page loads into itself, such as pictures, scripts and data, is not held.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from weakref import WeakSet

from domsh_repl.engine.cdp import Params, Session
from domsh_repl.engine.memory import remember
from domsh_repl.engine.policy import denied, is_allowed
from domsh_repl.errors import Denied

__all__ = ["NETWORK", "Guard"]

_BUFFER = 65_536
NETWORK = {"maxTotalBufferSize": _BUFFER, "maxResourceBufferSize": _BUFFER}
"""Parameters of Network.enable: bytes of bodies that are kept for us, who never ask for any."""
_DOCUMENTS = {"patterns": [{"resourceType": "Document", "requestStage": "Request"}]}
_WITHOUT_HOST = ("about:", "data:", "blob:")
"""Documents that come from who asks for them, so that they are no other host's."""
_REASON = "AccessDenied"
_FAILURE = "net::ERR_ACCESS_DENIED"


class Guard:
    """The allowed hosts of one lane; with no ``domains`` nothing is held."""

    def __init__(self) -> None:
        self.domains: tuple[str, ...] = ()
        self._sessions: WeakSet[Session] = WeakSet()
        self._passed: dict[str, None] = {}
        self._refused = ""
        self._awaited: dict[str, str] = {}

    def join(self, session: Session) -> None:
        """Hold the documents of a tab or a frame, too; to be called before it runs."""
        self._sessions.add(session)
        session.on("Fetch.requestPaused", partial(self._judge, session))
        if self.domains:
            _begin(session)

    def hold(self, domains: tuple[str, ...]) -> None:
        """Allow these hosts from now on; what was loaded before is not ``known`` any more."""
        if domains == self.domains:
            return
        before, self.domains = self.domains, domains
        self._passed.clear()
        if bool(before) != bool(domains):
            for session in tuple(self._sessions):
                (_begin if domains else _end)(session)

    def known(self, document: str) -> bool:
        """Tell whether a document (CDP Network.LoaderId) was let pass by the present hosts."""
        return document in self._passed

    def refusal(self, failure: str) -> Denied | None:
        """Return what is told of a load that failed, if it is we who held it up."""
        if failure != _FAILURE or not self._refused:
            return None
        return denied(self._refused, self.domains)

    def awaits_error(self, frame_id: str) -> bool:
        """Tell, once, whether a frame's last request was refused: an error page comes for it."""
        return bool(self._awaited.pop(frame_id, ""))

    def _judge(self, session: Session, event: Params) -> None:
        request_id, url = event["requestId"], str(event["request"]["url"])
        if self.domains and not url.startswith(_WITHOUT_HOST):
            if not is_allowed(url, self.domains):
                self._refused = url
                remember(self._awaited, str(event.get("frameId")), url)
                _tell(session, "Fetch.failRequest", requestId=request_id, errorReason=_REASON)
                return
            remember(self._passed, str(event.get("networkId")), None)
            self._awaited.pop(str(event.get("frameId")), "")
        _tell(session, "Fetch.continueRequest", requestId=request_id)


def _begin(session: Session) -> None:
    """Hold what the session requests; the browser takes calls in order, so nobody waits."""
    _tell(session, "Network.enable", **NETWORK)
    # a service worker would answer, and a prerendered page come, without being asked for
    _tell(session, "Network.setBypassServiceWorker", bypass=True)
    _tell(session, "Page.setPrerenderingAllowed", isAllowed=False)
    _tell(session, "Fetch.enable", **_DOCUMENTS)


def _end(session: Session) -> None:
    _tell(session, "Fetch.disable")
    _tell(session, "Network.setBypassServiceWorker", bypass=False)
    _tell(session, "Page.setPrerenderingAllowed", isAllowed=True)


def _tell(session: Session, method: str, **params: Any) -> None:
    session.call_through(method, **params)
