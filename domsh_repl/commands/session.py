"""A running shell's state, and the one way in which commands ask the page.

``Session.ask`` carries the working directory's document along, lets the state follow the
browser, and keeps the working directory alive: when it is gone, its nearest living parent
takes its place and a remark says so (docs/language.md §4).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Protocol, TypeVar

from domsh_repl.commands.bearing import Bearing
from domsh_repl.commands.film import Film
from domsh_repl.commands.marks import Bookmark, Bookmarks
from domsh_repl.commands.said import Said
from domsh_repl.commands.scripting import Scripting
from domsh_repl.errors import (
    DomshError,
    Failed,
    Interrupted,
    LaneFailed,
    Lost,
    NotEnterable,
    NotFound,
    Stale,
)
from domsh_repl.link import asks
from domsh_repl.link.asks import Ask, Wanted
from domsh_repl.nodes import Effect, EffectKind, Message, PageInfo
from domsh_repl.paths import Path
from domsh_repl.safetext import one_line
from domsh_repl.state import PageState

if TYPE_CHECKING:
    from domsh_repl.link.link import Link
    from domsh_repl.link.wire import Answer

__all__ = ["Background", "Bearing", "Keep", "Session", "Settings"]

V = TypeVar("V")
_LEAST = 0.05
"""Seconds that a request is given however late it is: the answer says more than none."""
_MOST_NOTICES = 10
"""Of one reply: a page can open tabs and offer downloads by the hundred."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line decided: ``timeout`` and ``patience`` in seconds.

    ``on_error`` says whether a batch file stops at a line that fails, ``fail_on`` what of the
    page makes one fail, ``film`` how it is recorded. ``allow_shell`` lets batch files run
    programs and write files. ``plain`` is for those who hear the terminal.
    """

    timeout: float = 30.0
    patience: float = 0.0
    on_error: str = "stop"
    fail_on: tuple[str, ...] = ()
    film: Film = field(default_factory=Film)
    allow_file: bool = False
    allow_shell: bool = False
    color: str = "auto"
    pager: bool = True
    plain: bool = False


class Keep(Enum):
    """Where the line that ran last may be kept: it can hold a password."""

    ALWAYS = "always"
    MEMORY = "memory"
    NOWHERE = "nowhere"


class Background(Protocol):
    """What starts and stops the daemon; each tells what it did."""

    def start(self, note: Callable[[str], None]) -> Message:
        """Start it unless it runs; ``note`` is given what there is to say meanwhile."""

    def stop(self) -> Message:
        """Stop it if it runs."""


@dataclass(slots=True)
class Session:
    """What the commands of one shell share; ``connect`` makes the link when it is needed first.

    ``aliases`` are there at a prompt only. ``sources`` are the batch files that run now, the
    innermost last. ``in_parts`` tells that results may be asked for in parts, since their reader
    may stop. ``recolor`` shows answers in colours from now on as its word says, ``page`` shows
    long ones in a pager or not, ``simplify`` shows all plainly or not, and ``bearing`` is the
    prompt's; these are there where there is somebody to look. ``elsewhere`` are the variables of
    the session that runs the lines where it is not this one.
    """

    connect: Callable[[], Link]
    settings: Settings = field(default_factory=Settings)
    state: PageState = field(default_factory=PageState)
    variables: dict[str, str | tuple[str, ...]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    note: Callable[[str], None] = print
    history: Callable[[], list[str]] | None = None
    status: int = 0
    keep: Keep = Keep.ALWAYS
    daemon: Background | None = None
    aliases: dict[str, str] | None = None
    secrets: set[str] = field(default_factory=set)
    elsewhere: tuple[str, ...] = ()
    sources: tuple[FilePath, ...] = ()
    bookmarks: Bookmarks = field(default_factory=Bookmarks)
    in_parts: bool = False
    recolor: Callable[[str], None] | None = None
    page: Callable[[bool], None] | None = None
    simplify: Callable[[bool], None] | None = None
    bearing: Bearing | None = None
    script: Scripting | None = None
    until: float = math.inf
    said: Said = field(default_factory=Said)
    output: Callable[[], str] = str
    _link: Link | None = field(default=None, init=False)
    _is_exact: bool = field(default=False, init=False)
    _moved: bool = field(default=False, init=False)
    _states: dict[str, PageState] = field(default_factory=dict, init=False)

    @property
    def link(self) -> Link:
        """The one link of this shell."""
        if self._link is None:
            self._link = self.connect()
        return self._link

    @property
    def is_connected(self) -> bool:
        """Whether there has been any need of the server."""
        return self._link is not None

    @contextmanager
    def kept(self, text: str) -> Iterator[None]:
        """Keep a line that runs meanwhile, unless it writes a password."""
        self.keep = Keep.ALWAYS
        self.lines.append(text)
        try:
            yield
        finally:
            if self.keep is Keep.NOWHERE:
                self.lines.pop()

    @contextmanager
    def unpaged(self) -> Iterator[None]:
        """Let no pager wait for keys meanwhile."""
        if self.page is not None:
            self.page(False)  # noqa: FBT003
        try:
            yield
        finally:
            if self.page is not None:
                self.page(self.settings.pager)

    def close(self) -> None:
        """Leave the server, if there was any need of it."""
        if self._link is not None:
            self._link.close()

    @property
    def left(self) -> float:
        """Seconds until the end of what runs, ``until`` on the monotonic clock; may be below 0."""
        return self.until - time.monotonic()

    @property
    def cwd(self) -> Path:
        """The working directory."""
        return Path.of_names(self.state.cwd)

    def absolute(self, path: Path) -> Path:
        """Return a path as it is seen from the root; asks where a bookmark is now."""
        if not path.bookmark:
            return path.under(self.cwd)
        mark = self.bookmarks.get(path.bookmark)
        return replace(path, bookmark="").under(Path.of_names(self._place_of(mark)))

    def _place_of(self, mark: Bookmark) -> str:
        """Return where a bookmark's place is now: at its path, else the only one of its kind."""
        with suppress(NotFound, NotEnterable):
            node = self.ask(asks.directory(Path.of_names(mark.path)))
            if mark.fits(node):
                return node.path
        wanted = Wanted(role=mark.role, label=mark.label)
        top = Path(absolute=True)
        found = [one for one in self.ask(asks.find(top, wanted)).matches if mark.fits(one)]
        return mark.only(found, self.state.page.url)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Shorten the deadline of what is asked meanwhile, and give it up on time."""
        before = self.settings
        self.settings = replace(before, timeout=min(before.timeout, seconds))
        self._is_exact = True
        try:
            yield
        finally:
            self.settings = before
            self._is_exact = False

    def ask(self, ask: Ask[V], *, deadline: float | None = None) -> V:
        """Ask, take over what the reply says of the page, and return the value or raise."""
        answer = self._sent(ask, deadline)
        if answer.error is not None:
            raise answer.error
        return _value(answer)

    def read(self, path: Path, make: Callable[[Path], Ask[V]]) -> V:
        """Ask for something at a path; again from where the shell then stands if it moved.

        Reading is harmless, so a page that navigated or a working directory that is gone
        costs a remark and not the command. An operand that is not there stays an error.
        """
        try:
            return self.ask(make(self.absolute(path)))
        except Stale:
            return self.ask(make(self.absolute(path)))
        except NotFound as error:
            if not self._lost_cwd(error) or path.absolute or path.segments:
                raise
            return self.ask(make(self.absolute(path)))

    def act(self, ask: Ask[Effect]) -> Effect:
        """Ask for an action, once, and see what became of the working directory."""
        try:
            effect = self.ask(ask)
        except NotFound as error:
            self._lost_cwd(error)
            raise
        moved = self._moved or _may_move(effect)
        if effect.dialog is None and self.state.cwd != "/" and moved:
            self.check_cwd()
        return effect

    def go(self, ask: Ask[Effect]) -> Effect:
        """Ask for a navigation; its path is the working directory that it led to."""
        effect = self.act(ask)
        return replace(effect, path=self.state.cwd)

    def check_cwd(self) -> None:
        """Make sure that the working directory exists; else fall back and say so."""
        try:
            self.ask(asks.directory(self.cwd))
        except NotFound as error:
            self._fall_back(error.reached)
        except (Interrupted, Lost):
            raise
        except DomshError:
            pass  # it cannot be looked at now: the next command will tell why

    def follow(self) -> None:
        """See where a line led that was not one of ours; a lane that it closed is given up."""
        try:
            answer = self._asked(asks.where(), None)
        except LaneFailed:  # so says a DOMShell server
            self._leave_lane()
            return
        self.adopt(answer.page, expected=True)
        if isinstance(answer.error, NotFound):
            self._leave_lane()

    def adopt(self, page: PageInfo | None, *, expected: bool) -> None:
        """Let the state follow the browser; ``expected`` when this request led there."""
        self._moved = False
        if page is None:
            return
        for notice in page.notices[:_MOST_NOTICES]:
            self.note(notice)
        more = len(page.notices) - _MOST_NOTICES
        if more > 0:
            self.note(f"and {more} more like that; `tabs` lists what is open")
        before = self.state.page
        self.state = self.state.arrived(page)
        known = before.tab == page.tab and before.entry
        self._moved = bool(known and (before.document, before.entry) != (page.document, page.entry))
        if self._moved and not expected:
            self.note(f"the page went to {one_line(page.url, 120)} by itself")

    def add_lane(self, name: str) -> None:
        """Go to a new lane, where nothing has been opened yet."""
        self._states[self.link.lane_name] = self.state
        self.link.add_lane(name)
        self.state = PageState()

    def use_lane(self, name: str) -> None:
        """Go to another lane, as it was left."""
        self._states[self.link.lane_name] = self.state
        self.link.use_lane(name)
        self.state = self._states.pop(name, PageState())

    def drop_lane(self, name: str) -> None:
        """Close a lane that is not the current one."""
        self.link.drop_lane(name, deadline=self.settings.timeout)
        self._states.pop(name, None)

    def _leave_lane(self) -> None:
        self.link.leave_lane()
        self.state = PageState()
        self.note("the lane is gone; the next command gets a new one")

    def _sent(self, ask: Ask[V], deadline: float | None) -> Answer[V]:
        answer = self._asked(ask, deadline)
        if not isinstance(answer.error, Lost):  # else what was known of the page is all there is
            self.adopt(answer.page, expected=ask.acts)
        return answer

    def _asked(self, ask: Ask[V], deadline: float | None) -> Answer[V]:
        seconds = self.settings.timeout if deadline is None else deadline
        return self.link.ask(
            ask,
            document=self.state.page.document,
            deadline=max(min(seconds, self.left), _LEAST),
            exact=self._is_exact,
        )

    def _lost_cwd(self, error: NotFound) -> bool:
        """Tell whether something was not found because the working directory is gone.

        What is missing can as well be beside it: ``../x``, ``/x``.
        """
        before = self.state.cwd
        if error.reached != before and _is_above(error.reached, before):
            self.check_cwd()
        return self.state.cwd != before

    def _fall_back(self, reached: str) -> None:
        cwd = self.state.cwd
        if reached != cwd and _is_above(reached, cwd):
            self.state = self.state.changed_directory(reached)
            self.note(f"{cwd} is gone; the working directory is {reached} now")


def _value(answer: Answer[V]) -> V:
    if answer.value is None:
        raise Failed("the server's reply holds no value")
    return answer.value


def _may_move(effect: Effect) -> bool:
    changes = effect.changes
    return effect.navigated or (
        effect.effect is not EffectKind.SENT and (changes is None or bool(changes.removed))
    )


def _is_above(path: str, other: str) -> bool:
    return path == "/" or other.startswith(f"{path}/")
