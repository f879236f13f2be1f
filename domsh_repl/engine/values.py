"""What a form field says of itself, whether it holds what was put in, and which option is meant.

Pure: ``fields`` asks the page and acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.errors import Ambiguous, Disabled, NotEditable, OptionNotFound
from domsh_repl.safetext import one_line

__all__ = ["Facts", "Option", "option_place"]

_SHOWN_OPTIONS = 12
_SHOWN_VALUE = 60


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page says of a field: the answer of ``fields.js`` to "facts"."""

    tag: str
    type: str
    editable: bool
    picked: bool
    value: str
    multiple: bool
    disabled: bool
    readonly: bool
    aria_readonly: bool
    secret: bool
    maximum: int | None
    full: bool
    focused: bool
    connected: bool

    @property
    def masked(self) -> str:
        """The value, of a password the mask."""
        return PASSWORD_MASK if self.secret and self.value else self.value

    @property
    def shown(self) -> str:
        """The value as a message quotes it."""
        return repr(one_line(self.masked, _SHOWN_VALUE))

    @property
    def limit(self) -> str:
        """What the field takes, as a hint."""
        if self.maximum is not None:
            return f"it takes at most {self.maximum} characters"
        return f"it is a field of type {self.type}" if self.type else "the page changed the text"

    def holds(self, text: str) -> bool:
        """Tell whether it holds a text, in the form in which its kind keeps it (HTML, input)."""
        value, wanted = self.value, text.replace("\r\n", "\n").replace("\r", "\n")
        if self.type == "color":
            return value.casefold() == wanted.strip().casefold()
        if self.type in ("range", "number"):
            return value == wanted or _number(value) == _number(wanted) is not None
        if self.type == "datetime-local":
            return value == wanted.strip().replace(" ", "T")
        if self.tag not in ("input", "textarea"):  # an editing host may end in a break of its own
            return value.rstrip("\n") == wanted.rstrip("\n")
        return value == wanted

    def require_text(self) -> None:
        """Raise ``NotEditable`` unless it is a field that holds text of some kind."""
        if self.tag == "select":
            raise NotEditable(
                "a select takes options, not text", "`select PATH OPTION` chooses one"
            )
        if not self.editable:
            kind = f"<{self.tag} type={self.type}>" if self.type else f"<{self.tag}>"
            raise NotEditable(f"{kind} takes no text", "`ls -l` shows the roles of fields")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a select."""

    label: str
    value: str
    disabled: bool


def option_place(options: Sequence[Option], wanted: str) -> int:
    """Return the place of the option with that label or value.

    Raises ``OptionNotFound``, ``Disabled``, or ``Ambiguous`` where it names several values.
    """
    folded = " ".join(wanted.split())
    tests: tuple[Callable[[Option], bool], ...] = (
        lambda option: option.label == folded,
        lambda option: option.value == wanted,
        lambda option: option.label.casefold() == folded.casefold(),
    )
    for test in tests:
        found = [place for place, option in enumerate(options) if test(option)]
        if found:
            return _only(options, found, wanted)
    there = ", ".join(repr(option.label) for option in options[:_SHOWN_OPTIONS])
    more = f" and {len(options) - _SHOWN_OPTIONS} more" if len(options) > _SHOWN_OPTIONS else ""
    raise OptionNotFound(f"no option {wanted!r}", f"there is {there or 'none'}{more}")


def _only(options: Sequence[Option], found: Sequence[int], wanted: str) -> int:
    """Return the one option that is meant; equal ones with equal values are as good as one."""
    enabled = [place for place in found if not options[place].disabled]
    if not enabled:
        raise Disabled(f"the option {wanted!r} is disabled", "choose another one")
    values = {options[place].value for place in enabled}
    if len(values) > 1:
        raise Ambiguous(
            f"{len(enabled)} options are called {wanted!r}",
            f"name it by its value: {', '.join(sorted(map(repr, values)))}",
        )
    return enabled[0]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
