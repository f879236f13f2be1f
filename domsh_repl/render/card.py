"""How ``cat`` looks: the name as a heading and everything else as aligned keys and values.

Pure. In a pipe the same facts are ``key: value`` lines, with the keys of the JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from domsh_repl.nodes import Card, Value, View
from domsh_repl.render.canvas import Canvas
from domsh_repl.render.ink import Line, Picture, Span
from domsh_repl.render.table import Fact, fact_lines
from domsh_repl.render.theme import DIM, HEAD, role_style
from domsh_repl.render.wording import card_role, state_words, untold

__all__ = ["draw_card"]


def draw_card(card: Card, _view: View, canvas: Canvas) -> Picture:
    """Return all that is known of a node; what is not there has no row."""
    if canvas.width is None:
        return Picture(fact_lines(list(_plain_facts(card, canvas)), canvas))
    return Picture(_terminal_card(card, canvas))


def _terminal_card(card: Card, canvas: Canvas) -> Iterator[Line]:
    style = role_style(card.role).removeprefix(DIM)
    slash = "/" if card.enterable and card.name != "/" else ""
    yield (
        Span(canvas.text(card.name or card.path) + slash, f"{HEAD} {style}".strip()),
        Span(f"  {canvas.text(_role(card))}", DIM),
    )
    facts = [Fact("path", [canvas.text(card.path)]), *_facts_before_html(card, canvas)]
    if card.tag or card.attributes:
        facts.append(Fact("tag", [_start_tag(card, canvas)]))
    facts += _properties(untold(card), canvas)
    facts += _text(card, canvas)
    yield from fact_lines(facts, canvas)


def _role(card: Card) -> str:
    """Return the role in words; where these do not say it, with what ``--type`` takes, too."""
    words = card_role(card)
    says = card.role.casefold() in words.replace(" ", "")
    return words if says else f"{words} ({card.role})"


def _plain_facts(card: Card, canvas: Canvas) -> Iterator[Fact]:
    yield Fact("name", [canvas.text(card.name)])
    yield Fact("path", [canvas.text(card.path)])
    yield Fact("role", [canvas.text(card.role)])
    yield Fact("kind", [card.kind.value])
    yield from _facts_before_html(card, canvas)
    if card.tag:
        yield Fact("tag", [canvas.text(card.tag)])
    for name, value in card.attributes.items():
        yield Fact(f"attributes.{canvas.text(name)}", [canvas.text(value)])
    yield from _properties(card.properties, canvas, "properties.")
    yield from _text(card, canvas)


def _facts_before_html(card: Card, canvas: Canvas) -> Iterator[Fact]:
    if card.label:
        yield Fact("label", [canvas.text(card.label)])
    if card.value is not None:
        yield Fact("value", _shown_value(card.value, canvas))
    states = card.states if canvas.width is None else state_words(card)
    if states:
        yield Fact("states", [canvas.text(", ".join(states))])
    if card.description:
        yield Fact("description", [canvas.text(card.description)])
    if card.name_from:
        yield Fact(
            "name_from" if canvas.width is None else "label from", [canvas.text(card.name_from)]
        )
    if card.url:
        yield Fact("url", [canvas.text(card.url)])


def _shown_value(value: Value, canvas: Canvas) -> list[str]:
    """Return a node's value in its own lines, text as it is."""
    return canvas.block(value) if isinstance(value, str) else [json.dumps(value)]


def _start_tag(card: Card, canvas: Canvas) -> str:
    attributes = "".join(
        f" {canvas.text(name)}={canvas.quoted(value)}" if value else f" {canvas.text(name)}"
        for name, value in card.attributes.items()
    )
    return f"<{canvas.text(card.tag or '?')}{attributes}>"


def _properties(
    properties: Mapping[str, object], canvas: Canvas, prefix: str = ""
) -> Iterator[Fact]:
    for name, value in properties.items():
        items = value if isinstance(value, (list, tuple)) else [value]
        lines = [line for item in items for line in _property_lines(item, canvas)]
        yield Fact(f"{prefix}{canvas.text(name)}", lines)


def _property_lines(item: object, canvas: Canvas) -> list[str]:
    if isinstance(item, str):
        return canvas.block(item)
    if isinstance(item, Mapping):
        parts = (
            f"{canvas.text(str(key))}={canvas.quoted(value)}"
            if isinstance(value, str)
            else f"{canvas.text(str(key))}={canvas.text(json.dumps(value))}"
            for key, value in item.items()
        )
        return [" ".join(parts)]
    return [canvas.text(json.dumps(item, ensure_ascii=False))]


def _text(card: Card, canvas: Canvas) -> Iterator[Fact]:
    if card.text:
        cut = [f"{canvas.signs.ellipsis} cut; all of it: text"] if card.text_cut else []
        yield Fact("text", [*canvas.block(card.text), *cut])
