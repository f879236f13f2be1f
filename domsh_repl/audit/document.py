"""Rules about the document: its title and language, its headings and landmarks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from domsh_repl.audit.elements import Element, Page
from domsh_repl.audit.rule import Flaw, Level, Rule

__all__ = ["DOCUMENT_RULES"]

_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|[a-z]{4,8}|[xi])(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
"""The form of a language tag (BCP 47 §2.1); whether there is such a language is not asked."""
_SEPARATOR = re.compile(r"[;,\s]")
_SETTING = re.compile(r"([a-z-]+)\s*=\s*([a-z0-9.-]+)", re.IGNORECASE)
_LONGEST_REFRESH = 72_000.0
"""Seconds: a longer time limit is no limit (WCAG 2.2.1)."""
_LEAST_ZOOM = 2.0
"""What text must be enlarged to at least (WCAG 1.4.4)."""
_ONCE = frozenset({"main"})
"""Landmarks that another rule counts."""


def _title(page: Page) -> Iterator[Flaw]:
    if not page.document.title:
        yield Flaw("the page has no title")


def _language(page: Page) -> Iterator[Flaw]:
    said = page.document.lang.strip()
    if page.document.html and not said:
        yield Flaw("the page does not say its language (lang)")
    elif page.document.html and not _LANGUAGE.fullmatch(said):
        yield Flaw(f"{said!r} is no language")


def _refresh(page: Page) -> Iterator[Flaw]:
    delay = _SEPARATOR.split(page.document.refresh.strip(), maxsplit=1)[0]
    seconds = float(delay) if re.fullmatch(r"[0-9]+(?:\.[0-9]*)?", delay) else 0.0
    if 0 < seconds <= _LONGEST_REFRESH:
        yield Flaw(f"the page goes on by itself after {seconds:g} s (meta refresh)")


def _zoom(page: Page) -> Iterator[Flaw]:
    settings: Mapping[str, str] = {
        name.lower(): value.lower() for name, value in _SETTING.findall(page.document.viewport)
    }
    scalable, most = settings.get("user-scalable", ""), settings.get("maximum-scale", "")
    if scalable in ("no", "0") or (_number(most) is not None and _is_narrow(most)):
        yield Flaw("the page keeps its reader from zooming (meta viewport)")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_narrow(text: str) -> bool:
    number = _number(text)
    return number is not None and 0 <= number < _LEAST_ZOOM


def _headings(page: Page) -> Iterator[Element]:
    return (element for element in page.exposed if element.role == "heading")


def _skipped_levels(page: Page) -> Iterator[Flaw]:
    before: dict[int, int] = {}
    for heading in _headings(page):
        last = before.get(heading.document)
        if last is not None and heading.level > last + 1:
            yield Flaw(f"the heading of level {heading.level} follows one of level {last}", heading)
        before[heading.document] = heading.level


def _first_heading(page: Page) -> Iterator[Flaw]:
    if page.document.empty or page.document.modal:
        return
    if not any(heading.level == 1 for heading in _headings(page)):
        yield Flaw("the page has no heading of level 1")


def _empty_headings(page: Page) -> Iterator[Flaw]:
    for heading in _headings(page):
        if not heading.name:
            yield Flaw("the heading is empty", heading)


def _mains(page: Page) -> Iterator[Flaw]:
    found = [element for element in page.own if element.role == "main"]
    if not found and not page.document.empty and not page.document.modal:
        yield Flaw("the page has no main landmark")
    for element in found[1:]:
        yield Flaw("there is another main landmark before it", element)


def _landmarks(page: Page) -> Iterator[Flaw]:
    groups: dict[tuple[int, str, str], list[Element]] = defaultdict(list)
    for element in page.exposed:
        if element.is_landmark and element.role not in _ONCE:
            key = (element.document, element.role, element.name.casefold())
            groups[key].append(element)
    for (_, role, _), same in groups.items():
        for element in same[1:]:
            told = f"labelled {element.name!r}" if element.name else "without a label"
            yield Flaw(f"there is another {role} {told} before it", element)


def _tab_order(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        said = element.attributes.get("tabindex", "").strip()
        if said.isascii() and said.isdigit() and int(said) > 0 and element.tabbable:
            yield Flaw(f"tabindex={said} takes it out of the order of the page", element)


DOCUMENT_RULES = (
    Rule("page-title", Level.FAIL, _title, "2.4.2", whole=True),
    Rule("page-language", Level.FAIL, _language, "3.1.1", whole=True),
    Rule("meta-refresh", Level.FAIL, _refresh, "2.2.1", whole=True),
    Rule("zoom-disabled", Level.FAIL, _zoom, "1.4.4", whole=True),
    Rule("heading-order", Level.PRACTICE, _skipped_levels),
    Rule("heading-first", Level.PRACTICE, _first_heading, whole=True),
    Rule("heading-empty", Level.PRACTICE, _empty_headings),
    Rule("main-landmark", Level.PRACTICE, _mains, whole=True),
    Rule("landmark-unique", Level.PRACTICE, _landmarks),
    Rule("tab-order", Level.PRACTICE, _tab_order),
)
