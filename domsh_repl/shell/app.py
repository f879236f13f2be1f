"""The loop of the interactive shell: read a line, run it, show what came of it, until the end.

Puts the parts of this package together around one ``Executor``. The main thread prompts and
runs commands in turn, so that Ctrl-C means the line in the one case and the command in the
other. The server starts when the first prompt is drawn.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial

from domsh_repl.commands.executor import Executor, check_line
from domsh_repl.commands.session import Quit
from domsh_repl.errors import DomshError, Interrupted, ParseError
from domsh_repl.language import Line, parse_line
from domsh_repl.render import Renderer
from domsh_repl.render.theme import signs_for
from domsh_repl.safetext import one_line
from domsh_repl.shell.completer import LineCompleter
from domsh_repl.shell.history import LineHistory, history_file
from domsh_repl.shell.lines import caret_lines, split_lines
from domsh_repl.shell.look import Fragments, prompt_text
from domsh_repl.shell.lookout import Lookout
from domsh_repl.shell.plain import PlainPrompt
from domsh_repl.shell.progress import CarefulScreen, Progress
from domsh_repl.shell.prompting import LinePrompt

__all__ = ["run_shell"]

_TIP = (
    "`open URL` goes to a page, `ls` lists it, `cd` and `cat` look inside, `click` acts.\n"
    "Tab completes, `help` lists the commands, Ctrl-C stops one, Ctrl-D leaves."
)


def run_shell(executor: Executor, first_line: str) -> int:
    """Prompt for lines and run them until the user leaves; return the exit status.

    ``first_line`` is run before the first prompt. The session's link is started
    behind the first prompt that is drawn, or by what is run before.
    """
    return _Shell(executor).run(first_line)


class _Shell:
    """One interactive shell."""

    def __init__(self, executor: Executor) -> None:
        screen = executor.screen
        self._executor = executor
        self._session = executor.session
        self._is_quiet = isinstance(screen, Renderer) and screen.is_quiet
        self._signs = signs_for(sys.stdout.encoding or "utf-8")
        self._progress = Progress(sys.stderr)
        self._screen = executor.screen = CarefulScreen(screen, self._progress)
        executor.json_screen = CarefulScreen(executor.json_screen, self._progress)
        self._history = LineHistory(history_file(), partial(self._screen.note, warning=True))
        self._lookout = Lookout(self._session, self._answer_came)
        self._prompt = self._made_prompt(
            is_colored=isinstance(screen, Renderer) and screen.is_colored
        )
        self._session.history = self._history.lines
        self._session.note = self._note

    def run(self, first_line: str) -> int:
        """Run the loop."""
        if self._history.is_new and not self._is_quiet:
            print(_TIP, file=sys.stderr)  # noqa: T201  (nothing that paints is imported yet)
        try:
            if first_line:
                self._first_turn(first_line)
            while True:
                self._turn()
        except (Quit, EOFError):
            return 0

    def _made_prompt(self, *, is_colored: bool) -> LinePrompt | PlainPrompt:
        if os.environ.get("TERM", "").casefold() in ("dumb", "unknown"):
            return PlainPrompt(self._prompt_text, self._history)
        completer = LineCompleter(self._session, self._lookout)
        return LinePrompt(self._prompt_text, completer, self._history, is_colored=is_colored)

    def _first_turn(self, line: str) -> None:
        with suppress(KeyboardInterrupt):  # the prompt comes now
            self._run_line(line)

    def _turn(self) -> None:
        """Prompt once and run what was accepted; Ctrl-C ends the turn and nothing else."""
        try:
            lines = split_lines(self._prompt.ask(self._session.link.start))
            for line in lines:
                if len(lines) > 1:
                    self._prompt.echo(line)
                self._run_line(line)
                if self._session.status == Interrupted.exit_status:
                    break  # the rest of a pasted block is meant, too
        except KeyboardInterrupt:
            pass
        finally:
            self._lookout.drop()

    def _run_line(self, text: str) -> None:
        self._lookout.drop()
        line = self._parsed(text)
        if line is not None:
            with self._progress.waiting(partial(self._awaited, text)):
                self._executor.run(line)

    def _parsed(self, text: str) -> Line | None:
        """Return the line; tell what is wrong with it before any of it runs."""
        try:
            line = parse_line(text)
        except ParseError as error:
            if not self._executor.json:
                print(*caret_lines(text, error), sep="\n", file=sys.stderr)  # noqa: T201
            self._refuse(error)
            return None
        for misuse in check_line(line):
            self._refuse(misuse)
            return None
        return line

    def _refuse(self, error: DomshError) -> None:
        self._executor.show_error(error)
        self._session.status = error.exit_status
        self._session.variables["status"] = str(error.exit_status)

    def _awaited(self, text: str) -> str:
        if not self._session.link.is_ready:
            return f"{self._session.link.progress}:"
        return f"{one_line(text, 60)}:"

    def _prompt_text(self, columns: int) -> Fragments:
        link = self._session.link
        danger = f"lane {link.lane}!" if link.is_risky and link.lane else ""
        state, status = self._session.state, self._session.status
        return prompt_text(state, status, columns, self._signs, danger=danger)

    def _note(self, text: str) -> None:
        self._prompt.tell(partial(self._screen.note, text))

    def _answer_came(self) -> None:
        self._prompt.answer_came()
