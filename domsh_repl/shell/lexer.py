"""Colours for the line that is being typed: the one set of rules, and what is known of the page.

``exists`` is asked for the paths in the line. It answers from what completion knows already, so
no key ever waits for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.lexers import Lexer

from domsh_repl.commands.lineparts import Part

if TYPE_CHECKING:
    from domsh_repl.commands.highlight import Mark
    from domsh_repl.language import Token

__all__ = ["Exists", "LineLexer"]

Exists: TypeAlias = "Callable[[Token], bool | None]"
"""Tells whether the path that a word means is there; None while that is not known."""

_BY_ANSWER = {True: "class:line.path", False: "class:line.missing", None: ""}


class LineLexer(Lexer):
    """Known and unknown commands, options, paths, quotes, variables, operators, comments.

    ``known`` gives what there is to know of the page now; when it changes, what stays typed is
    coloured anew. ``aliases`` are names that are known, too.
    """

    def __init__(
        self,
        exists: Exists,
        known: Callable[[], object] = lambda: None,
        aliases: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._exists = exists
        self._known = known
        self._aliases = aliases

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return what gives the styled text of each line."""
        lines = list(split_lines(list(self._styled(document.text))))

        def line(number: int) -> StyleAndTextTuples:
            return lines[number] if number < len(lines) else []

        return line

    def invalidation_hash(self) -> object:
        """Return what changes when the same text is to be coloured anew."""
        return self._known()

    def _styled(self, text: str) -> Iterator[tuple[str, str]]:
        if not text:
            return
        from domsh_repl.commands.highlight import marks_of_line  # noqa: PLC0415  (prompt first)

        position = 0
        for mark in marks_of_line(text):
            yield "", text[position : mark.start]
            shown = text[mark.start : mark.end]
            if mark.part is Part.UNKNOWN and shown in self._aliases():
                mark = replace(mark, part=Part.COMMAND)  # noqa: PLW2901  (the rest stays)
            yield self._style(mark, is_begun=mark.end == len(text)), shown
            position = mark.end
        yield "", text[position:]

    def _style(self, mark: Mark, *, is_begun: bool) -> str:
        if mark.part is Part.TEXT:
            return ""
        if mark.part is not Part.PATH or mark.word is None:
            return f"class:line.{mark.part.value}"
        found = self._exists(mark.word)
        return "" if is_begun and not found else _BY_ANSWER[found]
