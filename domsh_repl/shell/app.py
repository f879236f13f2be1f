"""The loop of the interactive shell: read a line, run it, show what came of it, until the end.

The main thread prompts and runs commands in turn, so that Ctrl-C means the line in the one case
and the command in the other. What runs lines is imported and the server started when the first
prompt is drawn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from domsh_repl.errors import Interrupted
from domsh_repl.render.theme import DEFAULT_THEME, Theme, signs_for
from domsh_repl.shell.history import LineHistory, history_file
from domsh_repl.shell.lexer import LineLexer
from domsh_repl.shell.lines import split_lines
from domsh_repl.shell.look import NO_PAGE, Fragments, prompt_text
from domsh_repl.shell.plain import PlainPrompt
from domsh_repl.shell.prompting import LinePrompt, Manner

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.language import Token
    from domsh_repl.shell.completer import LineCompleter
    from domsh_repl.shell.work import Work

__all__ = ["Look", "run_shell"]

_TIP = (
    "`open URL` goes to a page, `ls` lists it, `cd` and `cat` look inside, `click` acts.\n"
    "Tab completes, `help` lists the commands, Ctrl-C stops one, Ctrl-D leaves."
)


@dataclass(frozen=True, slots=True)
class Look:
    """How the shell looks: with colours, without remarks, with the tracebacks of defects.

    One that ``goes_on`` shows in its first prompt where that is. ``is_vi`` gives the line editor
    vi's keys, and one that ``is_plain`` redraws nothing.
    """

    is_colored: bool = False
    is_quiet: bool = False
    shows_tracebacks: bool = False
    goes_on: bool = False
    is_vi: bool = False
    is_plain: bool = False
    theme: Theme = field(default_factory=lambda: DEFAULT_THEME)


def run_shell(make: Callable[[], Executor], look: Look, first_line: str) -> int:
    """Prompt for lines and run them until the user leaves; return the exit status.

    ``make`` is called behind the first prompt that is drawn, or by ``first_line``, which is run
    before that.
    """
    return _Shell(make, look).run(first_line)


class _Shell:
    """One interactive shell."""

    def __init__(self, make: Callable[[], Executor], look: Look) -> None:
        self._make = make
        self._look = look
        self._made: Work | None = None
        self._history = LineHistory(history_file(), self._warn)
        self._signs = signs_for(sys.stdout.encoding or "utf-8")
        self._was_plain = look.is_plain
        self._prompt = self._made_prompt()

    @property
    def _work(self) -> Work:
        if self._made is None:
            from domsh_repl.shell.work import Work  # noqa: PLC0415  (the prompt is first)

            self._made = Work(
                self._make(),
                self._tell,
                self._answer_came,
                shows_tracebacks=self._look.shows_tracebacks,
            )
            self._made.session.history = self._lines
        return self._made

    def _warn(self, text: str) -> None:
        self._work.warn(text)

    def _tell(self, write: Callable[[], None]) -> None:
        self._prompt.tell(write)

    def _answer_came(self) -> None:
        self._prompt.answer_came()

    def _lines(self) -> list[str]:
        return self._history.lines()

    def run(self, first_line: str) -> int:
        """Run the loop."""
        if self._history.is_new and not self._look.is_quiet:
            print(_TIP, file=sys.stderr)  # noqa: T201  (nothing that paints is imported yet)
        try:
            if self._look.goes_on:
                self._settle_in()
            if first_line:
                self._first_turn(first_line)
            while self._turn():
                pass
        except EOFError:
            pass
        return 0

    def _settle_in(self) -> Work:
        """Make what runs lines before the prompt is drawn, which then tells where that is."""
        return self._work

    def _made_prompt(self) -> LinePrompt | PlainPrompt:
        if os.environ.get("TERM", "").casefold() in ("dumb", "unknown"):
            return PlainPrompt(self._prompt_text, self._history)
        if self._is_plain:
            return PlainPrompt.edited(
                self._prompt_text, self._history, self._completer, is_vi=self._look.is_vi
            )
        return LinePrompt(
            self._prompt_text,
            self._completer,
            self._history,
            LineLexer(self._exists, self._known, self._aliases),
            Manner(self._look.is_colored, self._look.is_vi, self._look.theme),
        )

    @property
    def _is_plain(self) -> bool:
        """Whether nothing may be redrawn, as ``set plain`` said last."""
        return self._look.is_plain if self._made is None else self._made.session.settings.plain

    def _completer(self) -> LineCompleter:
        return self._work.completer

    def _exists(self, word: Token) -> bool | None:
        return None if self._made is None else self._made.exists(word)

    def _known(self) -> int:
        return -1 if self._made is None else self._made.known

    def _aliases(self) -> Collection[str]:
        return () if self._made is None else self._made.session.aliases or ()

    def _drawn(self) -> None:
        """Get ready for lines, and for Tab, behind the prompt."""
        self._work.session.link.start()
        self._work.prepare()

    def _first_turn(self, line: str) -> None:
        with suppress(KeyboardInterrupt):  # the prompt comes now
            self._work.run(line)

    def _turn(self) -> bool:
        """Prompt once and run what was accepted; Ctrl-C ends the turn and nothing else."""
        if self._is_plain is not self._was_plain:
            self._was_plain = self._is_plain
            self._prompt = self._made_prompt()
        try:
            lines = split_lines(self._prompt.ask(self._drawn))
            for line in lines:
                if len(lines) > 1:
                    self._prompt.echo(line)
                if not self._run_line(line):
                    return False
                if self._work.session.status == Interrupted.exit_status:
                    break  # the rest of a pasted block is meant, too
        except KeyboardInterrupt:
            pass
        finally:
            if self._made is not None:
                self._made.drop()
        return True

    def _run_line(self, text: str) -> bool:
        """Run a line and keep it as it may be kept; tell whether the shell goes on."""
        from domsh_repl.commands.session import Keep  # noqa: PLC0415  (the prompt is first)
        from domsh_repl.commands.spec import Quit  # noqa: PLC0415  (the same)

        work = self._work
        work.drop()
        try:
            work.run(text)
        except Quit:
            return False
        finally:
            keep = work.session.keep
            self._history.settle(text, in_file=keep is Keep.ALWAYS, forget=keep is Keep.NOWHERE)
        return True

    def _prompt_text(self, columns: int) -> Fragments:
        if self._made is None:
            return NO_PAGE
        session = self._made.session
        link = session.link
        danger = f"lane {link.lane}!" if link.is_risky and link.lane else ""
        return prompt_text(session.state, session.status, columns, self._signs, danger=danger)
