"""What the commands can ask of a server, as values. ``wire`` alone knows how they are written.

Each function returns an ``Ask`` that carries the type of its answer. Paths are absolute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from domsh_repl.logins import Kept, Login
from domsh_repl.nodes import (
    Cards,
    CheckedLinks,
    DialogShown,
    Diff,
    Effect,
    Links,
    Listing,
    Matches,
    Message,
    Node,
    Outline,
    PageInfo,
    ScriptValue,
    Table,
    Tabs,
    Text,
    TextListing,
    Tree,
    Where,
)
from domsh_repl.paths import Path
from domsh_repl.reports import Announcements, Console, Downloads, Findings, Requests, Screenshot

__all__ = [
    "Ask",
    "Wanted",
    "announced",
    "answer_dialog",
    "audit",
    "bring_login",
    "cat",
    "checked_links",
    "click",
    "close_lane",
    "close_tab",
    "console",
    "diff",
    "directory",
    "downloads",
    "fill",
    "find",
    "focus",
    "grep",
    "hover",
    "kept_login",
    "key",
    "links",
    "listing",
    "navigate",
    "news",
    "next_change",
    "open_in_new_tab",
    "outline",
    "refresh",
    "reload",
    "requests",
    "screenshot",
    "script",
    "scroll",
    "select",
    "settled",
    "shown_dialog",
    "submit",
    "switch_tab",
    "table",
    "tabs",
    "text",
    "text_listing",
    "toggle",
    "tree",
    "type_text",
    "walk_history",
    "where",
]

V = TypeVar("V")
_SHORTEST = 0.001
"""Seconds: the server takes no deadline of none."""


@dataclass(frozen=True, slots=True)
class Ask(Generic[V]):
    """One request: a verb, operands, options ("" for a flag) and the type of the answer.

    ``acts`` says that it may change the page, so it is never sent twice and only to the
    document that it was meant for.
    """

    verb: str
    answer: type[V]
    operands: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    acts: bool = False
    on_nodes: bool = True


@dataclass(frozen=True, slots=True)
class Wanted:
    """The features that ``find`` looks for; all that are set must hold."""

    role: str = ""
    name: str = ""
    label: str = ""
    css: str = ""
    state: str = ""

    def options(self) -> dict[str, str]:
        """Return the features as options."""
        pairs = {
            "--type": self.role,
            "--name": self.name,
            "--label": self.label,
            "--css": self.css,
            "--state": self.state,
        }
        return {name: value for name, value in pairs.items() if value}


def _numbers(**numbers: int | None) -> dict[str, str]:
    names = {"limit": "-n", "offset": "--offset", "depth": "-L"}
    return {names[key]: str(value) for key, value in numbers.items() if value is not None}


def _flags(**flags: bool) -> dict[str, str]:
    names = {
        "everything": "-a", "recursive": "-R", "below": "-r", "ignore_case": "-i",
        "invert": "-v", "links": "--links", "hard": "--hard", "full": "--full",
        "failed": "--failed", "double": "--double", "right": "--right",
    }  # fmt: skip
    return {names[key]: "" for key, value in flags.items() if value}


def listing(  # noqa: PLR0913  (the options of ls)
    path: Path,
    *,
    limit: int | None = None,
    offset: int | None = None,
    role: str = "",
    everything: bool = False,
    recursive: bool = False,
) -> Ask[Listing]:
    """Ask for the entries of a directory; ``limit`` 0 means all."""
    options = _numbers(limit=limit, offset=offset) | _flags(
        everything=everything, recursive=recursive
    )
    if role:
        options["--type"] = role
    return Ask("ls", Listing, (str(path),), options)


def text_listing(ask: Ask[Listing]) -> Ask[TextListing]:
    """Ask for the same entries, with the beginning of the text in each."""
    return Ask("ls", TextListing, ask.operands, {**ask.options, "--text": ""})


def directory(path: Path) -> Ask[Node]:
    """Ask whether a path can be entered, and for its printed path."""
    return Ask("cd", Node, (str(path),))


def cat(path: Path) -> Ask[Cards]:
    """Ask for all about the nodes that a path means."""
    return Ask("cat", Cards, (str(path),))


def text(path: Path, *, links: bool = False) -> Ask[Text]:
    """Ask for the rendered text below a node."""
    return Ask("text", Text, (str(path),), _flags(links=links))


def tree(
    path: Path, *, depth: int | None = None, limit: int | None = None, everything: bool = False
) -> Ask[Tree]:
    """Ask for a subtree, without the levels in which it would have more than ``limit`` nodes."""
    options = _numbers(depth=depth, limit=limit) | _flags(everything=everything)
    return Ask("tree", Tree, (str(path),), options)


def find(path: Path, wanted: Wanted, *, limit: int | None = None) -> Ask[Matches]:
    """Ask for every node below a path with these features."""
    return Ask("find", Matches, (str(path),), wanted.options() | _numbers(limit=limit))


def grep(  # noqa: PLR0913  (the options of grep)
    pattern: str,
    path: Path,
    *,
    below: bool = False,
    ignore_case: bool = False,
    invert: bool = False,
    limit: int | None = None,
) -> Ask[Matches]:
    """Ask for the entries, or all nodes ``below``, that match a regular expression."""
    options = _flags(below=below, ignore_case=ignore_case, invert=invert)
    return Ask("grep", Matches, (pattern, str(path)), options | _numbers(limit=limit))


def _action(verb: str, *operands: str) -> Ask[Effect]:
    return Ask(verb, Effect, operands, acts=True)


def links(path: Path) -> Ask[Links]:
    """Ask for all links below a node."""
    return Ask("links", Links, (str(path),))


def checked_links(path: Path) -> Ask[CheckedLinks]:
    """Ask for all links below a node, and for what each answers."""
    return Ask("links", CheckedLinks, (str(path),), {"--check": ""})


def table(path: Path) -> Ask[Table]:
    """Ask for a table as data."""
    return Ask("table", Table, (str(path),))


def outline(path: Path, kinds: Sequence[str]) -> Ask[Outline]:
    """Ask for the outline below a node; ``kinds`` are options such as ``--headings``."""
    return Ask("outline", Outline, (str(path),), dict.fromkeys(kinds, ""))


def audit(path: Path) -> Ask[Findings]:
    """Ask what the accessibility rules find below a node."""
    return Ask("audit", Findings, (str(path),))


def announced() -> Ask[Announcements]:
    """Ask what live regions said since the last action."""
    return Ask("announced", Announcements, on_nodes=False)


def diff() -> Ask[Diff]:
    """Ask what changed since the last action."""
    return Ask("diff", Diff, on_nodes=False)


def downloads() -> Ask[Downloads]:
    """Ask for the files that the lane's tabs offered."""
    return Ask("downloads", Downloads, on_nodes=False)


def screenshot(path: Path | None, *, full: bool = False) -> Ask[Screenshot]:
    """Ask for a picture of the view, of the whole page, or of one element."""
    operands = () if path is None else (str(path),)
    return Ask("screenshot", Screenshot, operands, _flags(full=full), on_nodes=path is not None)


def console(*, limit: int | None = None) -> Ask[Console]:
    """Ask for the last messages of the lane's tabs; ``limit`` 0 means all."""
    return Ask("console", Console, (), _numbers(limit=limit), on_nodes=False)


def requests(*, failed: bool = False, limit: int | None = None) -> Ask[Requests]:
    """Ask for the last requests of the lane's tabs; ``limit`` 0 means all."""
    options = _numbers(limit=limit) | _flags(failed=failed)
    return Ask("requests", Requests, (), options, on_nodes=False)


def script(expression: str) -> Ask[ScriptValue]:
    """Ask for the value of an expression in the page, which may do anything there."""
    return Ask("js", ScriptValue, (expression,), acts=True, on_nodes=False)


def click(
    path: Path, *, double: bool = False, right: bool = False, modifiers: str = ""
) -> Ask[Effect]:
    """Ask for a click; ``modifiers`` are held meanwhile, such as ``ctrl+shift``."""
    options = _flags(double=double, right=right) | ({"--mod": modifiers} if modifiers else {})
    return Ask("click", Effect, (str(path),), options, acts=True)


def hover(path: Path) -> Ask[Effect]:
    """Ask for the pointer to be brought over an element."""
    return _action("hover", str(path))


def scroll(to: Path | str) -> Ask[Effect]:
    """Ask for an element to be brought into view, or for a way: up, down, top, bottom."""
    return Ask("scroll", Effect, (str(to),), acts=True, on_nodes=isinstance(to, Path))


def submit(path: Path | None) -> Ask[Effect]:
    """Ask for the form around an element, or around what has the focus, to be sent."""
    return _action("submit", *(() if path is None else (str(path),)))


def focus(path: Path) -> Ask[Effect]:
    """Ask for the focus to be moved."""
    return _action("focus", str(path))


def type_text(path: Path | None, typed: str) -> Ask[Effect]:
    """Ask for text to be typed, into the focused field when there is no path."""
    return _action("type", *(() if path is None else (str(path),)), typed)


def fill(path: Path, value: str) -> Ask[Effect]:
    """Ask for a field's whole value to be replaced."""
    return _action("fill", str(path), value)


def key(chord: str, path: Path | None) -> Ask[Effect]:
    """Ask for a key chord."""
    return _action("key", chord, *(() if path is None else (str(path),)))


def select(path: Path, options: Sequence[str]) -> Ask[Effect]:
    """Ask for options of a select to be chosen."""
    return _action("select", str(path), *options)


def toggle(path: Path, *, checked: bool) -> Ask[Effect]:
    """Ask for a checkbox, radio or switch to be checked or unchecked."""
    return _action("check" if checked else "uncheck", str(path))


def navigate(url: str) -> Ask[Effect]:
    """Ask for a URL in the current tab."""
    return Ask("navigate", Effect, (url,), acts=True, on_nodes=False)


def open_in_new_tab(url: str) -> Ask[Effect]:
    """Ask for a URL in a new tab."""
    return Ask("open", Effect, (url,), acts=True, on_nodes=False)


def reload(*, hard: bool = False) -> Ask[Effect]:
    """Ask for the document to be loaded again."""
    return Ask("reload", Effect, (), _flags(hard=hard), acts=True, on_nodes=False)


def walk_history(steps: int) -> Ask[Effect]:
    """Ask for a step back (negative) or forward in the tab's history."""
    verb = "back" if steps < 0 else "forward"
    return Ask(verb, Effect, (str(abs(steps)),), acts=True, on_nodes=False)


def refresh() -> Ask[Effect]:
    """Ask for the tree to be read anew."""
    return Ask("refresh", Effect, on_nodes=False)


def shown_dialog() -> Ask[DialogShown]:
    """Ask which dialog is open."""
    return Ask("dialog", DialogShown, on_nodes=False)


def answer_dialog(answer: str, prompt: str | None) -> Ask[Effect]:
    """Answer the open dialog: ``accept``, with the text of a prompt, or ``dismiss``."""
    operands = (answer,) if prompt is None else (answer, prompt)
    return Ask("dialog", Effect, operands, acts=True, on_nodes=False)


def tabs() -> Ask[Tabs]:
    """Ask for the tabs of the lane."""
    return Ask("tabs", Tabs, on_nodes=False)


def kept_login() -> Ask[Login]:
    """Ask for the lane's cookies and what its origins stored."""
    return Ask("state", Login, ("save",), on_nodes=False)


def bring_login(login: str) -> Ask[Kept]:
    """Bring a login back, or a part of one, as JSON."""
    return Ask("state", Kept, ("load", login), acts=True, on_nodes=False)


def switch_tab(number: int) -> Ask[Effect]:
    """Ask for another tab to become the current one."""
    return Ask("cd", Effect, (f"~/tabs/{number}",), acts=True, on_nodes=False)


def close_tab(number: int) -> Ask[Message]:
    """Ask for a tab to be closed."""
    return Ask("close", Message, (str(number),), acts=True, on_nodes=False)


def close_lane() -> Ask[Message]:
    """Ask for the lane to be closed with all its tabs."""
    return Ask("group", Message, ("close",), acts=True, on_nodes=False)


def where(*, counted: bool = False) -> Ask[Where]:
    """Ask where the lane is; ``counted`` also counts the page's elements."""
    return Ask("info" if counted else "pwd", Where, on_nodes=False)


def news(told: PageInfo) -> Ask[Message]:
    """Ask to be answered when the lane is no longer where it was told to be."""
    return Ask("wait", Message, (), {"--news": told.mark}, on_nodes=False)


def next_change(seconds: float) -> Ask[Message]:
    """Ask to be answered at the page's next change, or soon."""
    return Ask("wait", Message, (), {"--timeout": _seconds(seconds)}, on_nodes=False)


def settled(seconds: float) -> Ask[Message]:
    """Ask whether the page comes to rest within some seconds; the facts are the answer."""
    options = {"--timeout": _seconds(seconds), "--settled": ""}
    return Ask("wait", Message, (), options, on_nodes=False)


def _seconds(seconds: float) -> str:
    return f"{max(seconds, _SHORTEST):.3f}"
