"""Batch files within lines: ``source``. Reads the files; the executor runs what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.checks import check_line
from domsh_repl.commands.files import file_of
from domsh_repl.commands.registry import control
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Group, Operand, OperandKind
from domsh_repl.errors import DomshError, Misused, ParseError, UsageError
from domsh_repl.language import (
    Command,
    ExpandedWord,
    Line,
    Piece,
    PrintedText,
    Script,
    Word,
    parse_file,
)

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor

__all__ = ["check_sources", "decoded", "parsed_script"]


def decoded(data: bytes, name: str) -> str:
    """Return the text of a batch file; raises ``UsageError`` for what is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 (byte {error.start})") from error


def parsed_script(text: str, name: str, chain: tuple[Path, ...], *, may_shell: bool) -> Script:
    """Return the script of a text, checked with all that it sources.

    ``chain`` are the files that source it, itself last. Raises ``ScriptErrors``.
    """

    def check(line: Line) -> Iterator[ParseError]:
        yield from check_line(line, may_shell=may_shell, is_batch=True)
        yield from check_sources(line, chain, may_shell=may_shell)

    return parse_file(text, name, check)


def check_sources(line: Line, chain: tuple[Path, ...], *, may_shell: bool) -> Iterator[ParseError]:
    """Yield what is wrong with the files that a line sources, as far as they are known."""
    for step in line.steps:
        for part in step.commands:
            if part.nested is not None:
                yield from check_sources(part.nested, chain, may_shell=may_shell)
            word = _sourced(part)
            if word is None:
                continue
            try:
                _loaded(_expanded(word), chain, may_shell=may_shell)
            except ParseError as error:
                yield error
            except DomshError as error:
                length = word.end - word.start
                yield Misused(error.message, error.hint, column=word.start, length=length)


def _sourced(part: Command) -> Word | None:
    """Return the word that names the file, if a command sources one and its name is known."""
    is_source = part.names[0] == "source" and len(part.words) > 1
    known = is_source and all(isinstance(piece, Piece) for piece in part.words[1].pieces)
    return part.words[1] if known and not part.names[1].startswith("-") else None


def _expanded(word: Word) -> ExpandedWord:
    pieces = [(one.text, one.quoted) for one in word.pieces if isinstance(one, Piece)]
    return ExpandedWord(tuple(pieces))


def _loaded(
    word: ExpandedWord, chain: tuple[Path, ...], *, may_shell: bool
) -> tuple[Script, tuple[Path, ...]]:
    """Return the script of a file that stands beside the innermost one of the chain."""
    path = file_of(word)
    folder = chain[-1].parent if chain else Path()
    found = folder / path
    name = str(found)
    if any(_is_same(found, known) for known in chain):
        way = " → ".join(one.name for one in (*chain, found))
        raise UsageError(
            f"{name} sources itself ({way})", "take one of these lines out", word=word.text
        )
    try:
        data = found.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read {name}: {reason}", word=word.text) from error
    inner = (*chain, found)
    return parsed_script(decoded(data, name), name, inner, may_shell=may_shell), inner


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # one of them is not there
        return False


@control(
    name="source",
    group=Group.SHELL,
    summary="run the lines of a batch file here",
    operands=(
        Operand("FILE", OperandKind.FILE),
        Operand("ARG", OperandKind.WORD, needed=False, many=True),
    ),
    examples=("source login.domsh", "source add.domsh 'Blue mug' 2"),
    details=(
        "In a batch file FILE is looked for beside that file. The arguments are $1, $2 … $# and\n"
        '"$@" in it; all other variables are shared. It ends at the first line that fails.\n'
        "Programs and > in it need --allow-shell."
    ),
    flags_first=True,
)
def source(executor: Executor, call: Call, where: str) -> int:
    """Run the lines."""
    del where
    session = executor.session
    may_shell = session.settings.allow_shell
    script, chain = _loaded(call.operands[0], session.sources, may_shell=may_shell)
    arguments = tuple(
        PrintedText(word.text) if word.printed else word.text for word in call.operands[1:]
    )
    with _within(session, chain, arguments), session.unpaged():
        for line in script.lines:
            for part in line.parts:
                if session.script is not None:
                    session.script.at(script.name, line.number)
                status = executor.run_part(part, line, where=f"{script.name}:{line.number}")
                if status:
                    return status
    return 0


@contextmanager
def _within(
    session: Session, chain: tuple[Path, ...], arguments: tuple[str, ...]
) -> Iterator[None]:
    """Let a file's own arguments hold; a line without any holds no secret of what runs in it."""
    before, given, keep = session.sources, session.variables.get("@", ()), session.keep
    session.sources, session.variables["@"] = chain, arguments
    try:
        yield
    finally:
        session.sources, session.variables["@"] = before, given
        if not arguments:
            session.keep = keep
