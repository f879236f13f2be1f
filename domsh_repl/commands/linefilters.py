"""Filters of lines, for after ``|``: ``grep head tail wc``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.pipeline import Enough, LineFilter, Stage
from domsh_repl.commands.registry import line_filter
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind
from domsh_repl.patterns import Pattern, compile_pattern

_SHOWN_LINES = 10
_COUNT = Flag("-n", f"so many lines ({_SHOWN_LINES} unless told otherwise)", "N")


def _pattern(call: Call) -> Pattern:
    return compile_pattern(call.text(0), ignore_case=call.has("-i"))


def _count(call: Call) -> int:
    given = call.number("-n")
    return _SHOWN_LINES if given is None else given


@line_filter(
    name="grep",
    group=Group.FILTER,
    summary="keep the lines that match a regular expression",
    operands=(Operand("RE", OperandKind.TEXT),),
    flags=(
        Flag("-i", "without case"),
        Flag("-v", "what does not match"),
        Flag("-n", "with the numbers of the lines"),
        Flag("-c", "only count"),
    ),
    examples=("ls -R | grep -i order", "tree | grep -c button"),
    details="Status 1 when no line is kept. In first place `grep` searches the page.",
    check=_pattern,
)
def grep(call: Call, following: Stage) -> Stage:
    """Make the filter."""
    return _Grep(call, following)


class _Grep(LineFilter):
    def __init__(self, call: Call, following: Stage) -> None:
        super().__init__(following)
        self._pattern = _pattern(call)
        self._wanted = not call.has("-v")
        self._counts = call.has("-c")
        self._numbers = call.has("-n")
        self._read = 0
        self._kept = 0

    def put(self, line: str) -> None:
        self._read += 1
        if self._pattern.search(line) is not self._wanted:
            return
        self._kept += 1
        if not self._counts:
            self.following.put(f"{self._read}:{line}" if self._numbers else line)

    def last(self) -> Iterable[str]:
        return (str(self._kept),) if self._counts else ()

    def status(self) -> int:
        return 0 if self._kept else 1


@line_filter(
    name="head",
    group=Group.FILTER,
    summary="keep the first lines, and stop what makes them",
    flags=(_COUNT,),
    examples=("find --type link | head -3", "ls -l | head -n 20"),
    check=_count,
)
def head(call: Call, following: Stage) -> Stage:
    """Make the filter."""
    return _Head(_count(call), following)


class _Head(LineFilter):
    def __init__(self, count: int, following: Stage) -> None:
        super().__init__(following)
        self._left = count

    def put(self, line: str) -> None:
        if self._left:
            self._left -= 1
            self.following.put(line)
        if not self._left:
            raise Enough


@line_filter(
    name="tail",
    group=Group.FILTER,
    summary="keep the last lines",
    flags=(_COUNT,),
    examples=("text | tail -5",),
    check=_count,
)
def tail(call: Call, following: Stage) -> Stage:
    """Make the filter."""
    return _Tail(_count(call), following)


class _Tail(LineFilter):
    def __init__(self, count: int, following: Stage) -> None:
        super().__init__(following)
        self._lines: deque[str] = deque(maxlen=count)

    def put(self, line: str) -> None:
        self._lines.append(line)

    def last(self) -> Iterable[str]:
        return self._lines


@line_filter(
    name="wc",
    group=Group.FILTER,
    summary="count lines, words and characters",
    flags=(Flag("-l", "only the lines"),),
    examples=("find --type button | wc -l",),
)
def wc(call: Call, following: Stage) -> Stage:
    """Make the filter."""
    return _Wc(following, only_lines=call.has("-l"))


class _Wc(LineFilter):
    def __init__(self, following: Stage, *, only_lines: bool) -> None:
        super().__init__(following)
        self._only_lines = only_lines
        self._lines = 0
        self._words = 0
        self._characters = 0

    def put(self, line: str) -> None:
        self._lines += 1
        self._words += len(line.split())
        self._characters += len(line) + 1

    def last(self) -> Iterable[str]:
        counted = (
            [self._lines] if self._only_lines else [self._lines, self._words, self._characters]
        )
        return (" ".join(map(str, counted)),)
