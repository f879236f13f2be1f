"""``a11y``: what the accessibility rules find, and the baseline of what was found before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as FilePath

from domsh_repl.audit.baseline import Key, new_among, parse_baseline, write_baseline
from domsh_repl.commands.arguments import Call
from domsh_repl.commands.conditionwords import Seen
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.commands.textfile import path_named, read_text, save_text
from domsh_repl.errors import Failed, UsageError
from domsh_repl.link import asks
from domsh_repl.paths import Path
from domsh_repl.safetext import one_line

__all__ = ["audited"]

_SHOWN = 3


def audited(session: Session, path: Path) -> Seen:
    """Return whether no rule fails below a path, and what does: for ``expect a11y``.

    A page that was not looked at as a whole passes neither so nor negated.
    """
    found = session.ask(asks.audit(session.absolute(path)))
    failed = found.failed
    if found.cut and not failed:
        return Seen(ok=False, actual=found.cut, missing=True)
    told = [f"{one.rule} at {one_line(one.path, 80)}" for one in failed[:_SHOWN]]
    more = len(failed) - len(told)
    if more > 0:
        told.append(f"and {more} more")
    return Seen(not failed, "; ".join(told) or "nothing fails", hint="`a11y` tells what and why")


def _check(call: Call) -> None:
    usage = f"usage: {call.command.usage}"
    if call.has("--update") and not call.has("--baseline"):
        raise UsageError("--update is of a baseline", usage, word="--update")
    if call.flags.get("--baseline") == "":
        raise UsageError("--baseline needs the name of a file", usage, word="--baseline")


@command(
    name="a11y",
    group=Group.TREE,
    summary="check accessibility by the rules that the tree can answer",
    operands=(Operand("PATH", OperandKind.PATH, needed=False),),
    flags=(
        Flag("--baseline", "tell only what is not in this file", "FILE"),
        Flag("--update", "write what there is now into the baseline"),
    ),
    examples=(
        "a11y", "a11y main_1", "a11y --baseline a11y.json", "a11y --baseline a11y.json --update",
    ),
    details=(
        "`fail` misses a criterion of WCAG 2.2, whose number is told; `practice` is what\n"
        "experts advise; `review` is for a person to decide. The last line says what no rule\n"
        "checks. Findings are no failure of the command: `expect a11y` fails where one is a\n"
        "`fail`. A baseline knows findings by rule, role, label and landmark. Title, language\n"
        "and what a whole page must have are asked of / only."
    ),
    check=_check,
)  # fmt: skip
def a11y(session: Session, call: Call) -> Iterator[Result]:
    """Check."""
    _check(call)
    name = call.flags.get("--baseline", "")
    file = path_named(name) if name else None
    update = call.has("--update")
    known: list[Key] = [] if file is None else _known(file, needed=not update)
    found = session.read(call.path(0), asks.audit)
    if file is None:
        yield Result(found)
        return
    new = new_among(found.findings, known)
    if update:
        save_text(file, write_baseline(found.findings), force=True)
        session.note(f"{one_line(name)} has {len(found.findings)} findings now")
    yield Result(replace(found, findings=new, old=len(found.findings) - len(new)))


def _known(file: FilePath, *, needed: bool) -> list[Key]:
    """Return what a baseline has; nothing where it is still to be made."""
    if not needed and not file.exists():
        return []
    if not file.exists():
        shown = one_line(str(file), 100)
        raise Failed(f"there is no baseline {shown}", "--update writes it")
    try:
        return parse_baseline(read_text(file))
    except Failed as error:
        if error.hint:
            raise Failed(f"{one_line(str(file), 100)}: {error.message}", error.hint) from error
        raise
