"""The line editor: prompt_toolkit set up for lines of the language.

Tab completes and Enter runs what is there; nothing else changes a line. The position of the
cursor is never asked from the terminal: some do not answer, and an answer can come late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app_or_none, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, completion_is_selected
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import print_formatted_text

from domsh_repl.render.theme import Theme
from domsh_repl.safetext import escape
from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.lexer import LineLexer
from domsh_repl.shell.lines import goes_on, split_lines
from domsh_repl.shell.look import Fragments, continuation, style_of
from domsh_repl.shell.menu import keep_up

if TYPE_CHECKING:
    from prompt_toolkit.document import Document

    from domsh_repl.shell.completer import LineCompleter

__all__ = ["LinePrompt"]

_MENU_LINES = 7
_ESCAPE_SECONDS = 0.05
"""After which Escape is the key itself and not the beginning of another one."""
_NEWLINES = str.maketrans({"\r": "\n"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How lines are edited and shown: with colours, vi's keys, a theme's styles."""

    is_colored: bool
    is_vi: bool
    theme: Theme


class LinePrompt:
    """Asks for lines; ``text`` gives the prompt for a number of columns."""

    def __init__(
        self,
        text: Callable[[int], Fragments],
        completer: Callable[[], LineCompleter],
        history: LineHistory,
        lexer: LineLexer,
        manner: Manner,
    ) -> None:
        self._text = text
        self._completer = _LateCompleter(completer)
        self._output = create_output()
        if isinstance(self._output, Vt100_Output):
            self._output.enable_cpr = False
        depth = ColorDepth.DEPTH_4_BIT if manner.is_colored else ColorDepth.DEPTH_1_BIT
        self._style = style_of(manner.theme)
        self._session: PromptSession[str] = PromptSession(
            self._prompt,
            completer=self._completer,
            complete_while_typing=False,
            enable_history_search=True,
            enable_suspend=True,
            history=history,
            key_bindings=_keys(),
            multiline=Condition(self._is_unfinished),
            prompt_continuation=continuation,
            reserve_space_for_menu=_MENU_LINES,
            style=self._style,
            color_depth=depth,
            include_default_pygments_style=False,
            output=self._output,
            vi_mode=manner.is_vi,
        )
        self._session.app.ttimeoutlen = _ESCAPE_SECONDS
        self._use(lexer)

    def _use(self, lexer: LineLexer) -> None:
        """Colour the line with a lexer that can change its mind.

        The one that ``PromptSession`` would wrap around it keeps what was said first.
        """
        for control in self._session.layout.find_all_controls():
            if isinstance(control, BufferControl) and control.buffer.name == DEFAULT_BUFFER:
                control.lexer = lexer

    def ask(self, drawn: Callable[[], None]) -> str:
        """Return what the user accepted; ``drawn`` is called after each drawing.

        Raises ``KeyboardInterrupt`` on Ctrl-C and ``EOFError`` on Ctrl-D in an empty line.
        """
        app = self._session.app
        app.erase_when_done = False
        handler = _Handler(drawn)
        app.after_render += handler
        try:
            return self._session.prompt()
        finally:
            app.after_render -= handler

    def echo(self, line: str) -> None:
        """Show a line as if it had just been typed."""
        print_formatted_text(
            FormattedText([*self._prompt(), ("", escape(line))]),
            style=self._style,
            output=self._output,
            color_depth=self._session.color_depth,
            include_default_pygments_style=False,
        )

    def tell(self, write: Callable[[], None]) -> None:
        """Let something be written, above the prompt when it is shown."""
        if get_app_or_none() is None:
            write()
        else:
            run_in_terminal(write)

    def answer_came(self) -> None:
        """Draw anew, and complete again what Tab was pressed for, if nothing has changed."""
        if self._session.app.is_running:
            keep_up(self._session.default_buffer, self._completer)
            self._session.app.invalidate()

    def _prompt(self) -> FormattedText:
        return FormattedText(self._text(self._output.get_size().columns))

    def _is_unfinished(self) -> bool:
        return goes_on(self._session.default_buffer.text)


class _LateCompleter(Completer):
    """A completer that is made when it is needed first."""

    def __init__(self, make: Callable[[], LineCompleter]) -> None:
        self._make = make
        self._made: LineCompleter | None = None

    @property
    def asked_for(self) -> Document | None:
        """Where completions were asked for last."""
        return None if self._made is None else self._made.asked_for

    def renewed(self) -> Sequence[Completion] | None:
        """Return what fits there now; None if it is the same."""
        return None if self._made is None else self._made.renewed()

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Return what fits."""
        if self._made is None:
            self._made = self._make()
        return self._made.get_completions(document, complete_event)


class _Handler:
    """Calls a function without the sender that prompt_toolkit's events give."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work

    def __call__(self, _sender: object) -> None:
        self._work()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        """Put a pasted block into the line; its last line end is not meant as one."""
        block = event.data.replace("\r\n", "\n").translate(_NEWLINES)
        event.current_buffer.insert_text(block.rstrip("\n"))

    @Condition
    def holds_lines() -> bool:
        app = get_app_or_none()
        text = app.current_buffer.text if app is not None else ""
        return "\n" in text and not goes_on(text) and len(split_lines(text)) > 1

    @keys.add("enter", filter=holds_lines)
    def _accept_block(event: KeyPressEvent) -> None:
        """Take the block away: each line is shown again when it runs."""
        event.app.erase_when_done = True
        event.current_buffer.validate_and_handle()

    @keys.add("right", filter=completion_is_selected)
    def _take(event: KeyPressEvent) -> None:
        """Take the marked suggestion, so that Tab goes on behind it."""
        event.current_buffer.complete_state = None

    return keys
