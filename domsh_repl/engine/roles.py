"""What roles mean for listings: suffixes of names, interactive roles, directories, form fields.

The first three tables are DOMShell's, so that a page has the same names on either server;
the differences are named where they stand. Role names are those of Chromium's accessibility
tree, ARIA's in lower case and Chromium's own with capitals.
"""

from __future__ import annotations

from domsh_repl.aria import DATE_FIELDS

__all__ = [
    "ALWAYS_DIRECTORY",
    "DOMSHELLS_INTERACTIVE",
    "FIELDS",
    "FRAMES",
    "INTERACTIVE",
    "SUFFIXES",
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

_DOMSHELLS_INTERACTIVE = (
    "button link textbox checkbox radio combobox menuitem menuitemcheckbox menuitemradio option"
    " switch tab slider spinbutton searchbox"
)
DOMSHELLS_INTERACTIVE = frozenset(_DOMSHELLS_INTERACTIVE.split())
# the others DOMShell lists as directories or static, though people act on them
INTERACTIVE = frozenset(
    (
        *DOMSHELLS_INTERACTIVE,
        *DATE_FIELDS,
        "DisclosureTriangle",
        "DisclosureTriangleGrouped",
    )
)

ALWAYS_DIRECTORY = frozenset(
    [
        "group",
        "navigation",
        "form",
        "search",
        "section",
        "main",
        "complementary",
        "banner",
        "contentinfo",
        "region",
        "article",
        "list",
        "listitem",
        "tree",
        "treeitem",
        "tablist",
        "tabpanel",
        "dialog",
        "menu",
        "menubar",
        "toolbar",
        "table",
        "row",
        "rowgroup",
        "grid",
        "document",
        "application",
        "figure",
        "feed",
        "log",
        "status",
        "timer",
        "alertdialog",
        "generic",
        "WebArea",
        "RootWebArea",
        "Iframe",
        "IframePresentational",
    ]
)

FRAMES = frozenset({"Iframe", "IframePresentational"})

FIELDS = DATE_FIELDS | frozenset(
    [
        "textbox",
        "searchbox",
        "combobox",
        "checkbox",
        "radio",
        "switch",
        "slider",
        "spinbutton",
        "option",
        "menuitemcheckbox",
        "menuitemradio",
    ]
)
"""Roles whose inside is not listed: it is the field's own machinery (docs/language.md §2)."""

TEXT_LEAVES = frozenset({"StaticText", "InlineTextBox", "ListMarker", "LineBreak"})
"""Roles that only hold the text of the node around them."""
