"""What ``require`` can ask for: the server, what it can do, the version of its browser."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domsh_repl.commands.conditions import COMPARISONS
from domsh_repl.commands.session import Session
from domsh_repl.errors import UsageError

__all__ = ["CAPABILITIES", "lacking", "require_capability"]

_OF_ENGINE = frozenset({"dialogs", "downloads", "frames", "keys", "screenshots", "console"})
"""What our own engine can do and a real DOMShell cannot, behind a bridge neither less nor more."""
_SERVERS = frozenset({"builtin", "domshell"})
_CHROMIUM = "chromium"
CAPABILITIES = (*sorted(_SERVERS | _OF_ENGINE), _CHROMIUM)
"""The first words of what can be required."""
_VERSION = re.compile(r"(?:Chrome|Chromium|HeadlessChrome)/([0-9]+)")
_HINT = "require chromium >= 120"


def require_capability(words: Sequence[str]) -> None:
    """Raise ``UsageError`` for words that name no capability."""
    if words[0] not in CAPABILITIES:
        known = ", ".join(CAPABILITIES)
        raise UsageError(f"{words[0]!r} is no capability", f"there is {known}", word=words[0])
    if words[0] == _CHROMIUM:
        wanted = words[1:]
        if len(wanted) not in (0, 2) or (wanted and wanted[0] not in COMPARISONS):
            raise UsageError("chromium takes CMP N", _HINT)
        if wanted and not (wanted[1].isascii() and wanted[1].isdigit()):
            raise UsageError(f"{wanted[1]!r} is no version", _HINT, word=wanted[1])
    elif len(words) > 1:
        raise UsageError(f"{words[0]} takes no more words", f"require {words[0]}", word=words[1])


def lacking(session: Session, words: Sequence[str]) -> str:
    """Return why a capability is not to be had, "" where it is; starts the server."""
    require_capability(words)
    about = session.link.greeted()
    name = words[0]
    if name in _SERVERS:
        server = "builtin" if about.is_builtin else "domshell"
        return "" if name == server else f"it requires {name}, and the server is {server}"
    if name in _OF_ENGINE:
        return "" if about.has_envelopes else f"it requires {name}, which DOMShell has not"
    found = _VERSION.search(about.browser)
    if len(words) == 1:
        return "" if found or about.has_envelopes else "it requires chromium"
    if found is None:
        return f"it requires {' '.join(words)}, and the browser's version is not known"
    version = int(found.group(1))
    holds = COMPARISONS[words[1]](version, int(words[2]))
    return "" if holds else f"it requires {' '.join(words)}, and this is {version}"
