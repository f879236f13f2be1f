"""The recorded exchanges with real DOMShell servers, and what is made of their replies in short."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from domsh_repl.link.domshell.refusals import Refusal, unanswered
from domsh_repl.link.domshell.replies import Reading, read_reply
from domsh_repl.link.domshell.told import DeepLines, TreeLines

FOLDER = Path(__file__).parents[2] / "data" / "wire"
_NEVER = re.compile(r"<<<NO REPLY within \d+ s>>>")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One command and its reply, None where none came."""

    file: str
    number: int
    page: str
    command: str
    reply: str | None

    def reading(self) -> Reading:
        """Return what the reply says, or what it says that there was none."""
        if self.reply is None:
            return Reading("", refusal=unanswered(self.command.split()[0]))
        return read_reply(self.command, self.reply)


@cache
def exchanges() -> tuple[Exchange, ...]:
    """Return every recorded exchange."""
    return tuple(_read())


def _read() -> Iterator[Exchange]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines()):
            data: dict[str, Any] = json.loads(text)
            reply = None if _NEVER.fullmatch(data["reply"]) else data["reply"]
            yield Exchange(path.stem, number, data["page"] or "", data["command"], reply)


def recorded(file: str, command: str, which: int = 0) -> Exchange:
    """Return an exchange of one recording by its command; ``which`` counts those alike."""
    return [e for e in exchanges() if e.file == file and e.command == command][which]


def in_short(reading: Reading) -> str:
    """Return a reading on one line: all that is not left at its default."""
    told = _shown(reading.refusal if reading.refusal is not None else reading.value)
    return f"{reading.lane or '-'} {told}"


def _shown(value: object) -> str:
    if isinstance(value, Refusal):
        error = value.error
        return f"!{value.why} {type(error).__name__}: {error.message}"
    if isinstance(value, (TreeLines, DeepLines)):
        return f"{type(value).__name__}({_shown(value.head)} {len(value.lines)} lines)"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if is_dataclass(value) and not isinstance(value, type):
        set_fields = [
            _shown(got) if number == 0 else f"{item.name}={_shown(got)}"
            for number, item in enumerate(fields(value))
            if (got := getattr(value, item.name)) != item.default or item.default is MISSING
        ]
        name = "" if type(value).__name__ == "Entry" else type(value).__name__
        return f"{name}({' '.join(set_fields)})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
