"""What is asked of a page through a real DOMShell server by script, and how its answers are read.

DOMShell's own commands tell no states and no labels, and type nothing into a tab in the
background. One JavaScript function (``probe.js``) tells those; it changes a getter of the page
for a moment, so it is armed only where nothing else gives the value, and never when only
reading is allowed. Every line is one of printable ASCII; an answer is believed only when it
stands whole between the nonce of its question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from domsh_repl.choices import Option
from domsh_repl.errors import Failed, Stale, Unsupported
from domsh_repl.link.domshell import lines
from domsh_repl.link.domshell.names import label_fits, slug
from domsh_repl.link.domshell.refusals import refusal_of, unreadable
from domsh_repl.link.domshell.scripts import literal
from domsh_repl.link.domshell.snapshot import Facts
from domsh_repl.roles import NAMED_BY_CONTENT
from domsh_repl.safetext import one_line

__all__ = [
    "DISARM",
    "Acted",
    "Ask",
    "Field",
    "KeptOut",
    "Looked",
    "arm",
    "arm_all",
    "ask_active",
    "ask_body",
    "kept_length",
    "read_acted",
    "read_armed",
    "read_looked",
    "read_matches",
    "read_text",
]

_SHOWN = 300
_STATES = (
    "checked", "pressed", "mixed", "disabled", "expanded", "focused", "selected", "required",
    "readonly", "busy", "modal", "multiline", "multiselectable", "invalid", "current",
)  # fmt: skip
"""The states that are told, in the order in which they are told (docs/language.md §5)."""

Page = Mapping[str, Any]


class Ask(StrEnum):
    """What the probe is asked of an element; those after ``MATCHES`` act."""

    BRIEF = "brief"
    FIELD = "field"
    CARD = "card"
    TEXT = "text"
    MATCHES = "matches"
    INSERT = "insert"
    FILL = "fill"
    TOGGLE = "toggle"
    CHOOSE = "choose"
    CLICK = "click"
    SUBMIT = "submit"


_ACTS = frozenset({Ask.INSERT, Ask.FILL, Ask.TOGGLE, Ask.CHOOSE, Ask.CLICK, Ask.SUBMIT})


@cache
def _source() -> str:
    """Return the probe on one line."""
    text = FilePath(__file__).with_name("probe.js").read_text(encoding="utf-8")
    kept = (line.strip() for line in text.splitlines())
    return " ".join(line for line in kept if line and not line.startswith("//"))


def _probe(how: str, nonce: str = "", ask: str = "", given: Page | None = None) -> str:
    arguments = ",".join(map(literal, (how, nonce, ask, given or {})))
    return lines.evaluate(f"({_source()})({arguments})")


def arm(nonce: str, ask: Ask, **given: object) -> str:
    """Write the line after which ``text PATH`` (or ``cat``) is answered by the probe, once.

    ``nonce`` is letters and digits that no page can guess. What acts needs ``tag``, the tag
    that was seen at the path before: nothing is done to another element.
    """
    if ask in _ACTS and not given.get("tag"):
        raise ValueError(f"{ask} acts, so it must know the tag of what it acts on")
    return _probe("once", nonce, ask, given)


def arm_all(nonce: str, ask: Ask, **given: object) -> str:
    """Write the line after which the text of every entry is the probe's answer, until DISARM."""
    if ask in _ACTS:
        raise ValueError(f"{ask} acts, so it is for one element")
    return _probe("many", nonce, ask, given)


def ask_body(nonce: str, ask: Ask, **given: object) -> str:
    """Write the line that asks the page's body at once."""
    if ask in _ACTS:
        raise ValueError(f"{ask} acts, so it is for one element")
    return _probe("body", nonce, ask, given)


def ask_active(nonce: str, ask: Ask, **given: object) -> str:
    """Write the line that asks the element with the focus at once."""
    if ask in _ACTS and not given.get("tag"):
        raise ValueError(f"{ask} acts, so it must know the tag of what it acts on")
    return _probe("active", nonce, ask, given)


def kept_length(text: str, nonce: str) -> int:
    """Return how much of a long answer the page keeps to be fetched; 0 when it is whole."""
    return int(_answer(text, nonce).get("kept", 0))


DISARM = lines.evaluate("window.__domsh_probe_off?window.__domsh_probe_off():0")


class KeptOut(Unsupported):
    """The page lets no probe in: its prototypes are frozen."""


def read_armed(text: str) -> None:
    """Check that the probe is in place; raises ``KeptOut`` where the page does not let it."""
    if text != "armed":
        refusal = refusal_of("eval", text)
        if refusal is not None:
            raise refusal.error
        raise KeptOut(
            "the page does not let domsh look at its elements through DOMShell",
            "the built-in server needs no script in the page: `--server builtin`",
        )


@dataclass(frozen=True, slots=True)
class Field:
    """What the probe says of an element that input may go to; ``cover`` is what lies on it."""

    type: str
    editable: bool
    value: str
    secret: bool
    filled: bool
    maximum: int | None
    shown: bool
    cover: str
    multiple: bool
    options: tuple[Option, ...] | None


@dataclass(frozen=True, slots=True)
class Looked:
    """What the probe says of one element; ``labels`` are candidates with where they come from.

    Attributes, description, URL and text are those of a card, else empty; ``inner`` counts the
    elements in it.
    """

    tag: str
    labels: tuple[tuple[str, str], ...]
    states: tuple[str, ...]
    field: Field | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    description: str = ""
    url: str = ""
    text: str = ""
    inner: int = 0

    def label(self, name: str, role: str) -> tuple[str, str]:
        """Return the label of which DOMShell made ``name``, and its source; else two "".

        A candidate counts only where the name proves it: none is guessed (R13).
        """
        for source, text in self.labels:
            if source == "contents" and not _names_by_content(role, text):
                continue
            if label_fits(text, name, role):
                return text, source
        return "", ""

    @property
    def is_blank_text(self) -> bool:
        """True for a text of blanks, which no listing shows."""
        return self.tag == "#text" and not any(text.strip() for _, text in self.labels)

    def facts(self, name: str, role: str) -> Facts:
        """Return what a snapshot keeps of it, for a node of that wire name and role."""
        return Facts(self.label(name, role)[0], self.states)


def _names_by_content(role: str, text: str) -> bool:
    """Tell whether content may be the label: of a row in grids only, which its name must show."""
    return role in NAMED_BY_CONTENT and (role != "row" or bool(slug(text)))


@dataclass(frozen=True, slots=True)
class Acted:
    """What an action did to its element, read back in the same moment.

    Which of the fields are set depends on the action; ``value`` of a password is "".
    """

    done: bool = False
    changed: bool = False
    holds: bool = False
    filled: bool = False
    value: str = ""
    before: str | None = None
    after: str | None = None
    chosen: tuple[str, ...] = ()
    form: bool = True
    disabled: bool = False
    invalid: str = ""
    message: str = ""


def _answer(text: str, nonce: str) -> dict[str, Any]:
    """Return the object that stands between the nonces and is the whole text."""
    mark = f"@{nonce}@"
    inside = text.removeprefix(mark).removesuffix(mark)
    if len(inside) != len(text) - 2 * len(mark):
        raise Unsupported(
            "the page did not let domsh look at the element through DOMShell",
            "`refresh`, then try again",
        )
    try:
        found: dict[str, Any] = json.loads(inside)
        error = found.get("error")
    except (ValueError, AttributeError) as reason:
        raise unreadable(text).error from reason
    if error is not None:
        raise Failed(f"the page refused: {one_line(str(error), _SHOWN)}")
    if found.get("moved"):
        raise Stale("another element stands there now", "`ls` shows what is there now")
    return found


def read_looked(text: str, nonce: str) -> Looked:
    """Read the answer to ``BRIEF``, ``FIELD`` or ``CARD`` from the text of an entry.

    Raises ``Unsupported`` where it is not the probe's answer, ``Failed`` where it threw.
    """
    found = _answer(text, nonce)
    try:
        told = set(found["states"])
        return Looked(
            tag=str(found["tag"]),
            labels=tuple((str(source), str(label)) for source, label in found["labels"]),
            states=tuple(state for state in _STATES if state in told),
            field=_field(found) if "editable" in found else None,
            attributes=tuple((str(k), str(v)) for k, v in found.get("attributes", {}).items()),
            description=str(found.get("description", "")),
            url=str(found.get("url", "")),
            text=str(found.get("text", "")),
            inner=int(found.get("inner", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise unreadable(text).error from error


def _field(found: Page) -> Field:
    options = found["options"]
    return Field(
        type=str(found["type"]),
        editable=bool(found["editable"]),
        value=str(found["value"]),
        secret=bool(found["secret"]),
        filled=bool(found["filled"]),
        maximum=found["maximum"],
        shown=bool(found["shown"]),
        cover=str(found["cover"]),
        multiple=bool(found["multiple"]),
        options=None if options is None else tuple(Option(*option) for option in options),
    )


def read_text(text: str, nonce: str) -> str:
    """Read the answer to ``TEXT``: the rendered text below the element."""
    return str(_answer(text, nonce).get("text", ""))


def read_matches(text: str, nonce: str) -> bool:
    """Read the answer to ``MATCHES``: whether the element fits the CSS selector."""
    return bool(_answer(text, nonce).get("matches"))


def read_acted(text: str, nonce: str) -> Acted:
    """Read the answer to an action; raises ``Stale`` where another element stood there."""
    found = _answer(text, nonce)
    known = {name: found[name] for name in Acted.__slots__ if name in found}
    known["chosen"] = tuple(map(str, found.get("chosen", ())))
    return Acted(**known)
