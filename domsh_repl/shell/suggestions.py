"""The rest of an earlier line, dim behind the one that is being typed; → or Ctrl-E takes it.

Reads nothing but the lines that are known already.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from domsh_repl.render.ink import cells, cut
from domsh_repl.render.theme import Signs
from domsh_repl.shell.history import LineHistory

__all__ = ["ShownSuggestion", "Suggestions"]


class Suggestions(AutoSuggest):
    """Suggests the last line that begins as typed, one that ran on the same host before others."""

    def __init__(self, history: LineHistory, host: Callable[[], str]) -> None:
        self._history = history
        self._host = host

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """Return what the line may go on with."""
        del buffer
        typed = document.text
        if not typed.strip() or typed[0].isspace() or "\n" in typed:
            return None
        line = self._history.suggested(typed, self._host())
        return Suggestion(line[len(typed) :]) if line else None


class ShownSuggestion(Processor):
    """Shows as much of a suggestion as fits behind the line; one on two lines would make it jump.

    ``prompt`` gives the cells before the line.
    """

    def __init__(self, prompt: Callable[[], int], signs: Signs) -> None:
        self._prompt = prompt
        self._signs = signs

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the line with the suggestion behind it."""
        given = transformation_input
        buffer = given.buffer_control.buffer
        document = given.document
        fragments = given.fragments
        if buffer.suggestion and document.is_cursor_at_the_end and document.line_count == 1:
            used = (self._prompt() + cells(document.text)) % max(given.width, 1)
            room = given.width - used - 1
            shown = cut(buffer.suggestion.text, room, self._signs.ellipsis)
            if cells(self._signs.ellipsis) < room:
                fragments = [*fragments, ("class:auto-suggestion", shown)]
        return Transformation(fragments=fragments)
