"""Runs batch files and lines from Python and gives what they did as values (docs/library.md).

``domsh_repl.batch`` has these names, too. Nothing is printed, and nothing read from the
configuration file or the environment: the options are all there is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from domsh_repl import __version__
from domsh_repl.assembly import link_of
from domsh_repl.batch import junit, scripts
from domsh_repl.batch.artifacts import Artifacts
from domsh_repl.batch.events import LineRun, Problem, RunResult, Section, Shown, Tally
from domsh_repl.batch.runner import load_script, needs_page
from domsh_repl.batch.site import serve_folder
from domsh_repl.commands.executor import Executor
from domsh_repl.commands.login import bring_back, read_login
from domsh_repl.commands.session import Session, Settings
from domsh_repl.commands.source import parsed_script
from domsh_repl.errors import DomshError, NotConnected
from domsh_repl.language import Script, ScriptErrors
from domsh_repl.looks import drawn, text_of
from domsh_repl.nodes import View
from domsh_repl.options import Mode, Options

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from domsh_repl.link.link import Link

__all__ = [
    "LineRun",
    "Problem",
    "RunOptions",
    "RunResult",
    "Runner",
    "ScriptErrors",
    "Section",
    "Shown",
    "Tally",
    "junit_xml",
    "run_file",
    "run_lines",
    "transcript",
]

_PLAIN_VIEW = View()
_DRAWN = Options(Mode.RUN, color="never")
_FIRST_LANE, _SPARE_LANE = "1", "spare"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How files run, as the options of ``domsh run`` say it.

    ``timeout`` (of a line), ``patience`` and ``deadline`` (of a file) are in seconds.
    ``artifacts`` is a folder for what is saved about a failure, ``state`` a file with the login
    that every file begins with, ``variables`` are those of every file.
    """

    site: str | PathLike[str] | None = None
    timeout: float = 30.0
    patience: float = 5.0
    deadline: float | None = None
    artifacts: str | PathLike[str] | None = None
    state: str | PathLike[str] | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    server: str = "builtin"
    token_env: str = ""
    read_only: bool = False
    browser: str | None = None
    cdp: str | None = None
    headed: bool = False
    profile: str | None = None
    proxy: str | None = None
    insecure: bool = False
    allow_file: bool = False
    allow_shell: bool = False


_DEFAULTS = RunOptions()


def run_file(
    path: str | PathLike[str],
    *,
    args: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
    options: RunOptions = _DEFAULTS,
) -> RunResult:
    """Run one batch file with a browser of its own; see ``Runner.run_file``."""
    with Runner(options) as runner:
        return runner.run_file(path, args=args, variables=variables)


def run_lines(
    lines: str | Iterable[str],
    *,
    args: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
    options: RunOptions = _DEFAULTS,
) -> RunResult:
    """Run lines as if they stood in a file, with a browser of their own."""
    with Runner(options) as runner:
        return runner.run_lines(lines, args=args, variables=variables)


def junit_xml(results: Sequence[RunResult], properties: Mapping[str, str] | None = None) -> str:
    """Return results as a JUnit XML document; ``properties`` are told of each file."""
    named = {"domsh": __version__, "python": sys.version.split()[0]} | dict(properties or {})
    return junit.junit_xml(results, _text, named)


def transcript(section: Section) -> str:
    """Return the lines of a section with what each printed, safe for a terminal."""
    return junit.transcript(section, _text)


def _text(value: object, view: View = _PLAIN_VIEW) -> str:
    return text_of(_DRAWN, value, view)


class Runner:
    """Keeps one browser for several files; each has a lane of its own, with its own cookies.

    A context manager: the browser starts with the first line that needs it and ends with the
    context. Not for several threads at once. Raises ``UsageError`` where there is no such site and
    ``Failed`` where the file of a ``state`` is none.
    """

    def __init__(self, options: RunOptions = _DEFAULTS) -> None:
        state = options.state
        self._login = None if state is None else read_login(Path(fspath(state)))
        self.options = options
        self._told = _told(options)
        self._link: Link | None = None
        self._versions: dict[str, str] = {}
        self._stack = ExitStack()
        self._site = ""
        if options.site is not None:
            self._site = self._stack.enter_context(serve_folder(fspath(options.site)))

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End the browser and the site."""
        self._drop_link()
        self._stack.close()

    @property
    def versions(self) -> dict[str, str]:
        """The server and the browser that the files had, as far as there was any need of them."""
        return dict(self._versions)

    def run_file(
        self,
        path: str | PathLike[str],
        *,
        args: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> RunResult:
        """Run a batch file; ``args`` are its ``$1``, ``$2`` …, ``variables`` its other ones.

        What its lines come to is in the result. Raises ``ScriptErrors`` where the file has
        mistakes and ``UsageError`` where it cannot be read; nothing has run then.
        """
        return self.run_script(self.load(path), args=args, variables=variables)

    def run_lines(
        self,
        lines: str | Iterable[str],
        *,
        args: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> RunResult:
        """Run lines as if they stood in a file; see ``run_file``."""
        text = lines if isinstance(lines, str) else "\n".join(lines)
        may_shell = self.options.allow_shell
        script = parsed_script(text, "lines", (), may_shell=may_shell)
        return self.run_script(script, args=args, variables=variables)

    def load(self, path: str | PathLike[str]) -> Script:
        """Read and check a batch file, and run nothing; raises as ``run_file`` does."""
        return load_script(fspath(path), sys.stdin.buffer, may_shell=self.options.allow_shell)

    def run_script(
        self,
        script: Script,
        *,
        args: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> RunResult:
        """Run a script that was read before; see ``run_file``."""
        session = self._session(args, variables or {})
        executor = Executor(session, _Silent(), _Silent(), draw=partial(drawn, _DRAWN))
        following = scripts.Following(
            failed=lambda ran: self._saved(session, ran), keeps_values=True
        )
        try:
            if any(map(needs_page, script.lines)):
                self._linked()
                if self._login is not None:
                    bring_back(session, self._login)
            result = scripts.run_script(executor, script, following, deadline=self.options.deadline)
        except BaseException:
            self._drop_link()
            raise
        self._note_versions()
        if result.status == NotConnected.exit_status:
            self._drop_link()  # the next file gets another browser
        self._renew_lane()
        return result

    def _session(self, args: Sequence[str], variables: Mapping[str, str]) -> Session:
        options = self.options
        session = Session(self._linked, _settings(options), note=_say_nothing)
        session.variables.update({**options.variables, **variables})
        session.variables["@"] = tuple(args)
        if self._site:
            session.variables["site"] = self._site
        return session

    def _linked(self) -> Link:
        if self._link is None:
            self._link = link_of(self._told)
            self._link.note = _say_nothing
            self._link.start()
        return self._link

    def _note_versions(self) -> None:
        """Keep what the server said of itself, if it was asked for anything."""
        if self._link is not None and self._link.lane:
            named = {"server": self._link.server, "browser": self._link.about.browser}
            self._versions = {name: value for name, value in named.items() if value}

    def _drop_link(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def _renew_lane(self) -> None:
        """Close the lanes of the file that ended; the next one finds a first lane again."""
        link = self._link
        if link is None:
            return
        try:
            link.add_lane(_SPARE_LANE)
            for lane in link.lanes:
                if lane.name != _SPARE_LANE:
                    link.drop_lane(lane.name)
            link.add_lane(_FIRST_LANE)
            link.drop_lane(_SPARE_LANE)
        except DomshError:
            self._drop_link()  # the next file gets another browser

    def _saved(self, session: Session, ran: LineRun) -> tuple[str, ...]:
        if self.options.artifacts is None:
            return ()
        return Artifacts(Path(self.options.artifacts), _text).save(session, ran)


def _told(options: RunOptions) -> Options:
    """Return the options of a command line that say the same of the server."""
    return replace(
        _DRAWN,
        server=options.server,
        token_env=options.token_env,
        read_only=options.read_only,
        browser=options.browser,
        cdp=options.cdp,
        headed=options.headed,
        profile=options.profile,
        proxy=options.proxy,
        insecure=options.insecure,
        allow_file=options.allow_file,
    )


def _settings(options: RunOptions) -> Settings:
    return Settings(
        timeout=options.timeout,
        patience=options.patience,
        allow_file=options.allow_file,
        allow_shell=options.allow_shell,
        color="never",
    )


def _say_nothing(_text: str) -> None:
    """Who asks for values reads no remarks."""


class _Silent:
    """A screen that shows nothing: what would be shown is in the result."""

    def show(self, value: object, view: View = _PLAIN_VIEW, *, status: int = 0) -> None:
        """Show nothing."""

    def error(self, error: DomshError, *, where: str = "") -> None:
        """Tell nothing."""

    def note(self, text: str, *, warning: bool = False) -> None:
        """Tell nothing."""

    def lent(self) -> AbstractContextManager[None]:
        """Let anybody write."""
        return nullcontext()
