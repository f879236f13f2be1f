"""``state save`` and ``state load``: cookies and storage of a lane, to start logged in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.files import file_of
from domsh_repl.commands.loginfile import read_login, write_login
from domsh_repl.commands.picturefile import check_target
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import UsageError
from domsh_repl.jsonform import encode
from domsh_repl.link import asks
from domsh_repl.logins import Kept, Login
from domsh_repl.nodes import Message
from domsh_repl.safetext import one_line

__all__ = ["bring_back", "load_state", "read_login"]

_WORDS = ("save", "load")


def load_state(session: Session, path: str | Path) -> Kept:
    """Bring the login of a file into the session's lane; raises ``Failed`` for a bad file.

    For ``run --state``: into a new lane, before the first line.
    """
    return bring_back(session, read_login(path))


def bring_back(session: Session, login: Login) -> Kept:
    """Bring a login into the session's lane: the cookies, then an origin at a time."""
    parts = [Login(login.cookies), *(Login(origins=(one,)) for one in login.origins)]
    took = [session.ask(asks.bring_login(json.dumps(encode(part)))) for part in parts]
    return Kept(
        sum(one.cookies for one in took),
        sum(one.origins for one in took),
        tuple(problem for one in took for problem in one.problems),
    )


def _check(call: Call) -> None:
    usage, word = f"usage: {call.command.usage}", call.text(0)
    if word not in _WORDS:
        raise UsageError(f"{word!r} is nothing to do with a state", usage, word=word)
    if word == "load" and call.has("--force"):
        raise UsageError("--force is of `state save`", usage, word="--force")


@command(
    name="state",
    group=Group.PAGE,
    summary="keep the cookies and the storage of the lane, or bring them back",
    operands=(
        Operand("save|load", OperandKind.WORD, words=_WORDS),
        Operand("FILE", OperandKind.FILE),
    ),
    flags=(Flag("--force", "overwrite the file"),),
    usage_tail="save|load FILE",
    examples=("state save shop.state", "state save shop.state --force", "state load shop.state"),
    details=(
        "To start logged in: `state load` before `open`, or `domsh run --state FILE`. The file\n"
        "holds the cookies of the lane, HttpOnly ones too, localStorage of the origins that its\n"
        "tabs showed, and sessionStorage of those that are open. It is as good as a password:\n"
        "only its owner can read it (0600), and no value is ever shown."
    ),
    check=_check,
    changes_page=True,
)
def state(session: Session, call: Call) -> Iterator[Result]:
    """Save or load."""
    _check(call)
    file = file_of(call.operands[1])
    if call.text(0) == "save":
        check_target(str(file), force=call.has("--force"))
        login = session.ask(asks.kept_login())
        write_login(file, login, force=call.has("--force"))
        yield Result(_told("saved", str(file), len(login.cookies), len(login.origins)))
        return
    took = load_state(session, file)
    for problem in took.problems:
        session.note(problem)
    yield Result(_told("loaded", str(file), took.cookies, took.origins))


def _told(done: str, file: str, cookies: int, origins: int) -> Message:
    said = f"{_counted(cookies, 'cookie')}, storage of {_counted(origins, 'origin')}"
    facts = {"action": done, "file": file, "cookies": cookies, "origins": origins}
    return Message(f"{done} {one_line(file, 100)}: {said}", facts)


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
