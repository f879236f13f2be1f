"""A conversation with a DOMShell whose page goes away while it is asked."""

from __future__ import annotations

import asyncio

import pytest

from domsh_repl.errors import Failed
from domsh_repl.link.client import Reply
from domsh_repl.link.domshell.talk import Talk

LEFT = "Error: Inspected target navigated or closed\n\n[lane: 1]"
READ = "✓ Refreshed. 5 AX nodes loaded.\n\n[lane: 1]"


def refreshed(*replies: str) -> list[str]:
    """Let a tree be read anew with these replies in turn; return the lines that were said."""
    said: list[str] = []
    left = list(replies)

    async def exchange(line: str, _deadline: float) -> Reply:
        said.append(line)
        text = left.pop(0)
        return Reply(text, failed=text == LEFT)

    asyncio.run(Talk(exchange, 10).refresh())
    return said


def test_a_tree_is_read_again_when_its_document_went_away_meanwhile() -> None:
    assert refreshed(LEFT, LEFT, READ) == ["refresh"] * 3


def test_any_other_refusal_is_told_at_once() -> None:
    with pytest.raises(Failed, match="no such luck"):
        refreshed("Error: no such luck\n\n[lane: 1]", READ)
