"""What could stand at the cursor. Looks at the registry and at what ``Lookout`` knows; no waiting.

Every text of a page is made safe before it is shown, and what cannot be typed as it is is
not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from domsh_repl.aria import ROLES, STATES
from domsh_repl.commands.arguments import COMMON_FLAGS
from domsh_repl.commands.conditions import COMPARISONS, OPERATORS, WORDS
from domsh_repl.commands.helptext import help_topics
from domsh_repl.commands.registry import GROUPED, commands, filters, names
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import NODE_KINDS, Group, Operand, OperandKind
from domsh_repl.keynames import KEY_NAMES, MODIFIERS
from domsh_repl.language import quote_word
from domsh_repl.language.syntax import bare_text
from domsh_repl.shell import own
from domsh_repl.shell.cursor import Begun, Cursor, cursor_at_end
from domsh_repl.shell.lookout import Lookout
from domsh_repl.shell.places import Candidate, Places

__all__ = ["LineCompleter"]

_KEYS = [name for name in KEY_NAMES if name not in ("Shift", "Control", "Alt", "Meta")]
_TESTED_TEXTS = frozenset({"text", "value"})
_TESTED_PAGES = frozenset({"url", "title"})


class LineCompleter(Completer):
    """Completes lines for one session."""

    def __init__(self, session: Session, lookout: Lookout) -> None:
        self._session = session
        self._places = Places(session, lookout)
        self.exists = self._places.exists
        self.asked_for: Document | None = None

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield what fits, the likeliest first; ``asked_for`` tells where that was."""
        del complete_event
        self.asked_for = document
        cursor = cursor_at_end(document.text_before_cursor)
        if cursor is None:
            return
        blank = "" if document.text_after_cursor[:1].isspace() else " "
        for one in self._candidates(cursor):
            yield Completion(
                one.text + (blank if one.is_whole else ""),
                -len(one.replaced),
                display=one.shown,
                display_meta=one.meta,
            )

    def _candidates(self, cursor: Cursor) -> Iterable[Candidate]:
        if cursor.command is None and not cursor.file:
            return self._command_names(cursor)
        if cursor.flag is not None:
            return _flag_values(cursor)
        word = cursor.word
        if word.raw.startswith("-") and not cursor.flags_ended and not word.quoted:
            return _flags(cursor)
        operand = cursor.operand
        return () if operand is None else self._operands(operand, cursor)

    def _command_names(self, cursor: Cursor) -> Iterable[Candidate]:
        named = () if cursor.group else _matching(own.aliases(self._session), cursor.word)
        return chain(_command_names(cursor), named)

    def _operands(self, operand: Operand, cursor: Cursor) -> Iterable[Candidate]:
        word, kind = cursor.word, operand.kind
        if kind in NODE_KINDS:
            return chain(_plain(operand.words, word), self._paths(kind, cursor))
        if kind is OperandKind.CONDITION:
            return self._condition(cursor)
        if cursor.command is not None and cursor.command.name == "select":
            return self._places.options(cursor.operands[0], word)
        makers: dict[OperandKind, Callable[[], Iterable[Candidate]]] = {
            OperandKind.KEY: lambda: _keys(word),
            OperandKind.TAB: lambda: self._tabs(cursor),
            OperandKind.COMMAND: lambda: _plain((*names(), *filters(), *help_topics()), word),
            OperandKind.URL: lambda: self._urls(word),
            OperandKind.WORD: lambda: _plain(_alternatives(operand), word),
            OperandKind.FILE: lambda: own.file_names(word),
            OperandKind.ALIAS: lambda: _matching(own.aliases(self._session), word),
            OperandKind.SETTING: lambda: _matching(own.settings(cursor), word),
        }
        maker = makers.get(kind)
        return () if maker is None else maker()

    def _paths(self, kind: OperandKind, cursor: Cursor) -> Iterable[Candidate]:
        enters_tabs = cursor.command is not None and cursor.command.name in ("ls", "cd")
        if enters_tabs and cursor.word.raw.startswith("~"):
            return _matching(self._places.tab_paths(), cursor.word)
        if cursor.word.raw.startswith("@") and "/" not in cursor.word.raw:
            return _matching(own.bookmarks(self._session), cursor.word)
        return self._places.paths(kind, cursor.word)

    def _tabs(self, cursor: Cursor) -> Iterable[Candidate]:
        tabs = list(self._places.tabs())
        first = [Candidate("new", meta="a new tab"), Candidate("close", meta="close a tab")]
        return _matching(tabs if cursor.operands else [*first, *tabs], cursor.word)

    def _urls(self, word: Begun) -> Iterator[Candidate]:
        for text, meta in self._places.urls():
            written = text if text.startswith("$") else quote_word(text)
            if text.startswith(word.text) or written.startswith(word.raw):
                yield Candidate(written, word.raw, meta=meta)

    def _condition(self, cursor: Cursor) -> Iterable[Candidate]:
        said = [bare_text(token.pieces) for token in cursor.operands]
        words = said[1:] if said[:1] == ["not"] else said
        if not words:
            return _plain(WORDS if said else (*WORDS, "not"), cursor.word)
        condition, place = words[0], len(words)
        if condition in _TESTED_PAGES:
            return _plain((*OPERATORS, "not"), cursor.word) if place == 1 else ()
        if condition == "count" and "--type" in cursor.given and said[-1] not in COMPARISONS:
            return [*_plain(COMPARISONS, cursor.word), *self._path(cursor, place)]
        if place == 1:
            return self._path(cursor, place)
        return _plain(_after_path(condition, place), cursor.word)

    def _path(self, cursor: Cursor, place: int) -> Iterable[Candidate]:
        return self._places.paths(OperandKind.PATH, cursor.word) if place == 1 else ()


def _after_path(condition: str, place: int) -> Iterable[str]:
    if place != 2:  # noqa: PLR2004  (the condition's word and its path)
        return ()
    if condition == "state":
        return sorted(STATES)
    if condition == "count":
        return COMPARISONS
    return (*OPERATORS, "not") if condition in _TESTED_TEXTS else ()


def _matching(candidates: Iterable[Candidate], word: Begun) -> Iterator[Candidate]:
    """Yield those that go on from what was typed."""
    for one in candidates:
        if one.text.startswith(word.raw):
            yield one.replacing(word.raw)


def _plain(words: Iterable[str], word: Begun) -> Iterator[Candidate]:
    return _matching(map(Candidate, words), word)


def _command_names(cursor: Cursor) -> Iterator[Candidate]:
    if cursor.group:
        yield from _plain(GROUPED[cursor.group], cursor.word)
        return
    order = list(Group)
    named = filters().values() if cursor.filters else commands()
    known = [
        Candidate(one.name, meta=one.summary)
        for one in sorted(named, key=lambda one: order.index(one.group))
    ]
    if cursor.filters:
        yield from _matching(known, cursor.word)
        return
    found = list(_matching(known, cursor.word))
    yield from found or _plain((*names(), *GROUPED), cursor.word)


def _flags(cursor: Cursor) -> Iterator[Candidate]:
    flags = (*cursor.command.flags, *COMMON_FLAGS) if cursor.command else ()
    known = [
        Candidate(flag.name, meta=flag.help, shown=str(flag))
        for flag in flags
        if flag.name not in cursor.given
    ]
    return _matching(known, cursor.word)


def _flag_values(cursor: Cursor) -> Iterator[Candidate]:
    values = {"ROLE": ROLES, "STATE": sorted(STATES)}
    return _plain(values.get(cursor.flag.value if cursor.flag else "", ()), cursor.word)


def _keys(word: Begun) -> Iterator[Candidate]:
    held, plus, begun = word.raw.rpartition("+")
    for key in (*_KEYS, *(f"{name}+" for name in MODIFIERS)):
        if key.casefold().startswith(begun.casefold()) and key.removesuffix("+") not in held:
            yield Candidate(f"{held}{plus}{key}", word.raw, is_whole=not key.endswith("+"))


def _alternatives(operand: Operand) -> list[str]:
    return operand.name.split("|") if "|" in operand.name else []
