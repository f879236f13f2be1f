"""What the commands can ask of a server, as values. ``wire`` alone knows how they are written.

Each function returns an ``Ask`` that carries the type of its answer. Paths are absolute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from domsh_repl.nodes import (
    Cards,
    DialogShown,
    Effect,
    Listing,
    Matches,
    Message,
    Node,
    Tabs,
    Text,
    Tree,
    Where,
)
from domsh_repl.paths import Path

__all__ = [
    "Ask",
    "Wanted",
    "answer_dialog",
    "cat",
    "click",
    "close_lane",
    "close_tab",
    "directory",
    "fill",
    "find",
    "focus",
    "grep",
    "key",
    "listing",
    "navigate",
    "next_change",
    "open_in_new_tab",
    "refresh",
    "reload",
    "select",
    "shown_dialog",
    "switch_tab",
    "tabs",
    "text",
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
        "invert": "-v", "links": "--links", "hard": "--hard",
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


def directory(path: Path) -> Ask[Node]:
    """Ask whether a path can be entered, and for its printed path."""
    return Ask("cd", Node, (str(path),))


def cat(path: Path) -> Ask[Cards]:
    """Ask for all about the nodes that a path means."""
    return Ask("cat", Cards, (str(path),))


def text(path: Path, *, links: bool = False) -> Ask[Text]:
    """Ask for the rendered text below a node."""
    return Ask("text", Text, (str(path),), _flags(links=links))


def tree(path: Path, *, depth: int | None = None, everything: bool = False) -> Ask[Tree]:
    """Ask for a subtree."""
    options = _numbers(depth=depth) | _flags(everything=everything)
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


def click(path: Path) -> Ask[Effect]:
    """Ask for a click."""
    return _action("click", str(path))


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


def next_change(seconds: float) -> Ask[Message]:
    """Ask to be answered at the page's next change, or soon."""
    shown = f"{max(seconds, _SHORTEST):.3f}"
    return Ask("wait", Message, (), {"--timeout": shown}, on_nodes=False)
