"""Roles and states that more than one layer has to know, by ARIA's and Chromium's names."""

from __future__ import annotations

__all__ = [
    "DATE_FIELDS",
    "EDITABLE",
    "LANDMARKS",
    "NAMED_LANDMARKS",
    "OUTLINED_FIELDS",
    "PASSWORD_MASK",
    "ROLES",
    "SELECTS",
    "STATES",
    "TOGGLES",
]

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

_STATES = """
    checked mixed disabled expanded focused selected required invalid readonly pressed busy current
    modal multiline multiselectable
"""
STATES = frozenset(_STATES.split())
"""The states of docs/language.md §5."""

DATE_FIELDS = frozenset({"Date", "DateTime", "InputTime", "ColorWell"})
"""Chromium's own roles of fields with a picker."""

EDITABLE = DATE_FIELDS | frozenset({"textbox", "searchbox", "spinbutton", "combobox", "slider"})
"""What ``fill`` and ``type`` take."""

LANDMARKS = frozenset({
    "banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search",
})  # fmt: skip
"""ARIA 1.3 §5.3.4; a few of them only with a name."""

NAMED_LANDMARKS = frozenset({"form", "region"})
"""Roles that are landmarks when the author names them only (ARIA in HTML, form and section)."""

SELECTS = frozenset({"combobox", "listbox"})
"""What ``select`` takes."""

TOGGLES = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
"""What ``check`` and ``uncheck`` take."""

OUTLINED_FIELDS = EDITABLE | SELECTS | TOGGLES - {"menuitemcheckbox", "menuitemradio"}
"""What counts as a form field in an outline."""

PASSWORD_MASK = "••••••••"  # noqa: S105  (what is shown instead of a password)
