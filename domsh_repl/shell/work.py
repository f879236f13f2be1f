"""What a line does when it has been accepted: parsed, checked, run, and told about.

Holds the ``Executor`` and what shows its answers, so that the prompt can be drawn before any of
that is imported.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from domsh_repl.addresses import resolve_url
from domsh_repl.commands.executor import Executor, check_line
from domsh_repl.commands.registry import names
from domsh_repl.commands.session import Keep, Session
from domsh_repl.commands.spec import Quit
from domsh_repl.errors import CannotWrite, DomshError, Failed, ParseError
from domsh_repl.language import Line, Token, expand_aliases, expand_command, parse_line
from domsh_repl.safetext import escape, one_line
from domsh_repl.shell.completer import LineCompleter
from domsh_repl.shell.lines import caret_lines, place_in_words
from domsh_repl.shell.look import host_of
from domsh_repl.shell.lookout import Lookout
from domsh_repl.shell.notices import Notices, Restraint
from domsh_repl.shell.progress import CarefulScreen, Progress
from domsh_repl.shell.sweep import postpone, sweep

__all__ = ["Work"]

_SHOWN_LINE = 60


class Work:
    """Runs lines of one session; remarks go through ``tell``, which keeps the prompt whole.

    ``seconds`` is what the last line took.
    """

    def __init__(
        self,
        executor: Executor,
        tell: Callable[[Callable[[], None]], None],
        answer_came: Callable[[], None],
        *,
        shows_tracebacks: bool,
    ) -> None:
        progress = Progress(sys.stderr, lambda: executor.session.settings.plain)
        screen = executor.screen = CarefulScreen(executor.screen, progress)
        executor.json_screen = CarefulScreen(executor.json_screen, progress)
        self._executor = executor
        self._progress = progress
        self._shows_tracebacks = shows_tracebacks
        self.session = executor.session
        self.session.aliases = {}

        def note(text: str) -> None:
            tell(partial(screen.note, text))

        self._restraint = Restraint(note)
        self.session.note = self._restraint.note
        self.warn = partial(screen.note, warning=True)
        self._lookout = Lookout(self.session, answer_came)
        postpone()
        self.completer = LineCompleter(self.session, self._lookout)
        self.notices = Notices(self.session, note, answer_came)
        self.seconds: float | None = None

    def exists(self, word: Token) -> bool | None:
        """Tell whether a path is there, from what is known; None while that is not."""
        return self.completer.exists(word)

    @property
    def known(self) -> int:
        """Return what changes with what is known of the page."""
        return self._lookout.version

    def prepare(self) -> None:
        """Ask behind the prompt for what completion will need."""
        self.completer.prepare()

    def drop(self) -> None:
        """Give up what completion still waits for, and sweep up: nobody types now."""
        self._lookout.drop()
        sweep()

    def run(self, text: str) -> None:
        """Run a line; the session tells where it may be kept. Raises ``Quit``.

        Whatever goes wrong costs this line only.
        """
        self.session.keep = Keep.ALWAYS
        self._restraint.lift()
        began = time.monotonic()
        try:
            line = self._parsed(text)
            if line is not None:
                with self._progress.waiting(partial(self._awaited, line)):
                    self._executor.run(line)
        except (Quit, BrokenPipeError, CannotWrite):
            raise
        except Exception as error:  # noqa: BLE001  (the shell goes on)
            self._tell_defect(error)
        finally:
            self.seconds = time.monotonic() - began
            self._restraint.impose()
            self.notices.ended(self.session.status)

    def _parsed(self, text: str) -> Line | None:
        """Return the line; tell what is wrong with it before any of it runs."""
        text = expand_aliases(text, self.session.aliases or {})
        try:
            line = parse_line(text)
        except ParseError as error:
            if not self._executor.json:
                blame = place_in_words if self.session.settings.plain else caret_lines
                print(*blame(text, error), sep="\n", file=sys.stderr)  # noqa: T201
            self.refuse(error)
            return None
        for misuse in check_line(line):
            self.refuse(misuse)
            return None
        return line

    def refuse(self, error: DomshError) -> None:
        """Show an error and let the line have its status."""
        self._executor.show_error(error)
        self.session.status = error.exit_status
        self.session.variables["status"] = str(error.exit_status)

    def _tell_defect(self, error: Exception) -> None:
        if self._shows_tracebacks:
            lines = map(escape, traceback.format_exc().splitlines())
            print(*lines, sep="\n", file=sys.stderr)  # noqa: T201
        said = one_line(f"{type(error).__name__}: {error}", 300)
        self.refuse(Failed(f"a defect: {said}", "" if self._shows_tracebacks else _DEFECT_HINT))

    def _awaited(self, line: Line) -> str:
        if not self.session.link.is_ready:
            return f"{self.session.link.progress}:"
        return f"{_going(line, self.session) or one_line(line.text, _SHOWN_LINE)}:"


def _going(line: Line, session: Session) -> str:
    """Return which page a line waits for that does nothing but go to one; "" for others."""
    if len(line.steps) != 1:
        return ""
    command = line.steps[0].command
    found = names().get(command.names[0])
    if found is None or found.name not in ("open", "reload"):
        return ""
    url = session.state.page.url
    with suppress(DomshError):
        words = expand_command(command, session.variables)[1:]
        named = [word.text for word in words if not word.text.startswith("-")]
        return f"loading {host_of(resolve_url(named[0], url, allow_file=True) if named else url)}"
    return ""


_DEFECT_HINT = "--debug shows where"
