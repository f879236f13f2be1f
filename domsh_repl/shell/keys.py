"""The keys at the prompt that do more than edit: they run a line, ask for help, call an editor.

Each of them leaves the line that is being typed as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from prompt_toolkit.application import get_app_or_none
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import (
    Condition,
    completion_is_selected,
    emacs_mode,
    has_focus,
    is_searching,
    vi_insert_mode,
)
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.search import accept_search

from domsh_repl.shell.lines import goes_on, split_lines

__all__ = ["Pressed", "help_line", "key_bindings"]

_NEWLINES = str.maketrans({"\r": "\n"})
_ALT_LEFT, _ALT_RIGHT, _ALT_UP = Keys.F22, Keys.F23, Keys.F24
"""Keys that no keyboard has stand in for three that begin with Escape.

As Escape and an arrow they would keep vi's Escape waiting for what may follow.
"""
_SEQUENCES = {"D": _ALT_LEFT, "C": _ALT_RIGHT, "A": _ALT_UP}
_LINES: Mapping[Keys, str] = {
    _ALT_LEFT: "back",
    _ALT_RIGHT: "forward",
    _ALT_UP: "cd ..",
    Keys.F5: "reload",
}


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a key asks for: a ``line`` to run, or an editor for what is typed where there is none.

    ``typed`` is what stands in the line, which stays there.
    """

    line: str
    typed: Document


def key_bindings(pressed: Callable[[Pressed], None]) -> KeyBindings:
    """Return the bindings; ``pressed`` is told of a key before the prompt is left for it."""
    for letter, key in _SEQUENCES.items():
        ANSI_SEQUENCES[f"\x1b[1;3{letter}"] = key  # xterm and most others
        ANSI_SEQUENCES[f"\x1b[1;9{letter}"] = key  # iTerm2
    keys = KeyBindings()
    _add_editing(keys)
    _add_running(keys, pressed)
    return keys


def _add_running(keys: KeyBindings, pressed: Callable[[Pressed], None]) -> None:
    at_line = has_focus(DEFAULT_BUFFER)

    def leave(event: KeyPressEvent, line: str) -> None:
        """Leave the prompt as if it had never been there."""
        pressed(Pressed(line, event.current_buffer.document))
        event.app.erase_when_done = True
        event.app.exit(result="")

    def running(line: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: leave(event, line)

    for key, line in _LINES.items():
        keys.add(key, filter=at_line)(running(line))
    for letter, key in _SEQUENCES.items():  # terminals that send Escape and the arrow
        arrow = {"D": "left", "C": "right", "A": "up"}[letter]
        keys.add("escape", arrow, filter=at_line & emacs_mode)(running(_LINES[key]))

    @keys.add("f1", filter=at_line)
    def _help(event: KeyPressEvent) -> None:
        """Explain the word at the cursor."""
        document = event.current_buffer.document
        leave(event, help_line(document.text, document.cursor_position))

    @keys.add("c-x", "c-e", filter=at_line & (emacs_mode | vi_insert_mode))
    def _edit(event: KeyPressEvent) -> None:
        """Go on in an editor."""
        leave(event, "")


def _add_editing(keys: KeyBindings) -> None:
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

    @keys.add("right", filter=is_searching)
    @keys.add("c-e", filter=is_searching)
    def _go_on(_event: KeyPressEvent) -> None:
        """Take the line that was found."""
        accept_search()

    @keys.add("right", filter=completion_is_selected)
    def _take(event: KeyPressEvent) -> None:
        """Take the marked candidate, so that Tab goes on behind it."""
        event.current_buffer.complete_state = None


def help_line(text: str, position: int) -> str:
    """Return the line that explains what stands at a position: the word, else its command."""
    from domsh_repl.commands.helptext import help_topics  # noqa: PLC0415  (the prompt is first)
    from domsh_repl.commands.registry import filters, names  # noqa: PLC0415  (the same)
    from domsh_repl.commands.topics import CONDITIONS  # noqa: PLC0415  (the same)
    from domsh_repl.language import TokenKind, tokenize  # noqa: PLC0415  (the same)
    from domsh_repl.language.syntax import bare_text  # noqa: PLC0415  (the same)

    known = {*names(), *filters(), *help_topics()}
    found = ""
    for token in tokenize(text):
        if token.start > position:
            break
        if token.kind is not TokenKind.WORD:
            found = ""
            continue
        word = bare_text(token.pieces)
        is_here = token.end >= position
        if word in known and (is_here or not found):
            found = word
        elif is_here and found in _TESTING and word in CONDITIONS:
            found = "conditions"
    return f"help {found}".strip()


_TESTING = frozenset({"wait", "expect"})
