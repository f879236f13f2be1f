"""Words that complete although no page has to be asked for them: roles, keys, operators."""

from __future__ import annotations

__all__ = ["COMPARISONS", "FIELDS", "KEYS", "MODIFIERS", "OPERATORS", "ROLES", "SELECTS", "TOGGLES"]

_ROLES = """
    alert alertdialog application article banner blockquote button caption cell checkbox code
    columnheader combobox complementary contentinfo definition deletion dialog document emphasis
    feed figure form generic grid gridcell group heading image insertion link list listbox
    listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
    navigation note option paragraph progressbar radio radiogroup region row rowgroup rowheader
    scrollbar search searchbox separator slider spinbutton status strong switch tab table tablist
    tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
"""
ROLES = tuple(_ROLES.split())
"""ARIA 1.3 §5.4, without the abstract roles and a few that no page uses."""

_KEYS = """
    Enter Tab Escape Backspace Delete Insert Space ArrowLeft ArrowUp ArrowRight ArrowDown Home End
    PageUp PageDown ContextMenu F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
"""
KEYS = tuple(_KEYS.split())
"""Named keys (UI Events, KeyboardEvent.key)."""

MODIFIERS = ("ctrl+", "shift+", "alt+", "meta+")

OPERATORS = ("is", "contains", "matches", "not")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider"}) | frozenset(
    {"Date", "DateTime", "InputTime", "ColorWell"}
)
"""Roles of what ``fill`` and ``type`` take."""

SELECTS = frozenset({"combobox", "listbox"})

TOGGLES = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
