"""Reads DOMShell's replies: a command and its reply give a value or a refusal, never a guess.

The lane marker is looked for at the very end only, the shape of a reply follows from its
command, and a reply that does not have it is ``Lost``. Page text stands in many replies: where
it could forge what comes after it, what comes after it is not believed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domsh_repl.errors import UsageError
from domsh_repl.link.domshell.browser_replies import (
    at_browser,
    group,
    is_browser_level,
    moved,
    where,
)
from domsh_repl.link.domshell.confirmations import CONFIRMED, confirmed
from domsh_repl.link.domshell.misread import Misread
from domsh_repl.link.domshell.refusals import Refusal, Why, refusal_of, unreadable
from domsh_repl.link.domshell.told import (
    Cells,
    Counts,
    DeepLine,
    DeepLines,
    Details,
    Done,
    Entries,
    Entry,
    Links,
    Notice,
    Plain,
    Script,
    TextBelow,
    TreeLine,
    TreeLines,
)
from domsh_repl.link.wire import split_marker
from domsh_repl.nodes import Kind, Value

__all__ = ["Reading", "read_deep_line", "read_reply"]

_KINDS = {"d": Kind.DIRECTORY, "x": Kind.INTERACTIVE, "-": Kind.STATIC}
_SIGN = r"\[([dx-])\]"
_DEPRECATION = re.compile(r"\n\n\[DEPRECATION\] group_id omitted [^\n]*\Z")
_NOTICES = (
    (re.compile(r"\(tree auto-refreshed, (\d+) nodes\)\r\n"), False),
    (
        re.compile(r"\(page changed — tree refreshed, (\d+) nodes, path reset to tab root\)\r\n"),
        True,
    ),
)
_NAME = r"[\w-]+"
_BARE = re.compile(rf"({_NAME}(?:/{_NAME})*)(/?)")
_LONG = re.compile(rf"{_SIGN} (\w+) +({_NAME}(?:/{_NAME})*)/?(?:  .*)?", re.DOTALL)
_PAGE = re.compile(r"\.\.\. (\d+)-(\d+) of (\d+)(?: \(--offset \d+ for next page\))?")
_COUNT = re.compile(r"(\d+) total \((\d+) \[d\], (\d+) \[x\], (\d+) \[-\]\)")
_FOUND = re.compile(rf"{_SIGN} ({_NAME}(?:/{_NAME})*)/? \((\w+)\)(?:  .*)?", re.DOTALL)
_TREE = re.compile(rf"((?:│   |    )*)[├└]── {_SIGN} ({_NAME})/?")
_HEAD = re.compile(rf"({_NAME})/?")
_DEEP = re.compile(rf"((?:  )*)({_NAME}) \[(\w+)\](.*)", re.DOTALL)
_CARD = re.compile(
    rf"--- ({_NAME}) ---\r\n  Role:  (\w+)\r\n  Type:  {_SIGN} \w+\r\n  AXID:  (-?\d+)(?:\r\n.*)?",
    re.DOTALL,
)
_TEXT = re.compile(
    r"--- Text(?: \(with links\))?: ([\w-]+) ---\r\n(.*)\r\n"
    r"(?:\((\d+) chars\)|\.\.\. \((\d+) chars total, showing first \d+\))",
    re.DOTALL,
)
_NO_TEXT = re.compile(r"\(no text content in (.*)\)")
_LINK = re.compile(r"\d+\. \[(.*)\]\((.*)\)", re.DOTALL)
_NO_MATCH = re.compile(r"No matches for .*", re.DOTALL)
_CUT = re.compile(r"(.{10000,})\n\.\.\. truncated \(\d+ chars total\)", re.DOTALL)
_SCRIPTS = frozenset({"eval", "js"})
_LISTS_OF_TABS = frozenset({"ls", "tabs", "windows"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says: a value or a refusal, and the lane that it names ("" for none)."""

    lane: str
    value: object = None
    refusal: Refusal | None = None

    def get(self) -> object:
        """Return the value; raises the refusal's error."""
        if self.refusal is not None:
            raise self.refusal.error
        return self.value


def read_reply(command: str, reply: str) -> Reading:
    """Return what the reply to one command line says."""
    body, lane = split_marker(reply)
    if lane == "shared":
        body = _DEPRECATION.sub("", body)
    words = command.split()
    if not words:
        error = UsageError("an empty line says nothing to DOMShell")
        return Reading(lane, refusal=Refusal(Why.USAGE, error))
    if len(command.strip().splitlines()) > 1:
        return Reading(lane, refusal=_many_lines())
    verb = words[0].lower()
    if verb not in _SCRIPTS or not lane:
        refusal = refusal_of(verb, body.removesuffix("\r\n"))
        if refusal is not None:
            return Reading(lane, refusal=refusal)
    if verb in _SCRIPTS:
        return Reading(lane, _script(words, body))
    try:
        return Reading(lane, _value(verb, words, body.removesuffix("\r\n")))
    except (Misread, ValueError, KeyError, TypeError, RecursionError):
        return Reading(lane, refusal=unreadable(body))


def _many_lines() -> Refusal:
    error = UsageError(
        "DOMShell runs every line of a call, and what it says cannot be told apart",
        "one command a call",
    )
    return Refusal(Why.MANY_LINES, error)


def _value(verb: str, words: Sequence[str], body: str) -> object:
    if "--help" in words or "|" in words:
        return Plain(body)
    if verb in _LISTS_OF_TABS and is_browser_level(body):
        return at_browser(body)
    reader = _READERS.get(verb)
    return Plain(body) if reader is None else reader(words, body)


def _lines(body: str) -> list[str]:
    return body.split("\r\n")


def _script(_words: Sequence[str], body: str) -> Script:
    found = _CUT.fullmatch(body)
    return Script(found.group(1), cut=True) if found else Script(body)


def _ls(words: Sequence[str], body: str) -> Entries | Counts | object:
    if body.startswith("{"):
        return _listed(json.loads(body))
    counted = _COUNT.fullmatch(body)
    if counted:
        return Counts(*map(int, counted.groups()))
    notice, body = _without_notice(body)
    if body == "(empty directory)":
        return Entries(total=0, notice=notice)
    lines = _lines(body)
    page = _PAGE.fullmatch(lines[-1])
    detailed = bool({"-l", "--long", "--meta", "--text"}.intersection(words))
    shown = lines[:-1] if page else lines
    entries = tuple(map(_long_entry if detailed else _bare_entry, shown))
    if page:
        return Entries(entries, int(page.group(3)), int(page.group(1)) - 1, notice)
    return Entries(entries, notice=notice)


def _without_notice(body: str) -> tuple[Notice | None, str]:
    for pattern, reset in _NOTICES:
        found = pattern.match(body)
        if found:
            return Notice(int(found.group(1)), reset), body[found.end() :]
    return None, body


def _bare_entry(line: str) -> Entry:
    found = _fit(_BARE, line)
    return Entry(found[1], kind=Kind.DIRECTORY if found[2] else None)


def _long_entry(line: str) -> Entry:
    found = _fit(_LONG, line)
    return Entry(found[3], found[2], _KINDS[found[1]])


def _fit(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise Misread(text)
    return found


def _listed(data: Mapping[str, Any]) -> object:
    if "children" not in data:
        return at_browser(json.dumps(data))
    entries = tuple(_json_entry(item, "name") for item in data["children"])
    return Entries(entries, int(data.get("total", len(entries))), int(data.get("offset", 0)))


def _json_entry(item: Mapping[str, Any], key: str) -> Entry:
    return Entry(
        name=str(item[key]),
        role=str(item["role"]),
        kind=Kind(item["type"]),
        value=_scalar(item.get("value")),
        text=_text_or_none(item.get("text")),
        href=_text_or_none(item.get("href")),
        tag=_text_or_none(item.get("tag")),
        dom_id=_text_or_none(item.get("id")),
    )


def _scalar(value: object) -> Value:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, (str, int, float)) else None


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _find(_words: Sequence[str], body: str) -> Entries:
    if body.startswith("{"):
        found = tuple(_json_entry(item, "path") for item in json.loads(body)["results"])
        return Entries(found, len(found))
    if _NO_MATCH.fullmatch(body):
        return Entries(total=0)
    entries = tuple(map(_found_entry, _lines(body)))
    return Entries(entries, len(entries))


def _found_entry(line: str) -> Entry:
    found = _fit(_FOUND, line)
    return Entry(found[2], found[3], _KINDS[found[1]])


def _tree(_words: Sequence[str], body: str) -> TreeLines:
    head, *lines = _lines(body)
    return TreeLines(_fit(_HEAD, head)[1], tuple(map(_tree_line, lines)))


def _tree_line(line: str) -> TreeLine:
    found = _fit(_TREE, line)
    return TreeLine(len(found[1]) // 4, _KINDS[found[2]], found[3])


def _read(_words: Sequence[str], body: str) -> DeepLines:
    head, *lines = _lines(body)
    deep = read_deep_line(head)
    if deep is None:
        raise Misread(body)
    return DeepLines(deep, tuple(lines))


def read_deep_line(line: str) -> DeepLine | None:
    """Return what a line of ``read`` says by itself; None where it cannot be one.

    A value may hold line breaks: whether a line is one of the tree's, ``tree`` tells.
    """
    found = _DEEP.fullmatch(line)
    return DeepLine(len(found[1]) // 2, found[2], found[3], found[4]) if found else None


def _cat(_words: Sequence[str], body: str) -> Details:
    if not body.startswith("{"):
        found = _fit(_CARD, body)
        return Details(found[1], found[2], _KINDS[found[3]], found[4])
    data: dict[str, Any] = json.loads(body)
    known = ("placeholder", "domName", "action", "alt", "title", "class", "src", "id")
    return Details(
        name=str(data["name"]),
        role=str(data["role"]),
        kind=Kind(data["type"]),
        ax_id=str(data["axNodeId"]),
        backend=int(data.get("backendDOMNodeId") or 0),
        value=_scalar(data.get("value")),
        children=int(data.get("childCount") or 0),
        tag=str(data.get("tag") or ""),
        href=str(data.get("href") or ""),
        html=str(data.get("html") or ""),
        text=str(data.get("text") or ""),
        attributes=tuple((key, str(data[key])) for key in known if key in data),
    )


def _text(_words: Sequence[str], body: str) -> TextBelow:
    nothing = _NO_TEXT.fullmatch(body)
    if nothing:
        return TextBelow(nothing[1], "")
    found = _fit(_TEXT, body)
    return TextBelow(found[1], found[2], int(found[3] or found[4]))


def _links(_words: Sequence[str], body: str) -> Links:
    if body == "(no links found)":
        return Links(())
    found = [_fit(_LINK, line) for line in _lines(body)]
    return Links(tuple((link[1], link[2]) for link in found))


def _table(words: Sequence[str], body: str) -> Cells | Plain:
    """Read a table's CSV; Markdown is not escaped there and stays text."""
    if "csv" not in words:
        return Plain(body)
    rows = csv.reader(io.StringIO(body, newline=""), strict=True)
    try:
        return Cells(tuple(tuple(row) for row in rows))
    except csv.Error as error:
        raise Misread(body) from error


def _wait(_words: Sequence[str], body: str) -> Entries:
    head, *lines = _lines(body)
    _fit(re.compile(r"✓ Found after [\d.]+s"), head)
    entries = tuple(_found_entry(line.strip()) for line in lines)
    return Entries(entries, len(entries))


def _diff(_words: Sequence[str], body: str) -> Done | Plain:
    if body == "✓ No changes detected.":
        return Done("compared", number=0)
    if body.startswith("{"):
        return Done("compared", number=int(json.loads(body)["changes"]))
    return Plain(body)


def _cd(_words: Sequence[str], body: str) -> object:
    return Done("changed") if body == "" else moved(body)


_READERS: dict[str, Callable[[Sequence[str], str], object]] = {
    "ls": _ls,
    "cd": _cd,
    "here": _cd,
    "pwd": lambda _, body: where(body),
    "cat": _cat,
    "text": _text,
    "tree": _tree,
    "read": _read,
    "find": _find,
    "grep": _find,
    "wait": _wait,
    "diff": _diff,
    "extract_links": _links,
    "extract_table": _table,
    "open": lambda _, body: moved(body),
    "navigate": lambda _, body: moved(body),
    "goto": lambda _, body: moved(body),
    "back": lambda _, body: moved(body),
    "forward": lambda _, body: moved(body),
    "group": lambda _, body: group(body),
    **dict.fromkeys(CONFIRMED, confirmed),
}
