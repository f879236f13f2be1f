"""The line editor: prompt_toolkit set up for lines of the language.

Tab completes and Enter runs what is there; nothing else changes a line. The position of the
cursor is never asked from the terminal: some do not answer, and an answer can come late.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app_or_none
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER, EditingMode
from prompt_toolkit.filters import Condition, has_focus, is_done, to_filter
from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.layout import ConditionalContainer, Dimension, HSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.processors import AppendAutoSuggestion, ConditionalProcessor, Processor
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import print_formatted_text

from domsh_repl.render.ink import cells
from domsh_repl.render.theme import Signs, Theme
from domsh_repl.safetext import escape, has_unsafe
from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.keys import Pressed, key_bindings
from domsh_repl.shell.lexer import LineLexer
from domsh_repl.shell.lines import goes_on
from domsh_repl.shell.look import Fragments, continuation, style_of
from domsh_repl.shell.menu import keep_up
from domsh_repl.shell.suggestions import ShownSuggestion, Suggestions

if TYPE_CHECKING:
    from domsh_repl.commands.bearing import Bearing
    from domsh_repl.shell.completer import LineCompleter

__all__ = ["Around", "LinePrompt", "Manner"]

_MENU_LINES = 7
_BESIDE_MENU = 2
_ESCAPE_SECONDS = 0.05
"""After which Escape is the key itself and not the beginning of another one."""
_REST = Dimension(min=0, preferred=0)
"""Of what is left of the lines that were drawn on before, when a menu was open."""
_MODES = {
    InputMode.NAVIGATION: "normal",
    InputMode.REPLACE: "replace",
    InputMode.REPLACE_SINGLE: "replace",
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How lines are shown: with colours, a theme's styles, signs of the terminal's encoding."""

    is_colored: bool
    theme: Theme
    signs: Signs


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around and in the line, asked for whenever it is drawn.

    ``prompt`` and ``toolbar`` are given the number of columns, the latter vi's mode, too.
    ``host`` is that of the page. ``watch`` runs while the prompt waits.
    """

    prompt: Callable[[int], Fragments]
    toolbar: Callable[[int, str], str]
    host: Callable[[], str]
    completer: Callable[[], LineCompleter]
    lexer: LineLexer
    watch: Callable[[], Coroutine[None, None, None]]


class LinePrompt:
    """Asks for lines; ``bearing`` is looked at each time."""

    def __init__(
        self, around: Around, history: LineHistory, manner: Manner, bearing: Bearing
    ) -> None:
        self._around = around
        self._bearing = bearing
        self._pressed: Pressed | None = None
        self._typed = Document()
        self._completer = _LateCompleter(around.completer)
        self._output = create_output()
        if isinstance(self._output, Vt100_Output):
            self._output.enable_cpr = False
        depth = ColorDepth.DEPTH_4_BIT if manner.is_colored else ColorDepth.DEPTH_1_BIT
        self._style = style_of(manner.theme)
        self._session: PromptSession[str] = PromptSession(
            self._prompt,
            auto_suggest=Suggestions(history, around.host),
            completer=self._completer,
            complete_while_typing=False,
            enable_history_search=True,
            enable_suspend=True,
            history=history,
            key_bindings=key_bindings(self._leave),
            multiline=Condition(self._is_unfinished),
            prompt_continuation=continuation,
            reserve_space_for_menu=_MENU_LINES,
            style=self._style,
            color_depth=depth,
            include_default_pygments_style=False,
            output=self._output,
        )
        self._session.app.ttimeoutlen = _ESCAPE_SECONDS
        self._use(around.lexer, ShownSuggestion(self._prompt_cells, manner.signs))
        self._add_toolbar()

    def _use(self, lexer: LineLexer, shown: ShownSuggestion) -> None:
        """Colour the line with a lexer that can change its mind, and show suggestions in its way.

        The lexer that ``PromptSession`` would wrap around it keeps what was said first.
        """
        for window in self._session.layout.find_all_windows():
            control = window.content
            if isinstance(control, BufferControl) and control.buffer.name == DEFAULT_BUFFER:
                window.dont_extend_height = to_filter(True)  # noqa: FBT003
                control.lexer = lexer
                control.input_processors = [
                    ConditionalProcessor(shown, has_focus(DEFAULT_BUFFER) & ~is_done)
                    if _shows_suggestions(one)
                    else one
                    for one in control.input_processors or ()
                ]

    def _add_toolbar(self) -> None:
        """Put a line below the prompt.

        ``PromptSession`` shows its own only where the terminal tells where the cursor is.
        """
        container = self._session.layout.container
        assert isinstance(container, HSplit)
        text = FormattedTextControl(self._toolbar)
        bar = Window(text, height=1, dont_extend_height=True)
        is_shown = Condition(lambda: bool(self._toolbar())) & ~is_done
        container.children += [ConditionalContainer(bar, is_shown), Window(height=_REST)]

    def _toolbar(self) -> FormattedText:
        text = self._around.toolbar(self._columns, self._mode)
        return FormattedText([("class:toolbar", text)] if text else [])

    @property
    def _mode(self) -> str:
        app = self._session.app
        if app.editing_mode is not EditingMode.VI:
            return ""
        if app.current_buffer.selection_state is not None:
            return "visual"
        return _MODES.get(app.vi_state.input_mode, "insert")

    def _leave(self, pressed: Pressed) -> None:
        self._pressed = pressed

    def keep_text(self, text: str) -> None:
        """Let a text stand in the line, the cursor behind it, when the prompt is shown next.

        What an editor left in the terminal's line goes, such as the ``^C`` that ended it.
        """
        self._typed = Document(text)
        self._output.write_raw("\r")
        self._output.erase_end_of_line()
        self._output.flush()

    def keep(self, typed: Document) -> None:
        """Let this stand in the line when the prompt is shown next."""
        self._typed = typed

    def ask(self, drawn: Callable[[], None]) -> str | Pressed:
        """Return what the user accepted, or a key that asks for something else.

        ``drawn`` is called after each drawing.

        Raises ``KeyboardInterrupt`` on Ctrl-C and ``EOFError`` on Ctrl-D in an empty line.
        """
        app = self._session.app
        app.erase_when_done = False
        is_vi = self._bearing.editing == "vi"
        self._session.editing_mode = EditingMode.VI if is_vi else EditingMode.EMACS
        self._pressed, typed, self._typed = None, self._typed, Document()
        handler = _Handler(drawn, self._watch)
        app.after_render += handler
        try:
            text = self._session.prompt(default=typed)
            return text if self._pressed is None else self._pressed
        finally:
            app.after_render -= handler

    def _watch(self) -> None:
        self._session.app.create_background_task(_quiet(self._around.watch))

    def echo(self, line: str) -> None:
        """Show a line as if it had just been typed."""
        print_formatted_text(
            FormattedText([*self._prompt(), *self._styled(line)]),
            style=self._style,
            output=self._output,
            color_depth=self._session.color_depth,
            include_default_pygments_style=False,
        )

    def _styled(self, line: str) -> StyleAndTextTuples:
        if "\n" in line or has_unsafe(line):
            return [("", escape(line))]
        return self._around.lexer.lex_document(Document(line))(0)

    def tell(self, write: Callable[[], None]) -> None:
        """Let something be written, above the prompt when it is shown.

        The terminal stays as the prompt needs it. With ``run_in_terminal`` it would be an ordinary
        one for a moment, in which keys are echoed, and Ctrl-C and Ctrl-D mean something else.
        """
        app = get_app_or_none()
        if app is not None:
            app.renderer.erase()
        write()
        if app is not None:
            app.invalidate()

    def answer_came(self) -> None:
        """Draw anew, and complete again what Tab was pressed for, if nothing has changed."""
        if self._session.app.is_running:
            keep_up(self._session.default_buffer, self._completer)
            self._session.app.invalidate()

    def _prompt(self) -> FormattedText:
        rows = self._output.get_size().rows  # a menu that has no room would hide the line itself
        self._session.reserve_space_for_menu = max(min(_MENU_LINES, rows - _BESIDE_MENU), 0)
        return FormattedText(self._around.prompt(self._columns))

    @property
    def _columns(self) -> int:
        return self._output.get_size().columns

    def _prompt_cells(self) -> int:
        return sum(cells(text) for _, text in self._around.prompt(self._columns))

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
    """Hears of drawings: calls ``work`` after each, and ``first`` after the first one."""

    def __init__(self, work: Callable[[], None], first: Callable[[], None]) -> None:
        self._work = work
        self._first: Callable[[], None] | None = first

    def __call__(self, _sender: object) -> None:
        self._work()
        first, self._first = self._first, None
        if first is not None:
            first()


async def _quiet(work: Callable[[], Coroutine[None, None, None]]) -> None:
    """Do work behind the prompt; whatever goes wrong there costs its own end and no line.

    It is made here: a prompt that is answered at once, by what was typed ahead, ends this
    before it begins, and a coroutine that is never awaited is warned of on the terminal.
    """
    with suppress(Exception):
        await work()


def _shows_suggestions(processor: Processor) -> bool:
    return isinstance(processor, ConditionalProcessor) and isinstance(
        processor.processor, AppendAutoSuggestion
    )
