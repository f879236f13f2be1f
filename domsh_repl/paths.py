"""The grammar of paths (docs/language.md §2), pure: text to segments, segments to text.

A ``Path`` keeps what the user meant by each segment: a name, an index ``role[n]``, a glob,
``..``, or quoted text, which is a name where there is such an entry and a label otherwise.
The text form is unambiguous: ``Path.parse(str(path)) == path``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from domsh_repl.errors import UsageError

__all__ = ["Path", "Segment", "SegmentKind", "split_names"]

_INDEX = re.compile(r"([A-Za-z]+)\[([0-9]+)\]")
_GLOB_CHARACTERS = frozenset("*?[")


class SegmentKind(StrEnum):
    """What one segment of a path asks for."""

    NAME = "name"
    INDEX = "index"
    GLOB = "glob"
    ANY_DEPTH = "any_depth"
    PARENT = "parent"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment: ``text`` is a name, role, glob or quoted text, ``index`` that of ``role[n]``."""

    kind: SegmentKind
    text: str = ""
    index: int = 0

    def __str__(self) -> str:
        if self.kind is SegmentKind.QUOTED:
            escaped = self.text.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        if self.kind is SegmentKind.INDEX:
            return f"{self.text}[{self.index}]"
        if self.kind is SegmentKind.PARENT:
            return ".."
        return "**" if self.kind is SegmentKind.ANY_DEPTH else self.text


@dataclass(frozen=True, slots=True)
class Path:
    """A path within a tab. A path that is not absolute starts at the working directory.

    One that starts at a ``bookmark`` has no place before somebody looks for that.
    """

    segments: tuple[Segment, ...] = ()
    absolute: bool = False
    bookmark: str = ""

    def __str__(self) -> str:
        text = "/".join(str(segment) for segment in self.segments)
        if self.bookmark:
            return f"@{self.bookmark}/{text}".removesuffix("/")
        return f"/{text}" if self.absolute else text or "."

    @property
    def is_plain(self) -> bool:
        """True when it holds names only, as printed paths do."""
        return all(segment.kind is SegmentKind.NAME for segment in self.segments)

    @property
    def may_match_many(self) -> bool:
        """True when it holds a glob."""
        return any(s.kind in (SegmentKind.GLOB, SegmentKind.ANY_DEPTH) for s in self.segments)

    @property
    def literal_part(self) -> str:
        """The printed path of the directory that stands before the first pattern."""
        names = []
        for segment in self.segments:
            if segment.kind is not SegmentKind.NAME:
                break
            names.append(segment.text)
        return "/" + "/".join(names)

    def under(self, directory: Path) -> Path:
        """Return the absolute path of this path seen from ``directory``."""
        if self.absolute:
            return self
        return Path(_folded((*directory.segments, *self.segments)), absolute=True)

    @classmethod
    def of_names(cls, text: str) -> Path:
        """Return the path that a printed path means: names, ``.`` and ``..`` and nothing else."""
        parts = [part for part in text.split("/") if part not in ("", ".")]
        kinds = {"..": Segment(SegmentKind.PARENT)}
        found = tuple(kinds.get(part) or Segment(SegmentKind.NAME, part) for part in parts)
        absolute = text.startswith("/")
        return cls(_folded(found) if absolute else found, absolute=absolute)

    @classmethod
    def of_pieces(cls, pieces: Sequence[tuple[str, bool]], *, bookmarks: bool = False) -> Path:
        """Return the path that a word means; each piece is text and whether it was quoted.

        Only unquoted text can hold separators, globs and indexes. A segment with any quoted part
        is quoted as a whole. Raises ``UsageError`` for ``~`` and ``@`` paths, which name no node,
        unless ``bookmarks`` are looked up by whoever takes the path.
        """
        if not pieces or not any(text or quoted for text, quoted in pieces):
            raise UsageError("an empty path names nothing", 'use "." for the working directory')
        first_text, first_quoted = pieces[0]
        if bookmarks and not first_quoted and first_text.startswith("@"):
            return cls._of_bookmark(pieces)
        if not first_quoted and first_text[:1] in ("~", "@"):
            raise UsageError(
                f"{first_text} names no element of the page", "only cd and ls accept ~ paths"
            )
        absolute = not first_quoted and first_text.startswith("/")
        segments = [_segment(part) for part in _parts(pieces)]
        kept = tuple(segment for segment in segments if segment is not None)
        return cls(_folded(kept) if absolute else kept, absolute=absolute)

    @classmethod
    def _of_bookmark(cls, pieces: Sequence[tuple[str, bool]]) -> Path:
        (first, *more), *others = _parts(pieces)
        name = first[0][1:]
        if more or not name:
            raise UsageError(
                f"@{name} is no bookmark's name", "`bookmark` lists them; @name/form_1 goes on"
            )
        segments = [_segment(part) for part in others]
        return cls(tuple(one for one in segments if one is not None), bookmark=name)

    @classmethod
    def parse(cls, text: str) -> Path:
        """Return the path whose text form is ``text``; raises ``UsageError`` on a broken one."""
        return cls.of_pieces(_pieces(text)) if text != "." else cls()


def _parts(pieces: Iterable[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    parts: list[list[tuple[str, bool]]] = [[]]
    for text, quoted in pieces:
        if quoted:
            parts[-1].append((text, True))
            continue
        for number, part in enumerate(text.split("/")):
            if number:
                parts.append([])
            if part:
                parts[-1].append((part, False))
    return [part for part in parts if part]


def _segment(part: list[tuple[str, bool]]) -> Segment | None:
    text = "".join(piece for piece, _ in part)
    if any(quoted for _, quoted in part):
        return Segment(SegmentKind.QUOTED, text)
    if text in (".", ".."):
        return Segment(SegmentKind.PARENT) if text == ".." else None
    if text == "**":
        return Segment(SegmentKind.ANY_DEPTH)
    index = _INDEX.fullmatch(text)
    if index:
        return Segment(SegmentKind.INDEX, index.group(1), _index(index.group(2)))
    if _GLOB_CHARACTERS.intersection(text):
        return Segment(SegmentKind.GLOB, text)
    return Segment(SegmentKind.NAME, text)


def _index(digits: str) -> int:
    """Return the number; a huge one, which no directory reaches, without its length's price."""
    return int(digits.lstrip("0")[:9] or "0")


def _folded(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Take ``..`` back against a name before it; at the root it stays at the root."""
    kept: list[Segment] = []
    for segment in segments:
        if segment.kind is not SegmentKind.PARENT:
            kept.append(segment)
        elif kept and kept[-1].kind in (SegmentKind.NAME, SegmentKind.INDEX):
            kept.pop()
        elif kept:
            kept.append(segment)
    return tuple(kept)


def _pieces(text: str) -> list[tuple[str, bool]]:
    pieces: list[tuple[str, bool]] = []
    position = 0
    while position < len(text):
        if text[position] == '"':
            piece, position = _quoted_piece(text, position + 1)
            pieces.append((piece, True))
            continue
        end = text.find('"', position)
        end = len(text) if end < 0 else end
        pieces.append((text[position:end], False))
        position = end
    return pieces


def _quoted_piece(text: str, position: int) -> tuple[str, int]:
    piece = []
    while position < len(text) and text[position] != '"':
        if text[position] == "\\":
            position += 1
        piece.append(text[position : position + 1])
        position += 1
    if position >= len(text):
        raise UsageError("a quoted part of the path does not end")
    return "".join(piece), position + 1


def split_names(path: str) -> tuple[str, ...]:
    """Return the names of a printed absolute path."""
    return tuple(part for part in path.split("/") if part)
