"""The words of ``help``, made from the registry."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from domsh_repl.commands.arguments import COMMON_FLAGS
from domsh_repl.commands.registry import commands, names
from domsh_repl.commands.spec import Command, Group
from domsh_repl.errors import UsageError
from domsh_repl.language.tokens import REST_OF_LINE

__all__ = ["help_for", "help_overview"]

_TITLES = {
    Group.PAGE: "Going places",
    Group.TREE: "Looking around",
    Group.ACT: "Acting",
    Group.WAIT: "Conditions",
    Group.SHELL: "The shell",
}
_STATUSES = (
    "Exit status: 0 worked, 1 failed, 2 usage, 3 no server or browser, 4 timed out,\n"
    "130 interrupted."
)
_PATHS = """\
Paths
  /                the page; main_1/form_1 goes down from here, /main_1 from the page
  save_btn         an entry as ls prints it
  button[0]        the first button of a directory
  .. and .         the parent, here
  *_btn, [ab]*     globs over the names of one directory; ** any depth
  "Sign in"        quoted: a label, looked for at any depth below
  ~/tabs, ~/tabs/2 the tabs, for ls and cd

Everything that ls, tree, find and grep print can be typed back."""


def help_overview() -> str:
    """Return every command with its summary, by chapter."""
    return "\n".join(_overview())


def _overview() -> Iterator[str]:
    for group, title in _TITLES.items():
        yield title
        for one in commands():
            if one.group is group:
                yield f"  {one.name:<13}{one.summary}"
        yield ""
    yield "`help NAME` or `NAME --help` tells more; `help paths` how to write paths."


def help_for(topic: str) -> str:
    """Return the help of one command or topic; raises ``UsageError`` for an unknown one."""
    if topic == "paths":
        return _PATHS
    found = names().get(topic)
    if found is None:
        near = difflib.get_close_matches(topic, [*names(), "paths"], 1)
        hint = f"did you mean {near[0]}?" if near else "`help` lists the commands"
        raise UsageError(f"no help on {topic!r}", hint, word=topic)
    return "\n".join(_command_help(found))


def _command_help(one: Command) -> Iterator[str]:
    yield f"{one.name}: {one.summary}"
    yield f"usage: {one.usage}"
    if one.aliases:
        yield f"also: {', '.join(one.aliases)}"
    yield ""
    common = () if one.name in REST_OF_LINE else COMMON_FLAGS
    for flag in (*one.flags, *common):
        yield f"  {flag!s:<16}  {flag.help}"
    if one.details:
        yield ""
        yield one.details
    if one.examples:
        yield ""
        yield "Examples"
        yield from (f"  {example}" for example in one.examples)
    yield ""
    yield _STATUSES
