"""What the rules look at: the elements of a page with their roles, names and attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from domsh_repl.aria import LANDMARKS, NAMED_LANDMARKS
from domsh_repl.audit.vocabulary import VALID_ROLES

__all__ = ["Document", "Element", "Page"]

_TRANSPARENT = frozenset({"", "generic", "none", "presentation"})
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_UNLEVELLED = 2
"""The level of a heading that names none (ARIA 1.3, aria-level)."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element: ``role`` as the browser computes it, ``name`` the accessible name.

    ``around`` is the place of the closest element around it that is known, -1 for none.
    ``hidden`` are those that ``aria-hidden`` hides, ``tabbable`` those that Tab reaches.
    ``document`` counts the documents of the page: 0 is the one where the look began.
    """

    place: int
    around: int
    tag: str
    role: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    document: int = 0

    @property
    def hidden(self) -> bool:
        """True where assistive technology does not get it."""
        return bool(self.facts.get("hidden"))

    @property
    def tabbable(self) -> bool:
        """True where Tab reaches it."""
        return bool(self.facts.get("tabbable"))

    @property
    def author_role(self) -> str:
        """The role that the author gave it, the first that is one; "" without one."""
        words = self.attributes.get("role", "").lower().split()
        return next((word for word in words if word in VALID_ROLES), "")

    @property
    def meaning(self) -> str:
        """What it is to the rules of structure: the author's role, or the browser's."""
        author = self.author_role
        return self.role if author in _TRANSPARENT else author

    @property
    def transparent(self) -> bool:
        """True where it only groups, so that what is around counts."""
        return self.meaning in _TRANSPARENT

    @property
    def level(self) -> int:
        """The level of a heading."""
        said = self.attributes.get("aria-level", "")
        if said.isascii() and said.isdigit() and int(said):
            return int(said)
        return _HEADING_LEVELS.get(self.tag, _UNLEVELLED)

    @property
    def is_landmark(self) -> bool:
        """True for a landmark; forms and regions are ones with a name only."""
        if self.role not in LANDMARKS:
            return False
        return self.role not in NAMED_LANDMARKS or bool(self.name)


@dataclass(frozen=True, slots=True)
class Document:
    """The facts about the document as a whole.

    ``whole`` is false where only a part of it was looked at, ``modal`` true while a dialog makes
    the rest of it inert. ``refresh`` and ``viewport`` are the contents of these ``meta``.
    """

    title: str = ""
    lang: str = ""
    html: bool = True
    modal: bool = False
    refresh: str = ""
    viewport: str = ""
    empty: bool = False
    whole: bool = True


@dataclass(frozen=True)
class Page:
    """All that one look saw; ``cut`` where there was more."""

    document: Document
    elements: Sequence[Element]
    cut: bool = False

    def around(self, element: Element) -> Iterator[Element]:
        """Yield what is around an element, from the inside out, its owner in place of a parent."""
        seen = {element.place}
        at = self.owners.get(element.place, element.around)
        while at >= 0 and at not in seen:
            seen.add(at)
            yield self.elements[at]
            at = self.owners.get(at, self.elements[at].around)

    @cached_property
    def owners(self) -> Mapping[int, int]:
        """The places of elements with that of the one that owns each (``aria-owns``)."""
        return {
            owned: element.place
            for element in self.elements
            for owned in element.facts.get("owns", ())
        }

    @cached_property
    def exposed(self) -> Sequence[Element]:
        """The elements that assistive technology gets."""
        return [element for element in self.elements if not element.hidden]

    @cached_property
    def own(self) -> Sequence[Element]:
        """Those of the document itself, without what its frames show."""
        return [element for element in self.exposed if element.document == 0]

    def landmark(self, element: Element) -> str:
        """Return the role and name of the landmark around an element; "" outside of all."""
        for around in self.around(element):
            if around.is_landmark:
                return f"{around.role} {around.name}".strip()
        return ""
