"""What the roles of Chromium's accessibility tree mean for the entries that DOMShell lists.

The sorts are those of ``nodes``: where DOMShell sorts otherwise (a text is a directory there,
a date field too), the built-in engine's sort is given, so that both servers tell the same.
"""

from __future__ import annotations

from domsh_repl.nodes import Kind, Value

__all__ = [
    "ALWAYS_DIRECTORY",
    "FIELDS",
    "INTERACTIVE",
    "NAMED_BY_CONTENT",
    "NOISE",
    "PASSWORD_MASK",
    "SUFFIXES",
    "TEXT_BOX",
    "TEXT_LEAVES",
    "TOGGLES",
    "kind_of",
    "value_of",
]

SUFFIXES = {
    "button": "btn", "link": "link", "textbox": "input", "checkbox": "chk", "radio": "radio",
    "combobox": "select", "menuitem": "item", "tab": "tab", "slider": "slider",
    "searchbox": "search", "switch": "switch", "img": "img", "image": "img",
    "heading": "heading",
}  # fmt: skip
"""What DOMShell puts behind the names of these roles."""


def _roles(names: str) -> frozenset[str]:
    return frozenset(names.split())


_DATES = _roles("Date DateTime InputTime ColorWell")
_DISCLOSURES = _roles("DisclosureTriangle DisclosureTriangleGrouped")
TOGGLES = _roles("checkbox radio switch menuitemcheckbox menuitemradio")

INTERACTIVE = (
    _roles("button link textbox combobox menuitem option tab slider spinbutton searchbox")
    | TOGGLES
    | _DATES
    | _DISCLOSURES
)

ALWAYS_DIRECTORY = _roles(
    "group navigation form search section main complementary banner contentinfo region article "
    "list listitem tree treeitem tablist tabpanel dialog menu menubar toolbar table row rowgroup "
    "grid document application figure feed log status timer alertdialog generic WebArea "
    "RootWebArea Iframe IframePresentational"
)
"""Roles that are directories also when there is nothing inside."""

FIELDS = _roles("textbox searchbox combobox slider spinbutton option") | TOGGLES | _DATES
"""Roles whose inside is the field's own machinery and is not listed (docs/language.md §2)."""

NAMED_BY_CONTENT = (
    _roles(
        "button link cell columnheader rowheader gridcell heading menuitem option tab treeitem "
        "tooltip row term StaticText ListMarker LineBreak"
    )
    | TOGGLES
    | _DISCLOSURES
)
"""Roles whose accessible name may come from what is inside (ARIA 1.3, Name From: contents)."""

TEXT_BOX = "InlineTextBox"
"""The role of the boxes that say each text again; they are never listed."""

NOISE = _roles("ListMarker LineBreak")
"""Texts that ``ls`` and ``tree`` leave out unless all is asked for."""
TEXT_LEAVES = NOISE | {"StaticText", TEXT_BOX}

_NUMERIC = _roles("slider spinbutton progressbar meter scrollbar")
PASSWORD_MASK = "••••••••"  # noqa: S105  (what is shown instead of a password)


def kind_of(role: str, *, holds: bool) -> Kind:
    """Return the sort of a node by its role; ``holds`` says that it has children."""
    if role in INTERACTIVE:
        return Kind.INTERACTIVE
    if role in TEXT_LEAVES:
        return Kind.STATIC
    return Kind.DIRECTORY if holds or role in ALWAYS_DIRECTORY else Kind.STATIC


def value_of(role: str, said: Value) -> Value:
    """Return a node's value as the tree has it: numbers of numeric roles, passwords masked."""
    if not isinstance(said, str):
        return said
    if role in _NUMERIC:
        return _number(said)
    return PASSWORD_MASK if said and not said.strip("•") else said


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
