"""Read-only mode: what may be sent, decided here and not left to the server.

DOMShell looks at the first word of a line only, so ``watch click x`` and ``for … : click {}``
pass it. Here a line is sent when its first word is known to read, nothing behind it can be
taken for another command, and an address in it is one of a page. Going to a page that the user
names is reading; acting on one is not, and neither is closing a tab that is not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from domsh_repl.addresses import allowed_url
from domsh_repl.errors import DomshError, ReadOnly
from domsh_repl.link.asks import Ask
from domsh_repl.protocol import OPENING
from domsh_repl.safetext import one_line

__all__ = ["require_reading", "require_reading_line"]

_GOING = OPENING | {"reload", "back", "forward", "cd"}
"""Verbs that change which page is looked at."""
_CLOSING = frozenset({"close", "group"})
"""Verbs that close what is ours."""
_READING_WORDS = OPENING | {
    "ls", "pwd", "cd", "cat", "text", "tree", "read", "find", "grep", "tabs", "windows", "info",
    "help", "history", "refresh", "diff", "extract_links", "extract_table", "screenshot", "wait",
    "back", "forward", "reload",
}  # fmt: skip
_PIPED_WORDS = frozenset({"grep", "head"})
_QUOTED = re.compile(r"\"[^\"]*\"?|'[^']*'?")
_SIGNS = re.compile(r"[;&<>`]|\$[({]")
"""What shells take for the end of a command or for a command inside; DOMShell does not yet."""

_NO_PAGE = re.compile(r"(?:javascript|data|vbscript|blob|filesystem|view-source):", re.IGNORECASE)
"""Also where a port could be meant: a host of that name is nobody's."""


def require_reading(ask: Ask[Any], *, in_own_lane: bool = True) -> None:
    """Raise ``ReadOnly`` for a request that may change a page, or close what is not ours."""
    if not ask.acts:
        return
    if ask.verb not in _GOING and not (ask.verb in _CLOSING and in_own_lane):
        raise _refused(ask.verb)
    if ask.verb in OPENING:
        _require_page(ask.operands[0], allow_file=True)  # the command knows whether it may


def require_reading_line(line: str) -> None:
    """Raise ``ReadOnly`` for a user's line in which any part may do more than read."""
    bare = _QUOTED.sub('""', line)
    first, *piped = bare.split("|")
    allowed = [(_first_word(first), _READING_WORDS)]
    allowed += [(_first_word(part), _PIPED_WORDS) for part in piped]
    for word, known in allowed:
        if word not in known:
            raise _refused(word or "an empty part")
    sign = _SIGNS.search(bare)
    if sign is not None:
        raise ReadOnly(
            f"{sign[0]!r} could begin another command, and this is read-only mode",
            "a text or an address with that sign stands in quotes",
        )
    if _first_word(first) in OPENING:
        for address in _addresses(line):
            _require_page(address, allow_file=False)


def _first_word(part: str) -> str:
    return (part.split() or [""])[0].lower()


def _addresses(line: str) -> Iterator[str]:
    """Yield what of a line a server may take for an address, quoted or encoded."""
    for word in re.sub("[\"']", "", line).split()[1:]:
        if not word.startswith("-"):
            yield word
            yield unquote(word)


def _require_page(address: str, *, allow_file: bool) -> None:
    """Raise ``ReadOnly`` for an address by which a script could be run (``javascript:``)."""
    try:
        allowed_url(address, allow_file=allow_file)
    except DomshError as error:
        raise _closed(address, error.message) from error
    if _NO_PAGE.match(address.strip()):
        raise _closed(address, "that is no page")


def _closed(address: str, why: str) -> ReadOnly:
    return ReadOnly(
        f"read-only mode does not open {one_line(address, 60)}: {why}",
        "http, https and about:blank are opened",
    )


def _refused(what: str) -> ReadOnly:
    return ReadOnly(
        f"{one_line(what, 40)} could change the page, and this is read-only mode",
        "start domsh, or its daemon, without --read-only to act",
    )
