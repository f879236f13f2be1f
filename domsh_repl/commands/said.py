"""What the last command printed, for the condition ``output``: kept as values, drawn when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from domsh_repl.commands.screens import Diverted
from domsh_repl.nodes import Verdict, View

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Screen

__all__ = ["UNHEARD", "Remembering", "Said"]

_PLAIN_VIEW = View()

UNHEARD = frozenset({
    "expect", "wait", "let", "set", "mark", "defer", "require", "skip", "hide", "show", "pause",
    "caption", "elide", "keys",
})  # fmt: skip
"""Commands after which the output is still that of the command before."""
_MOST = 200
"""Values of one command that are kept: a search of a huge page yields them by the hundred."""


class Said:
    """The values that were shown last."""

    def __init__(self) -> None:
        self._shown: list[tuple[object, View]] = []
        self._deaf = 0
        self._piped = 0

    def begin(self, name: str) -> None:
        """Forget what was said: a command of that name begins."""
        if not self._deaf and name not in UNHEARD:
            self._shown = []

    def add(self, value: object, view: View) -> None:
        """Keep a value that is shown."""
        if self._piped:
            return
        self.add_last(value, view)

    def add_last(self, value: object, view: View) -> None:
        """Keep what comes out of the end of a pipeline."""
        if not self._deaf and not isinstance(value, Verdict) and len(self._shown) < _MOST:
            self._shown.append((value, view))

    @contextmanager
    def piped(self) -> Iterator[None]:
        """Keep nothing of what a command shows meanwhile: only the end of its pipe counts."""
        self._piped += 1
        try:
            yield
        finally:
            self._piped -= 1

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """Keep nothing of what is shown meanwhile: it goes elsewhere."""
        self._deaf += 1
        try:
            yield
        finally:
            self._deaf -= 1

    def text(self, draw: Callable[[object, View], str]) -> str:
        """Return all of it; ``draw`` gives the text of one value."""
        return "\n".join(draw(value, view) for value, view in self._shown)


class Remembering(Diverted):
    """Everything goes to the screen, and what is shown is kept, too."""

    def __init__(self, screen: Screen, said: Said) -> None:
        super().__init__(screen, screen)
        self._said = said

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        self._said.add_last(value, view)
        super().show(value, view, status=status)
