"""What ``domsh --help`` and ``domsh MODE --help`` print, and which mode a wrong word means.

From the tables of options and calls; imports nothing heavy.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from domsh_repl.columns import in_columns, wrapped
from domsh_repl.errors import EXIT_STATUSES, UsageError
from domsh_repl.option import option_lines
from domsh_repl.optiontables import CALLS, OPTIONS, Call

__all__ = ["help_text", "is_mode", "refuse_near_mode"]

_WIDTH = 96
_VERB_ROOM = 8
_NEAR = 0.7
"""How alike a word and a mode must be (0 to 1), so that ``sun`` is a host and no ``run``."""
_OF_HOSTS = frozenset(".:/")
_HELP = "help"


def help_text(mode: str = "") -> str:
    """Return what ``--help`` prints, for a mode or for all of them."""
    call = _call(mode)
    return "\n".join(_help_lines() if call is None else _mode_lines(call))


def is_mode(word: str) -> bool:
    """Tell whether a word is the name of a mode."""
    return _call(word) is not None


def _call(mode: str) -> Call | None:
    return next((call for call in CALLS if mode and call.name == mode), None)


def _help_lines() -> Iterator[str]:
    width = max(len(call.usage) for call in CALLS)
    before = "usage:"
    for call in CALLS:
        yield f"{before:<6} domsh {call.usage:<{width}}  {call.help}"
        before = ""
    yield ""
    yield "The web page as a filesystem: open, ls, cd, cat, grep, click, type, back."
    yield "Without a terminal the lines are read from standard input."
    yield ""
    yield "options"
    yield from option_lines(OPTIONS)
    yield ""
    yield "A file and variables such as DOMSH_TIMEOUT hold settings (`domsh config` shows them);"
    yield "--no-headed and its kind undo what they say. Inside the shell `help` lists the commands."
    yield _exit_statuses()


def _mode_lines(call: Call) -> Iterator[str]:
    yield f"usage: domsh {call.usage}"
    yield ""
    yield from wrapped(call.details, _WIDTH)
    for verb, text in call.verbs:
        yield from in_columns(verb, text, room=_VERB_ROOM, width=_WIDTH)
    yield ""
    yield "options"
    yield from option_lines(one for one in OPTIONS if one.place not in call.leaves_out)
    yield ""
    yield _exit_statuses()


def _exit_statuses() -> str:
    statuses = ", ".join(f"{status} {meaning}" for status, meaning in EXIT_STATUSES.items())
    return f"Exit status: {statuses}."


def refuse_near_mode(word: str) -> None:
    """Raise ``UsageError`` for a word in a host's place that is nearly a mode, or ``help``."""
    known = (_HELP, *(call.name for call in CALLS if call.name))
    plain = word.casefold()
    if not _OF_HOSTS.isdisjoint(word) or plain == "localhost":
        return
    near = difflib.get_close_matches(plain, known, 1, _NEAR)
    if near:
        meant = "`domsh --help`;" if near[0] == _HELP else f"did you mean `domsh {near[0]}`?"
        raise UsageError(
            f"there is no mode {word!r}", f"{meant} a host of that name is http://{word}/"
        )
