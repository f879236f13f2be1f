"""A shell without a terminal: lines in, values, errors and remarks out, on a real browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from domsh_repl.builtin import BrowserOptions, BuiltinSource
from domsh_repl.commands.executor import Executor, check_line
from domsh_repl.commands.session import Session, Settings
from domsh_repl.errors import DomshError
from domsh_repl.language import parse_line
from domsh_repl.link.link import Link
from domsh_repl.nodes import View
from domsh_repl.render.color import ColorMode
from domsh_repl.render.renderer import Renderer

_PLAIN_VIEW = View()


class Recorder:
    """A screen that keeps what it is shown."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.views: list[View] = []
        self.errors: list[DomshError] = []
        self.places: list[str] = []
        self.notes: list[str] = []

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Keep a value."""
        del status
        self.values.append(value)
        self.views.append(view)

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Keep an error."""
        self.errors.append(error)
        self.places.append(where)

    def lent(self) -> AbstractContextManager[None]:
        """Let somebody else write."""
        return nullcontext()

    def note(self, text: str, *, warning: bool = False) -> None:
        """Keep a remark."""
        del warning
        self.notes.append(text)


def drawn(stream: Any, json: bool) -> Renderer:
    """Make a screen for what goes through pipes and into files."""
    return Renderer(stream, sys.stderr, json=json, color=ColorMode.NEVER)


class Shell:
    """A session with its executor; ``screen`` and ``json_screen`` record."""

    def __init__(self, link: Link, settings: Settings) -> None:
        self.screen = Recorder()
        self.json_screen = Recorder()
        self.session = Session(lambda: link, settings)
        self.session.note = self.screen.note
        self.executor = Executor(self.session, self.screen, self.json_screen, draw=drawn)

    def run(self, text: str) -> int:
        """Run a line and return its status; what was recorded before is forgotten."""
        for screen in (self.screen, self.json_screen):
            for kept in (screen.values, screen.views, screen.errors, screen.places, screen.notes):
                kept.clear()
        line = parse_line(text)
        for error in check_line(line):
            raise error
        return self.executor.run(line)

    def value(self, text: str) -> Any:
        """Run a line that must work and return the last value that it showed."""
        status = self.run(text)
        assert not status, self.screen.errors
        return self.screen.values[-1]

    def error(self, text: str) -> DomshError:
        """Run a line that must fail and return its one error."""
        assert self.run(text) != 0
        (error,) = self.screen.errors
        return error

    @property
    def cwd(self) -> str:
        """The working directory."""
        return self.session.state.cwd

    @property
    def notes(self) -> list[str]:
        """What the last line remarked."""
        return self.screen.notes


@contextmanager
def running_shell(*, timeout: float = 15.0) -> Iterator[Shell]:
    """Give a shell on a browser of its own."""
    link = Link(BuiltinSource(BrowserOptions()))
    try:
        yield Shell(link, Settings(timeout=timeout))
    finally:
        link.close()
