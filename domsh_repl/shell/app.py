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

from domsh_repl.commands.bearing import Bearing
from domsh_repl.errors import DomshError, Interrupted
from domsh_repl.render.theme import DEFAULT_THEME, Theme, signs_for
from domsh_repl.shell.history import LineHistory, history_file
from domsh_repl.shell.lexer import LineLexer
from domsh_repl.shell.lines import readable, split_lines
from domsh_repl.shell.look import NO_PAGE, Fragments, Standing, host_of, prompt_text
from domsh_repl.shell.plain import PlainPrompt
from domsh_repl.shell.prompting import Around, LinePrompt, Manner
from domsh_repl.shell.toolbar import Bar, toolbar_text

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Executor
    from domsh_repl.language import Token
    from domsh_repl.shell.completer import LineCompleter
    from domsh_repl.shell.keys import Pressed
    from domsh_repl.shell.work import Work

__all__ = ["Look", "run_shell"]

_TIP = (
    "`open URL` goes to a page, `ls` lists, `cd` and `cat` look inside, `click` acts.\n"
    "Tab completes, `help` lists the commands, Ctrl-C stops one, Ctrl-D leaves."
)


@dataclass(frozen=True, slots=True)
class Look:
    """How the shell looks: with colours, without remarks, with the tracebacks of defects.

    One that ``goes_on`` shows in its first prompt where that is. ``bearing`` is how the prompt
    begins, and one that ``is_plain`` redraws nothing.
    """

    is_colored: bool = False
    is_quiet: bool = False
    shows_tracebacks: bool = False
    goes_on: bool = False
    bearing: Bearing = field(default_factory=Bearing)
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
        self._bearing = look.bearing
        self._made: Work | None = None
        self._history = LineHistory(history_file(), self._warn)
        self._signs = signs_for(sys.stdout.encoding or "utf-8")
        self._plain_keys = self._wanted_keys
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
            self._made.session.bearing = self._bearing
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
                self._prompt_text,
                self._history,
                self._completer,
                is_vi=self._bearing.editing == "vi",
            )
        around = Around(
            self._prompt_text,
            self._toolbar_text,
            self._host,
            self._completer,
            LineLexer(self._exists, self._known, self._aliases),
            self._watch,
        )
        manner = Manner(self._look.is_colored, self._look.theme, self._signs)
        return LinePrompt(around, self._history, manner, self._bearing)

    @property
    def _is_plain(self) -> bool:
        """Whether nothing may be redrawn, as ``set plain`` said last."""
        return self._look.is_plain if self._made is None else self._made.session.settings.plain

    @property
    def _wanted_keys(self) -> str:
        """The keys of the plain prompt, "" for none: what another prompt must be made for."""
        return self._bearing.editing if self._is_plain else ""

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

    async def _watch(self) -> None:
        """Tell what happens while the prompt waits."""
        await self._work.notices.watch()

    def _first_turn(self, line: str) -> None:
        with suppress(KeyboardInterrupt):  # the prompt comes now
            self._work.run(line)

    def _turn(self) -> bool:
        """Prompt once and run what was accepted; Ctrl-C ends the turn and nothing else."""
        if self._wanted_keys != self._plain_keys:
            self._plain_keys = self._wanted_keys
            self._prompt = self._made_prompt()
        try:
            asked = self._prompt.ask(self._drawn)
            if not isinstance(asked, str):
                return self._pressed(asked)
            lines = split_lines(asked)
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

    def _pressed(self, pressed: Pressed) -> bool:
        """Do what a key asked for; what was typed stays in the line."""
        assert isinstance(self._prompt, LinePrompt)
        self._prompt.keep(pressed.typed)
        if pressed.line:
            self._prompt.echo(pressed.line)
            return self._run_line(pressed.line)
        from domsh_repl.shell.editor import edited  # noqa: PLC0415  (the prompt is first)

        try:
            self._prompt.keep_text(edited(readable(pressed.typed.text)))
        except DomshError as error:
            self._work.refuse(error)
        return True

    def _run_line(self, text: str) -> bool:
        """Run a line and keep it as it may be kept; tell whether the shell goes on."""
        from domsh_repl.commands.session import Keep  # noqa: PLC0415  (the prompt is first)
        from domsh_repl.commands.spec import Quit  # noqa: PLC0415  (the same)

        work = self._work
        host = self._host()
        work.drop()
        try:
            work.run(text)
        except Quit:
            return False
        finally:
            keep = work.session.keep
            in_file, forget = keep is Keep.ALWAYS, keep is Keep.NOWHERE
            self._history.settle(text, in_file=in_file, forget=forget, host=host)
        return True

    def _prompt_text(self, columns: int) -> Fragments:
        if self._made is None:
            return NO_PAGE
        session = self._made.session
        link = session.link
        standing = Standing(
            session.status,
            link.lane if link.is_risky else "",
            link.is_read_only,
            self._made.notices.is_lost,
        )
        is_short = self._bearing.prompt == "short"
        return prompt_text(session.state, standing, columns, self._signs, short=is_short)

    def _toolbar_text(self, columns: int, mode: str) -> str:
        if not self._bearing.toolbar:
            return ""
        return toolbar_text(self._bar(mode), columns, self._signs)

    def _bar(self, mode: str) -> Bar:
        if self._made is None:
            return Bar(mode=mode)
        page, link = self._made.session.state.page, self._made.session.link
        background = "" if link.is_ready else link.progress
        if page.url in ("", "about:blank"):
            return Bar(background=background, mode=mode)
        return Bar(
            page.title,
            page.elements,
            link.lane_name,
            link.server,
            self._made.seconds,
            background,
            mode,
        )

    def _host(self) -> str:
        """Return the host of the page that is shown."""
        return "" if self._made is None else host_of(self._made.session.state.page.url)
