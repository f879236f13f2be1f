"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from domsh_repl.audit.elements import Element, Page

__all__ = ["Flaw", "Level", "Rule"]


class Level(StrEnum):
    """How sure a finding is: a criterion is missed, a good practice is, or somebody should look."""

    FAIL = "fail"
    PRACTICE = "practice"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Flaw:
    """What a rule found: a sentence about an element, or about the page where there is none."""

    message: str
    element: Element | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its name, level and check; ``wcag`` is the criterion of WCAG 2.2 that it is of.

    ``whole`` rules say something of the document as a whole and are left out where only a part
    of it was looked at.
    """

    name: str
    level: Level
    check: Callable[[Page], Iterator[Flaw]]
    wcag: str | None = None
    whole: bool = False
