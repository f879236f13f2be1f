r"""The only place that writes a line for a real DOMShell server: one command, nothing else.

DOMShell's quotes know no escape, some names look like flags to it, and ``--help`` anywhere
prints help instead of running. What its quoting cannot carry for
certain is refused with ``Unwritable``, so that the caller takes another way: a script, in
which everything odd is a ``\u`` escape. Never is a text cut, cleaned or split.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from domsh_repl.errors import Unsupported
from domsh_repl.safetext import one_line

__all__ = [
    "CLOSE_LANE",
    "LONGEST_LINE",
    "PWD",
    "REFRESH",
    "TABS",
    "Reason",
    "Unwritable",
    "cat",
    "cd",
    "cd_up",
    "click",
    "close_tab",
    "enter_tab",
    "evaluate",
    "find_role",
    "focus",
    "ls",
    "open_tab",
    "operand",
    "read",
    "scroll_to",
    "select",
    "table",
    "text",
    "tree",
]

PWD: Final = "pwd"  # noqa: S105  (where the lane is)
REFRESH: Final = "refresh"
TABS: Final = "ls --json ~"
CLOSE_LANE: Final = "group close"

LONGEST_LINE = 90_000
"""Bytes of UTF-8 that a line may take: the server refuses requests of more than 100 kB."""

_ALL = 99
"""Levels that stand for all of them."""
_PROBED_TEXT = 9000
"""Characters of each entry's text that are asked for where the text is the probe's answer."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HELP = re.compile(r"--help(?![\w-])", re.IGNORECASE)
_RUN_OR_PIPE = re.compile(r"\s\s|\|")
_PLAIN = re.compile(r"[A-Za-z0-9_./:-]+")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ROLE = re.compile(r"[A-Za-z]+")
_TAKE_DASHES = frozenset({"click", "focus"})
"""Commands that take a first-level name with a leading dash for a name."""
_WORDS_OF_SCROLL = frozenset({"up", "down", "top", "bottom"})


class Reason(StrEnum):
    """Why a text is not written."""

    CONTROL = "control"
    EMPTY = "empty"
    QUOTES = "quotes"
    BLANKS = "blanks"
    FLAG = "flag"
    HELP = "help"
    HERE = "here"
    KEYWORD = "keyword"
    NAME = "name"
    SIZE = "size"


_WORDED = {
    Reason.CONTROL: "holds a control character or a line break",
    Reason.EMPTY: "is empty",
    Reason.QUOTES: "holds both kinds of quotes",
    Reason.BLANKS: "holds blanks that would get lost",
    Reason.FLAG: "looks like a flag",
    Reason.HELP: "asks for help",
    Reason.HERE: "holds %here%, which means the active tab",
    Reason.KEYWORD: "means a direction",
    Reason.NAME: "is no name of an entry",
    Reason.SIZE: "is too long for one request",
}


class Unwritable(Unsupported):
    """A text that no DOMShell line can carry as it is; ``reason`` says why."""

    def __init__(self, reason: Reason, what: str) -> None:
        super().__init__(
            f"{one_line(what, 60)!r} {_WORDED[reason]}: DOMShell has no way to be given it",
            "the built-in server can: `--server builtin`",
        )
        self.reason = reason


def operand(what: str) -> str:
    """Return a text as one word of a line, quoted where need be; raises ``Unwritable``."""
    reason = _refusal(what)
    if reason is not None:
        raise Unwritable(reason, what)
    if _PLAIN.fullmatch(what):
        return what
    return f"'{what}'" if '"' in what else f'"{what}"'


def _refusal(what: str) -> Reason | None:
    quoted = "'" in what or '"' in what
    checks = (
        (Reason.EMPTY, not what),
        (Reason.CONTROL, _CONTROL.search(what) is not None),
        (Reason.FLAG, what.startswith("-")),
        (Reason.HELP, _HELP.search(what) is not None),
        (Reason.HERE, "%here%" in what.lower()),
        (Reason.QUOTES, "'" in what and '"' in what),
        (Reason.BLANKS, what != what.strip() or bool(quoted and _RUN_OR_PIPE.search(what))),
        (Reason.SIZE, len(what) > LONGEST_LINE),
    )
    return next((reason for reason, holds in checks if holds), None)


def _path(verb: str, wire: str) -> str:
    """Return a child path from the tab's root as a word; names need no quotes."""
    if not all(map(_NAME.fullmatch, wire.split("/"))):
        raise Unwritable(Reason.NAME, wire)
    if _HELP.search(wire):
        raise Unwritable(Reason.HELP, wire)
    if wire.startswith("-") and verb not in _TAKE_DASHES:
        raise Unwritable(Reason.FLAG, wire)
    if verb == "scroll" and wire in _WORDS_OF_SCROLL:
        raise Unwritable(Reason.KEYWORD, wire)
    return wire


def _on(verb: str, wire: str) -> str:
    return f"{verb} {_path(verb, wire)}"


def tree(depth: int = _ALL) -> str:
    """Draw the tree below the lane's directory, ``depth`` levels."""
    return f"tree {depth:d}"


def read(wire: str = "", depth: int = _ALL, *, probed: bool = False) -> str:
    """Read the tree with roles and values, below a child path if there is one.

    ``probed`` asks for the text of every entry, which an armed probe answers (R6).
    """
    where = f" {_path('read', wire)}" if wire else ""
    more = f" --text --textlen {_PROBED_TEXT}" if probed else ""
    return f"read{where} -d {depth:d}{more}"


def ls(
    *, below: bool = False, probed: bool = False, limit: int | None = None, offset: int = 0
) -> str:
    """List the lane's directory as JSON; ``below`` adds the entries one level deeper."""
    words = ["ls", *(["-r"] if below else []), "--json"]
    words += ["--text", "--textlen", str(_PROBED_TEXT)] if probed else []
    words += ["-n", str(int(limit))] if limit is not None else []
    words += ["--offset", str(int(offset))] if offset else []
    return " ".join(words)


def find_role(role: str, *, probed: bool = False) -> str:
    """Find all entries of a role; never by a pattern, which numeric values crash (R16)."""
    if not _ROLE.fullmatch(role):
        raise Unwritable(Reason.NAME, role)
    return f"find --type {role} --json" + (f" --text --textlen {_PROBED_TEXT}" if probed else "")


def cat(wire: str) -> str:
    """Tell all about one entry, as JSON."""
    return f"cat {_path('cat', wire)} --json"


def text(wire: str) -> str:
    """Read the ``textContent`` of one entry, which an armed probe answers (R5)."""
    return _on("text", wire)


def table(wire: str) -> str:
    """Read a table as CSV, the one form that is escaped."""
    return f"extract_table {_path('extract_table', wire)} --format csv"


def click(wire: str) -> str:
    """Click one entry."""
    return _on("click", wire)


def focus(wire: str) -> str:
    """Focus one entry."""
    return _on("focus", wire)


def scroll_to(wire: str) -> str:
    """Bring one entry into view."""
    return _on("scroll", wire)


def select(wire: str, option: str) -> str:
    """Choose an option of a ``<select>`` by its value or label."""
    return f"select {_path('select', wire)} {operand(option)}"


def cd(wire: str) -> str:
    """Go down from the tab's root; the way back is ``cd_up`` and ``enter_tab`` (R3)."""
    return _on("cd", wire)


def cd_up(depth: int) -> str:
    """Leave a directory ``depth`` levels below the root, and the tab with it."""
    return "cd " + "/".join([".."] * max(depth, 1))


def enter_tab(number: int) -> str:
    """Enter a tab of the lane, at its root."""
    return f"cd ~/tabs/{number:d}"


def open_tab(url: str) -> str:
    """Open a URL in a new tab; one without ``scheme://`` would get https in front."""
    if "://" not in url:
        raise Unwritable(Reason.NAME, url)
    return f"open {operand(url)}"


def close_tab(number: int) -> str:
    """Close a tab of the lane."""
    return f"close {number:d}"


def evaluate(source: str) -> str:
    """Evaluate a script of one line of printable ASCII: DOMShell takes the rest as it is."""
    if not source or not source.isascii() or not source.isprintable():
        raise Unwritable(Reason.CONTROL if source else Reason.EMPTY, source)
    line = f"eval {source.strip()}"
    if len(line) > LONGEST_LINE:
        raise Unwritable(Reason.SIZE, source)
    return line
