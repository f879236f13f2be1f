"""Which option of a ``<select>`` a word means, on any server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domsh_repl.errors import Ambiguous, Disabled, OptionNotFound
from domsh_repl.safetext import one_line

__all__ = ["Option", "option_place"]

_SHOWN_OPTIONS = 12
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a select."""

    label: str
    value: str
    disabled: bool
    selected: bool = False


def option_place(options: Sequence[Option], wanted: str) -> int:
    """Return the place of the option with that label or value.

    Raises ``OptionNotFound``, ``Disabled``, or ``Ambiguous`` where it names several values.
    """
    label = " ".join(wanted.split())
    tests: tuple[Callable[[Option], bool], ...] = (
        lambda option: option.label == label,
        lambda option: option.value == wanted,
        lambda option: option.label.casefold() == label.casefold(),
    )
    for test in tests:
        found = [place for place, option in enumerate(options) if test(option)]
        if found:
            return _only(options, found, wanted)
    there = ", ".join(_quoted(option.label) for option in options[:_SHOWN_OPTIONS])
    more = f" and {len(options) - _SHOWN_OPTIONS} more" if len(options) > _SHOWN_OPTIONS else ""
    raise OptionNotFound(f"no option {_quoted(wanted)}", f"there is {there or 'none'}{more}")


def _only(options: Sequence[Option], found: Sequence[int], wanted: str) -> int:
    """Return the one option that is meant; equal ones with equal values are as good as one."""
    enabled = [place for place in found if not options[place].disabled]
    if not enabled:
        raise Disabled(f"the option {_quoted(wanted)} is disabled", "choose another one")
    values = {options[place].value for place in enabled}
    if len(values) > 1:
        raise Ambiguous(
            f"{len(enabled)} options are called {_quoted(wanted)}",
            f"name it by its value: {', '.join(sorted(map(_quoted, values)))}",
        )
    return enabled[0]


def _quoted(text: str) -> str:
    return f"'{one_line(text, _LONGEST)}'"
