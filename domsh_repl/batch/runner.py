"""Runs a line, a file or a stream of lines and gives the exit status (docs/language.md §1, §6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

from domsh_repl.commands.executor import Executor, Screen, check_line, needs_page
from domsh_repl.commands.session import Keep
from domsh_repl.commands.source import check_sources, decoded, parsed_script
from domsh_repl.commands.spec import Quit
from domsh_repl.errors import DomshError, UsageError
from domsh_repl.language import (
    Line,
    Script,
    awaited_end,
    goes_on,
    parse_line,
)
from domsh_repl.nodes import View

__all__ = [
    "Aside",
    "begins_with_open",
    "load_script",
    "needs_page",
    "parse_command",
    "run_line",
    "run_lines",
    "run_shell_line",
]

_PLAIN_VIEW = View()


class Aside:
    """Shows values beside the data; errors and remarks go where they always go."""

    def __init__(self, aside: Screen, screen: Screen, *, quiet: bool) -> None:
        self._aside = aside
        self._screen = screen
        self._quiet = quiet

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value, unless no remarks are wanted."""
        if not self._quiet:
            self._aside.show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        self._screen.error(error, where=where)

    def lent(self) -> AbstractContextManager[None]:
        """Let somebody else write beside the data meanwhile."""
        return self._screen.lent()

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""
        self._screen.note(text, warning=warning)


def parse_command(text: str, *, allow_shell: bool = False) -> Line:
    """Return the line of ``-c``, checked as a whole: raises ``ParseError``, ``UsageError``.

    ``allow_shell`` lets the files that it sources run programs and write files.
    """
    if "\n" in text.strip("\n"):
        raise UsageError("-c takes one line", "`domsh run -` reads lines from standard input")
    return _checked(text.strip("\n"), allow_shell=allow_shell)


def begins_with_open(line: Line) -> bool:
    """Tell whether the first command of a line goes to a page of its own."""
    if not line.steps:
        return False
    names = line.steps[0].command.names
    return names[0] in {"open", "navigate"} or names == ("page", "open")


def load_script(name: str, stdin: BinaryIO, *, may_shell: bool = False) -> Script:
    """Read and check a batch file (``-``: standard input); nothing has run when it raises.

    Raises ``ScriptErrors`` with every error found, and ``UsageError`` when it cannot be read.
    """
    try:
        data = stdin.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    shown = "stdin" if name == "-" else name
    chain = () if name == "-" else (Path(name),)
    return parsed_script(decoded(data, shown), shown, chain, may_shell=may_shell)


def run_line(executor: Executor, line: Line) -> int:
    """Run one line and return its status; ``quit`` is 0."""
    try:
        with executor.session.kept(line.text):
            return executor.run(line)
    except Quit:
        return 0


def run_shell_line(executor: Executor, text: str) -> int:
    """Run a line of a shell and return its status; one with a blank in front is kept nowhere.

    Raises ``Quit`` when the user leaves.
    """
    session = executor.session
    session.keep = Keep.ALWAYS
    line = _checked(text, allow_shell=session.settings.allow_shell)
    with nullcontext() if text[:1].isspace() else session.kept(text):
        return executor.run(line)


def run_lines(executor: Executor, stdin: BinaryIO) -> int:
    """Run each line as it arrives, up to the first failure; the text is UTF-8."""
    try:
        for number, data in _whole_lines(stdin):
            status = _run_text(executor, data, number)
            if status:
                return status
    except Quit:
        return 0
    return 0


def _whole_lines(stdin: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield lines with those that belong to them, and the number of the first."""
    begun: list[bytes] = []
    first, end = 1, ""
    for number, data in enumerate(iter(stdin.readline, b""), 1):
        begun.append(data)
        row = data.decode(errors="replace").rstrip("\r\n")
        if end and row != end:
            continue
        text = "" if end else _unix(b"".join(begun).decode(errors="replace"))
        end = awaited_end(text)
        if goes_on(text):
            continue
        yield first, b"".join(begun)
        begun, first = [], number + 1
    if begun:
        yield first, b"".join(begun)


def _unix(text: str) -> str:
    """Return the text of a line, or of several, with ends as the language has them."""
    return text.replace("\r\n", "\n").removesuffix("\n")


def _run_text(executor: Executor, data: bytes, number: int) -> int:
    where = f"stdin:{number}"
    allow_shell = executor.session.settings.allow_shell
    try:
        text = _unix(decoded(data, "the line"))
        line = _checked(text, allow_shell=allow_shell, is_batch=True)
    except DomshError as error:
        executor.show_error(error, where=where)
        return error.exit_status
    with executor.session.kept(line.text):
        return executor.run(line, where=where)


def _checked(text: str, *, allow_shell: bool, is_batch: bool = False) -> Line:
    """Return a line that is right; what a person typed may run programs in any case."""
    line = parse_line(text)
    for error in check_line(line, may_shell=allow_shell or not is_batch, is_batch=is_batch):
        raise error
    for error in check_sources(line, (), may_shell=allow_shell):
        raise error
    return line
