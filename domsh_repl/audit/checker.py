"""Runs the rules over a page."""

from __future__ import annotations

from collections.abc import Sequence

from domsh_repl.audit.elements import Page
from domsh_repl.audit.rule import Flaw, Rule
from domsh_repl.audit.rules import RULES

__all__ = ["check"]


def check(page: Page) -> Sequence[tuple[Rule, Flaw]]:
    """Return what the rules find, what fails first, each rule's in the order of the document.

    A page that was cut short is no whole one: what it lacks may stand further down.
    """
    whole = page.document.whole and not page.cut
    asked = [rule for rule in RULES if whole or not rule.whole]
    return [(rule, flaw) for rule in asked for flaw in rule.check(page)]
