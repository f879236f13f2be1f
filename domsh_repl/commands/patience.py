"""Patience: what is not so yet is looked at again, and what could not be done is tried again.

An action is tried again only where its error says for certain that the page was sent nothing
(docs/language.md §5): nothing that a page could act on is ever sent twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from domsh_repl.commands.conditions import Condition, Seen
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Result
from domsh_repl.errors import Covered, Disabled, DomshError, Hidden, NotFound, Stale, TimedOut
from domsh_repl.link import asks

__all__ = ["looked_at", "tried"]

_LONGEST_PAUSE = 0.25
"""Seconds after which something is tried again although nothing was told to have changed."""
_FIRST_LOOK = 1.0
"""Seconds that the first look has at least, however short the wait."""
_SHORTEST_LOOK = 0.05
_PASSING = (NotFound, Disabled, Covered, Hidden, Stale)
"""What may be otherwise in a moment; what is stale, within the same document only."""
_NOTHING_YET = Seen(ok=False, actual="nothing: the page did not answer")


def tried(session: Session, act: Callable[[], Iterable[Result]]) -> Iterator[Result]:
    """Yield the results of an action that is tried until patience ends, or input was sent.

    Each try has the deadline of a command for itself. Raises what the last try raised.
    """
    until = min(time.monotonic() + session.settings.patience, session.until)
    keep, document = session.keep, session.state.page.document
    while True:
        try:
            results = list(act())
        except _PASSING as error:
            left = until - time.monotonic()
            left_page = isinstance(error, Stale) and session.state.page.document != document
            if left <= 0 or left_page or not error.nothing_sent:
                raise
            session.keep, document = keep, session.state.page.document
            _pause(session, left, error)
        else:
            yield from results
            return


def _pause(session: Session, left: float, error: DomshError) -> None:
    """Wait for the page's next change; raises the error where the page tells of none."""
    try:
        session.ask(asks.next_change(min(left, _LONGEST_PAUSE)))
    except (Stale, TimedOut):
        pass  # it is being exchanged or busy, which is a change, too
    except (NotFound, Disabled, Covered, Hidden):
        raise error from None


def looked_at(session: Session, condition: Condition, seconds: float) -> tuple[Seen, float]:
    """Look until the condition holds or the seconds are over; return what was seen last, and when.

    The page's own events say when to look again.
    """
    started = time.monotonic()
    seconds = max(min(seconds, session.left), 0.0)
    with session.within(max(seconds, _FIRST_LOOK)):
        seen = _seen_in_time(session, condition) or _NOTHING_YET
    while not seen.ok and (left := seconds - (time.monotonic() - started)) > 0:
        with session.within(max(left, _SHORTEST_LOOK)):
            seen = _seen_later(session, condition, left) or seen
    return seen, time.monotonic() - started


def _seen_later(session: Session, condition: Condition, left: float) -> Seen | None:
    """Look after the page's next change; none when it does not answer in time."""
    try:
        session.ask(asks.next_change(min(left, _LONGEST_PAUSE)))
    except (Stale, TimedOut):
        return None
    return _seen_in_time(session, condition)


def _seen_in_time(session: Session, condition: Condition) -> Seen | None:
    """Look; none when the page moves or is too busy to answer, which is no verdict yet."""
    try:
        return condition.look(session)
    except (Stale, TimedOut):
        return None
