"""Keeps the menu of completions in step with what is known, and still while nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.buffer import CompletionState

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document

__all__ = ["Renewable", "keep_up"]


class Renewable(Protocol):
    """What completes, and can tell that it would now complete in another way."""

    @property
    def asked_for(self) -> Document | None:
        """Where completions were asked for last."""

    def renewed(self) -> Sequence[Completion] | None:
        """Return what fits there now; None if it is the same."""


def keep_up(buffer: Buffer, completer: Renewable) -> None:
    """Show what more is known now, where Tab was pressed and nothing has been done since.

    Where nothing was offered before, it is as if Tab was pressed now. An open menu gets its
    entries exchanged; nothing more is written into the line then. A chosen entry stays chosen.
    """
    menu = buffer.complete_state
    if buffer.document != completer.asked_for or (menu and menu.complete_index is not None):
        return
    found = completer.renewed()
    if found is None:
        return
    if menu is not None and menu.completions and found:
        buffer.complete_state = CompletionState(buffer.document, list(found))
        return
    buffer.complete_state = None
    if found:
        buffer.start_completion(insert_common_part=True)
