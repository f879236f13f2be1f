"""How things look: the family of each role, the style of each family, and the signs.

The one place for both, for what is printed and for the line that is typed. Styles are made of
the 16 ANSI colours and of attributes, under names that a configuration can give other styles.
In the default theme white, black, grey, yellow (faint on white) and plain blue (faint on black)
are not among them, so that light and dark terminals both read; nothing is told by colour alone.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import astuple, dataclass

from domsh_repl.errors import UsageError

__all__ = [
    "ASCII_SIGNS",
    "DEFAULT_THEME",
    "DIM",
    "ERROR",
    "GOOD",
    "HALF_BLOCK",
    "HEAD",
    "LOOK_HERE",
    "MATCH",
    "PLAIN_SIGNS",
    "SIGNS",
    "THEMES",
    "WARNING",
    "Signs",
    "Theme",
    "parse_style",
    "role_style",
    "signs_for",
    "theme_of",
]

DIM = "dim"
HEAD = "head"
GOOD = "good"
WARNING = "warning"
ERROR = "error"
LOOK_HERE = "notice"
MATCH = "match"

HALF_BLOCK = "▀"
"""A cell of a picture: its upper half in one colour, on another one."""

Theme = Mapping[str, str]
"""Styles by the names of what has them; a style is what ``parse_style`` gives."""

DEFAULT_THEME: Theme = {
    "dim": "dim",
    "head": "bold",
    "good": "green",
    "warning": "magenta",
    "error": "bold red",
    "notice": "bold magenta",
    "match": "bold red",
    "structure": "bold bright_blue",
    "collection": "bright_blue",
    "heading": "bold",
    "link": "cyan",
    "button": "green",
    "field": "magenta",
    "frame": "bold cyan",
    "attention": "red",
    "host": "cyan",
    "cwd": "bold",
    "mark": "bold magenta",
    "failed": "red",
    "danger": "bold red",
    "toolbar": "dim",
    "suggestion": "dim",
    "command": "bold",
    "unknown": "red",
    "option": "cyan",
    "path": "underline",
    "missing": "red",
    "string": "green",
    "variable": "magenta",
    "operator": "bold",
    "comment": "italic",
}
"""What is printed, then the prompt, then the line that is typed."""

THEMES: Mapping[str, Theme] = {
    "default": DEFAULT_THEME,
    "dark": {
        **DEFAULT_THEME,
        "warning": "yellow",
        "notice": "bold yellow",
        "structure": "bold bright_cyan",
        "collection": "bright_cyan",
        "link": "bright_blue",
        "button": "bright_green",
        "field": "bright_magenta",
        "attention": "bright_red",
        "mark": "bold yellow",
        "unknown": "bright_red",
        "missing": "bright_red",
        "string": "yellow",
        "comment": "bright_black",
    },
    "light": {
        **DEFAULT_THEME,
        "structure": "bold blue",
        "collection": "blue",
        "link": "blue underline",
        "frame": "bold magenta",
        "host": "blue",
        "option": "blue",
        "comment": "dim",
    },
    "mono": {
        **dict.fromkeys(DEFAULT_THEME, "bold"),
        **dict.fromkeys(("link", "path", "field", "variable"), "underline"),
        **dict.fromkeys(("match", "danger", "unknown"), "reverse"),
        **dict.fromkeys(("dim", "comment", "toolbar", "suggestion"), "dim"),
        **dict.fromkeys(("collection", "string", "host"), ""),
    },
}
"""The themes by name; ``mono`` has attributes and no colour."""

_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_WORDS = (
    *_COLOURS, *(f"bright_{name}" for name in _COLOURS),
    "bold", "dim", "italic", "underline", "reverse", "on", "none",
)  # fmt: skip


def parse_style(text: str) -> str:
    """Return a style as rich writes it: ``bold bright_blue on black``.

    Raises ``UsageError`` for a word that is none of the 16 ANSI colours and the attributes.
    """
    words = text.casefold().replace("-", "_").split()
    for number, word in enumerate(words):
        of_background = number > 0 and words[number - 1] == "on"
        if word not in _WORDS or (of_background and word.removeprefix("bright_") not in _COLOURS):
            near = difflib.get_close_matches(word, _WORDS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(_WORDS)}"
            raise UsageError(f"{word!r} is no colour and no attribute", hint)
    if words[-1:] == ["on"]:
        raise UsageError("a colour is missing after on", "on black")
    return " ".join(word for word in words if word != "none")


def theme_of(name: str, styles: Mapping[str, str]) -> Theme:
    """Return a theme of ``THEMES`` with some of its styles replaced."""
    return {**THEMES[name], **styles}


_STRUCTURE = "structure"
_COLLECTION = "collection"
_HEADING = "heading"
_LINK = "link"
_BUTTON = "button"
_FIELD = "field"
_FRAME = "frame"
_ATTENTION = "attention"
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
    """Return the name of the style of a node with this role; "" for roles of no family."""
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
PLAIN_SIGNS = Signs("", "current", "...", ",", ",", "", "", "", "")
"""Words and what is not spoken, for the plain layout."""


def signs_for(encoding: str) -> Signs:
    """Return the signs that text of this encoding can hold."""
    try:
        "".join(astuple(SIGNS)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII_SIGNS
    return SIGNS
