"""Asking for lines where nothing may be redrawn: for screen readers, and with ``TERM=dumb``.

Lines are edited by Readline where the terminal and Python have that, else by the terminal itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from domsh_repl.safetext import escape
from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.lineeditor import LineEditor, Offer, readline_or_none
from domsh_repl.shell.lines import goes_on
from domsh_repl.shell.look import Fragments, continuation

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion

    from domsh_repl.shell.completer import LineCompleter

__all__ = ["PlainPrompt"]

_COLUMNS = 80
_KEPT_LINES = 1000
"""Lines of the history that the keys reach."""
_PATIENCE = 2.0
"""Seconds that Tab waits for what the page holds."""
_TICK = 0.02
_WORDS = {"!": " open", "…": "", "[": "failed ", "]": ""}


class PlainPrompt:
    """The same as ``LinePrompt`` in words, without colours; Tab lists what could come next."""

    def __init__(self, text: Callable[[int], Fragments], history: LineHistory) -> None:
        self._text = text
        self._history = history
        self._editor: LineEditor | None = None
        self._completer: Callable[[], LineCompleter] | None = None
        self._loop = asyncio.new_event_loop()
        self._begun = ""
        self._is_asking = False
        self._held: list[Callable[[], None]] = []

    @classmethod
    def edited(
        cls,
        text: Callable[[int], Fragments],
        history: LineHistory,
        completer: Callable[[], LineCompleter],
        *,
        is_vi: bool,
    ) -> PlainPrompt:
        """Return one that edits and completes lines, where Python can."""
        prompt = cls(text, history)
        module = readline_or_none()
        if module is not None:
            prompt._completer = completer
            prompt._editor = LineEditor(module, prompt._offers, is_vi=is_vi)
        return prompt

    def ask(self, drawn: Callable[[], None]) -> str:
        """Return a line, and those that it goes on with; raises as ``LinePrompt.ask``."""
        self._begun, self._is_asking = "", True
        try:
            text = self._line(self._prompt(), drawn)
            while goes_on(text):
                self._begun = f"{text}\n"
                text = self._begun + self._line(continuation(0, 1, 0), _nothing)
        except (EOFError, KeyboardInterrupt):
            print()  # noqa: T201  (the terminal stands behind the prompt)
            raise
        finally:
            self._is_asking = False
            self._hand_on()
        self._history.append_string(text)
        return text

    def _line(self, prompt: str, drawn: Callable[[], None]) -> str:
        def ready() -> None:
            self._loop.run_until_complete(_called(drawn))

        if self._editor is not None:
            return self._editor.ask(prompt, self._history.lines()[-_KEPT_LINES:], ready)
        print(prompt, end="", flush=True)  # noqa: T201  (it is the prompt)
        ready()
        return input()

    def echo(self, line: str) -> None:
        """Show a line as if it had just been typed."""
        print(f"{self._prompt()}{escape(line)}")  # noqa: T201

    def tell(self, write: Callable[[], None]) -> None:
        """Let something be written, though not into a line that is typed."""
        self._held.append(write)
        if not self._is_asking:
            self._hand_on()

    def answer_came(self) -> None:
        """Tab waits for answers itself."""

    def _hand_on(self) -> None:
        while self._held:
            self._held.pop(0)()

    def _prompt(self) -> str:
        return "".join(_worded(style, text) for style, text in self._text(_COLUMNS))

    def _offers(self, before: str, after: str) -> list[Offer]:
        """Return what could stand before the cursor; waits for the page a moment."""
        task = self._loop.create_task(self._completions(before, after))
        try:
            found = self._loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            return []
        return [
            Offer(before[: len(before) + one.start_position] + one.text, _told(one))
            for one in found
            if -one.start_position <= len(before)
        ]

    async def _completions(self, before: str, after: str) -> list[Completion]:
        from prompt_toolkit.completion import CompleteEvent  # noqa: PLC0415  (the prompt is first)
        from prompt_toolkit.document import Document  # noqa: PLC0415

        assert self._completer is not None
        completer, end = self._completer(), time.monotonic() + _PATIENCE
        whole = f"{self._begun}{before}"
        document = Document(f"{whole}{after}", len(whole))
        event = CompleteEvent(completion_requested=True)
        found = list(completer.get_completions(document, event))
        while completer.is_waiting and time.monotonic() < end:
            await asyncio.sleep(_TICK)
            if not completer.is_waiting:
                found = list(completer.get_completions(document, event))
        return found


def _worded(style: str, text: str) -> str:
    """Return a part of the prompt with words for the signs that are its marks."""
    if style in ("class:prompt.mark", "class:prompt.failed"):
        return "".join(_WORDS.get(sign, sign) for sign in text)
    return text.replace("…", "...")


def _told(completion: Completion) -> str:
    """Return a completion as it is listed, whole: what is read aloud need not fit a menu."""
    shown, meta = completion.display_text, completion.display_meta_text.replace(" · ", ", ")
    shown = (escape(completion.text) if shown.endswith("…") else shown).strip()
    return f"{shown}, {meta}" if meta else shown


def _nothing() -> None:
    """Nothing is to be made ready for a further line."""


async def _called(work: Callable[[], None]) -> None:
    """Call something that looks for a running loop."""
    work()
