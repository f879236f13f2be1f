"""A line of DOMShell's as it reads it: quotes group, unknown flags are dropped, ``|`` pipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from domsh_repl.engine.line import is_number, split_words

__all__ = ["Words", "read_words", "split_pipe"]

RAW = frozenset({"eval", "js"})
"""Commands that take the rest of the line as it is."""
_WITH_VALUE = {
    "ls": ("-n", "--offset", "--type", "--textlen", "--after", "--before"),
    "find": ("-n", "--type", "--text", "--textlen"),
    "read": ("-d", "-n", "--textlen"),
    "text": ("-n",),
    "wait": ("--timeout", "--type"),
    "extract_table": ("--format", "-n"),
    "extract_links": ("-n",),
    "key": ("--modifiers",),
    "submit": ("--submit",),
}
_ALL_OPERANDS = frozenset({"type", "click", "focus", "cd"})
"""Commands that take what looks like a flag for an operand."""


@dataclass(frozen=True, slots=True)
class Words:
    """A command with its operands and flags; ``rest`` is what stands behind the command."""

    verb: str
    operands: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""

    def has(self, flag: str) -> bool:
        """Tell whether a flag was given."""
        return flag in self.flags

    def number(self, flag: str, default: int) -> int:
        """Return a flag's number; the default also where it has none."""
        value = self.flags.get(flag, "")
        return int(value) if is_number(value) else default

    def operand(self, place: int = 0) -> str:
        """Return an operand, "" where there are fewer."""
        return self.operands[place] if place < len(self.operands) else ""


def split_pipe(line: str) -> list[str]:
    """Return the parts of a line between pipes that no quotes hold."""
    if (line.split(None, 1) or [""])[0].lower() in RAW:
        return [line]
    parts, quote = [""], ""
    for character in line:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "|":
            parts.append("")
            continue
        parts[-1] += character
    return [part.strip() for part in parts]


def read_words(line: str) -> Words:
    """Return the words of a line without a pipe."""
    split = [text for text, _ in split_words(line)]
    if not split:
        return Words("")
    verb = split[0].lower()
    rest = (line.split(None, 1)[1:] or [""])[0]
    if verb in RAW or verb in _ALL_OPERANDS:
        return Words(verb, tuple(split[1:]), _help(verb, split), rest)
    operands: list[str] = []
    flags: dict[str, str] = {}
    waiting = split[1:]
    while waiting:
        word = waiting.pop(0)
        if len(word) < 2 or not word.startswith("-"):  # noqa: PLR2004  (a dash and a letter)
            operands.append(word)
        elif word in _WITH_VALUE.get(verb, ()) and waiting and not waiting[0].startswith("-"):
            flags[word] = waiting.pop(0)
        else:
            flags[word] = ""
    return Words(verb, tuple(operands), flags, rest)


def _help(verb: str, split: list[str]) -> dict[str, str]:
    return {"--help": ""} if verb not in RAW and "--help" in split[1:] else {}
