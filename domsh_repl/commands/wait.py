"""``wait`` and ``expect``: conditions in time, and conditions now."""

from __future__ import annotations

import time
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.conditions import Condition, Seen, parse_condition
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.commands.topics import condition_usages
from domsh_repl.errors import Stale, TimedOut
from domsh_repl.link import asks
from domsh_repl.measures import parse_seconds
from domsh_repl.nodes import Verdict
from domsh_repl.safetext import one_line

__all__ = ["EXIT_FAILED", "EXIT_TIMEOUT"]

EXIT_FAILED = 1
EXIT_TIMEOUT = 4
_DEFAULT_SECONDS = 10.0
_LONGEST_LOOK = 0.25
"""Seconds after which a waiting look is repeated although nothing was told to have changed."""
_FIRST_LOOK = 1.0
"""Seconds that the first look has at least, however short the wait."""
_SHORTEST_LOOK = 0.05
_NOTHING_YET = Seen(ok=False, actual="nothing: the page did not answer")

_CONDITION = Operand("CONDITION", OperandKind.CONDITION, many=True)
_LATER = ("--level",)
_TYPE = Flag("--type", "for count: all nodes of this role below", "ROLE")
_DETAILS = (
    f"{condition_usages()}\n"
    "OP is `is`, `contains` or `matches`, CMP is == != < <= > >=. `not` turns one round.\n"
    "Quote a value with blanks. `help conditions` explains them."
)


def _condition(call: Call) -> Condition:
    return parse_condition(call.operands, call.role())


@command(
    name="wait",
    group=Group.WAIT,
    summary="wait until a condition holds",
    operands=(_CONDITION,),
    usage_tail="[not] CONDITION",
    flags=(Flag("--timeout", "at most so long (10 s unless told otherwise)", "T"), _TYPE),
    later=_LATER,
    examples=("wait exists main_1/result", "wait --timeout 30s url contains done"),
    check=_condition,
    statuses=((4, "it did not come true in time"),),
    details=_DETAILS,
)
def wait(session: Session, call: Call) -> Iterator[Result]:
    """Look until the condition holds or the time is over."""
    condition = _condition(call)
    limit = parse_seconds(call.flags.get("--timeout", f"{_DEFAULT_SECONDS:g}"))
    started = time.monotonic()
    with session.within(max(limit, _FIRST_LOOK)):
        seen = _seen_in_time(session, condition) or _NOTHING_YET
    while not seen.ok and (left := limit - (time.monotonic() - started)) > 0:
        with session.within(max(left, _SHORTEST_LOOK)):
            seen = _seen_later(session, condition, left) or seen
    seconds = time.monotonic() - started
    yield _result(condition, seen, seconds, EXIT_TIMEOUT)


@command(
    name="expect",
    group=Group.WAIT,
    summary="fail unless a condition holds",
    operands=(_CONDITION,),
    usage_tail="[not] CONDITION",
    flags=(_TYPE,),
    later=("--now", *_LATER),
    statuses=((1, "it does not hold"),),
    examples=("expect title contains Home", "expect count list_1/listitem_* == 3"),
    check=_condition,
    details=_DETAILS,
)
def expect(session: Session, call: Call) -> Iterator[Result]:
    """Look once."""
    condition = _condition(call)
    started = time.monotonic()
    seen = _look(session, condition)
    yield _result(condition, seen, time.monotonic() - started, EXIT_FAILED)


def _seen_later(session: Session, condition: Condition, left: float) -> Seen | None:
    """Look after the page's next change; none when it does not answer in time."""
    try:
        session.ask(asks.next_change(min(left, _LONGEST_LOOK)))
    except (Stale, TimedOut):
        return None
    return _seen_in_time(session, condition)


def _seen_in_time(session: Session, condition: Condition) -> Seen | None:
    """Look; none when the page moves or is too busy to answer, which is no verdict yet."""
    try:
        return _look(session, condition)
    except (Stale, TimedOut):
        return None


def _look(session: Session, condition: Condition) -> Seen:
    try:
        return condition.look(session)
    except Stale:  # the page navigated while it was looked at: the state has followed
        return condition.look(session)


def _result(condition: Condition, seen: Seen, seconds: float, failing: int) -> Result:
    verdict = Verdict(
        condition.text, seen.ok, condition.expected, one_line(seen.actual, 300), round(seconds, 3)
    )
    return Result(verdict, status=0 if seen.ok else failing)
