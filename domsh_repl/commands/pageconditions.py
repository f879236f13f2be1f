"""Conditions about the page and its tab: address, title, status, rest, dialog, downloads, log."""

from __future__ import annotations

from collections.abc import Callable

from domsh_repl.commands.conditionwords import (
    Condition,
    ConditionWords,
    Seen,
)
from domsh_repl.commands.session import Session
from domsh_repl.errors import UsageError
from domsh_repl.link import asks
from domsh_repl.nodes import Where
from domsh_repl.reports import ConsoleEntry

__all__ = ["LOG_LEVELS", "PAGE_CONDITIONS"]

LOG_LEVELS = ("debug", "info", "log", "warning", "error", "exception")
"""The levels of messages; an exception that nobody caught is an error, too."""
_REST = 0.5
"""Seconds in which one look must see a page at rest: twice what rest takes."""
_SHOWN_MESSAGES = 3


def _of_where(name: str, read: Callable[[Where], str]) -> Callable[[ConditionWords], Condition]:
    def make(words: ConditionWords) -> Condition:
        test = words.test()

        def look(session: Session) -> Seen:
            found = read(session.ask(asks.where()))
            return Seen(test.holds(found), found)

        return Condition("", f"{name} {test.wording}", look)

    return make


def _http(words: ConditionWords) -> Condition:
    comparison = words.comparison()

    def look(session: Session) -> Seen:
        status = session.ask(asks.where()).http
        if status is None:
            return Seen(ok=False, actual="a page that came without HTTP", missing=True)
        return Seen(comparison.holds(status), str(status))

    return Condition("", f"http {comparison.wording}", look)


def _settled(words: ConditionWords) -> Condition:
    del words

    def look(session: Session) -> Seen:
        told = session.ask(asks.settled(_REST))
        return Seen(told.facts.get("settled") is True, str(told.facts.get("reason", "")))

    return Condition("", "the page is settled", look)


def _dialog(words: ConditionWords) -> Condition:
    test = words.test() if len(words) else None

    def look(session: Session) -> Seen:
        dialog = session.ask(asks.shown_dialog()).dialog
        if dialog is None:
            return Seen(ok=False, actual="no dialog is open", missing=test is not None)
        return Seen(test is None or test.holds(dialog.message), dialog.message)

    return Condition("", f"dialog {test.wording}" if test else "a dialog is open", look)


def _download(words: ConditionWords) -> Condition:
    test = words.test() if len(words) else None

    def look(session: Session) -> Seen:
        names = [one.name for one in session.ask(asks.downloads()).downloads]
        if not names:
            return Seen(ok=False, actual="no download was offered")
        return Seen(test is None or any(map(test.holds, names)), ", ".join(names))

    return Condition("", f"download {test.wording}" if test else "a download was offered", look)


def _announced(words: ConditionWords) -> Condition:
    test = words.test()

    def look(session: Session) -> Seen:
        said = session.ask(asks.announced()).announced
        if not said:
            return Seen(ok=False, actual="no live region said anything")
        return Seen(any(map(test.holds, said)), "; ".join(said[-_SHOWN_MESSAGES:]))

    return Condition("", f"announced {test.wording}", look)


def _console(words: ConditionWords) -> Condition:
    level = words.options.level
    if level and level not in LOG_LEVELS:
        raise UsageError(f"{level!r} is no level", ", ".join(LOG_LEVELS), word=level)
    comparison = words.comparison()

    def look(session: Session) -> Seen:
        logged = [one for one in session.ask(asks.console(limit=0)).console if _is_of(one, level)]
        return Seen(comparison.holds(len(logged)), _told(logged))

    messages = f"{level} messages" if level else "messages"
    return Condition("", f"console {messages} {comparison.wording}", look)


def _is_of(entry: ConsoleEntry, level: str) -> bool:
    return not level or entry.level == level or (level == "error" and entry.level == "exception")


def _told(logged: list[ConsoleEntry]) -> str:
    """Return how many messages there are, and the last of them."""
    last = "; ".join(one.text for one in logged[-_SHOWN_MESSAGES:])
    return f"{len(logged)}: {last}" if logged else "0"


PAGE_CONDITIONS: dict[str, Callable[[ConditionWords], Condition]] = {
    "url": _of_where("url", lambda where: where.url),
    "title": _of_where("title", lambda where: where.title),
    "http": _http,
    "settled": _settled,
    "dialog": _dialog,
    "download": _download,
    "console": _console,
    "announced": _announced,
}
"""What makes each, by its first word."""
