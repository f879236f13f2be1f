"""Reads what DOMShell says above the pages: tabs, windows, lanes, where the lane is, and moves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from domsh_repl.link.domshell.misread import Misread
from domsh_repl.link.domshell.told import (
    BrowserTabs,
    Directory,
    Done,
    Group,
    Groups,
    LaneTab,
    Moved,
    Overview,
    Way,
)

__all__ = ["at_browser", "group", "is_browser_level", "moved", "where"]

_ATTACHED = re.compile(r"Attached to '.*?' — showing this group's tabs only\.\r\n", re.DOTALL)
_TABS_HEAD = "  ID     TITLE"
_TAB = re.compile(r"  ([ *])(\d+) (.*?) +(\d+)( \*current)?")
_TITLE_WIDTH = 36
_TITLE_WIDTH_IN_WINDOW = 32
_OVERVIEW = re.compile(
    r"  windows/ +\((\d+) windows\)\r\n  tabs/ +\((\d+) tabs\)"
    r"(?:\r\n\r\n  Active tab: (\d+) — .*)?",
    re.DOTALL,
)
_WINDOW = re.compile(r"Window (\d+)(?: \([^)]*\))*")
_WINDOW_TAB = re.compile(r"[├└]── [ *](\d+) (.*?)( \*current)?")
_TABS_FOOT = "Use 'cd"
_PLACE = re.compile(r"~(?:/tabs(?:/(\d+)((?:/[\w-]+)*))?|/windows(?:/\d+)*)?")
_MOVES = (
    (Way.ENTERED, re.compile(r"✓ Entered tab (\d+)")),
    (Way.OPENED, re.compile(r"✓ Opened new tab()")),
    (Way.BACK, re.compile(r"✓ Back()")),
    (Way.FORWARD, re.compile(r"✓ Forward()")),
    (Way.NAVIGATED, re.compile(r"✓ Navigated.*()")),
)
_FACT = re.compile(r"  (Title|URL|AX Nodes): +(.*)", re.DOTALL)

_SHARED = "Group mode: shared — operating on the general browser"
_ISOLATED = re.compile(
    r"Group mode: isolated\r\n  Group: (.*?)  \[id (\d+)\]\r\n  Tabs:  (\d+)\r\n.*", re.DOTALL
)
_GROUP = re.compile(r"  (.*)  \[id (\d+)\]  (\d+) tabs?(  \(attached\))?")
_GROUP_DONE = (
    (
        "closed",
        re.compile(r"✓ Closed group (?P<name>.*) — removed (?P<number>\d+) DOMShell tabs?\."),
    ),
    ("detached", re.compile(r"✓ Detached from '(?P<name>.*)' — .*", re.DOTALL)),
    ("attached", re.compile(r"✓ Attached to '.*'  \[id (?P<name>\d+)\].*", re.DOTALL)),
    (
        "created",
        re.compile(r"✓ Created isolated group '.*'  \[id (?P<name>\d+)\]\r\n.*", re.DOTALL),
    ),
)


def is_browser_level(body: str) -> bool:
    """Tell whether a reply lists tabs or windows: no name of an entry holds a blank."""
    return (
        body.startswith(('{"tabs":', '{"windows":', _TABS_HEAD, "  windows/"))
        or _ATTACHED.match(body) is not None
        or _WINDOW.match(body) is not None
    )


def at_browser(body: str) -> BrowserTabs | Overview:
    """Read a listing of the browser level; raises ``Misread``."""
    if body.startswith("{"):
        return _json_tabs(json.loads(body))
    overview = _OVERVIEW.fullmatch(body)
    if overview:
        return Overview(int(overview[1]), int(overview[2]), int(overview[3] or 0))
    lines = [line for line in _ATTACHED.sub("", body, count=1).split("\r\n") if line.strip()]
    if lines and lines[-1].startswith(_TABS_FOOT):
        lines.pop()
    if lines and lines[0].startswith(_TABS_HEAD):
        return BrowserTabs(tuple(map(_tab_line, lines[1:])))
    return BrowserTabs(tuple(_window_tabs(lines)))


def _json_tabs(data: Mapping[str, Any]) -> BrowserTabs:
    if "windows" in data:
        found = [(tab, window["id"]) for window in data["windows"] for tab in window["tabs"]]
    else:
        found = [(tab, tab["windowId"]) for tab in data["tabs"]]
    return BrowserTabs(
        tuple(
            LaneTab(
                int(tab["id"]),
                str(tab.get("title") or ""),
                str(tab.get("url") or ""),
                int(window),
                bool(tab.get("current")),
                bool(tab.get("active")),
            )
            for tab, window in found
        )
    )


def _tab_line(line: str) -> LaneTab:
    found = _TAB.fullmatch(line)
    if found is None:
        raise Misread(line)
    title, url = _two(found[3], _TITLE_WIDTH)
    return LaneTab(int(found[2]), title, url, int(found[4]), found[5] is not None, found[1] == "*")


def _two(columns: str, width: int) -> tuple[str, str]:
    return columns[:width].strip(), columns[width:].strip()


def _window_tabs(lines: list[str]) -> list[LaneTab]:
    tabs: list[LaneTab] = []
    window = 0
    for line in lines:
        head, tab = _WINDOW.fullmatch(line), _WINDOW_TAB.fullmatch(line)
        if head:
            window = int(head[1])
        elif tab and window:
            title, place = _two(tab[2], _TITLE_WIDTH_IN_WINDOW)
            tabs.append(LaneTab(int(tab[1]), title, place, window, tab[3] is not None))
        else:
            raise Misread(line)
    return tabs


def where(body: str) -> Directory:
    """Read the answer of ``pwd``; raises ``Misread``."""
    found = _PLACE.fullmatch(body)
    if found is None:
        raise Misread(body)
    names = tuple((found[2] or "").split("/")[1:])
    return Directory(body, int(found[1] or 0), names)


def moved(body: str) -> Moved:
    """Read what entering, opening, back and forward confirm; raises ``Misread``."""
    head, *lines = body.split("\r\n")
    facts = [_FACT.fullmatch(line) for line in lines]
    told = {fact[1]: fact[2] for fact in reversed(facts) if fact}
    for way, pattern in _MOVES:
        found = pattern.fullmatch(head)
        if found and "AX Nodes" in told:
            return Moved(
                way,
                told.get("URL", ""),
                told.get("Title", ""),
                int(told["AX Nodes"]),
                int(found[1] or 0),
            )
    raise Misread(body)


def group(body: str) -> Group | Groups | Done:
    """Read what ``group`` and its sub-commands answer; raises ``Misread``."""
    if body.startswith(_SHARED):
        return Group(0)
    isolated = _ISOLATED.fullmatch(body)
    if isolated:
        return Group(int(isolated[2]), isolated[1], int(isolated[3]), attached=True)
    for what, pattern in _GROUP_DONE:
        found = pattern.fullmatch(body)
        if found:
            told = found.groupdict()
            number = told.get("number")
            return Done(what, told["name"], None if number is None else float(number))
    head, *lines = body.split("\r\n")
    if head.startswith("(no tab groups"):
        return Groups(())
    if not head.startswith("Tab groups "):
        raise Misread(body)
    return Groups(tuple(map(_group_line, lines)))


def _group_line(line: str) -> Group:
    found = _GROUP.fullmatch(line)
    if found is None:
        raise Misread(line)
    return Group(int(found[2]), found[1], int(found[3]), found[4] is not None)
