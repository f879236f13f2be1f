"""The menu while answers come: it changes when there is something new, and not otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import Completion
from prompt_toolkit.document import Document

from domsh_repl.shell.menu import keep_up


class Known:
    """What completes, with what it would say now."""

    def __init__(self, asked_for: Document, now: Sequence[Completion] | None) -> None:
        self.asked_for = asked_for
        self._now = now

    def renewed(self) -> Sequence[Completion] | None:
        return self._now


def opened(text: str, *offered: str, chosen: int | None = None) -> tuple[Buffer, Document]:
    """Return a line with an open menu, and the line as it was typed."""
    typed = Document(text)
    buffer = Buffer(document=typed)
    buffer.complete_state = CompletionState(typed, [Completion(one) for one in offered])
    if chosen is not None:
        buffer.go_to_completion(chosen)
    return buffer, typed


def test_a_menu_of_which_nothing_is_new_stays_the_very_same() -> None:
    buffer, typed = opened("ls ", "main_1/", "nav_1/")
    before = buffer.complete_state
    keep_up(buffer, Known(typed, None))
    assert buffer.complete_state is before


def test_new_entries_take_the_place_of_old_ones_and_the_line_stays_as_it_is() -> None:
    buffer, typed = opened("ls ", "main_1/", "nav_1/")
    keep_up(buffer, Known(typed, [Completion("main_1/")]))
    assert buffer.complete_state is not None
    assert [one.text for one in buffer.complete_state.completions] == ["main_1/"]
    assert buffer.text == "ls "


def test_a_menu_with_nothing_left_in_it_is_closed() -> None:
    buffer, typed = opened("ls ", "main_1/")
    keep_up(buffer, Known(typed, []))
    assert buffer.complete_state is None


def test_a_chosen_entry_stays_chosen() -> None:
    buffer, typed = opened("ls ", "main_1/", "nav_1/", chosen=1)
    before = buffer.complete_state
    keep_up(buffer, Known(typed, [Completion("main_1/")]))
    assert buffer.complete_state is before
    assert buffer.text == "ls nav_1/"


def test_a_line_that_was_typed_on_gets_no_menu() -> None:
    buffer = Buffer(document=Document("ls ma"))
    keep_up(buffer, Known(Document("ls m"), [Completion("main_1/")]))
    assert (buffer.text, buffer.complete_state) == ("ls ma", None)
