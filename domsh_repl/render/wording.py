"""Roles and states in the words that screen readers say and that auditors write down.

Pure. What can be typed is another matter: ``--type`` and ``state`` take the names of ARIA and of
Chromium, and whatever goes into a pipe has these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from domsh_repl.aria import LANDMARKS, NAMED_LANDMARKS, STATES, TOGGLES
from domsh_repl.nodes import Card, Node

__all__ = ["card_role", "role_words", "state_words", "untold"]

_ROLES = {
    "alertdialog": "alert dialog",
    "associationlist": "description list",
    "associationlistitemkey": "description list term",
    "associationlistitemvalue": "description list definition",
    "blockquote": "block quote",
    "columnheader": "column header",
    "contentinfo": "content info",
    "gridcell": "grid cell",
    "doc-backlink": "back link",
    "doc-biblioref": "bibliography reference",
    "doc-noteref": "note reference",
    "img": "image",
    "listitem": "list item",
    "menubar": "menu bar",
    "menuitem": "menu item",
    "menuitemcheckbox": "menu item checkbox",
    "menuitemradio": "menu item radio button",
    "progressbar": "progress bar",
    "radio": "radio button",
    "radiogroup": "radio group",
    "rowgroup": "row group",
    "rowheader": "row header",
    "scrollbar": "scroll bar",
    "spinbutton": "spin button",
    "tablist": "tab list",
    "tabpanel": "tab panel",
    "treegrid": "tree grid",
    "treeitem": "tree item",
    "togglebutton": "toggle button",
    "ColorWell": "color picker",
    "Date": "date field",
    "DateTime": "date and time field",
    "DisclosureTriangleGrouped": "disclosure triangle",
    "Iframe": "frame",
    "IframePresentational": "frame",
    "InlineTextBox": "text",
    "InputTime": "time field",
    "LabelText": "label",
    "RootWebArea": "document",
    "StaticText": "text",
    "SvgRoot": "graphic",
    "WebArea": "document",
}
"""What NVDA and VoiceOver say where the name of the role is no word, or only Chromium's."""

_STATES = {
    "invalid": "invalid entry",
    "readonly": "read-only",
    "multiline": "multi-line",
    "multiselectable": "multi-selectable",
}
_OPPOSITES = {
    "checked": "not checked",
    "expanded": "collapsed",
    "pressed": "not pressed",
    "selected": "not selected",
}
_HAVING = {
    **dict.fromkeys(TOGGLES, "checked"),
    **dict.fromkeys(("DisclosureTriangle", "DisclosureTriangleGrouped"), "expanded"),
}
"""Roles that always have a state or its opposite."""
_STATE_PROPERTIES = STATES - {"current", "mixed"}
"""Properties of a card that its states tell, too."""
_FALSE = (False, "false")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=ML)(?=[A-Z])")


def role_words(node: Node, level: int | None = None) -> str:
    """Return a role as it is announced: ``heading level 2``, ``navigation landmark``."""
    role = node.role
    if role == "heading" and level is not None:
        return f"heading level {level}"
    parted = _CAPITAL.sub(" ", role.removeprefix("doc-")).replace("-", " ")
    words = _ROLES.get(role) or parted.replace("Math ML", "math").lower()
    is_landmark = role in LANDMARKS and (role not in NAMED_LANDMARKS or node.label.strip())
    return f"{words} landmark" if is_landmark else words


def card_role(card: Card) -> str:
    """Return the role of a card with its level, if it is a heading."""
    level = card.properties.get("level")
    return role_words(card, level if isinstance(level, int) else None)


def untold(card: Card) -> Mapping[str, object]:
    """Return the properties that neither the states nor the role of a card tell."""
    told = _STATE_PROPERTIES | ({"level"} if card.role == "heading" else set())
    return {name: value for name, value in card.properties.items() if name not in told}


def state_words(node: Node) -> list[str]:
    """Return the states that hold, in words, and what could hold and does not.

    Nothing is said of what was not seen: a card has properties, and an entry that has a label
    was looked at, since labels and states are read together.
    """
    held = [_held(state, node.role) for state in node.states]
    return [*held, *_not_held(node)]


def _held(state: str, role: str) -> str:
    if role == "switch" and state == "checked":
        return "on"
    if state == "mixed":
        return "partially checked" if role in TOGGLES else "partially pressed"
    return _STATES.get(state, state)


def _not_held(node: Node) -> Iterator[str]:
    properties = node.properties if isinstance(node, Card) else {}
    always = _HAVING.get(node.role) if node.label and "mixed" not in node.states else None
    for state, opposite in _OPPOSITES.items():
        could = state == always or properties.get(state) in _FALSE
        if could and state not in node.states:
            is_off = node.role == "switch" and state == "checked"
            yield "off" if is_off else opposite
