"""What a fake server does, as data: it travels as JSON to a server that is a child process."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDINGS = Path(__file__).parents[1] / "data" / "wire"
OURS = {"mcp_server_version": "0.1.0", "engine": {"name": "domsh", "envelope": 1}}
DOMSHELL = {
    "mcp_server_version": "2.0.10", "extension_bridged": True, "extension_version": "1.3.0",
}  # fmt: skip
PAGE = {"url": "http://h/", "title": "T", "tab": 1, "document": "D", "entry": 1}
WHERE = {
    "url": "http://h/", "title": "T", "path": "/", "tab": 1, "lane": "7", "loading": False,
    "http": 200,
}  # fmt: skip
GOOD = json.dumps({"page": PAGE, "result": WHERE}) + "\n\n[lane: 7]"
_NEVER = re.compile(r"<<<NO REPLY within \d+ s>>>")


@dataclass
class Script:
    """What the server does.

    What a line is answered with is looked for in ``replies`` by the whole line, then by its
    first word, in the ``recording`` (a file of recorded exchanges; a line that was sent often
    has its replies one after the other), and is the ``default`` in the end. ``new`` answers the
    call that makes a lane. ``about`` is what ``domshell_about`` tells, None where there is no
    such tool; ``later`` is what it tells from the third time on.

    The server hangs at, or dies in, what has one of these words: a method, a tool, the first
    word of a line. ``late`` are seconds between doing what a first word says and answering.
    A child can be made to ignore its end (``stays``) and to start a ``grandchild``.

    Over HTTP ``page`` answers everything, ``pages`` what has a word, each with a status;
    sessions that were forgotten get ``forgotten``; bodies of more than ``largest`` bytes a page.
    """

    about: dict[str, Any] | None = field(default_factory=lambda: dict(OURS))
    later: dict[str, Any] | None = None
    replies: dict[str, str] = field(default_factory=dict)
    recording: str = ""
    default: str = GOOD
    new: str | None = None
    tools: tuple[str, ...] = ("domshell_execute", "domshell_about")
    hangs_at: tuple[str, ...] = ()
    dies_in: tuple[str, ...] = ()
    late: dict[str, float] = field(default_factory=dict)
    junk: str = ""
    bad_bytes: bool = False
    says: str = ""
    start_seconds: float = 0.0
    progress: tuple[str, ...] = ()
    stays: bool = False
    grandchild: str = ""
    environment: str = ""
    token: str = ""
    page: str = ""
    pages: dict[str, tuple[int, str]] = field(default_factory=dict)
    forgotten: int = 400
    largest: int = 100_000
    log: str = ""


class Recorded:
    """The replies of a recording, by line, in the order in which they came."""

    def __init__(self, name: str) -> None:
        self._replies: dict[str, list[str | None]] = {}
        for line in _lines_of(name):
            reply = str(line["reply"])
            never = _NEVER.fullmatch(reply) is not None
            self._replies.setdefault(str(line["command"]), []).append(None if never else reply)

    def __contains__(self, command: str) -> bool:
        return command in self._replies

    def next(self, command: str) -> str | None:
        """Return the next reply, the last one for ever; None for one that never came."""
        waiting = self._replies[command]
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


def _lines_of(name: str) -> list[Mapping[str, Any]]:
    if not name:
        return []
    text = (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
