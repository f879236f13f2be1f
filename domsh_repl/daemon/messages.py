"""What a shell and the daemon tell each other, as values that travel as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from domsh_repl import jsonform, nodes
from domsh_repl.commands.session import Bearing, Keep, Session, Settings
from domsh_repl.daemon.place import Refusal
from domsh_repl.errors import DomshError, Failed, error_for
from domsh_repl.link.asks import Ask
from domsh_repl.link.wire import Answer
from domsh_repl.nodes import PageInfo
from domsh_repl.reports import Lane
from domsh_repl.state import PageState, TabState

__all__ = [
    "LineWanted",
    "OwnSettings",
    "ProgramEnded",
    "ProgramWanted",
    "Question",
    "Ran",
    "Standing",
    "Told",
    "error_of",
    "read",
    "write",
]

T = TypeVar("T")


def write(value: object) -> bytes:
    """Return a value as JSON."""
    return json.dumps(jsonform.encode(value)).encode()


def read(kind: type[T], payload: bytes) -> T:
    """Return the value that was written; raises ``ValueError``, ``TypeError`` or ``KeyError``."""
    return jsonform.decode(kind, json.loads(payload))


def error_of(refusal: Refusal) -> DomshError:
    """Return the error that a refusal stands for."""
    return error_for(refusal.code, refusal.message, refusal.hint)


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What each shell has for itself, so that it goes to the daemon and back with each line."""

    json: bool = False
    settings: Settings = field(default_factory=Settings)
    bearing: Bearing | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session, *, json: bool) -> OwnSettings:
        """Return what holds in a session."""
        return cls(json, session.settings, session.bearing, dict(session.aliases or {}))

    def put(self, session: Session) -> None:
        """Let it hold in a session; what may be opened is the session's own."""
        session.settings = replace(self.settings, allow_file=session.settings.allow_file)
        session.aliases = dict(self.aliases)
        if session.bearing is None or self.bearing is None:
            session.bearing = self.bearing
            return
        for one in fields(Bearing):  # the prompt looks at this very object
            setattr(session.bearing, one.name, getattr(self.bearing, one.name))


@dataclass(frozen=True, slots=True)
class LineWanted:
    """A line of a shell, with the ``status`` that its ``$status`` is and its ``$site``.

    ``columns`` and ``rows`` are those of its terminal now.
    """

    text: str
    status: int = 0
    site: str = ""
    own: OwnSettings = field(default_factory=OwnSettings)
    columns: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Ran:
    """How a line of a shell ended; ``left`` tells that it was to leave the shell."""

    status: int
    own: OwnSettings
    left: bool = False


@dataclass(frozen=True, slots=True)
class ProgramWanted:
    """A program that is to have the shell's terminal; it ``reads`` what the daemon sends.

    Variables are added to its environment.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    reads: bool = False


@dataclass(frozen=True, slots=True)
class ProgramEnded:
    """How it ended: a status as ``subprocess`` has them, or the number of a ``problem``."""

    status: int = 0
    problem: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the daemon's session stands after a line: ``tabs`` in the order of ``numbers``.

    ``left`` tells that the line was to leave the shell; ``own`` is as the line left it. Of
    ``variables`` there are the names: values can be secrets.
    """

    status: int = 0
    keep: Keep = Keep.ALWAYS
    left: bool = False
    own: OwnSettings = field(default_factory=OwnSettings)
    server: str = ""
    lane: str = ""
    lane_name: str = ""
    lanes: tuple[Lane, ...] = ()
    variables: tuple[str, ...] = ()
    is_risky: bool = False
    is_read_only: bool = False
    page: PageInfo = field(default_factory=PageInfo)
    numbers: tuple[int, ...] = ()
    tabs: tuple[TabState, ...] = ()

    @classmethod
    def of(cls, session: Session, ran: Ran) -> Standing:
        """Return where a session stands after a line."""
        link, state = session.link, session.state
        return cls(
            ran.status, session.keep, ran.left, ran.own, link.server, link.lane,
            link.lane_name, link.lanes, tuple(session.variables), link.is_risky,
            link.is_read_only, state.page, tuple(state.tabs), tuple(state.tabs.values()),
        )  # fmt: skip

    @property
    def state(self) -> PageState:
        """The state as the shell keeps it."""
        return PageState(dict(zip(self.numbers, self.tabs, strict=True)), self.page)


@dataclass(frozen=True, slots=True)
class Question:
    """What completion asks: an ``Ask`` with the name of its answer's type, and a number."""

    number: int
    document: str
    deadline: float
    verb: str
    answer: str
    operands: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    on_nodes: bool = True

    @classmethod
    def of(cls, number: int, ask: Ask[Any], document: str, deadline: float) -> Question:
        """Return the question that an ``Ask`` is."""
        return cls(
            number, document, deadline, ask.verb, ask.answer.__name__, ask.operands, ask.options,
            ask.on_nodes,
        )  # fmt: skip

    @property
    def ask(self) -> Ask[Any]:
        """The question for a link; raises ``ValueError`` where no such thing is answered."""
        if self.answer not in nodes.__all__:
            raise ValueError(self.answer)
        kind = getattr(nodes, self.answer)
        return Ask(self.verb, kind, self.operands, self.options, on_nodes=self.on_nodes)


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to a question; ``value`` as JSON has it, ``code`` "" where it is no error."""

    number: int
    page: PageInfo | None = None
    value: Any = None
    code: str = ""
    message: str = ""
    hint: str = ""

    @classmethod
    def of(cls, number: int, answer: Answer[Any]) -> Told:
        """Return what is told of an answer."""
        if answer.error is not None:
            return cls.failed(number, answer.error, answer.page)
        return cls(number, answer.page, answer.value)

    @classmethod
    def failed(cls, number: int, error: Exception, page: PageInfo | None = None) -> Told:
        """Return what is told of a failure."""
        known = error if isinstance(error, DomshError) else Failed(type(error).__name__)
        return cls(number, page, None, known.code, known.message, known.hint)

    def answer_to(self, ask: Ask[T]) -> Answer[T]:
        """Return the answer as the one who asked awaits it; raises what ``read`` raises."""
        if self.code:
            return Answer(self.page, error=error_for(self.code, self.message, self.hint))
        return Answer(self.page, jsonform.decode(ask.answer, self.value))
