"""How things look: the family of each role, the style of each family, and the signs.

The one place for both. Styles are rich style definitions with the 16 ANSI colours only. White,
black, grey, yellow (faint on white) and plain blue (faint on black) are not among them, so that
light and dark terminals both read; nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

__all__ = [
    "ASCII_SIGNS",
    "DIM",
    "ERROR",
    "GOOD",
    "HEAD",
    "LOOK_HERE",
    "MATCH",
    "SIGNS",
    "WARNING",
    "Signs",
    "role_style",
    "signs_for",
]

DIM = "dim"
HEAD = "bold"
GOOD = "green"
WARNING = "magenta"
ERROR = "bold red"
LOOK_HERE = "bold magenta"
MATCH = "bold red"

_STRUCTURE = "bold bright_blue"
_COLLECTION = "bright_blue"
_HEADING = "bold"
_LINK = "cyan"
_BUTTON = "green"
_FIELD = "magenta"
_FRAME = "bold cyan"
_ATTENTION = "red"
_PLAIN = ""

_FAMILIES = {
    _STRUCTURE: """
        application article banner complementary contentinfo details document fieldset figure form
        generic group log main marquee navigation none presentation region rootwebarea search
        section sectionfooter sectionheader status tabpanel timer toolbar
        """,
    _COLLECTION: """
        cell columnheader definition descriptionlist directory feed grid gridcell list listbox
        listitem menu menubar menulistpopup radiogroup row rowgroup rowheader table tablist term
        tree treegrid treeitem
        """,
    _HEADING: "heading",
    _LINK: "link doc-backlink doc-biblioref doc-noteref",
    _BUTTON: "button disclosuretriangle menuitem popupbutton tab togglebutton",
    _FIELD: """
        checkbox colorwell combobox date datetime inputtime menuitemcheckbox menuitemradio option
        radio searchbox slider spinbutton switch textbox textfield
        """,
    _FRAME: "iframe iframepresentational embeddedobject pluginobject webview",
    _ATTENTION: "alert alertdialog dialog",
    DIM: "inlinetextbox linebreak listmarker statictext",
}
_STYLES = {role: style for style, roles in _FAMILIES.items() for role in roles.split()}


def role_style(role: str) -> str:
    """Return the style in which a node of this role is named; plain for roles of no family."""
    return _STYLES.get(role.lower(), _PLAIN)


@dataclass(frozen=True, slots=True)
class Signs:
    """The few characters that are not letters. ``interactive`` stands before what can be used."""

    interactive: str = "›"  # noqa: RUF001  (an angle quotation mark is meant)
    current: str = "*"
    ellipsis: str = "…"
    dot: str = "·"
    dash: str = "—"
    branch: str = "├── "
    last_branch: str = "└── "
    trunk: str = "│   "
    gap: str = "    "


SIGNS = Signs()
ASCII_SIGNS = Signs(">", "*", "...", "-", "--", "|-- ", "`-- ", "|   ", "    ")


def signs_for(encoding: str) -> Signs:
    """Return the signs that text of this encoding can hold."""
    try:
        "".join(astuple(SIGNS)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII_SIGNS
    return SIGNS
