"""Read-only mode: what may be sent, decided here and not left to the server.

DOMShell looks at the first word of a line only, so ``watch click x`` and ``for … : click {}``
pass it. Here a line is sent when its first word is known to read and nothing behind it can run
another command. Going to a page that the user names is reading; acting on one is not.
"""

from __future__ import annotations

import re
from typing import Any

from domsh_repl.errors import ReadOnly
from domsh_repl.link.asks import Ask
from domsh_repl.safetext import one_line

__all__ = ["require_reading", "require_reading_line"]

_GOING = frozenset({"navigate", "open", "reload", "back", "forward", "cd", "close", "group"})
"""Verbs that change which page is looked at, or close what is ours."""

_READING_WORDS = frozenset({
    "ls", "pwd", "cd", "cat", "text", "tree", "read", "find", "grep", "tabs", "windows", "info",
    "help", "history", "refresh", "diff", "extract_links", "extract_table", "screenshot", "wait",
    "open", "navigate", "goto", "back", "forward", "reload",
})  # fmt: skip
_PIPED_WORDS = frozenset({"grep", "head"})
_QUOTED = re.compile(r"\"[^\"]*\"?|'[^']*'?")


def require_reading(ask: Ask[Any]) -> None:
    """Raise ``ReadOnly`` for a request that may change a page."""
    if ask.acts and ask.verb not in _GOING:
        raise _refused(ask.verb)


def require_reading_line(line: str) -> None:
    """Raise ``ReadOnly`` for a user's line in which any part may do more than read."""
    first, *piped = _QUOTED.sub('""', line).split("|")
    allowed = [(_first_word(first), _READING_WORDS)]
    allowed += [(_first_word(part), _PIPED_WORDS) for part in piped]
    for word, known in allowed:
        if word not in known:
            raise _refused(word or "an empty part")


def _first_word(part: str) -> str:
    return (part.split() or [""])[0].lower()


def _refused(what: str) -> ReadOnly:
    return ReadOnly(
        f"{one_line(what, 40)} could change the page, and this is read-only mode",
        "start domsh without --read-only to act",
    )
