"""What roles mean for listings: suffixes of names, interactive roles, directories, form fields.

The first three tables are DOMShell's, so that a page has the same names on either server;
the differences are named where they stand. Role names are those of Chromium's accessibility
tree, ARIA's in lower case and Chromium's own with capitals.
"""

from __future__ import annotations

from domsh_repl.aria import DATE_FIELDS, TOGGLES

__all__ = [
    "ALWAYS_DIRECTORY",
    "DOMSHELLS_INTERACTIVE",
    "FIELDS",
    "FRAMES",
    "INTERACTIVE",
    "NAMED_BY_CONTENT",
    "NOISE",
    "SUFFIXES",
    "TEXT_BOX",
    "TEXT_LEAVES",
]

SUFFIXES = {
    "button": "btn",
    "link": "link",
    "textbox": "input",
    "checkbox": "chk",
    "radio": "radio",
    "combobox": "select",
    "menuitem": "item",
    "tab": "tab",
    "slider": "slider",
    "searchbox": "search",
    "switch": "switch",
    "img": "img",
    "image": "img",
    "heading": "heading",
}


def _roles(names: str) -> frozenset[str]:
    return frozenset(names.split())


DOMSHELLS_INTERACTIVE = (
    _roles("button link textbox combobox menuitem option tab slider spinbutton searchbox") | TOGGLES
)
_DISCLOSURES = _roles("DisclosureTriangle DisclosureTriangleGrouped")
INTERACTIVE = DOMSHELLS_INTERACTIVE | DATE_FIELDS | _DISCLOSURES
"""Roles that people act on; DOMShell lists the last two kinds as directories or static."""

ALWAYS_DIRECTORY = _roles(
    "group navigation form search section main complementary banner contentinfo region article"
    " list listitem tree treeitem tablist tabpanel dialog menu menubar toolbar table row rowgroup"
    " grid document application figure feed log status timer alertdialog generic WebArea"
    " RootWebArea Iframe IframePresentational"
)
"""Roles that are directories also when there is nothing inside."""

FRAMES = _roles("Iframe IframePresentational")

FIELDS = DATE_FIELDS | TOGGLES | _roles("textbox searchbox combobox slider spinbutton option")
"""Roles whose inside is not listed: it is the field's own machinery (docs/language.md §2)."""

NAMED_BY_CONTENT = (
    _roles(
        "button link cell columnheader rowheader gridcell heading menuitem option tab treeitem"
        " tooltip row term StaticText ListMarker LineBreak"
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
"""Roles that only hold the text of the node around them."""
