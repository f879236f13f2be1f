"""All commands by name: the one list from which help, completion, colours and checks come."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from domsh_repl.commands.spec import Command, Run
from domsh_repl.errors import Unsupported, UsageError

__all__ = ["GROUPED", "command", "commands", "find_command", "names"]

_COMMANDS: dict[str, Command] = {}
_BY_WORD: dict[str, Command] = {}

GROUPED: Mapping[str, Mapping[str, str]] = {
    "page": {name: name for name in ("open", "reload", "back", "forward", "info")},
    "fs": {name: name for name in ("ls", "cd", "cat", "grep", "pwd")},
    "act": {name: name for name in ("click", "type")},
    "session": {"status": "status"},
}
"""CLI-Anything's spellings: the first word, then the second with the command that it means."""

_LATER = frozenset({
    "taborder", "a11y", "snapshot", "state", "drag", "upload", "emulate", "downloads",
    "announced", "watch", "bookmark", "set", "source", "record", "mark", "pause", "caption",
    "elide", "keys", "hide", "show", "defer", "require", "skip",
    "session daemon-start", "session daemon-stop",
})  # fmt: skip
"""What the language has and this version has not; the parser knows what has its own grammar."""


def command(**fields: object) -> Callable[[Run], Run]:
    """Register the decorated function as the command that ``fields`` describe."""

    def register(run: Run) -> Run:
        made = Command(run=run, **fields)  # type: ignore[arg-type]
        _COMMANDS[made.name] = made
        for word in (made.name, *made.aliases):
            _BY_WORD[word] = made
        return run

    return register


def commands() -> Iterator[Command]:
    """Yield every command once, in the order of its chapter's module."""
    _load()
    yield from _COMMANDS.values()


def names() -> Mapping[str, Command]:
    """Return every word that names a command, aliases included."""
    _load()
    return _BY_WORD


def find_command(first: str, second: str | None = None) -> tuple[Command, int]:
    """Return the command that a line's first words name, and how many words its name takes.

    Raises ``UsageError`` with the nearest name, and ``Unsupported`` for what the language has
    and this version has not.
    """
    _load()
    if first in GROUPED and first not in _BY_WORD:
        meant = GROUPED[first].get(second or "")
        if f"{first} {second}" in _LATER:
            raise _later(f"{first} {second}")
        if meant is None:
            known = ", ".join(f"{first} {name}" for name in GROUPED[first])
            said = f"{first} {second or ''}".strip()
            raise UsageError(f"{said} is no command", f"there is {known}", word=second or first)
        return _BY_WORD[meant], 2
    found = _BY_WORD.get(first)
    if found is not None:
        return found, 1
    if first in _LATER:
        raise _later(first)
    near = difflib.get_close_matches(first, _BY_WORD, 1)
    hint = f"did you mean {near[0]}?" if near else "`help` lists the commands"
    raise UsageError(f"{first!r} is no command", hint, word=first)


def _later(name: str) -> Unsupported:
    return Unsupported(f"{name} is not in this version yet", "`help` lists what is")


@cache
def _load() -> None:
    """Import the modules that hold the commands; each registers its own."""
    from domsh_repl.commands import (  # noqa: F401, PLC0415  (they import this module)
        act,
        devtools,
        lanes,
        page,
        shell,
        survey,
        tree,
        wait,
    )
