"""Rules about labels: who needs one, and that it holds what is to be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domsh_repl.audit.elements import Element, Page
from domsh_repl.audit.rule import Flaw, Level, Rule
from domsh_repl.audit.vocabulary import CONTROLS, FIELDS

__all__ = ["LABEL_RULES"]

_PICTURES = frozenset({"img", "image"})
_DIALOGS = frozenset({"dialog", "alertdialog"})
_DECORATION = frozenset({"none", "presentation"})
_FRAMES = frozenset({"iframe", "frame"})
_NAMING = ("alt", "aria-label", "aria-labelledby", "title")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_WORD = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 2


def _unnamed(page: Page, roles: frozenset[str]) -> Iterator[Element]:
    for element in page.exposed:
        if element.role in roles and not element.name and not _is_picture_button(element):
            yield element


def _controls(page: Page) -> Iterator[Flaw]:
    for element in _unnamed(page, CONTROLS):
        yield Flaw(f"the {element.role} has no label", element)
    for element in page.exposed:
        if element.tag == "area" and element.facts.get("url") and not _is_named(element):
            yield Flaw("the link of an image map has no label", element)


def _fields(page: Page) -> Iterator[Flaw]:
    for element in _unnamed(page, FIELDS):
        yield Flaw(f"the {element.role} has no label", element)


def _is_named(element: Element) -> bool:
    return any(element.attributes.get(name, "").strip() for name in _NAMING)


def _is_picture_button(element: Element) -> bool:
    return element.tag == "input" and element.attributes.get("type") == "image"


def _pictures(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        if _is_picture_button(element):
            if not _is_named(element):
                yield Flaw("the picture button has no alternative text", element)
        elif _lacks_alternative(element):
            yield Flaw("the image has no alternative text", element)


def _lacks_alternative(element: Element) -> bool:
    """Tell whether an image neither has a name nor is told to be decoration."""
    if element.name or element.attributes.get("role", "").lower() in _DECORATION:
        return False
    if element.tag == "img":
        return element.role in _PICTURES and "alt" not in element.attributes
    return element.author_role in _PICTURES


def _frames(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        told = element.attributes.get("role", "").lower()
        if element.tag not in _FRAMES or told in _DECORATION or element.facts.get("small"):
            continue
        if not element.name and not _is_named(element):
            yield Flaw("the frame has no title", element)


def _dialogs(page: Page) -> Iterator[Flaw]:
    for element in _unnamed(page, _DIALOGS):
        yield Flaw(f"the {element.role} has no label", element)


def _hidden_text(page: Page) -> Iterator[Flaw]:
    for element in page.exposed:
        shown = _ASIDE.sub(" ", str(element.facts.get("text", "")))
        if element.role not in CONTROLS or not element.name or not _has_words(shown):
            continue
        if _folded(shown) not in _folded(element.name):
            yield Flaw(
                f"the label does not hold the text that is shown: {shown.strip()!r}", element
            )


def _has_words(text: str) -> bool:
    """Tell whether a text can be spoken: a sign or a single letter stands for a picture."""
    return any(len(word) >= _LEAST_LETTERS for word in _WORD.findall(text))


def _folded(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


LABEL_RULES = (
    Rule("control-label", Level.FAIL, _controls, "4.1.2"),
    Rule("field-label", Level.FAIL, _fields, "4.1.2"),
    Rule("image-alternative", Level.FAIL, _pictures, "1.1.1"),
    Rule("frame-title", Level.FAIL, _frames, "4.1.2"),
    Rule("dialog-label", Level.FAIL, _dialogs, "4.1.2"),
    Rule("label-in-name", Level.FAIL, _hidden_text, "2.5.3"),
)
