"""Screens before other screens: what is shown goes somewhere else, or is heard on its way."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from domsh_repl.errors import DomshError
from domsh_repl.nodes import View

if TYPE_CHECKING:
    from domsh_repl.commands.executor import Screen

__all__ = ["Diverted", "Hearing"]

_PLAIN_VIEW = View()


class Diverted:
    """Values go to ``drawn``; errors and remarks go to ``screen``, where they always go."""

    def __init__(self, drawn: Screen, screen: Screen) -> None:
        self._drawn = drawn
        self._screen = screen

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        self._drawn.show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        self._screen.error(error, where=where)

    def note(self, text: str, *, warning: bool = False) -> None:
        """Show a remark."""
        self._screen.note(text, warning=warning)

    def lent(self) -> AbstractContextManager[None]:
        """Let somebody else write on the screen meanwhile."""
        return self._screen.lent()


class Hearing(Diverted):
    """Everything goes to the screen, and what it is into a list."""

    def __init__(self, screen: Screen, heard: list[object]) -> None:
        super().__init__(screen, screen)
        self._heard = heard

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show a value."""
        self._heard.append(value)
        super().show(value, view, status=status)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Show an error."""
        self._heard.append((error.code, error.message))
        super().error(error, where=where)
