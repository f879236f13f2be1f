"""``snapshot`` and ``diff``: what the page is now, kept in a file, and what has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.comparing import compare
from domsh_repl.commands.files import file_of
from domsh_repl.commands.picturefile import check_target
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.snapshottext import (
    Snapshot,
    parse_snapshot,
    snapshot_of,
    write_snapshot,
)
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.commands.textfile import path_named, read_text, save_text
from domsh_repl.errors import Failed, UsageError
from domsh_repl.link import asks
from domsh_repl.paths import Path
from domsh_repl.reports import Comparison, SavedFile
from domsh_repl.safetext import one_line

__all__ = ["taken"]

_MOST = 20_000
"""Nodes in a snapshot: the level that would have more is left out, and those below it."""
_DEEPEST = 300
_PATH = Operand("PATH", OperandKind.PATH, needed=False)


def taken(session: Session, path: Path) -> Snapshot:
    """Return the snapshot of what is below a path now."""
    tree = session.read(path, lambda one: asks.tree(one, depth=_DEEPEST, limit=_MOST))
    headings = session.read(path, lambda one: asks.outline(one, ["--headings"]))
    return snapshot_of(tree.tree, {entry.path: entry.level for entry in headings.outline})


def _check_snapshot(call: Call) -> None:
    if not call.flags.get("-o"):
        usage = f"usage: {call.command.usage}"
        raise UsageError("snapshot needs the name of a file: -o FILE", usage)


@command(
    name="snapshot",
    group=Group.TREE,
    summary="keep what the page is in a file, to compare it later",
    operands=(_PATH,),
    flags=(Flag("-o", "into this file", "FILE"), Flag("--force", "overwrite the file")),
    usage_tail="[PATH]",
    examples=("snapshot -o shop.snapshot", "snapshot -o form.snapshot --force main_1/form_1"),
    details=(
        "Roles, labels, heading levels and states as a tree of lines, without ids, values and\n"
        "addresses, so that two releases can be compared. `diff FILE` compares."
    ),
    check=_check_snapshot,
)
def snapshot(session: Session, call: Call) -> Iterator[Result]:
    """Write a snapshot."""
    _check_snapshot(call)
    name, force = call.flags["-o"], call.has("--force")
    file = path_named(name)
    check_target(str(file), force=force)
    made = taken(session, call.path(0))
    save_text(file, write_snapshot(made), force=force)
    cut = f"; not in it: {made.cut}" if made.cut else ""
    yield Result(SavedFile(name, f"{len(made.shapes)} nodes{cut}"))


@command(
    name="diff",
    group=Group.TREE,
    summary="tell what the last action changed, or what differs from a snapshot",
    operands=(Operand("FILE", OperandKind.FILE, needed=False), _PATH),
    examples=("diff", "diff shop.snapshot", "diff form.snapshot main_1/form_1"),
    statuses=((1, "the page differs from the snapshot"),),
    details=(
        "Alone: what came, went and changed since the last action, among what had been read\n"
        "before it. With a file that `snapshot` wrote: what differs, by role and label, so that\n"
        "what only stands elsewhere has moved, and what only has another label is renamed."
    ),
)
def diff(session: Session, call: Call) -> Iterator[Result]:
    """Compare with before the last action, or with a snapshot."""
    if not call.operands:
        yield Result(session.ask(asks.diff()))
        return
    file = file_of(call.operands[0])
    compared = _compared(file, _kept(file), taken(session, call.path(1)))
    yield Result(compared, status=1 if compared.changes else 0)


def _compared(file: FilePath, before: Snapshot, now: Snapshot) -> Comparison:
    """Compare; raises ``Failed`` where one is of a page and the other of a part, or alike."""
    was, role = before.shapes[0].role, now.shapes[0].role
    if was != role:
        shown = one_line(str(file), 100)
        raise Failed(f"{shown} is of a {was}, and this is a {role}", "diff FILE PATH names another")
    return compare(before, now)


def _kept(file: FilePath) -> Snapshot:
    text = read_text(file)
    try:
        return parse_snapshot(text)
    except Failed as error:
        raise Failed(f"{one_line(str(file), 100)}: {error.message}", error.hint) from error
