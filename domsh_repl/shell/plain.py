"""Asking for lines on a terminal that can move no cursor (``TERM=dumb``): its own line editing."""

from __future__ import annotations

from collections.abc import Callable

from domsh_repl.safetext import escape
from domsh_repl.shell.history import LineHistory
from domsh_repl.shell.lines import goes_on
from domsh_repl.shell.look import Fragments, continuation

__all__ = ["PlainPrompt"]

_COLUMNS = 80


class PlainPrompt:
    """The same as ``LinePrompt`` without editing, completion and colours."""

    def __init__(self, text: Callable[[int], Fragments], history: LineHistory) -> None:
        self._text = text
        self._history = history

    def ask(self, drawn: Callable[[], None]) -> str:
        """Return a line, and those that it goes on with; raises as ``LinePrompt.ask``."""
        try:
            print(self._prompt(), end="", flush=True)  # noqa: T201  (it is the prompt)
            drawn()
            text = input()
            while goes_on(text):
                text += f"\n{input(continuation(0, 1, 0))}"
        except (EOFError, KeyboardInterrupt):
            print()  # noqa: T201  (the terminal stands behind the prompt)
            raise
        self._history.append_string(text)
        return text

    def echo(self, line: str) -> None:
        """Show a line as if it had just been typed."""
        print(f"{self._prompt()}{escape(line)}")  # noqa: T201

    def tell(self, write: Callable[[], None]) -> None:
        """Let something be written."""
        write()

    def answer_came(self) -> None:
        """Nothing waits for an answer here."""

    def _prompt(self) -> str:
        return "".join(text for _, text in self._text(_COLUMNS))
