"""Short names for lines, at the prompt: ``alias`` and ``unalias``."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Keep, Session
from domsh_repl.commands.spec import Group, Operand, OperandKind, Result
from domsh_repl.errors import Unsupported, UsageError
from domsh_repl.language import Line, print_line
from domsh_repl.nodes import Message
from domsh_repl.safetext import escape

_NAME = re.compile(r"[^\W\d][\w.-]*")
_FORM = "alias name = line"
_WRITING = frozenset({"fill", "type", "let"})


def _check(call: Call) -> None:
    if not call.operands:
        return
    name = call.operands[0]
    if not name.bare or not _NAME.fullmatch(name.text):
        hint = f"put blanks around =: {_FORM}" if "=" in name.text else "a letter, then letters"
        raise UsageError(f"{name.text!r} is no name for an alias", hint, word=name.text)
    if len(call.operands) > 1 and call.line is None:
        raise UsageError(f"{name.text} needs a line", _FORM, word=call.text(1))


def _aliases(session: Session) -> dict[str, str]:
    if session.aliases is None:
        raise Unsupported("aliases are for the prompt", "write the whole line")
    return session.aliases


@command(
    name="alias",
    group=Group.SHELL,
    summary="give a line a short name, or list such names",
    operands=(
        Operand("NAME", OperandKind.ALIAS, needed=False),
        Operand("=", OperandKind.WORD, needed=False),
    ),
    usage_tail="[NAME [= LINE]]",
    examples=("alias ll = ls -l", "alias heads = find --type heading | head", "alias"),
    details=(
        "The rest of the line, with ; and |, is what the name stands for. What follows the name\n"
        "when it is used is added to it. Aliases last as long as the shell."
    ),
    check=_check,
    flags_first=True,
    offline=True,
)
def alias(session: Session, call: Call) -> Iterator[Result]:
    """Make an alias, show one, or list all."""
    _check(call)
    known = _aliases(session)
    if call.line is not None:
        if _writes(call.line) and session.keep is Keep.ALWAYS:
            session.keep = Keep.MEMORY  # the text can be a password
        known[call.text(0)] = print_line(call.line)
        return
    shown = {call.text(0): _known(known, call.text(0))} if call.operands else known
    text = "\n".join(escape(f"alias {name} = {line}") for name, line in sorted(shown.items()))
    yield Result(Message(text, {"aliases": dict(sorted(shown.items()))}))


def _writes(line: Line) -> bool:
    return any(_WRITING.intersection(part.names) for step in line.steps for part in step.commands)


def _known(known: dict[str, str], name: str) -> str:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "`alias` lists them"
    raise UsageError(f"there is no alias {name!r}", hint, word=name)


@command(
    name="unalias",
    group=Group.SHELL,
    summary="forget an alias",
    operands=(Operand("NAME", OperandKind.ALIAS),),
    examples=("unalias ll",),
    offline=True,
)
def unalias(session: Session, call: Call) -> Iterator[Result]:
    """Forget it."""
    known = _aliases(session)
    _known(known, call.text(0))
    del known[call.text(0)]
    yield from ()
