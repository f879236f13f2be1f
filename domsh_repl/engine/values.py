"""What a form field says of itself and whether it holds what was put in.

Pure: ``fields`` asks the page and acts.
"""

from __future__ import annotations

from dataclasses import dataclass

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.errors import NotEditable
from domsh_repl.safetext import one_line

__all__ = ["Facts"]

_SHOWN_VALUE = 60
_FORMS = {
    "date": "2026-12-31",
    "time": "14:30",
    "datetime-local": "2026-12-31T14:30",
    "month": "2026-12",
    "week": "2026-W53",
    "color": "#2f6b4f",
    "number": "a number such as 2.5",
    "range": "a number within its limits",
}
"""How values of these types are written (HTML, valid strings of dates, times and colours)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page says of a field: the answer of ``fields.js`` to "facts".

    ``state`` is "true", "false" or "mixed" of what can be checked.
    """

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
    state: str | None
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
        if not self.type:
            return "the page changed the text"
        form = _FORMS.get(self.type)
        return f"it is a field of type {self.type}" + (f": write {form}" if form else "")

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


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
