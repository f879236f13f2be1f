"""``wait`` and ``expect``: conditions in time, and conditions now."""

from __future__ import annotations

import time
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.conditionflags import CONDITION_FLAGS, condition_in
from domsh_repl.commands.conditions import Condition, Seen
from domsh_repl.commands.patience import looked_at
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.commands.topics import condition_usages
from domsh_repl.errors import Stale
from domsh_repl.measures import parse_seconds
from domsh_repl.nodes import Verdict
from domsh_repl.safetext import one_line

__all__ = ["EXIT_FAILED", "EXIT_TIMEOUT"]

EXIT_FAILED = 1
EXIT_TIMEOUT = 4
_DEFAULT_SECONDS = 10.0

_CONDITION = Operand("CONDITION", OperandKind.CONDITION, many=True)
_DETAILS = (
    f"{condition_usages()}\n"
    "OP is `is`, `contains` or `matches`, CMP is == != < <= > >=. `not` turns one round.\n"
    "Quote a value with blanks. `help conditions` explains them."
)


def _condition(call: Call) -> Condition:
    return condition_in(call, call.operands)


@command(
    name="wait",
    group=Group.WAIT,
    summary="wait until a condition holds",
    operands=(_CONDITION,),
    usage_tail="[not] CONDITION",
    flags=(
        Flag("--timeout", "at most so long (10 s unless told otherwise)", "T"),
        *CONDITION_FLAGS,
    ),
    examples=("wait exists main_1/result", "wait --timeout 30s url contains done"),
    check=_condition,
    statuses=((4, "it did not come true in time"),),
    details=_DETAILS,
)
def wait(session: Session, call: Call) -> Iterator[Result]:
    """Look until the condition holds or the time is over."""
    condition = _condition(call)
    limit = parse_seconds(call.flags.get("--timeout", f"{_DEFAULT_SECONDS:g}"))
    seen, seconds = looked_at(session, condition, limit)
    yield _result(condition, seen, seconds, EXIT_TIMEOUT)


@command(
    name="expect",
    group=Group.WAIT,
    summary="fail unless a condition holds",
    operands=(_CONDITION,),
    usage_tail="[not] CONDITION",
    flags=(Flag("--now", "look once, whatever `set patience` says"), *CONDITION_FLAGS),
    statuses=((1, "it does not hold"),),
    examples=("expect title contains Home", "expect count list_1/listitem_* == 3"),
    check=_condition,
    details=_DETAILS,
)
def expect(session: Session, call: Call) -> Iterator[Result]:
    """Look once, or as long as patience lasts."""
    condition = _condition(call)
    patience = 0.0 if call.has("--now") else session.settings.patience
    if patience:
        yield _result(condition, *looked_at(session, condition, patience), EXIT_FAILED)
        return
    started = time.monotonic()
    seen = _look(session, condition)
    yield _result(condition, seen, time.monotonic() - started, EXIT_FAILED)


def _look(session: Session, condition: Condition) -> Seen:
    try:
        return condition.look(session)
    except Stale:  # the page navigated while it was looked at: the state has followed
        return condition.look(session)


def _result(condition: Condition, seen: Seen, seconds: float, failing: int) -> Result:
    verdict = Verdict(
        condition.text, seen.ok, condition.expected, one_line(seen.actual, 300), round(seconds, 3)
    )
    return Result(verdict, status=0 if seen.ok else failing, hint=seen.hint)
