"""The values that every layer speaks: what a page holds and what an action caused.

All are frozen dataclasses. ``name`` is always the path segment, ``label`` the accessible
name (ARIA 1.3, "accessible name"), ``path`` absolute within its tab. The field names are
the keys of the JSON in docs/language.md §7 (``jsonform`` converts). Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "Branch",
    "Card",
    "Cards",
    "Changes",
    "CheckedLink",
    "CheckedLinks",
    "Dialog",
    "DialogShown",
    "Diff",
    "Effect",
    "EffectKind",
    "Kind",
    "Lines",
    "Link",
    "Links",
    "Listing",
    "Matches",
    "Message",
    "Node",
    "Outline",
    "OutlineEntry",
    "Output",
    "PageInfo",
    "ScriptValue",
    "Tab",
    "Table",
    "Tabs",
    "Text",
    "TextListing",
    "TextNode",
    "Tree",
    "Value",
    "Verdict",
    "View",
    "Where",
]

Value = str | int | float | None
"""The value of a node: a string, a number (slider, spinbutton, progressbar) or none."""


class Kind(StrEnum):
    """How DOMShell sorts nodes; ``Node.enterable`` says what ``cd`` accepts."""

    DIRECTORY = "directory"
    INTERACTIVE = "interactive"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class Node:
    """One entry of a listing (``ENTRY`` in docs/language.md §7)."""

    name: str
    path: str
    role: str
    label: str
    kind: Kind
    enterable: bool
    value: Value = None
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Some entries of one directory; ``total`` counts all that fit, ``offset`` those before."""

    path: str
    entries: tuple[Node, ...]
    total: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class TextNode(Node):
    """An entry with the beginning of the text in it (``ls --text``)."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class TextListing(Listing):
    """A listing whose entries tell their text."""

    entries: tuple[TextNode, ...]


@dataclass(frozen=True, slots=True)
class OutlineEntry(Node):
    """An entry of an outline: a heading has its level, others one more than landmarks around."""

    level: int = 1


@dataclass(frozen=True, slots=True)
class Outline:
    """What a screen reader's rotor lists, in document order."""

    outline: tuple[OutlineEntry, ...]


@dataclass(frozen=True, slots=True)
class Card(Node):
    """All that ``cat`` knows of one node."""

    description: str = ""
    name_from: str = ""
    text: str = ""
    text_cut: bool = False
    url: str | None = None
    tag: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of all nodes that one operand of ``cat`` means."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """A node with the part of its subtree that was asked for; ``more`` direct entries were cut."""

    children: tuple[Branch, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """A subtree as ``tree`` prints it."""

    path: str
    tree: Branch


@dataclass(frozen=True, slots=True)
class Text:
    """Rendered text, a line a block."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link; ``url`` is absolute, none where the page made the link without one."""

    label: str
    url: str | None
    path: str


@dataclass(frozen=True, slots=True)
class Links:
    """All links below a node, in document order."""

    path: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class CheckedLink(Link):
    """A link that was asked: ``ok`` is none where that was not possible or tells nothing.

    ``http`` is the status at the end of all redirections, ``problem`` why it is not ``ok``.
    """

    ok: bool | None = None
    http: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CheckedLinks(Links):
    """All links below a node, each asked once."""

    links: tuple[CheckedLink, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as data: every row has as many cells, a cell that spans several stands in each.

    ``header`` is empty where the table has none.
    """

    path: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """What ``find`` and ``grep`` found, in document order.

    ``total`` counts all there are; where a walk ended early at a limit it is one more than the
    limit, which says that there are at least so many. It is never less than ``matches``.
    """

    matches: tuple[Node, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the lane."""

    id: int
    url: str
    title: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Tabs:
    """The tabs of the lane, in the order in which they were opened."""

    tabs: tuple[Tab, ...]


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open JavaScript dialog: ``type`` is alert, confirm, prompt or beforeunload."""

    type: str
    message: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class DialogShown:
    """The answer of ``dialog`` without an operand."""

    dialog: Dialog | None


@dataclass(frozen=True, slots=True)
class PageInfo:
    """What every reply tells about the current tab.

    ``document`` identifies the loaded document (Chromium's loader id), ``entry`` the entry of
    the session history and ``position`` its index there; ``http`` is the HTTP status of the
    document, none where it came without one. ``notices`` are sentences about what happened
    since the last reply. ``elements`` counts those of the document where that is known.
    """

    url: str = ""
    title: str = ""
    tab: int = 0
    loading: bool = False
    http: int | None = None
    dialog: Dialog | None = None
    document: str = ""
    entry: int = 0
    position: int = 0
    notices: tuple[str, ...] = ()
    elements: int | None = None

    @property
    def mark(self) -> str:
        """Return what is another text as soon as there is something to tell of the tab."""
        marks = f"{self.loading:d}{self.dialog is not None:d}"
        return f"{self.tab}.{self.document}.{self.entry}.{marks}"


@dataclass(frozen=True, slots=True)
class Where:
    """The answer of ``pwd`` and ``info``."""

    url: str
    title: str
    path: str
    tab: int
    lane: str
    loading: bool
    http: int | None
    elements: int | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What came, went and changed among the nodes that had been read, as paths."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed since the last action; none where that cannot be told (another document)."""

    changes: Changes | None


class EffectKind(StrEnum):
    """How sure an effect is: input was sent, an effect was seen, or nobody knows."""

    SENT = "sent"
    SEEN = "seen"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action or a navigation did; ``path`` is what was acted on, or the new cwd.

    ``failure`` tells why the page that the action led to could not be loaded.
    """

    action: str
    path: str
    effect: EffectKind
    url: str
    title: str
    loading: bool = False
    changes: Changes | None = None
    opened_tabs: tuple[Tab, ...] = ()
    downloads: tuple[str, ...] = ()
    dialog: Dialog | None = None
    value: Value = None
    http: int | None = None
    navigated: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ScriptValue:
    """The JSON value that a page script returned."""

    value: object


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of ``wait`` or ``expect``; ``seconds`` is how long it took."""

    condition: str
    ok: bool
    expected: str
    actual: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the shell itself, for example what ``status`` says."""

    text: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Output:
    """Text of a foreign command (``raw``), shown as it is but for what a terminal could obey."""

    output: str


@dataclass(frozen=True, slots=True)
class Lines:
    """What the filters of a pipeline left."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """How the user asked to see a value; it changes text only, never the JSON.

    ``long`` is the table of ``ls -l``, ``single`` one name a line, ``highlight`` a regular
    expression to mark in names and labels, ``count_only`` prints the total, ``brief`` is the
    path alone that ``pwd`` prints of a ``Where``, ``silent`` shows nothing, ``numbered``
    counts the matches, and from ``base``, where it is set, the path of an action is told.
    ``format`` is csv, md or json for a table, "" for what fits where it goes.
    """

    long: bool = False
    single: bool = False
    highlight: str | None = None
    count_only: bool = False
    brief: bool = False
    silent: bool = False
    numbered: bool = False
    base: str = ""
    format: str = ""
