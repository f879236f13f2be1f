"""What a command is: its names, operands, flags, examples and function, as one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from domsh_repl.nodes import View

if TYPE_CHECKING:
    from domsh_repl.commands.arguments import Call
    from domsh_repl.commands.executor import Executor
    from domsh_repl.commands.pipeline import Stage
    from domsh_repl.commands.session import Session

__all__ = [
    "NODE_KINDS",
    "Check",
    "Command",
    "Control",
    "Filter",
    "Flag",
    "Group",
    "Operand",
    "OperandKind",
    "Quit",
    "Result",
    "Run",
]


class Group(StrEnum):
    """The chapters of ``help``."""

    PAGE = "page"
    TREE = "tree"
    ACT = "act"
    WAIT = "wait"
    SCRIPT = "script"
    SHELL = "shell"
    FILTER = "filter"


class OperandKind(StrEnum):
    """What an operand is, which decides how it completes."""

    PATH = "path"
    DIRECTORY = "directory"
    FIELD = "field"
    SELECT = "select"
    TOGGLE = "toggle"
    INTERACTIVE = "interactive"
    URL = "url"
    KEY = "key"
    TAB = "tab"
    COMMAND = "command"
    LANE = "lane"
    WORD = "word"
    CONDITION = "condition"
    TEXT = "text"
    FILE = "file"
    SETTING = "setting"
    ALIAS = "alias"
    LINE = "line"


NODE_KINDS = frozenset(
    {
        OperandKind.PATH,
        OperandKind.DIRECTORY,
        OperandKind.FIELD,
        OperandKind.SELECT,
        OperandKind.TOGGLE,
        OperandKind.INTERACTIVE,
    }
)
"""Operands that are nodes of the page, named by paths."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A place for words: ``needed`` and ``many`` as the usage shows them.

    ``words`` are keywords that may stand there instead.
    """

    name: str
    kind: OperandKind
    needed: bool = True
    many: bool = False
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = f"{self.name}…" if self.many else self.name
        return shown if self.needed else f"[{shown}]"


@dataclass(frozen=True, slots=True)
class Flag:
    """An option; ``value`` names what it takes, "" for none, and ``words`` are all it can be."""

    name: str
    help: str
    value: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {self.value}" if self.value else self.name


@dataclass(frozen=True, slots=True)
class Result:
    """One value that a command yields, and how the user asked to see it.

    ``hint`` is what to try where a condition did not hold.
    """

    value: object
    view: View = field(default_factory=View)
    status: int = 0
    hint: str = ""


class Quit(Exception):  # noqa: N818  (the user's wish, not an error)
    """The user leaves the shell, or a script ends itself."""


Run = Callable[["Session", "Call"], Iterator[Result]]
Check = Callable[["Call"], object]
Control = Callable[["Executor", "Call", str], int]
"""What runs lines itself: given the executor and its place in a file, it returns a status."""
Filter = Callable[["Call", "Stage"], "Stage"]
"""What makes a filter that hands its lines on to the next stage."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the language.

    ``takes_tabs`` lets operands be ``~`` paths; ``offline`` runs without a page; ``usage_tail``
    replaces the operands where one line cannot say it. ``statuses`` are exit statuses that mean
    something of its own. ``check`` raises ``UsageError`` for what is wrong with a call before
    anything runs. The options of one with ``flags_first`` stand before its operands. A
    ``control`` runs in the place of ``run``, and a ``filter`` after ``|``.
    """

    name: str
    group: Group
    summary: str
    run: Run
    operands: tuple[Operand, ...] = ()
    flags: tuple[Flag, ...] = ()
    aliases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    statuses: tuple[tuple[int, str], ...] = ()
    details: str = ""
    usage_tail: str = ""
    check: Check | None = None
    takes_tabs: bool = False
    offline: bool = False
    changes_page: bool = False
    flags_first: bool = False
    control: Control | None = None
    filter: Filter | None = None

    @property
    def usage_parts(self) -> tuple[str, ...]:
        """Return what may follow the name: flags in brackets, then the operands."""
        flags = (f"[{flag}]" for flag in self.flags)
        operands = (str(one) for one in self.operands)
        return (*flags, self.usage_tail) if self.usage_tail else (*flags, *operands)

    @property
    def usage(self) -> str:
        """Return the line that shows how to call it."""
        return " ".join((self.name, *self.usage_parts))

    def operands_for(self, count: int) -> tuple[Operand, ...]:
        """Return what each of ``count`` words is: the optional ones give way when words are few."""
        operands = self.operands
        if count == self.fewest:
            operands = tuple(operand for operand in operands if operand.needed)
        last = operands[-1:]
        return (*operands, *last * max(count - len(operands), 0))[:count]

    @property
    def fewest(self) -> int:
        """The number of operands that are needed."""
        return sum(operand.needed for operand in self.operands)

    @property
    def most(self) -> int | None:
        """The number of operands that fit; None without a bound."""
        return None if any(operand.many for operand in self.operands) else len(self.operands)
