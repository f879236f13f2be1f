"""What an option of the command line is: one record for its parser, its help and its completion.

The same record says whether a configuration file and the environment may hold it. Imports
argparse and nothing heavy; reads nothing.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from domsh_repl.columns import in_columns
from domsh_repl.errors import UsageError

__all__ = ["Completes", "Option", "OptionParser", "Values", "option_lines"]

Values = dict[str, object]
"""What a command line, an environment or a file says, by the fields of options."""

_HEAD = 19
"""Columns of an option's own column in ``--help``."""
_WIDTH = 96
_YES_OR_NO = {"1": True, "true": True, "yes": True, "on": True,
              "0": False, "false": False, "no": False, "off": False}  # fmt: skip


class Completes(StrEnum):
    """What the shells of the system offer for an option's value."""

    NOTHING = "nothing"
    FILE = "file"
    FOLDER = "folder"
    VARIABLE = "variable"


@dataclass(frozen=True, slots=True)
class Option:
    """An option; without ``names`` only a file and the environment can set it.

    ``value`` is what stands for its value, "" for a switch. ``field`` is where the value goes;
    ``key`` names it in a configuration file, "" for what none can hold. ``read`` turns a text
    into the value and raises ``UsageError``. ``words`` are values that completion offers, and
    all there are where it is ``strict``. One that comes ``once`` is refused a second time, and
    of one that comes ``many`` times each counts.
    """

    names: tuple[str, ...]
    help: str
    value: str = ""
    field: str = ""
    key: str = ""
    default: str | bool | None = None
    words: tuple[str, ...] = ()
    strict: bool = False
    completes: Completes = Completes.NOTHING
    read: Callable[[str], object] | None = None
    once: bool = False
    many: bool = False

    @property
    def place(self) -> str:
        """Return the name of the field that takes the value."""
        return self.field or self.names[-1].strip("-").replace("-", "_")

    @property
    def head(self) -> str:
        """Return how it is written: its names and what stands for its value."""
        return f"{', '.join(self.names)} {self.value}".strip()

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it."""
        return "DOMSH_" + self.key.translate(_TO_VARIABLE).upper()

    @property
    def negative(self) -> str:
        """Return the option that undoes what a file or the environment says; "" for none."""
        return f"--no-{self.key}" if self.key and self.names and not self.value else ""

    def of_text(self, text: str, said: str) -> object:
        """Return the value that a text means; ``said`` names the text in a ``UsageError``."""
        if not self.value:
            meant = _YES_OR_NO.get(text.casefold())
            if meant is None:
                raise UsageError(f"{said}: {text!r} is neither yes nor no", "on or off")
            return meant
        if self.strict and text not in self.words:
            near = difflib.get_close_matches(text, self.words, 1)
            meant_word = f"did you mean {near[0]}? " if near else ""
            known = ", ".join(self.words)
            raise UsageError(f"{said}: {text!r} is none of {known}", f"{meant_word}{_HINT}")
        try:
            return text if self.read is None else self.read(text)
        except UsageError as error:
            raise UsageError(f"{said}: {error.message}", error.hint) from error


_TO_VARIABLE = str.maketrans("-.", "__")
_HINT = "`domsh --help` lists the options"


class OptionParser:
    """Reads the words of a command line; ``program`` is what its ``--help`` belongs to."""

    def __init__(self, program: str, options: Iterable[Option], operands: str = "") -> None:
        self._hint = f"`{program} --help` lists the options"
        self._parser = _Parser(prog=program, add_help=False, allow_abbrev=False)
        self._parser.hint = self._hint
        if operands:
            self._parser.add_argument(operands, nargs="*")
        self._options = tuple(one for one in options if one.names)
        for one in self._options:
            _add(self._parser, one)

    def parse(self, words: Iterable[str]) -> Values:
        """Return the values of what was given and of nothing else; raises ``UsageError``."""
        given, unknown = self._parser.parse_known_intermixed_args(list(words))
        if unknown:
            raise self._unknown(unknown[0])
        values = dict(vars(given))
        for one in self._options:
            text = values.get(one.place)
            if isinstance(text, str):
                values[one.place] = one.of_text(text, one.names[-1])
            elif isinstance(text, list) and one.many:
                values[one.place] = tuple(one.of_text(each, one.names[-1]) for each in text)
        return values

    def _unknown(self, word: str) -> UsageError:
        if not word.startswith("-"):
            return UsageError(f"there is no place for {word!r}", self._hint)
        known = [name for one in self._options for name in (*one.names, one.negative) if name]
        near = difflib.get_close_matches(word.partition("=")[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else self._hint
        return UsageError(f"there is no option {word!r}", hint)


class _Parser(argparse.ArgumentParser):
    hint = ""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise instead of printing and leaving: errors are told in one way."""
        raise UsageError(message, self.hint)


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    place, unset = option.place, argparse.SUPPRESS
    if option.value:
        action = _Once if option.once else "append" if option.many else "store"
        parser.add_argument(*option.names, dest=place, default=unset, action=action)
        return
    parser.add_argument(*option.names, dest=place, default=unset, action="store_true")
    if option.negative:
        parser.add_argument(option.negative, dest=place, default=unset, action="store_false")


class _Once(argparse.Action):
    """An option that a second one of its kind would silently replace."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keep the value; raise ``UsageError`` for a second one."""
        del parser
        if hasattr(namespace, self.dest):
            raise UsageError(
                f"{option_string} was given twice", "one line can hold several commands: a; b"
            )
        setattr(namespace, self.dest, values)


def option_lines(options: Iterable[Option]) -> Iterator[str]:
    """Yield what ``--help`` says of options: their names, then what they do, in two columns."""
    for one in options:
        if one.names:
            yield from in_columns(one.head, one.help, room=_HEAD, width=_WIDTH)
