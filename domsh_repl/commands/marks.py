"""Bookmarks: places by name, kept for the next shell where there is a file for them.

Reads and writes that file (JSON, 0600) and nothing else; several shells may share it.
"""

from __future__ import annotations

import difflib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from domsh_repl.errors import Ambiguous, Failed, NotFound, UsageError
from domsh_repl.nodes import Node
from domsh_repl.safetext import one_line
from domsh_repl.userfiles import require_file

__all__ = ["Bookmark", "Bookmarks"]

_HINT = "`bookmark` lists them, `bookmark NAME` saves the working directory"


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A place: its path, what it is, and the URL of the page that it was in."""

    path: str
    role: str
    label: str
    url: str

    def fits(self, node: Node) -> bool:
        """Tell whether a node is what was saved."""
        return (node.role, node.label) == (self.role, self.label)

    def only(self, found: Sequence[Node], url: str) -> str:
        """Return the path of the one node that is what was saved; raises where it is not one."""
        what = one_line(f'{self.role} "{self.label}"' if self.label else self.role, 100)
        if not found:
            elsewhere = url.partition("#")[0] != self.url.partition("#")[0]
            hint = f"it was in {one_line(self.url, 100)}" if elsewhere else "`tree` shows the page"
            raise NotFound(f"the bookmarked {what} is not on this page", hint)
        if len(found) > 1:
            paths = ", ".join(one_line(one.path, 60) for one in found[:3])
            raise Ambiguous(
                f"{len(found)} nodes are a {what} as bookmarked: {paths}", "save it anew"
            )
        return found[0].path


@dataclass(slots=True)
class Bookmarks:
    """Bookmarks by name; without a ``file`` they last as long as the shell."""

    file: Path | None = None
    _known: dict[str, Bookmark] = field(default_factory=dict)

    def all(self) -> Mapping[str, Bookmark]:
        """Return all of them; raises ``Failed`` where the file cannot be read."""
        if self.file is not None:
            self._known = self._read(self.file)
        return self._known

    def get(self, name: str) -> Bookmark:
        """Return one; raises ``UsageError`` with the nearest name."""
        known = self.all()
        if name in known:
            return known[name]
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean @{near[0]}?" if near else _HINT
        raise UsageError(f"there is no bookmark {one_line(name, 60)}", hint, word=f"@{name}")

    def save(self, name: str, mark: Bookmark) -> None:
        """Keep a bookmark; raises ``Failed`` where the file cannot be written."""
        self._known = {**self.all(), name: mark}
        if self.file is not None:
            self._write(self.file)

    def _read(self, file: Path) -> dict[str, Bookmark]:
        try:
            require_file(str(file))
            kept = json.loads(file.read_text(encoding="utf-8"))
            return {str(name): Bookmark(**fields) for name, fields in kept.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            reason = getattr(error, "strerror", None) or "it holds no bookmarks"
            raise Failed(f"cannot read {file}: {reason}", "put it right or remove it") from error

    def _write(self, file: Path) -> None:
        """Replace the file at once, so that no other shell reads half of it."""
        text = json.dumps({name: asdict(mark) for name, mark in self._known.items()}, indent=1)
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".bookmarks", dir=file.parent)  # 0600
            with os.fdopen(handle, "w", encoding="utf-8") as written:
                written.write(text)
            Path(name).replace(file)
        except OSError as error:
            raise Failed(f"cannot write {file}: {error.strerror}") from error
