"""What DOMShell's replies tell, as values. ``replies`` makes them, ``snapshot`` builds on them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domsh_repl.nodes import Kind, Value

__all__ = [
    "BrowserTabs",
    "Cells",
    "Counts",
    "DeepLine",
    "DeepLines",
    "Details",
    "Directory",
    "Done",
    "Entries",
    "Entry",
    "Group",
    "Groups",
    "LaneTab",
    "Links",
    "Moved",
    "Notice",
    "Overview",
    "Plain",
    "Script",
    "TextBelow",
    "TreeLine",
    "TreeLines",
    "Way",
]


@dataclass(frozen=True, slots=True)
class Notice:
    """What stood before a listing: the tree was read anew; ``reset`` left the directory."""

    nodes: int
    reset: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as a reply names it; ``name`` is a path where the reply gives one.

    What that reply does not tell is "" or None.
    """

    name: str
    role: str = ""
    kind: Kind | None = None
    value: Value = None
    text: str | None = None
    href: str | None = None
    tag: str | None = None
    dom_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of a listing or a search; ``total`` counts all that there are, when it is told."""

    entries: tuple[Entry, ...] = ()
    total: int | None = None
    offset: int = 0
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many entries there are, by sort."""

    total: int
    directories: int
    interactive: int
    static: int


@dataclass(frozen=True, slots=True)
class LaneTab:
    """A tab as the browser level lists it; ``active`` is the one that its window shows."""

    id: int
    title: str
    url: str
    window: int
    current: bool
    active: bool | None = None


@dataclass(frozen=True, slots=True)
class BrowserTabs:
    """The tabs of the lane."""

    tabs: tuple[LaneTab, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The browser level in short: how many windows and tabs, and which tab was entered."""

    windows: int
    tabs: int
    tab: int


@dataclass(frozen=True, slots=True)
class Directory:
    """Where the lane is; ``tab`` is 0 outside of any, ``names`` lead down from its root."""

    path: str
    tab: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Details:
    """What ``cat`` tells; the text form is believed for the first five only.

    Values and texts of the page stand after those, unescaped, and could forge the rest.
    """

    name: str
    role: str
    kind: Kind
    ax_id: str
    backend: int = 0
    value: Value = None
    children: int = 0
    tag: str = ""
    href: str = ""
    html: str = ""
    text: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TextBelow:
    """The text of one entry; ``total`` counts its characters, of which all may not be here."""

    name: str
    text: str
    total: int = 0


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One line of ``tree``: the depth from 0, the sort by DOMShell's sign, and the name."""

    depth: int
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class TreeLines:
    """A drawn tree without its head, which is the directory itself."""

    head: str
    lines: tuple[TreeLine, ...]


@dataclass(frozen=True, slots=True)
class DeepLine:
    """One line of ``read`` that can be told apart: depth from 0, name, role, and the rest."""

    depth: int
    name: str
    role: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class DeepLines:
    """A read tree: every line as it came, which only ``snapshot`` can tell apart for certain."""

    head: DeepLine
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Numbered links, label and URL."""

    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """A table's rows of cells, the header first."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Script:
    """What a script returned, as text; ``cut`` when more than came was there."""

    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """Text that is shown and not looked into (help, debug)."""

    text: str


class Way(StrEnum):
    """How a tab came to show what it shows."""

    ENTERED = "entered"
    OPENED = "opened"
    BACK = "back"
    FORWARD = "forward"
    NAVIGATED = "navigated"


@dataclass(frozen=True, slots=True)
class Moved:
    """A tab was entered or went somewhere; ``nodes`` may be those of the page before (1.3.0)."""

    way: Way
    url: str
    title: str
    nodes: int
    tab: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """A confirmation: DOMShell did it, which is no proof of an effect.

    ``what`` is its own word in lower case, ``name`` what it was done to, ``number`` what it
    counted (characters, nodes, tabs, seconds) and ``value`` what it says it put in.
    """

    what: str
    name: str = ""
    number: float | None = None
    value: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A lane as ``group`` describes it; ``id`` is 0 in the user's own browser."""

    id: int
    name: str = ""
    tabs: int = 0
    attached: bool = False


@dataclass(frozen=True, slots=True)
class Groups:
    """The lanes that there are."""

    groups: tuple[Group, ...]
