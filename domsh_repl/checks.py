"""The words of ``domsh doctor``: one check with its result, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Check", "Diagnosis", "Result"]


class Result(StrEnum):
    """How a check ended; ``n-a`` is for what is not needed, or could not be looked at."""

    OK = "ok"
    FAIL = "fail"
    NOT_APPLICABLE = "n-a"


@dataclass(frozen=True, slots=True)
class Check:
    """One row: what was looked at, what was ``found``, and a ``hint`` that says what to type."""

    name: str
    result: Result
    found: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All rows in their order; ``ok`` when none of them failed."""

    checks: tuple[Check, ...]
    ok: bool
