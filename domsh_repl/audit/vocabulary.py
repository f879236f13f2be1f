"""What ARIA 1.3 allows: roles, attributes and their values, and which role belongs in which."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domsh_repl.rolenames import ALL_ROLES

__all__ = [
    "ATTRIBUTES",
    "CONTAINERS",
    "CONTROLS",
    "FIELDS",
    "LEAVES",
    "OWNED",
    "VALID_ROLES",
    "value_problem",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OF_CHROMIUM = _words("rootwebarea section sectionhead togglebutton")
VALID_ROLES = frozenset(role for role in ALL_ROLES if role == role.lower()) - _OF_CHROMIUM
"""The roles that an author can give; the abstract ones are none (ARIA 1.3 §5.4)."""

CONTROLS = _words("button link menuitem menuitemcheckbox menuitemradio tab")
"""What is acted on and mostly named by its content."""

FIELDS = _words("checkbox combobox listbox radio searchbox slider spinbutton switch textbox")
"""What holds a value."""

LEAVES = _words(
    "button checkbox img image menuitemcheckbox menuitemradio meter option progressbar radio"
    " scrollbar separator slider switch tab"
)
"""Roles whose inside is presentational (ARIA 1.3, Children Presentational)."""

_MENU_ITEMS = _words("menuitem menuitemcheckbox menuitemradio")
_CELLS = _words("cell gridcell columnheader rowheader")

CONTAINERS: Mapping[str, frozenset[str]] = {
    "option": _words("listbox combobox"),
    "listitem": _words("list directory"),
    **dict.fromkeys(_MENU_ITEMS, _words("menu menubar")),
    "tab": _words("tablist"),
    "treeitem": _words("tree treeitem"),
    "row": _words("table grid treegrid rowgroup"),
    "rowgroup": _words("table grid treegrid"),
    **dict.fromkeys(_CELLS, _words("row")),
}
"""The roles in one of which each must stand (ARIA 1.3, Required Accessibility Parent Roles)."""

OWNED: Mapping[str, frozenset[str]] = {
    "list": _words("listitem"),
    "listbox": _words("option"),
    "menu": _MENU_ITEMS,
    "menubar": _MENU_ITEMS,
    "tablist": _words("tab"),
    "tree": _words("treeitem"),
    "table": _words("row"),
    "grid": _words("row"),
    "treegrid": _words("row"),
    "rowgroup": _words("row"),
    "row": _CELLS,
    "feed": _words("article"),
}
"""The roles one of which each must hold (ARIA 1.3, Allowed Accessibility Child Roles)."""


def _named(text: str) -> list[str]:
    return [f"aria-{name}" for name in sorted(_words(text))]


def _tokens(text: str) -> Callable[[str], bool]:
    known = _words(text)
    return lambda value: value.lower() in known


def _token_list(text: str) -> Callable[[str], bool]:
    known = _words(text)
    return lambda value: known.issuperset(value.lower().split())


def _is_integer(value: str) -> bool:
    digits = value.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit()


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _anything(_value: str) -> bool:
    return True


_BOOLEAN = (_tokens("true false"), "true or false")
_STATE = (_tokens("true false undefined"), "true or false")
_TRISTATE = (_tokens("true false mixed undefined"), "true, false or mixed")
_INTEGER = (_is_integer, "a whole number")
_NUMBER = (_is_number, "a number")
_ANY = (_anything, "")

_BOOLEANS = "atomic busy disabled modal multiline multiselectable readonly required"
_STATES = "expanded grabbed hidden selected"
_TRISTATES = "checked pressed"
_INTEGERS = "colcount colindex colspan level posinset rowcount rowindex rowspan setsize"
_NUMBERS = "valuemax valuemin valuenow"
_FREE = """
    actions activedescendant braillelabel brailleroledescription colindextext controls current
    describedby description details errormessage flowto keyshortcuts label labelledby owns
    placeholder roledescription rowindextext valuetext virtualcontent
"""

ATTRIBUTES: Mapping[str, tuple[Callable[[str], bool], str]] = {
    **dict.fromkeys(_named(_BOOLEANS), _BOOLEAN),
    **dict.fromkeys(_named(_STATES), _STATE),
    **dict.fromkeys(_named(_TRISTATES), _TRISTATE),
    **dict.fromkeys(_named(_INTEGERS), _INTEGER),
    **dict.fromkeys(_named(_NUMBERS), _NUMBER),
    **dict.fromkeys(_named(_FREE), _ANY),
    "aria-autocomplete": (_tokens("inline list both none"), "inline, list, both or none"),
    "aria-dropeffect": (_token_list("copy execute link move none popup"), "a drop effect"),
    "aria-haspopup": (
        _tokens("true false menu listbox tree grid dialog"),
        "true, false, menu, listbox, tree, grid or dialog",
    ),
    "aria-invalid": (_tokens("true false grammar spelling"), "true, false, grammar or spelling"),
    "aria-live": (_tokens("off polite assertive"), "off, polite or assertive"),
    "aria-orientation": (
        _tokens("horizontal vertical undefined"), "horizontal or vertical",
    ),
    "aria-relevant": (
        _token_list("additions removals text all"), "additions, removals, text or all",
    ),
    "aria-sort": (
        _tokens("ascending descending none other"), "ascending, descending, none or other",
    ),
}  # fmt: skip
"""The attributes of ARIA 1.3 §6 with a test of a value and how the values are told."""


def value_problem(name: str, value: str) -> str:
    """Return what is wrong with an ``aria-*`` attribute; "" where nothing is, as with no value."""
    known = ATTRIBUTES.get(name)
    if known is None:
        return f"{name} is no attribute of ARIA"
    fits, told = known
    value = value.strip()
    return "" if not value or fits(value) else f"{name} is {told}, not {value!r}"
