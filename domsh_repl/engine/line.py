"""One line of DOMShell's vocabulary as words and options.

Quotes group words and there is no backslash escape, as in DOMShell. With ``--escaped`` each
operand and option value is percent-encoded, so that any text travels on one plain line: that
is how domsh's own client writes. ``js`` and ``eval`` take the raw rest of the line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from domsh_repl.errors import UsageError

__all__ = ["CommandLine", "is_number", "parse_command_line", "split_words"]

_WITH_VALUE = frozenset({
    "-n", "-L", "-d", "--offset", "--type", "--name", "--label", "--css", "--state", "--timeout",
    "--document", "--format", "--mod", "--news",
})  # fmt: skip
_RAW = frozenset({"js", "eval"})
_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LONGEST = 86_400.0
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A parsed line. ``options`` maps ``--type`` to its value, and a plain flag to ""."""

    verb: str
    operands: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    envelope: bool = False

    def has(self, name: str) -> bool:
        """Tell whether an option was given."""
        return name in self.options

    def text(self, name: str) -> str:
        """Return an option's value, "" when it was not given."""
        return self.options.get(name, "")

    def number(self, name: str, default: int) -> int:
        """Return an option's value as a number; raises ``UsageError``."""
        value = self.options.get(name)
        if value is None:
            return default
        if not is_number(value):
            raise UsageError(f"{name} takes a number, not {value!r}", f"{name} 10")
        return int(value)

    def seconds(self, name: str, default: float) -> float:
        """Return an option's value in seconds, more than none; raises ``UsageError``."""
        value = self.options.get(name, "")
        try:
            seconds = float(value.encode("ascii")) if name in self.options else default
        except ValueError as error:
            raise UsageError(f"{name} takes seconds", f"{name} 10") from error
        if not 0 < seconds <= _LONGEST:
            raise UsageError(f"{name} takes seconds, more than 0 and at most a day", f"{name} 10")
        return seconds

    def operand(self, place: int, default: str = "") -> str:
        """Return an operand, or the default where there are fewer."""
        return self.operands[place] if place < len(self.operands) else default


def parse_command_line(line: str) -> CommandLine:
    """Return the parsed line; raises ``UsageError`` for a line break or an option without value."""
    if any(character in line for character in _BREAKS):
        raise UsageError(
            "the line holds a line break", "send one command a call, its text with --escaped"
        )
    words = split_words(line)
    if not words:
        return CommandLine("")
    verb = words[0][0].lower()
    flags = {text for text, quoted in words if not quoted}
    envelope, escaped = "--envelope" in flags, "--escaped" in flags
    if verb in _RAW and not envelope:
        return CommandLine(verb, tuple(part.strip() for part in line.split(None, 1)[1:]))
    operands: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words[1:])
    for text, quoted in rest:
        if quoted or not _looks_like_option(text):
            operands.append(unquote(text) if escaped else text)
        elif text not in ("--envelope", "--escaped"):
            name, equals, value = text.partition("=")
            if name in _WITH_VALUE and not equals:
                value = next(rest, ("", False))[0]
            options[name] = unquote(value) if escaped else value
    return CommandLine(verb, tuple(operands), options, envelope)


def is_number(text: str) -> bool:
    """Tell whether a text is a number as ids and counts are, in ASCII digits."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _looks_like_option(text: str) -> bool:
    return text.startswith("-") and len(text) > 1


def split_words(line: str) -> list[tuple[str, bool]]:
    """Return the words, each with whether it begins with a quote; the line ends an open one."""
    words: list[tuple[str, bool]] = []
    current: list[str] = []
    quote = ""
    started = quoted = False
    for character in line:
        if quote:
            if character == quote:
                quote = ""
            else:
                current.append(character)
        elif character in "\"'":
            quote, started, quoted = character, True, quoted or not started
        elif character.isspace():
            if started:
                words.append(("".join(current), quoted))
            current, started, quoted = [], False, False
        else:
            current.append(character)
            started = True
    if started:
        words.append(("".join(current), quoted))
    return words
