"""What completion offers that is no page's: aliases, variables, settings, lanes, files.

Reads directories and the file with the bookmarks; what cannot be read is not offered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from domsh_repl.commands.session import Session
from domsh_repl.commands.settings import SETTINGS
from domsh_repl.errors import DomshError
from domsh_repl.language import quote_word
from domsh_repl.language.syntax import bare_text
from domsh_repl.safetext import escape, one_line
from domsh_repl.shell.candidates import Candidate
from domsh_repl.shell.cursor import Begun, Cursor

__all__ = ["aliases", "bookmarks", "file_names", "lanes", "settings", "variables"]

_META = 60


def aliases(session: Session) -> Iterator[Candidate]:
    """Yield the aliases, with what they stand for."""
    for name, line in (session.aliases or {}).items():
        yield Candidate(name, meta=one_line(line, _META))


def bookmarks(session: Session) -> Iterator[Candidate]:
    """Yield the bookmarks as paths begin with them; more may follow."""
    with suppress(DomshError):
        for name, mark in session.bookmarks.all().items():
            yield Candidate(f"@{name}", meta=one_line(mark.path, _META), is_whole=False)


def variables(session: Session, begun: str) -> Iterator[Candidate]:
    """Yield the variables that ``begun`` may become, ``$na`` or ``${na``; no secret's value."""
    braced = begun.startswith("${")
    known = dict.fromkeys(("status", *session.elsewhere), "") | session.variables
    known["status"] = str(session.status)
    for name, value in known.items():
        text = f"${{{name}}}" if braced else f"${name}"
        if text.startswith(begun):
            shown = " ".join(value) if isinstance(value, tuple) else value
            meta = "" if shown in session.secrets else one_line(shown, _META)
            yield Candidate(text, begun, meta, is_whole=False)


def lanes(session: Session, cursor: Cursor) -> Iterator[Candidate]:
    """Yield the lanes that can be gone to, or closed."""
    if [bare_text(token.pieces) for token in cursor.operands] in (["use"], ["close"]):
        for lane in session.link.lanes:
            yield Candidate(lane.name, meta="the current one" if lane.current else "")


def settings(cursor: Cursor) -> Iterator[Candidate]:
    """Yield the settings, or the values of the one that is named."""
    if not cursor.operands:
        for one in SETTINGS.values():
            yield Candidate(one.name, meta=one.summary)
        return
    known = SETTINGS.get(bare_text(cursor.operands[0].pieces))
    for word in known.words if known else ():
        yield Candidate(word)


def file_names(word: Begun) -> Iterator[Candidate]:
    """Yield the files and folders that a name goes on to; hidden ones where a dot was typed."""
    head, slash, begun = word.text.rpartition("/")
    folder = head + slash
    for entry in _entries(folder if word.quoted else os.path.expanduser(folder)):  # noqa: PTH111  (a Path drops ./)
        if not entry.name.startswith(begun) or (entry.name[0] == "." and not begun):
            continue
        name = f"{folder}{entry.name}" + ("/" if entry.is_dir() else "")
        with suppress(ValueError):  # a name with a line break cannot be typed
            yield _file(name, word, shown=escape(name.removeprefix(folder)))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder or Path()) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _file(name: str, word: Begun, *, shown: str) -> Candidate:
    home = "" if word.quoted or not name.startswith("~/") else "~/"
    written = home + quote_word(name.removeprefix(home))
    is_folder = name.endswith("/")
    if is_folder and written.endswith(("'", '"')):
        written = written[:-1]  # the quote stays open for what is in it
    return Candidate(written, word.raw, shown=shown, is_whole=not is_folder)
