"""What is saved about a failure: the picture, the tree, what was logged and asked for.

Only their owner can read the files. Their names come from the batch file's own name and line,
never from the page. What cannot be had is told in place of it.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domsh_repl.batch.events import LineRun
from domsh_repl.commands.hiding import hidden
from domsh_repl.commands.session import Session
from domsh_repl.errors import DomshError, UsageError
from domsh_repl.jsonform import encode
from domsh_repl.link import asks
from domsh_repl.paths import Path as NodePath
from domsh_repl.safetext import json_text

__all__ = ["Artifacts"]

_SECONDS = 5.0
"""Seconds that each of them may take: the page may be what hangs."""
_DEPTH = 6
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_MOST_NAMES = 1000


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Saves files below ``folder``; ``draw`` gives the text of a value."""

    folder: Path
    draw: Callable[[object], str]

    def save(self, session: Session, line: LineRun) -> tuple[str, ...]:
        """Save what can be had and return the files' names; each failure has a folder of its own.

        Raises ``UsageError`` where nothing can be written.
        """
        try:
            place = self._place(line)
            return tuple(
                str(_written(place / name, data)) for name, data in self._files(session, line)
            )
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"--artifacts: {self.folder} takes no files: {reason}") from error

    def _place(self, line: LineRun) -> Path:
        stem = _NOT_IN_A_NAME.sub("-", Path(line.file).stem).strip(".-") or "file"
        for number in range(1, _MOST_NAMES):
            again = f"-{number}" if number > 1 else ""
            place = self.folder / f"{stem}-line-{line.number}{again}"
            try:
                place.mkdir(parents=True)
            except FileExistsError:
                if not place.exists() or self.folder.is_file():
                    raise
                continue
            return place
        raise FileExistsError(17, "it is full", str(self.folder))

    def _files(self, session: Session, line: LineRun) -> Iterator[tuple[str, bytes]]:
        yield "failure.txt", _failure(line).encode()
        yield from _picture(session)
        texts: tuple[tuple[str, asks.Ask[Any]], ...] = (
            ("page.txt", asks.where()),
            ("tree.txt", asks.tree(NodePath(absolute=True), depth=_DEPTH)),
        )
        for name, ask in texts:
            yield name, self._text(session, ask).encode("utf-8", "backslashreplace")
        logs: tuple[tuple[str, asks.Ask[Any]], ...] = (
            ("console.json", asks.console(limit=0)),
            ("requests.json", asks.requests(limit=0)),
        )
        for name, ask in logs:
            yield name, _json(session, ask).encode()

    def _text(self, session: Session, ask: asks.Ask[Any]) -> str:
        try:
            value = session.ask(ask, deadline=_SECONDS)
        except DomshError as error:
            return f"{error.message}\n"
        return f"{self.draw(hidden(value, session.secrets))}\n"


def _failure(line: LineRun) -> str:
    rows = [f"{line.where}: {line.text}", f"exit status {line.status}, {line.seconds:.1f} s"]
    rows += (row for problem in line.problems for row in problem.told)
    return "\n".join(rows) + "\n"


def _picture(session: Session) -> Iterator[tuple[str, bytes]]:
    try:
        shot = session.ask(asks.screenshot(None), deadline=_SECONDS)
    except DomshError as error:
        yield "page.png.txt", f"{error.message}\n".encode()
    else:
        yield "page.png", base64.b64decode(shot.png)


def _json(session: Session, ask: asks.Ask[Any]) -> str:
    try:
        value = session.ask(ask, deadline=_SECONDS)
    except DomshError as error:
        return json_text({"error": {"code": error.code, "message": error.message}}) + "\n"
    return json.dumps(encode(hidden(value, session.secrets)), indent=1) + "\n"


def _written(path: Path, data: bytes) -> Path:
    # a page's text can be private: nobody else reads it
    with open(path, "wb", opener=_private) as file:
        file.write(data)
    return path


def _private(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_EXCL, 0o600)
