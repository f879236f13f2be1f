"""The options that conditions take, wherever one stands: ``wait``, ``expect``, ``skip if``."""

from __future__ import annotations

from collections.abc import Sequence

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.conditions import LOG_LEVELS, Condition, Options, parse_condition
from domsh_repl.commands.spec import Flag
from domsh_repl.language import ExpandedWord

__all__ = ["CONDITION_FLAGS", "condition_in"]

CONDITION_FLAGS = (
    Flag("--type", "for count: all nodes of this role below", "ROLE"),
    Flag("--level", "for console: messages of this level only", "LEVEL", words=LOG_LEVELS),
)
"""Each belongs to one condition."""


def condition_in(call: Call, words: Sequence[ExpandedWord]) -> Condition:
    """Return the condition that words of a call make, with its options; raises ``UsageError``."""
    return parse_condition(words, Options(call.role(), call.flags.get("--level", "")))
