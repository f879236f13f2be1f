"""The words of ``help``, made from the registry and the topics."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from domsh_repl.columns import in_columns, wrapped
from domsh_repl.commands.arguments import COMMON_FLAGS
from domsh_repl.commands.registry import commands, filters, names
from domsh_repl.commands.spec import Command, Group
from domsh_repl.commands.topics import TOPICS
from domsh_repl.errors import EXIT_STATUSES, UsageError
from domsh_repl.language.tokens import REST_OF_LINE

__all__ = ["ALL", "TITLES", "help_for", "help_overview", "help_topics", "statuses_of"]

TITLES = {
    Group.PAGE: "Going places",
    Group.TREE: "Looking around",
    Group.ACT: "Acting",
    Group.WAIT: "Conditions",
    Group.SHELL: "The shell",
    Group.FILTER: "After |",
}
"""The chapters, in their order; one without a title here is shown by its own name."""

ALL = "commands"
"""The topic that tells of every command what it does."""

_WIDTH = 78
_TITLE_ROOM = 16
_FLAG_ROOM = 18


def help_topics() -> tuple[str, ...]:
    """Return what ``help`` takes beside the names of commands."""
    return (ALL, *TOPICS)


def help_overview() -> str:
    """Return the names of all commands, by chapter: what fits on a screen."""
    return "\n".join(_overview())


def _overview() -> Iterator[str]:
    for title, found in _chapters():
        listed = " ".join(one.name for one in found)
        yield from in_columns(title, listed, room=_TITLE_ROOM, width=_WIDTH, indent=0)
    yield ""
    topics = ", ".join(f"`help {topic}`" for topic in TOPICS)
    yield from wrapped(
        f"`help NAME` or `NAME --help` explains a command, `help {ALL}` all in a line each;"
        f" {topics} explain the rest.",
        _WIDTH,
    )


def _chapters() -> Iterator[tuple[str, list[Command]]]:
    for group in Group:
        found = [one for one in _all() if one.group is group]
        if found:
            yield TITLES.get(group, group.value.capitalize()), found


def _all() -> tuple[Command, ...]:
    return (*commands(), *filters().values())


def _summaries() -> Iterator[str]:
    room = max(len(one.name) for one in _all()) + 2
    for number, (title, found) in enumerate(_chapters()):
        if number:
            yield ""
        yield title
        for one in found:
            yield from in_columns(one.name, one.summary, room=room, width=_WIDTH)


def help_for(topic: str) -> str:
    """Return the help of one command or topic; raises ``UsageError`` for an unknown one."""
    if topic == ALL:
        return "\n".join(_summaries())
    if topic in TOPICS:
        return TOPICS[topic].text
    found = [one for one in (names().get(topic), filters().get(topic)) if one is not None]
    if not found:
        near = difflib.get_close_matches(topic, [*names(), *filters(), *help_topics()], 1)
        hint = f"did you mean {near[0]}?" if near else "`help` lists the commands"
        raise UsageError(f"no help on {topic!r}", hint, word=topic)
    return "\n\n".join("\n".join(_command_help(one)) for one in found)


def _command_help(one: Command) -> Iterator[str]:
    yield f"{one.name}: {one.summary}"
    yield from _usage(one)
    if one.aliases:
        yield f"also: {', '.join(one.aliases)}"
    flags = (*one.flags, *(() if one.name in REST_OF_LINE else COMMON_FLAGS))
    if flags:
        yield ""
    for flag in flags:
        yield from in_columns(str(flag), flag.help, room=_FLAG_ROOM, width=_WIDTH)
    if one.details:
        yield ""
        yield from _prose(one.details)
    if one.examples:
        yield ""
        yield "Examples"
        yield from (f"  {example}" for example in one.examples)
    yield ""
    said = ", ".join(f"{status} {meaning}" for status, meaning in statuses_of(one).items())
    yield from wrapped(f"Exit status: {said}.", _WIDTH)


def _prose(text: str) -> Iterator[str]:
    """Yield a text in lines of the usual width; a paragraph with an indented line stays."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        is_drawn = paragraph.startswith(" ") or "\n " in paragraph
        yield from [paragraph] if is_drawn else wrapped(paragraph.replace("\n", " "), _WIDTH)


def _usage(one: Command) -> Iterator[str]:
    """Yield the usage, cut between its parts where it is too long for a line."""
    head = f"usage: {'… | ' if one.filter else ''}{one.name}"
    parts = " ".join(part.replace(" ", "\0") for part in one.usage_parts)
    for line in wrapped(parts, _WIDTH - len(head) - 1):
        yield f"{head} {line}".rstrip().replace("\0", " ")
        head = " " * len(head)


def statuses_of(one: Command) -> dict[int, str]:
    """Return the exit statuses of a command and what each means, its own ones first."""
    return {**EXIT_STATUSES, **dict(one.statuses)}
