"""What a page did by itself that makes a line fail (``set fail-on``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domsh_repl.commands.session import Session
from domsh_repl.errors import DomshError, Failed
from domsh_repl.link import asks
from domsh_repl.reports import ConsoleEntry, Request
from domsh_repl.safetext import one_line

__all__ = ["PageWatch"]

_SERVER_ERROR = 500


class PageWatch:
    """Knows what the pages logged and asked for so far, and tells what is new."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: set[object] = set()
        self._known.update(self._troubles())

    def failure(self, kinds: Sequence[str]) -> DomshError | None:
        """Return the first new trouble of these kinds as an error."""
        found = None
        for trouble in self._troubles():
            if trouble in self._known:
                continue
            self._known.add(trouble)
            if found is None and _kind(trouble) in kinds:
                found = _worded(trouble)
        return found

    def _troubles(self) -> Iterator[ConsoleEntry | Request]:
        console = self._session.ask(asks.console(limit=0)).console
        yield from (entry for entry in console if entry.level in ("exception", "error"))
        requests = self._session.ask(asks.requests(failed=True, limit=0)).requests
        yield from (one for one in requests if (one.status or 0) >= _SERVER_ERROR)


def _kind(trouble: ConsoleEntry | Request) -> str:
    if isinstance(trouble, Request):
        return "http-5xx"
    return "exception" if trouble.level == "exception" else "console-error"


def _worded(trouble: ConsoleEntry | Request) -> DomshError:
    if isinstance(trouble, Request):
        message = f"{trouble.method} {one_line(trouble.url, 120)} was answered {trouble.status}"
        return Failed(message, "`requests --failed` lists them")
    said = "the page threw" if trouble.level == "exception" else "the page logged an error:"
    at = f" ({one_line(trouble.url, 80)}:{trouble.line})" if trouble.url else ""
    return Failed(f"{said} {one_line(trouble.text, 300)}{at}", "`console` has all of it")
