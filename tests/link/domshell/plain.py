"""A DOMShell that answers from a live page in its own text: the engine's, without a server.

What real ones do at their worst is provoked by ``before`` and ``after``: the first is told each
line before it runs and may answer in its place, the second may change a reply. From a line on
that holds ``mute_from``, nothing is answered any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

from domsh_repl.engine.plain.shell import PlainShell
from domsh_repl.engine.policy import FREE, Policy
from tests.conftest import LaneRunner
from tests.doubles import Double
from tests.fakeserver import DOMSHELL

LANE = "7"


class PlainServer(Double):
    """One lane of it; ``sent`` are the lines that came, ``place`` is what it stands on."""

    def __init__(self, lane: LaneRunner, policy: Policy = FREE) -> None:
        super().__init__(self._answered)
        self.about = dict(DOMSHELL)
        self.sent: list[str] = []
        self.before: Callable[[str], str | None] = lambda _line: None
        self.mute_from = ""
        self._is_mute = False
        self.after: Callable[[str, str], str] = lambda _line, reply: reply
        self._lane = lane
        self._policy = policy
        self._shell = PlainShell(lane.engine.engine)

    def say(self, line: str) -> str:
        """Return the text that a line is answered with, without a marker."""
        reply = self._lane.run(self._shell.answer(line, self._lane.lane, self._policy))
        return str(reply.text)

    def verbs(self) -> set[str]:
        """Return the first words of the lines that came."""
        return {line.split()[0] for line in self.sent}

    def unmute(self) -> None:
        """Answer again."""
        self.mute_from, self._is_mute = "", False

    async def _answered(self, arguments: dict[str, Any]) -> str:
        if self.mute_from and self.mute_from in arguments["command"]:
            self._is_mute = True
        if self._is_mute:
            self.sent.append(arguments["command"])
            await anyio.sleep_forever()
        return await anyio.to_thread.run_sync(self._marked, arguments["command"])

    def _marked(self, line: str) -> str:
        self.sent.append(line)
        instead = self.before(line)
        reply = self.after(line, self.say(line) if instead is None else instead)
        return reply if line == "group close" else f"{reply}\n\n[lane: {LANE}]"
