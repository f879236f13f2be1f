"""The isolated lanes of this shell: ``lanes lane``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Group, Operand, OperandKind, Result
from domsh_repl.errors import Failed, UsageError
from domsh_repl.link import asks
from domsh_repl.nodes import Message
from domsh_repl.reports import Lane, Lanes

_WORDS = ("new", "use", "close")
_NAME = re.compile(r"[\w-]{1,40}", re.ASCII)


@command(
    name="lanes",
    group=Group.PAGE,
    summary="list the lanes of this shell",
    examples=("lanes",),
    details="A lane has tabs, cookies and a working directory of its own.",
)
def lanes(session: Session, call: Call) -> Iterator[Result]:
    """List lanes."""
    del call
    yield Result(Lanes(session.link.lanes))


def _check_lane(call: Call) -> None:
    word, usage = call.text(0), f"usage: {call.command.usage}"
    if word not in _WORDS:
        raise UsageError(f"{word!r} is nothing to do with a lane", usage, word=word)
    if word != "new" and len(call.operands) == 1:
        raise UsageError(f"lane {word} needs NAME", f"`lanes` lists them; {usage}", word=word)
    name = call.text(1, "1")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no name of a lane", "letters, digits, - and _ make one", word=name
        )


@command(
    name="lane",
    group=Group.PAGE,
    summary="make an isolated lane, go to one, close one",
    operands=(
        Operand("new|use|close", OperandKind.WORD),
        Operand("NAME", OperandKind.LANE, needed=False),
    ),
    usage_tail="new [NAME] | use NAME | close NAME",
    examples=("lane new", "lane new admin", "lane use 1", "lane close admin"),
    details=(
        "Each lane is logged in by itself: it shares no cookies with the others. Only lanes that\n"
        "this shell made can be closed. The first one is called 1."
    ),
    check=_check_lane,
    changes_page=True,
)
def lane(session: Session, call: Call) -> Iterator[Result]:
    """Make, use or close a lane."""
    _check_lane(call)
    word, name = call.text(0), call.text(1)
    if word == "new":
        yield Result(_made(session, name or _free_name(session)))
    elif word == "use":
        _require(session, name)
        session.use_lane(name)
        session.ask(asks.where())
        yield Result(_current(session))
    else:
        yield Result(_closed(session, name))


def _made(session: Session, name: str) -> Lane:
    if name in _names(session):
        raise Failed(f"there is a lane {name} already", f"`lane use {name}` goes there")
    before = session.link.lane_name
    session.add_lane(name)
    try:
        session.ask(asks.where())
    except BaseException:
        session.use_lane(before)
        session.drop_lane(name)
        raise
    return _current(session)


def _closed(session: Session, name: str) -> Message:
    _require(session, name)
    others = [other for other in _names(session) if other != name]
    if not others:
        raise Failed(f"{name} is the last lane", "`quit` closes it, `lane new` makes another one")
    if name == session.link.lane_name:
        session.use_lane(others[-1])
    session.drop_lane(name)
    current = session.link.lane_name
    facts = {"closed": name, "current": current}
    return Message(f"closed lane {name}; the current one is {current}", facts)


def _require(session: Session, name: str) -> None:
    if name not in _names(session):
        known = ", ".join(_names(session))
        raise Failed(f"there is no lane {name}", f"lanes: {known}; `lane new {name}` makes it")


def _names(session: Session) -> list[str]:
    return [one.name for one in session.link.lanes]


def _free_name(session: Session) -> str:
    known, number = set(_names(session)), 1
    while str(number) in known:
        number += 1
    return str(number)


def _current(session: Session) -> Lane:
    return next(one for one in session.link.lanes if one.current)
