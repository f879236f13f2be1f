"""Answers MCP messages as the script says, and keeps what it was sent."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from typing import Any

from tests.fakeserver.script import Recorded, Script

_LONG = 60.0


class FakeServer:
    """One server; ``forget`` makes it lose its sessions, as a restart does.

    ``applied`` are the lines that it has carried out, also where the answer comes late.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[dict[str, Any]] = []
        self.applied: list[str] = []
        self.released = threading.Event()
        self.reached = threading.Event()
        self.sessions: set[str] = set()
        self.connections: list[socket.socket] = []
        self._recorded = Recorded(script.recording)
        self._told = 0

    def count(self, method: str) -> int:
        """Return how often a method was called."""
        return sum(message.get("method") == method for message in self.received)

    def calls(self) -> list[dict[str, Any]]:
        """Return the arguments of the lines that were sent."""
        called = [m["params"] for m in self.received if m.get("method") == "tools/call"]
        return [one["arguments"] for one in called if one["name"] == "domshell_execute"]

    def lanes(self) -> list[str]:
        """Return the ``group_id`` of each line that was sent."""
        return [str(call["group_id"]) for call in self.calls()]

    def lines(self) -> list[str]:
        """Return the lines that were sent in a lane."""
        return [call["command"] for call in self.calls() if call["group_id"] != "new"]

    def verbs(self) -> list[str]:
        """Return the first words of those."""
        return [line.split()[0] for line in self.lines()]

    def forget(self) -> None:
        """Lose all sessions."""
        self.sessions.clear()

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Return the response to a message; None for a notification."""
        self.received.append(message)
        if self.script.log:
            with open(self.script.log, "a", encoding="utf-8") as log:  # noqa: PTH123
                log.write(f"{json.dumps(message)}\n")
        method, number = str(message.get("method")), message.get("id")
        words = words_of(message)
        if words.intersection(self.script.dies_in):
            os._exit(1)
        if words.intersection(self.script.hangs_at):
            self.hang()
        if number is None:
            return None
        return {"jsonrpc": "2.0", "id": number, **self._outcome(method, message)}

    def hang(self) -> None:
        """Do nothing for long, or until the server ends."""
        self.reached.set()
        self.released.wait(_LONG)

    def _outcome(self, method: str, message: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            return {"result": {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }}  # fmt: skip
        if method == "tools/list":
            schema = {"type": "object"}
            return {"result": {"tools": [
                {"name": name, "inputSchema": schema} for name in self.script.tools
            ]}}  # fmt: skip
        if method == "tools/call":
            return self._called(message["params"])
        if method == "ping":
            return {"result": {}}
        return {"error": {"code": -32601, "message": f"Method not found: {method}"}}

    def _called(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params["name"]
        if name not in self.script.tools or (name == "domshell_about" and not self.script.about):
            text = f"MCP error -32602: Tool {name} not found"
            return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
        text = self._about() if name == "domshell_about" else self._line(params["arguments"])
        return {"result": {"content": [{"type": "text", "text": text}]}}

    def _about(self) -> str:
        self._told += 1
        later = self.script.later if self._told > 2 else None
        return json.dumps(later or self.script.about)

    def _line(self, arguments: dict[str, Any]) -> str:
        script, line = self.script, str(arguments["command"])
        if arguments.get("group_id") == "new" and script.new is not None:
            return script.new
        self.applied.append(line)
        verb = (line.split() or [""])[0]
        time.sleep(script.late.get(verb, 0.0))
        for key in (line, verb):
            if key in script.replies:
                return script.replies[key]
        if line not in self._recorded:
            return script.default
        reply = self._recorded.next(line)
        if reply is None:
            self.hang()
        return reply or ""


def words_of(message: dict[str, Any]) -> set[str]:
    """Return what a message is called: its method, its tool, the first word of its line."""
    params = message.get("params") or {}
    command = str((params.get("arguments") or {}).get("command", ""))
    return {str(message.get("method")), str(params.get("name", "")), *command.split()[:1]}
