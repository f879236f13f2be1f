"""What only batch files say: sections, ends, requirements, and marks for a recording (§6).

A running file is on the session (``script``); at the prompt there is none, and what needs one
is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.capabilities import lacking, require_capability
from domsh_repl.commands.conditionflags import CONDITION_FLAGS, condition_in
from domsh_repl.commands.conditions import Condition
from domsh_repl.commands.registry import control
from domsh_repl.commands.scripting import Scripting
from domsh_repl.commands.spec import Group, Operand, OperandKind
from domsh_repl.errors import Skipped, UsageError
from domsh_repl.keynames import split_chord
from domsh_repl.language import ExpandedWord
from domsh_repl.measures import parse_seconds
from domsh_repl.patterns import compile_pattern

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor

_RECORDED = "It says how a recording of the file looks, and does nothing where the file just runs."


def _script(executor: Executor, name: str) -> Scripting:
    script = executor.session.script
    if script is None:
        raise UsageError(f"{name} is for batch files", "`help batch` tells of them")
    return script


@control(
    name="mark",
    group=Group.SCRIPT,
    summary="begin a section of a batch file",
    operands=(Operand("LABEL", OperandKind.TEXT),),
    examples=('mark "Sign in"',),
    details="A section is one test case of a report and one chapter of a recording.",
    offline=True,
)
def mark(executor: Executor, call: Call, where: str) -> int:
    """Begin a section."""
    del where
    _script(executor, "mark").begin_section(call.text(0))
    return 0


def _check_defer(call: Call) -> None:
    if call.line is None:
        raise UsageError("defer needs LINE", f"usage: {call.command.usage}")


@control(
    name="defer",
    group=Group.SCRIPT,
    summary="run a line when the batch file has ended, however it ends",
    usage_tail="LINE",
    examples=('defer click "Sign out"',),
    details=(
        "LINE is the rest of the line, with ; and |. Several run last first, after a failure and\n"
        "after Ctrl-C, too; one that fails makes the file fail."
    ),
    check=_check_defer,
    flags_first=True,
    offline=True,
)
def defer(executor: Executor, call: Call, where: str) -> int:
    """Keep a line for the end."""
    _check_defer(call)
    assert call.line is not None
    _script(executor, "defer").defer(call.line, where)
    return 0


def _check_require(call: Call) -> None:
    require_capability([word.text for word in call.operands])


@control(
    name="require",
    group=Group.SCRIPT,
    summary="skip the batch file where something is not to be had",
    operands=(Operand("CAPABILITY", OperandKind.WORD, many=True),),
    examples=("require builtin", "require dialogs", "require chromium >= 120"),
    details=(
        "CAPABILITY is builtin or domshell (the server), dialogs, downloads, frames, keys,\n"
        "screenshots, console, or chromium CMP N (its major version)."
    ),
    check=_check_require,
)
def require(executor: Executor, call: Call, where: str) -> int:
    """Skip the file, or go on."""
    del where
    words = [word.text for word in call.operands]
    missing = lacking(executor.session, words)
    if missing:
        _script(executor, "require")
        raise Skipped(missing)
    return 0


def _is_conditional(call: Call) -> bool:
    first = call.operands[0]
    return first.bare and first.text == "if"


def _condition(call: Call) -> tuple[Condition, str]:
    """Return the condition of ``skip if``, and the reason, which is the last word."""
    words: tuple[ExpandedWord, ...] = call.operands[1:-1]
    if not words:
        raise UsageError("skip if needs CONDITION and REASON", f"usage: {call.command.usage}")
    return condition_in(call, words), call.operands[-1].text


def _check_skip(call: Call) -> None:
    if _is_conditional(call):
        _condition(call)
    elif len(call.operands) > 1:
        extra = call.operands[1].text
        raise UsageError(
            f"skip takes one REASON, not {extra!r} too",
            'quote it: skip "not in this release"; skip if CONDITION REASON',
            word=extra,
        )


@control(
    name="skip",
    group=Group.SCRIPT,
    summary="end the batch file without a verdict, if a condition holds",
    operands=(Operand("CONDITION", OperandKind.CONDITION, many=True),),
    flags=CONDITION_FLAGS,
    usage_tail="REASON | if [not] CONDITION REASON",
    examples=(
        'skip "the shop is closed on Sundays"',
        'skip if gone main_1/beta "no beta here"',
    ),
    details=(
        "The condition is looked at once. Exit status 0; the last line counts 1 skipped. REASON\n"
        "is one word: quote it. Lines that were deferred still run."
    ),
    check=_check_skip,
    offline=False,
)
def skip(executor: Executor, call: Call, where: str) -> int:
    """End the file, or go on."""
    del where
    _check_skip(call)
    _script(executor, "skip")
    if not _is_conditional(call):
        raise Skipped(call.text(0))
    condition, reason = _condition(call)
    if condition.look(executor.session).ok:
        raise Skipped(reason)
    return 0


def _for_recording(executor: Executor, call: Call, where: str) -> int:
    """Do nothing but for being in a file: the words are checked already."""
    del where
    _script(executor, call.command.name)
    return 0


control(
    name="hide",
    group=Group.SCRIPT,
    summary="keep the lines that follow out of a recording",
    examples=("hide",),
    details=_RECORDED,
    offline=True,
)(_for_recording)


control(
    name="show",
    group=Group.SCRIPT,
    summary="let the lines that follow be recorded again",
    examples=("show",),
    details=_RECORDED,
    offline=True,
)(_for_recording)


control(
    name="pause",
    group=Group.SCRIPT,
    summary="let time pass in a recording",
    operands=(Operand("T", OperandKind.WORD),),
    examples=("pause 300ms",),
    details=f"{_RECORDED}\nNobody waits for it: to wait for the page there is `wait`.",
    check=lambda call: parse_seconds(call.text(0)),
    offline=True,
)(_for_recording)


control(
    name="caption",
    group=Group.SCRIPT,
    summary="show a text in a recording",
    operands=(Operand("TEXT", OperandKind.TEXT),),
    examples=('caption "A page is a folder"',),
    details=_RECORDED,
    offline=True,
)(_for_recording)


def _check_elide(call: Call) -> None:
    text = call.text(0)
    if len(text) < len("/x/") or not (text.startswith("/") and text.endswith("/")):
        raise UsageError(f"{text!r} is no /RE/", "elide '/order [0-9]+/' ORDER", word=text)
    compile_pattern(text[1:-1])


control(
    name="elide",
    group=Group.SCRIPT,
    summary="put a label in the place of what changes, in what is recorded",
    operands=(Operand("/RE/", OperandKind.TEXT), Operand("LABEL", OperandKind.TEXT)),
    examples=("elide '/order [0-9]+/' ORDER",),
    details=_RECORDED,
    check=_check_elide,
    offline=True,
)(_for_recording)


def _check_keys(call: Call) -> None:
    for word in call.operands:
        if word.bare:
            split_chord(word.text)


control(
    name="keys",
    group=Group.SCRIPT,
    summary="press keys at the prompt of a recording",
    operands=(Operand("KEY", OperandKind.KEY, many=True),),
    examples=('keys "cd ma" Tab Enter',),
    details=f"{_RECORDED}\nA quoted word is typed, a bare one is a key.",
    check=_check_keys,
    offline=True,
)(_for_recording)
