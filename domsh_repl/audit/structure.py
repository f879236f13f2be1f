"""Rules about roles and attributes: that they are ones, and stand where they belong."""

from __future__ import annotations

from collections.abc import Iterator

from domsh_repl.audit.elements import Element, Page
from domsh_repl.audit.rule import Flaw, Level, Rule
from domsh_repl.audit.vocabulary import CONTAINERS, LEAVES, OWNED, value_problem

__all__ = ["STRUCTURE_RULES"]

_GROUPS = frozenset({"group", "rowgroup"})
"""What may stand between a role and its container (ARIA 1.3, group and rowgroup)."""


def _roles(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        said = element.attributes.get("role", "").strip()
        if said and not element.author_role:
            yield Flaw(f"{said!r} is no role", element)


def _parents(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        wanted = CONTAINERS.get(element.author_role)
        if wanted is None or element.meaning != element.author_role:
            continue
        if not _stands_in(page, element, wanted):
            places = " or ".join(sorted(wanted))
            yield Flaw(f"the {element.author_role} is in no {places}", element)


def _stands_in(page: Page, element: Element, wanted: frozenset[str]) -> bool:
    """Tell whether the closest meaning around is a wanted one; where the look began is unknown."""
    for around in page.around(element):
        if around.meaning in wanted:
            return True
        if not around.transparent and around.meaning not in _GROUPS:
            return False
    return not page.document.whole


def _children(page: Page) -> Iterator[Flaw]:
    satisfied = _satisfied(page)
    for element in page.exposed:
        wanted = OWNED.get(element.author_role)
        if wanted is None or element.place in satisfied or not element.facts.get("holds"):
            continue
        if element.attributes.get("aria-busy", "").lower() != "true":
            children = " or ".join(sorted(wanted))
            yield Flaw(f"the {element.author_role} holds no {children}", element)


def _satisfied(page: Page) -> frozenset[int]:
    """Return the places of the containers somewhere in which a wanted role is, hidden or not."""
    found: set[int] = set()
    for element in page.elements:
        role = element.meaning
        for around in page.around(element):
            if role in OWNED.get(around.author_role, ()):
                found.add(around.place)
    return frozenset(found)


def _attributes(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        for name, value in element.attributes.items():
            problem = value_problem(name, value) if name.startswith("aria-") else ""
            if problem:
                yield Flaw(problem, element)


def _hidden_stops(page: Page) -> Iterator[Flaw]:
    for element in page.elements:
        if element.hidden and element.tabbable and not _is_sentinel(element):
            yield Flaw(f"Tab reaches the {element.tag} though aria-hidden hides it", element)


def _is_sentinel(element: Element) -> bool:
    """Tell whether it is an empty stop, by which scripts keep the focus in a dialog."""
    return element.tag in ("div", "span") and not element.facts.get("holds")


def _nested(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        if not element.tabbable:
            continue
        for around in page.around(element):
            if around.meaning in LEAVES:
                yield Flaw(
                    f"it can be focused inside a {around.meaning}, whose inside is not told",
                    element,
                )
                break


STRUCTURE_RULES = (
    Rule("role-valid", Level.FAIL, _roles, "4.1.2"),
    Rule("required-parent", Level.FAIL, _parents, "1.3.1"),
    Rule("required-child", Level.FAIL, _children, "1.3.1"),
    Rule("aria-attribute", Level.FAIL, _attributes, "4.1.2"),
    Rule("hidden-focus", Level.FAIL, _hidden_stops, "4.1.2"),
    Rule("nested-interactive", Level.FAIL, _nested, "4.1.2"),
)
