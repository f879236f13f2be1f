"""Variables: ``let``. What a command printed stays known as such, wherever it goes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import control
from domsh_repl.commands.session import Keep
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind
from domsh_repl.errors import UsageError
from domsh_repl.language import PrintedText

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_THE_SHELL = frozenset({"status"})
_SOURCE = "env:"
_FORM = "let name = word, let name = $(command)"
_HIDDEN_FORM = "let --secret NAME = env:VARIABLE"


def _check(call: Call) -> None:
    name, sign = call.operands[0], call.text(1)
    if not name.bare or not _NAME.fullmatch(name.text):
        is_joined = name.bare and "=" in name.text
        hint = "put blanks around =: let x = 5" if is_joined else "letters, digits and _"
        raise UsageError(f"{name.text!r} is no variable's name", hint, word=name.text)
    if name.text in _OF_THE_SHELL:
        raise UsageError(f"${name.text} is the shell's own", "take another name", word=name.text)
    if len(call.operands) > 1 and not (sign == "=" and call.operands[1].bare):
        raise UsageError(f"= is missing after {name.text}", _FORM, word=sign)
    if len(call.operands) < len(("x", "=")) + (call.line is None):
        raise UsageError(f"let {name.text} needs a value", f'{_FORM}; let {name.text} = ""')
    if call.has("--secret"):
        _check_secret(call)


def _check_secret(call: Call) -> None:
    value = call.operands[-1]
    is_one = call.line is None and len(call.operands) == len(("x", "=", "value"))
    if not is_one or not value.bare or not value.text.startswith(_SOURCE):
        message = "a secret comes from the environment"
        raise UsageError(message, _HIDDEN_FORM, word="" if call.line else value.text)


@control(
    name="let",
    group=Group.SHELL,
    summary="set a variable",
    operands=(
        Operand("NAME", OperandKind.WORD),
        Operand("=", OperandKind.WORD),
        Operand("WORD", OperandKind.WORD, needed=False, many=True),
    ),
    usage_tail="NAME = WORD… | NAME = $(COMMAND)",
    flags=(Flag("--secret", "the value of an environment variable, env:NAME, shown nowhere"),),
    examples=(
        "let name = Ada Lovelace",
        "let first = $(find --type link | head -1)",
        "let --secret password = env:SHOP_PASSWORD",
    ),
    details=(
        "$name, or ${name}, is one word wherever it stands, and never an option, a pattern or a\n"
        "second command. $(COMMAND) is what the command prints, without the last line's end; when\n"
        "it fails the variable stays as it is."
    ),
    check=_check,
    flags_first=True,
    offline=True,
)
def let(executor: Executor, call: Call, where: str) -> int:
    """Set a variable."""
    _check(call)
    session = executor.session
    name = call.operands[0].text
    if call.line is not None:
        status, text = executor.captured(call.line, where=where)
        if not status:
            session.variables[name] = PrintedText(text)
        return status
    words = call.operands[2:]
    if call.has("--secret"):
        secret = _from_environment(words[0].text.removeprefix(_SOURCE))
        session.secrets.add(secret)
        session.variables[name] = secret
        return 0
    if session.keep is Keep.ALWAYS:
        session.keep = Keep.MEMORY  # it can turn out to be what is written into a password field
    text = " ".join(word.text for word in words)
    printed = any(word.printed for word in words)
    session.variables[name] = PrintedText(text) if printed else text
    return 0


def _from_environment(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        hint = f"set it where domsh is started: {name}=… domsh"
        raise UsageError(f"the environment has no {name}", hint, word=f"{_SOURCE}{name}")
    return value
