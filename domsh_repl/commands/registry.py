"""All commands by name: the one list from which help, completion, colours and checks come."""

from __future__ import annotations

import difflib
import importlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from domsh_repl.commands.spec import Command, Control, Filter, Result, Run
from domsh_repl.errors import Unsupported, UsageError

if TYPE_CHECKING:
    from domsh_repl.commands.arguments import Call
    from domsh_repl.commands.session import Session

__all__ = [
    "GROUPED",
    "command",
    "commands",
    "control",
    "filters",
    "find_command",
    "find_filter",
    "line_filter",
    "names",
]

_COMMANDS: dict[str, Command] = {}
_BY_WORD: dict[str, Command] = {}
_FILTERS: dict[str, Command] = {}

GROUPED: Mapping[str, Mapping[str, str]] = {
    "page": {name: name for name in ("open", "reload", "back", "forward", "info")},
    "fs": {name: name for name in ("ls", "cd", "cat", "grep", "pwd")},
    "act": {name: name for name in ("click", "type")},
    "session": {name: name for name in ("status", "daemon-start", "daemon-stop")},
}
"""CLI-Anything's spellings: the first word, then the second with the command that it means."""

_LATER = frozenset({
    "taborder", "drag", "upload", "emulate", "downloads", "announced", "record",
})  # fmt: skip
"""What the language has and this version has not; the parser knows what has its own grammar."""

_MODULES = (
    "page", "tree", "survey", "snapshots", "accessibility", "bookmarks", "act", "wait", "watch",
    "devtools", "login", "lanes", "shell", "settings", "aliases", "variables", "source",
    "directives", "linefilters",
)  # fmt: skip
"""The modules that hold the commands. Help and completion list them in this order: first what
everybody needs first."""
_HOMES: dict[str, str] = {}
"""The module of each command."""


def command(**fields: object) -> Callable[[Run], Run]:
    """Register the decorated function as the command that ``fields`` describe."""

    def register(run: Run) -> Run:
        _register(Command(run=run, **fields), run.__module__)  # type: ignore[arg-type]
        return run

    return register


def control(**fields: object) -> Callable[[Control], Control]:
    """Register the decorated function as a command that runs lines or changes how they run."""

    def register(run: Control) -> Control:
        made = Command(run=_nothing, control=run, **fields)  # type: ignore[arg-type]
        _register(made, run.__module__)
        return run

    return register


def line_filter(**fields: object) -> Callable[[Filter], Filter]:
    """Register the decorated function as a filter of lines, which stands after ``|``."""

    def register(make: Filter) -> Filter:
        made = Command(run=_nothing, filter=make, offline=True, **fields)  # type: ignore[arg-type]
        _FILTERS[made.name] = made
        return make

    return register


def _register(made: Command, module: str) -> None:
    _COMMANDS[made.name] = made
    _HOMES[made.name] = module.rpartition(".")[2]
    for word in (made.name, *made.aliases):
        _BY_WORD[word] = made


def _nothing(_session: Session, _call: Call) -> Iterator[Result]:
    """Run nothing: the executor runs what the command is."""
    yield from ()


def commands() -> Iterator[Command]:
    """Yield every command once, by module, whichever of them was imported first."""
    _load()
    yield from sorted(_COMMANDS.values(), key=lambda one: _MODULES.index(_HOMES[one.name]))


def names() -> Mapping[str, Command]:
    """Return every word that names a command, aliases included."""
    _load()
    return _BY_WORD


def filters() -> Mapping[str, Command]:
    """Return what can stand after ``|``, by name."""
    _load()
    return _FILTERS


def find_filter(name: str) -> Command:
    """Return a filter; raises ``UsageError`` for what does not filter lines."""
    found = filters().get(name)
    if found is not None:
        return found
    known = f"there is {', '.join(_FILTERS)}; `| !sort` runs a program"
    near = difflib.get_close_matches(name, _FILTERS, 1)
    hint = f"did you mean {near[0]}? {known}" if near else known
    raise UsageError(f"{name!r} does not filter lines", hint, word=name)


def find_command(first: str, second: str | None = None) -> tuple[Command, int]:
    """Return the command that a line's first words name, and how many words its name takes.

    Raises ``UsageError`` with the nearest name, and ``Unsupported`` for what the language has
    and this version has not.
    """
    _load()
    if first in GROUPED and first not in _BY_WORD:
        meant = GROUPED[first].get(second or "")
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
    if first in _FILTERS:
        hint = f"put it after what gives the lines: ls | {first}"
        raise UsageError(f"{first} filters the lines of another command", hint, word=first)
    near = difflib.get_close_matches(first.lower(), _BY_WORD, 1)
    hint = f"did you mean {near[0]}?" if near else "`help` lists the commands"
    if not near and shutil.which(first):
        hint = f"`!{first}` runs the program of that name"
    raise UsageError(f"{first!r} is no command", hint, word=first)


def _later(name: str) -> Unsupported:
    return Unsupported(f"{name} is not in this version yet", "`help` lists what is")


@cache
def _load() -> None:
    """Import the modules that hold the commands; each registers its own."""
    for name in _MODULES:
        importlib.import_module(f"{__package__}.{name}")
