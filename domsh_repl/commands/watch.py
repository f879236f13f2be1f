"""A line again and again: ``watch``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import control
from domsh_repl.commands.scripting import time_is_over
from domsh_repl.commands.spec import Flag, Group
from domsh_repl.errors import Interrupted, NotConnected, TimedOut, UsageError
from domsh_repl.measures import parse_seconds

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor

_SECONDS = "2s"
_HOPELESS = frozenset({Interrupted.exit_status, NotConnected.exit_status})


def _check(call: Call) -> None:
    if call.line is None:
        raise UsageError("watch needs LINE", f"usage: {call.command.usage}")
    if call.number("--times") == 0:
        raise UsageError("--times takes a number from 1", "watch --times 5 ls", word="0")


@control(
    name="watch",
    group=Group.WAIT,
    summary="run a line again and again",
    flags=(
        Flag("-n", f"so long between two times ({_SECONDS} unless told otherwise)", "T"),
        Flag("--until-change", "until its answer is another one"),
        Flag("--times", "at most N times", "N"),
    ),
    usage_tail="LINE",
    examples=("watch -n 1 text main_1/status", "watch --until-change --times 30 ls list_1"),
    details=(
        "LINE is the rest of the line, with ; and |. It goes on when LINE fails; Ctrl-C ends it.\n"
        "In a batch file --times is needed. Status 4 when nothing changed in N times."
    ),
    check=_check,
    flags_first=True,
)
def watch(executor: Executor, call: Call, where: str) -> int:
    """Run the line until it changes, so many times, or for ever."""
    _check(call)
    assert call.line is not None
    seconds = parse_seconds(call.flags.get("-n", _SECONDS))
    times = call.number("--times")
    first: object = None
    done = 0
    while True:
        with executor.session.unpaged():
            status, heard = executor.heard(call.line, where=where)
        done += 1
        if status in _HOPELESS:
            return status
        if call.has("--until-change") and done > 1 and heard != first:
            return status
        first = heard if done == 1 else first
        if done == times:
            break
        time.sleep(max(min(seconds, executor.session.left), 0.0))
        if executor.session.left <= 0:
            raise time_is_over()
    if call.has("--until-change"):
        raise TimedOut(f"nothing changed in {done} times", "watch --times N looks longer")
    return status
