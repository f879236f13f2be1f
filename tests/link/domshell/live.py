"""A DOMShell 1.3.0 that answers from a live page: the engine's tree in DOMShell's text.

It knows the lines that the text dialect sends and nothing more, and refuses all others.
"""

from __future__ import annotations

import json
import re
from typing import Any

from domsh_repl.engine.cdp import CdpError
from domsh_repl.errors import DomshError
from domsh_repl.nodes import Node
from domsh_repl.paths import Path
from tests.conftest import LaneRunner

LANE = "7"
_SIGNS = {"directory": "d", "interactive": "x", "static": "-"}
_INNER = "InlineTextBox"


class LiveDomshell:
    """One lane; ``lines`` are those that were sent."""

    def __init__(self, lane: LaneRunner) -> None:
        self._lane = lane
        self.lines: list[str] = []
        self.place = "~/tabs"
        self.number = int(lane.lane.current)

    def reply(self, line: str) -> str:
        """Answer one line, with the marker."""
        self.lines.append(line)
        verb, _, rest = line.partition(" ")
        answer = getattr(self, f"_{verb}", None)
        if answer is None:
            return f"domshell: {verb}: command not found\r\nType 'help' for available.\n\n[lane: 7]"
        try:
            text = answer(rest)
        except DomshError as error:
            text = f"{verb}: {rest}: No such element" if error.code == "not_found" else str(error)
        return text if line == "group close" else f"{text}\n\n[lane: {LANE}]"

    def _pwd(self, _rest: str) -> str:
        return self.place

    def _group(self, _rest: str) -> str:
        return "✓ Closed group agent — removed 1 DOMShell tab."

    def _tabs(self) -> list[dict[str, Any]]:
        return [
            {"id": tab.id, "title": tab.title, "url": tab.url, "windowId": 1, "active": False,
             "current": f"~/tabs/{tab.id}" == self.place}
            for tab in self._lane.value("tabs").tabs
        ]  # fmt: skip

    def _ls(self, rest: str) -> str:
        assert rest == "--json ~", rest
        return json.dumps({"tabs": self._tabs()}, separators=(",", ":"))

    def _cd(self, rest: str) -> str:
        number = int(rest.removeprefix("~/tabs/"))
        self._lane.value(f"cd ~/tabs/{number}")
        return self._entered(f"✓ Entered tab {number}", number)

    def _entered(self, head: str, number: int) -> str:
        self.place = f"~/tabs/{number}"
        (tab,) = [one for one in self._tabs() if one["id"] == number]
        return f"{head}\r\n  Title: {tab['title']}\r\n  URL:   {tab['url']}\r\n  AX Nodes: 9\r\n"

    def _open(self, rest: str) -> str:
        self._lane.value(f"open --envelope {rest}")
        return self._entered("✓ Opened new tab", self._lane.lane.current)

    def _close(self, rest: str) -> str:
        self._lane.value(f"close {rest}")
        if self.place == f"~/tabs/{rest}":
            self.place = "~"
        return "✓ Closed: A title"

    def _refresh(self, _rest: str) -> str:
        return "✓ Refreshed. 9 AX nodes loaded."

    def _nodes(self) -> list[Node]:
        return list(self._lane.value("ls -R -a -n 0 /").entries)

    def _tree(self, rest: str) -> str:
        assert rest == "99", rest
        drawn = ["page/"]
        for node in self._shown():
            slash = "/" if node.kind == "directory" else ""
            bars = "│   " * _depth(node)
            drawn.append(f"{bars}├── [{_SIGNS[node.kind]}] {node.name}{slash}")
        return "\r\n".join(drawn)

    def _shown(self) -> list[Node]:
        """Return what a tree draws: nothing inside of what is interactive."""
        nodes = self._nodes()
        closed = tuple(f"{node.path}/" for node in nodes if node.kind == "interactive")
        return [node for node in nodes if not node.path.startswith(closed)]

    def _read(self, rest: str) -> str:
        found = re.fullmatch(r"(?:(\S+) )?-d (\d+)( --text --textlen 9000)?", rest)
        assert found is not None, rest
        top = f"/{found[1]}" if found[1] else ""
        into_leaf = any(node.path == top and node.kind == "interactive" for node in self._nodes())
        nodes = self._nodes() if into_leaf else self._shown()
        inside = [node for node in nodes if node.path.startswith(f"{top}/")]
        level = top.count("/")
        head = next((node for node in nodes if node.path == top), None)
        lines = ["page [RootWebArea]" if head is None else f"{head.name} [{head.role}]"]
        for node in inside:
            depth = node.path.count("/") - level
            if depth > int(found[2]):
                continue
            value = "" if node.value is None else f' "{node.value}"'
            text = f'  "{self._property(node.path, "innerText")}"' if found[3] else ""
            lines.append(f"{'  ' * depth}{node.name} [{node.role}]{value}{text}")
        return "\r\n".join(lines)

    def _eval(self, rest: str) -> str:
        async def call() -> Any:
            return await self._lane.lane.page.main.call(
                "Runtime.evaluate", expression=rest, awaitPromise=True, returnByValue=True
            )

        try:
            reply = self._lane.run(call())
        except CdpError as error:
            return f"Error: {error.message}"  # the page went away under the script
        assert "exceptionDetails" not in reply, reply
        return str(reply["result"].get("value"))

    def _text(self, rest: str) -> str:
        text = self._property(f"/{rest}", "textContent")
        return f"--- Text: {rest.rpartition('/')[2]} ---\r\n{text}\r\n({len(text)} chars)"

    def _click(self, rest: str) -> str:
        self._on(f"/{rest}", "function() { this.click(); }")
        return f"✓ Clicked: {rest.rpartition('/')[2]} (button)"

    def _scroll(self, rest: str) -> str:
        self._on(f"/{rest}", "function() { this.scrollIntoView(); }")
        return f"✓ Scrolled into view: {rest.rpartition('/')[2]}"

    def _focus(self, rest: str) -> str:
        self._on(f"/{rest}", "function() { this.focus(); }")
        return f"✓ Focused: {rest.rpartition('/')[2]}"

    def _property(self, path: str, name: str) -> str:
        return str(self._on(path, f"function() {{ return this.{name}; }}"))

    def _on(self, path: str, function: str) -> Any:
        async def call() -> Any:
            spot = (await self._lane.desk.resolver.all(Path.of_names(path)))[0]
            found = await spot.session.call("DOM.resolveNode", backendNodeId=spot.node.backend)
            return await spot.session.call(
                "Runtime.callFunctionOn",
                objectId=found["object"]["objectId"],
                functionDeclaration=function,
                returnByValue=True,
            )

        return self._lane.run(call())["result"].get("value")


def _depth(node: Node) -> int:
    return node.path.count("/") - 1
