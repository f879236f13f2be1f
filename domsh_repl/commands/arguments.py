"""From a command's words to a ``Call``: flags, operands, and what is wrong with them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domsh_repl.commands.spec import NODE_KINDS, Command, Flag
from domsh_repl.errors import DomshError, UsageError
from domsh_repl.language import ExpandedWord, Line
from domsh_repl.measures import parse_number, parse_seconds
from domsh_repl.paths import Path
from domsh_repl.rolenames import check_role

__all__ = ["COMMON_FLAGS", "Call", "check_call", "flags_in", "parse_arguments", "path_of"]

COMMON_FLAGS = (Flag("--json", "print JSON"), Flag("--help", "show how it is used"))
"""What every command takes."""


@dataclass(frozen=True, slots=True)
class Call:
    """A command with its operands and flags, and the line that stands in it."""

    command: Command
    operands: tuple[ExpandedWord, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)
    line: Line | None = None

    def has(self, name: str) -> bool:
        """Tell whether a flag was given."""
        return name in self.flags

    def text(self, place: int, default: str = "") -> str:
        """Return an operand's text."""
        return self.operands[place].text if place < len(self.operands) else default

    def number(self, name: str) -> int | None:
        """Return a flag's value as a number; raises ``UsageError``."""
        value = self.flags.get(name)
        if value is None:
            return None
        usage = f"usage: {self.command.usage}"
        return parse_number(value, f"{name} takes a number, not {value!r}", usage)

    def role(self, name: str = "--type") -> str:
        """Return a flag's value as a role, "" without it; raises ``UsageError`` for none."""
        value = self.flags.get(name)
        return "" if value is None else check_role(value)

    def path(self, place: int) -> Path:
        """Return an operand as a path; where there is none, the working directory."""
        if place >= len(self.operands):
            return Path()
        return path_of(self.operands[place])


def path_of(word: ExpandedWord) -> Path:
    """Return the path that a word means; raises ``UsageError``."""
    try:
        return Path.of_pieces(word.pieces, bookmarks=True)
    except UsageError as error:
        raise UsageError(error.message, error.hint, word=word.text) from error


def parse_arguments(
    command: Command,
    words: Sequence[ExpandedWord],
    *,
    partial: bool = False,
    line: Line | None = None,
) -> Call:
    """Return the call that the words after a command's name make.

    ``partial`` checks what is known before variables are: unknown flags and too many operands.
    ``line`` is the one that stands in the command.
    Raises ``UsageError``.
    """
    flags: dict[str, str] = {}
    operands: list[ExpandedWord] = []
    known = {flag.name: flag for flag in (*command.flags, *COMMON_FLAGS)}
    rest = iter(words)
    for word in rest:
        text = word.text
        if word.bare and text == "--":
            operands += rest
            break
        if not word.bare or not text.startswith("-") or text == "-":
            operands.append(word)
            if command.flags_first:
                operands += rest
            continue
        for flag, value in _flags_of(text, known, command):
            if flag.value and value is None:
                following = next(rest, None)
                if following is None:
                    raise _misused(command, f"{flag.name} needs {flag.value}", text)
                value = following.text  # noqa: PLW2901  (the value stands in the next word)
            flags[flag.name] = value or ""
    call = Call(command, tuple(operands), flags, line)
    if not call.has("--help"):
        _check_count(call, partial=partial)
    return call


def flags_in(text: str, command: Command) -> list[tuple[Flag, str | None]]:
    """Return the flags that one word holds, each with its value; none where one is unknown."""
    known = {flag.name: flag for flag in (*command.flags, *COMMON_FLAGS)}
    try:
        return _flags_of(text, known, command)
    except DomshError:
        return []


def _flags_of(
    text: str, known: Mapping[str, Flag], command: Command
) -> list[tuple[Flag, str | None]]:
    """Return the flags that one word holds: ``--name``, ``--name=value``, ``-n5`` or ``-rin``.

    A filter that counts lines takes ``-5`` for ``-n5``.
    """
    if command.filter is not None and text[1:].isdecimal() and "-n" in known:
        text = f"-n{text[1:]}"
    name, equals, value = text.partition("=")
    if name in known:
        flag = known[name]
        if equals and not flag.value:
            raise _misused(command, f"{name} takes no value", text)
        return [(flag, value if equals else None)]
    if text.startswith("--"):
        raise _unknown(name, known, command, text)
    found: list[tuple[Flag, str | None]] = []
    for place, letter in enumerate(text[1:], 1):
        letter_flag = known.get(f"-{letter}")
        if letter_flag is None:
            raise _unknown(text, known, command, text)
        if letter_flag.value:
            return [*found, (letter_flag, text[place + 1 :] or None)]
        found.append((letter_flag, None))
    return found


def _misused(command: Command, message: str, word: str) -> UsageError:
    return UsageError(message, f"usage: {command.usage}", word=word)


def _unknown(text: str, known: Mapping[str, Flag], command: Command, word: str) -> UsageError:
    near = difflib.get_close_matches(text, list(known), 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return UsageError(
        f"{command.name} has no option {text!r}",
        f"{hint}usage: {command.usage} (quote a text that begins with a dash)",
        word=word,
    )


def _check_count(call: Call, *, partial: bool) -> None:
    command, count = call.command, len(call.operands)
    if command.most is not None and count > command.most:
        extra = call.operands[command.most].text
        raise UsageError(
            f"{command.name} has no place for {extra!r}: quote a text with blanks",
            f"usage: {command.usage}",
            word=extra,
        )
    if count < command.fewest and not partial:
        missing = [one for one in command.operands if one.needed][count]
        raise UsageError(f"{command.name} needs {missing.name}", f"usage: {command.usage}")


def check_call(call: Call) -> None:
    """Raise ``UsageError`` for what is wrong with a call whatever the page holds."""
    for flag in call.command.flags:
        if flag.value == "N":
            call.number(flag.name)
        elif flag.value == "ROLE":
            call.role(flag.name)
        elif flag.value == "T" and call.has(flag.name):
            parse_seconds(call.flags[flag.name])
    operands = call.command.operands_for(len(call.operands))
    for place, (word, operand) in enumerate(zip(call.operands, operands, strict=True)):
        of_browser = call.command.takes_tabs and word.bare and word.text.startswith("~")
        if operand.kind in NODE_KINDS and not of_browser:
            call.path(place)
    if call.command.check is not None:
        call.command.check(call)
