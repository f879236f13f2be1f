"""Rules that only a person can decide: they say where to look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urldefrag

from domsh_repl.audit.elements import Element, Page
from domsh_repl.audit.rule import Flaw, Level, Rule

__all__ = ["REVIEW_RULES"]

_VAGUE = frozenset({
    "click", "click here", "continue", "details", "go", "here", "learn more", "link", "more",
    "more info", "more information", "read more", "see more", "this", "this link", "view more",
})  # fmt: skip
"""Link texts that say nothing of where they lead, in English."""
_SIGNS = " .\u2026\u00bb\u203a>\u2192"
"""Dots and arrows at the end of a link's text."""
_NAMING = ("aria-label", "aria-labelledby", "title")
_LEAST = 2


def _links(page: Page) -> Iterator[Element]:
    return (one for one in page.exposed if one.role == "link" and one.name)


def _same_text(page: Page) -> Iterator[Flaw]:
    groups: dict[str, list[Element]] = defaultdict(list)
    for link in _links(page):
        if link.facts.get("url"):
            groups[link.name.casefold()].append(link)
    for same in groups.values():
        addresses: dict[str, Element] = {}
        for link in same:
            addresses.setdefault(urldefrag(str(link.facts["url"])).url.rstrip("/"), link)
        if len(addresses) > 1:
            other = list(addresses.values())[1]
            yield Flaw(f"links with this text lead to {len(addresses)} addresses", other)


def _vague(page: Page) -> Iterator[Flaw]:
    for link in _links(page):
        if link.name.casefold().strip(_SIGNS) in _VAGUE:
            yield Flaw("the link's text does not say where it leads", link)


def _placeholders(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        placeholder = element.attributes.get("placeholder", "").strip()
        if not placeholder or "labelled" not in element.facts or element.facts["labelled"]:
            continue
        if not any(element.attributes.get(name, "").strip() for name in _NAMING):
            yield Flaw("its only label is a placeholder, which goes when one types", element)


def _media(page: Page) -> Iterator[Flaw]:
    for element in page.elements:
        if element.facts.get("sounds"):
            yield Flaw(f"the {element.tag} may play a sound by itself", element)


def _tables(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        facts = element.facts
        is_data = element.tag == "table" and element.meaning in ("table", "grid", "treegrid")
        big = facts.get("rows", 0) >= _LEAST and facts.get("columns", 0) >= _LEAST
        if is_data and big and not facts.get("headed"):
            yield Flaw("the table has no header cells", element)


def _references(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        for name in element.facts.get("missing", ()):
            yield Flaw(f"{name} names nothing that is in the page", element)


REVIEW_RULES = (
    Rule("link-same-text", Level.REVIEW, _same_text),
    Rule("link-vague", Level.REVIEW, _vague),
    Rule("placeholder-label", Level.REVIEW, _placeholders),
    Rule("media-autoplay", Level.REVIEW, _media),
    Rule("table-headers", Level.REVIEW, _tables),
    Rule("aria-reference", Level.REVIEW, _references),
)
