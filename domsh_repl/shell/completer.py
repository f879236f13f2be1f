"""What could stand at the cursor. Looks at the registry and at what ``Lookout`` knows; no waiting.

Every text of a page is made safe before it is shown, and what cannot be typed as it is is
not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from domsh_repl.aria import ROLES, STATES
from domsh_repl.commands.arguments import COMMON_FLAGS
from domsh_repl.commands.conditions import COMPARISONS, OPERATORS, WORDS
from domsh_repl.commands.helptext import help_topics
from domsh_repl.commands.registry import GROUPED, commands, filters, names
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import NODE_KINDS, Flag, Group, Operand, OperandKind
from domsh_repl.commands.topics import CONDITIONS
from domsh_repl.keynames import KEY_NAMES, MODIFIERS
from domsh_repl.language import Token, expand_aliases
from domsh_repl.language.syntax import bare_text
from domsh_repl.shell import own
from domsh_repl.shell.addresses import Addresses
from domsh_repl.shell.candidates import Candidate, matching, offered, plain
from domsh_repl.shell.cursor import Begun, Cursor, cursor_at_end, variable_begun, word_start
from domsh_repl.shell.lookout import Lookout
from domsh_repl.shell.places import Places

__all__ = ["LineCompleter"]

_KEYS = [name for name in KEY_NAMES if name not in ("Shift", "Control", "Alt", "Meta")]


class LineCompleter(Completer):
    """Completes lines for one session.

    What goes wrong here costs the candidates and nothing else: a line is being typed.
    """

    def __init__(self, session: Session, lookout: Lookout) -> None:
        self._session = session
        self._places = Places(session, lookout)
        self._addresses = Addresses(session, lookout)
        self._offered: list[Candidate] = []
        self.asked_for: Document | None = None
        self._lookout = lookout

    @property
    def is_waiting(self) -> bool:
        """Whether more may be known in a moment."""
        return self._lookout.is_waiting

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield what fits, the likeliest first; ``asked_for`` tells where that was."""
        del complete_event
        self.asked_for = document
        self._offered = self._fitting(document)
        yield from self._completions(document)

    def renewed(self) -> Sequence[Completion] | None:
        """Return what fits now where completions were asked for last; None if it is the same."""
        document = self.asked_for
        before = self._offered
        self._offered = [] if document is None else self._fitting(document)
        if document is None or self._offered == before:
            return None
        return list(self._completions(document))

    def prepare(self) -> None:
        """Ask in the background for what is completed most: what is in the working directory."""
        with suppress(Exception):
            self._places.prepare()

    def exists(self, word: Token) -> bool | None:
        """Tell whether a path is there, from what is known; None while that is not."""
        with suppress(Exception):
            return self._places.exists(word)
        return None

    def _completions(self, document: Document) -> Iterator[Completion]:
        blank = "" if document.text_after_cursor[:1].isspace() else " "
        return (one.completion(blank) for one in self._offered)

    def _fitting(self, document: Document) -> list[Candidate]:
        with suppress(Exception):
            return offered(self._at_end(document.text_before_cursor))
        return []

    def _at_end(self, text: str) -> Iterable[Candidate]:
        variable = variable_begun(text)
        if variable is not None:
            return own.variables(self._session, variable)
        start = word_start(text)
        before = expand_aliases(text[:start], self._session.aliases or {})
        cursor = cursor_at_end(before + text[start:])
        return () if cursor is None else self._candidates(cursor)

    def _candidates(self, cursor: Cursor) -> Iterable[Candidate]:
        if cursor.command is None and not cursor.file:
            return self._command_names(cursor)
        if cursor.flag is not None:
            return _flag_values(cursor.flag, cursor.word)
        word = cursor.word
        if word.raw.startswith("-") and not cursor.flags_ended and not word.quoted:
            return _flags(cursor)
        operand = cursor.operand
        return () if operand is None else self._operands(operand, cursor)

    def _command_names(self, cursor: Cursor) -> Iterable[Candidate]:
        named = () if cursor.group else matching(own.aliases(self._session), cursor.word)
        return chain(_command_names(cursor), named)

    def _operands(self, operand: Operand, cursor: Cursor) -> Iterable[Candidate]:
        word, kind = cursor.word, operand.kind
        if kind in NODE_KINDS:
            return chain(plain(operand.words, word), self._paths(kind, cursor))
        if kind is OperandKind.CONDITION:
            return self._condition(cursor)
        if cursor.command is not None and cursor.command.name == "select":
            return self._places.options(cursor.operands[0], word)
        makers: dict[OperandKind, Callable[[], Iterable[Candidate]]] = {
            OperandKind.KEY: lambda: _keys(word),
            OperandKind.TAB: lambda: self._tabs(cursor),
            OperandKind.COMMAND: lambda: plain((*names(), *filters(), *help_topics()), word),
            OperandKind.URL: lambda: self._addresses.matching(word),
            OperandKind.WORD: lambda: plain(_alternatives(operand), word),
            OperandKind.FILE: lambda: own.file_names(word),
            OperandKind.ALIAS: lambda: matching(own.aliases(self._session), word),
            OperandKind.LANE: lambda: matching(own.lanes(self._session, cursor), word),
            OperandKind.SETTING: lambda: matching(own.settings(cursor), word),
        }
        maker = makers.get(kind)
        return () if maker is None else maker()

    def _paths(self, kind: OperandKind, cursor: Cursor) -> Iterable[Candidate]:
        enters_tabs = cursor.command is not None and cursor.command.name in ("ls", "cd")
        if enters_tabs and cursor.word.raw.startswith("~"):
            return matching(self._places.tab_paths(), cursor.word)
        if cursor.word.raw.startswith("@") and "/" not in cursor.word.raw:
            return matching(own.bookmarks(self._session), cursor.word)
        return self._places.paths(kind, cursor.word)

    def _tabs(self, cursor: Cursor) -> Iterable[Candidate]:
        tabs = list(self._places.tabs())
        first = [Candidate("new", meta="a new tab"), Candidate("close", meta="close a tab")]
        return matching(tabs if cursor.operands else [*first, *tabs], cursor.word)

    def _condition(self, cursor: Cursor) -> Iterable[Candidate]:
        said = [bare_text(token.pieces) for token in cursor.operands]
        words = said[1:] if said[:1] == ["not"] else said
        if not words:
            return plain(WORDS if said else (*WORDS, "not"), cursor.word)
        condition, place = words[0], len(words)
        if condition == "count" and "--type" in cursor.given and said[-1] not in COMPARISONS:
            return [*plain(COMPARISONS, cursor.word), *self._path(cursor, place)]
        expected = _expected(condition, place)
        if expected in ("PATH", "GLOB"):
            return self._path(cursor, place)
        return plain(_CONDITION_WORDS.get(expected, ()), cursor.word)

    def _path(self, cursor: Cursor, place: int) -> Iterable[Candidate]:
        return self._places.paths(OperandKind.PATH, cursor.word) if place == 1 else ()


def _expected(condition: str, place: int) -> str:
    """Return what a condition's usage has at a place: ``PATH``, ``OP``, ``STATE``, ``is``."""
    form = CONDITIONS.get(condition)
    words = form.usage.split() if form is not None else []
    return words[place].strip("[]") if place < len(words) else ""


_TESTS = (*OPERATORS, "not")
_CONDITION_WORDS: Mapping[str, Sequence[str]] = {
    "STATE": sorted(STATES),
    "ROLE": ROLES,
    "is": ("is",),
    "OP": _TESTS,
    "CMP": tuple(COMPARISONS),
    "OP|CMP": (*_TESTS, *COMPARISONS),
}


def _command_names(cursor: Cursor) -> Iterator[Candidate]:
    if cursor.group:
        yield from plain(GROUPED[cursor.group], cursor.word)
        return
    order = list(Group)
    named = filters().values() if cursor.filters else commands()
    known = [
        Candidate(one.name, meta=one.summary)
        for one in sorted(named, key=lambda one: order.index(one.group))
    ]
    if cursor.filters:
        yield from matching(known, cursor.word)
        return
    found = list(matching(known, cursor.word))
    yield from found or plain((*names(), *GROUPED), cursor.word)


def _flags(cursor: Cursor) -> Iterator[Candidate]:
    flags = (*cursor.command.flags, *COMMON_FLAGS) if cursor.command else ()
    name, equals, value = cursor.word.raw.partition("=")
    if equals:
        flag = next((one for one in flags if one.name == name and one.value), None)
        begun = Begun(value, value)
        return _flag_values(flag, begun) if flag is not None else iter(())
    known = [
        Candidate(flag.name, meta=flag.help, shown=str(flag))
        for flag in flags
        if flag.name not in cursor.given
    ]
    return matching(known, cursor.word)


def _flag_values(flag: Flag, word: Begun) -> Iterator[Candidate]:
    if flag.value == "FILE":
        return own.file_names(word)
    if flag.value == "KEYS":
        return _chords(MODIFIERS, word)
    values = {"ROLE": ROLES, "STATE": sorted(STATES)}
    return plain(flag.words or values.get(flag.value, ()), word)


def _keys(word: Begun) -> Iterator[Candidate]:
    return _chords((*_KEYS, *(f"{name}+" for name in MODIFIERS)), word)


def _chords(keys: Iterable[str], word: Begun) -> Iterator[Candidate]:
    held, plus, begun = word.raw.rpartition("+")
    for key in keys:
        if key.casefold().startswith(begun.casefold()) and key.removesuffix("+") not in held:
            yield Candidate(f"{held}{plus}{key}", word.raw, is_whole=not key.endswith("+"))


def _alternatives(operand: Operand) -> list[str]:
    return operand.name.split("|") if "|" in operand.name else []
