"""``pytest --domsh``: batch files are tests, one a file (docs/library.md).

Loaded by every pytest beside which domsh is installed, so it imports nothing before it is used.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from domsh_repl.batch.events import LineRun, RunResult
    from domsh_repl.language import Script
    from domsh_repl.library import Runner

__all__ = ["DomshFile", "DomshItem"]

_SUFFIX = ".domsh"
_INTERRUPTED = 130
_RUNNER = pytest.StashKey["Runner"]()
_WISHES = pytest.StashKey[dict[str, Any]]()


@dataclass(frozen=True, slots=True)
class _Option:
    """An option and its ini key; a ``path`` of an ini file is seen from the root folder."""

    name: str
    metavar: str
    help: str
    is_path: bool = False

    @property
    def flag(self) -> str:
        """Return how it is written."""
        return f"--domsh-{self.name}"

    @property
    def key(self) -> str:
        """Return its ini key."""
        return f"domsh_{self.name}"

    def value(self, config: pytest.Config) -> str | None:
        """Return what was said, nearest first."""
        given: str | None = config.getoption(self.key)
        if given is not None:
            return given
        written = str(config.getini(self.key))
        if written and self.is_path:
            return str(config.rootpath / written)
        return written or None


_SITE = _Option("site", "DIR", "serve a folder as $site while the files run", is_path=True)
_ARTIFACTS = _Option(
    "artifacts", "DIR", "save the picture, the tree and the logs of each failure", is_path=True
)
_STATE = _Option("state", "FILE", "begin each file with the login that is kept", is_path=True)
_TIMEOUT = _Option("timeout", "T", "give each line so long: 30, 300ms, 2m")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Tell pytest the options and ini keys."""
    group = parser.getgroup("domsh", "batch files of domsh")
    group.addoption("--domsh", action="store_true", help="collect *.domsh files as tests")
    parser.addini("domsh", "collect *.domsh files as tests", type="bool", default=False)
    for one in (_SITE, _ARTIFACTS, _STATE, _TIMEOUT):
        group.addoption(one.flag, dest=one.key, metavar=one.metavar, help=one.help)
        parser.addini(one.key, one.help, default="")
    about = "set a variable of every file; can be given again"
    group.addoption(
        "--domsh-var", dest="domsh_var", action="append", metavar="N=V", default=[], help=about
    )
    parser.addini("domsh_var", "variables of every file, N=V, one a line", type="linelist")


@pytest.hookimpl(trylast=True)  # pytest's own report is there then
def pytest_configure(config: pytest.Config) -> None:
    """Check the options, and let the files' output into a JUnit report."""
    if not _is_wanted(config):
        return
    config.stash[_WISHES] = _wishes(config)
    if not config.getoption("xmlpath", None):
        return
    from _pytest.junitxml import xml_key  # noqa: PLC0415

    report = config.stash.get(xml_key, None)
    if report is not None:
        config.pluginmanager.register(_Reporting(report), "domsh-junit")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the browser."""
    runner = config.stash.get(_RUNNER, None)
    if runner is not None:
        del config.stash[_RUNNER]
        runner.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect batch files, if they are wanted."""
    if file_path.suffix != _SUFFIX or not _is_wanted(parent.config):
        return None
    file: pytest.Collector = DomshFile.from_parent(parent, path=file_path)
    return file


def _is_wanted(config: pytest.Config) -> bool:
    return bool(config.getoption("domsh") or config.getini("domsh"))


class _Reporting:
    """Writes what files printed into the report also where nothing says ``junit_logging``.

    The attachments are in there, and without them the report would not be whole.
    """

    def __init__(self, report: Any) -> None:
        self._report = report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        """Switch the output on for a batch file."""
        before = self._report.logging
        is_file = report.nodeid.partition("::")[0].endswith(_SUFFIX)
        if is_file and report.when == "teardown" and before == "no":  # then it is written once
            self._report.logging = "system-out"
        try:
            yield
        finally:
            self._report.logging = before


class DomshFile(pytest.File):
    """A batch file; mistakes in it are told when it is collected."""

    def collect(self) -> Iterator[pytest.Item]:
        """Give the one test of the file."""
        from domsh_repl.errors import DomshError  # noqa: PLC0415
        from domsh_repl.language import ScriptErrors  # noqa: PLC0415

        try:
            script = _runner(self.config).load(_shown(self.path))
        except ScriptErrors as errors:
            raise self.CollectError(errors.render()) from errors
        except DomshError as error:
            raise self.CollectError(_told(error.message, error.hint)) from error
        yield DomshItem.from_parent(self, name=self.path.stem, script=script)


class DomshItem(pytest.Item):
    """A batch file as a test: it runs in a lane of its own."""

    def __init__(self, *, script: Script, **more: Any) -> None:
        super().__init__(**more)
        self.script = script

    def runtest(self) -> None:
        """Run the file; raises ``_FileFailed``, and skips where the file says so."""
        self._report_sections.clear()  # of an earlier try
        result = _runner(self.config).run_script(self.script)
        self.add_report_section("call", "stdout", _printed(result))
        self.add_report_section("call", "domsh", f"{result.tally}\n")
        if result.status == _INTERRUPTED:
            raise KeyboardInterrupt
        if result.skipped and not result.status:
            raise pytest.skip.Exception(result.skipped, _use_item_location=True)
        if result.status:
            raise _FileFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Tell a failure as ``domsh run`` does."""
        if isinstance(excinfo.value, _FileFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the test is written."""
        return self.path, 0, _shown(self.path)


class _FileFailed(Exception):  # noqa: N818  (it is no error of the program)
    def __init__(self, result: RunResult) -> None:
        failed = [line for line in result.lines if not line.ok]
        rows = [row for line in failed for row in _failure(line)]
        super().__init__("\n".join([*rows, f"{result.tally} (exit status {result.status})"]))


def _failure(line: LineRun) -> Iterator[str]:
    from domsh_repl.safetext import escape_block  # noqa: PLC0415

    yield f"{line.where}: {escape_block(line.text)} (exit status {line.status})"
    for problem in line.problems:
        yield f"  {escape_block(_told(problem.message, problem.hint))}"


def _told(message: str, hint: str) -> str:
    return f"{message}\n  hint: {hint}" if hint else message


def _printed(result: RunResult) -> str:
    """Return what the file printed, with its attachments as CI systems find them."""
    from domsh_repl.library import transcript  # noqa: PLC0415

    return "".join(transcript(section) + section.attachments for section in result.sections)


def _shown(path: Path) -> str:
    """Return a path as it is seen from here, if it is below."""
    seen = os.path.relpath(path)
    return str(path) if seen.startswith(os.pardir) else seen


def _runner(config: pytest.Config) -> Runner:
    """Return the one runner of this process; its browser starts with the first page."""
    if _RUNNER in config.stash:
        return config.stash[_RUNNER]
    from domsh_repl.library import Runner, RunOptions  # noqa: PLC0415

    config.stash[_RUNNER] = Runner(RunOptions(**config.stash[_WISHES]))
    return config.stash[_RUNNER]


def _wishes(config: pytest.Config) -> dict[str, Any]:
    """Return what the options and ini keys say, checked."""
    from domsh_repl.errors import DomshError  # noqa: PLC0415
    from domsh_repl.measures import parse_seconds  # noqa: PLC0415

    site, timeout = _SITE.value(config), _TIMEOUT.value(config)
    if site is not None and not Path(site).is_dir():
        raise pytest.UsageError(f"{_SITE.flag}: there is no folder {site!r}")
    words = [*config.getini("domsh_var"), *config.getoption("domsh_var")]
    wishes = {
        "site": site, "artifacts": _ARTIFACTS.value(config), "variables": _variables(words),
        "state": _state(config),
    }  # fmt: skip
    try:
        return wishes if timeout is None else {**wishes, "timeout": parse_seconds(timeout)}
    except DomshError as error:
        raise pytest.UsageError(f"{_TIMEOUT.flag}: {_told(error.message, error.hint)}") from error


def _state(config: pytest.Config) -> str | None:
    """Return the file of the login, which is one."""
    from domsh_repl.commands.loginfile import read_login  # noqa: PLC0415
    from domsh_repl.errors import DomshError  # noqa: PLC0415

    name = _STATE.value(config)
    try:
        if name is not None:
            read_login(name)
    except DomshError as error:
        raise pytest.UsageError(f"{_STATE.flag}: {_told(error.message, error.hint)}") from error
    return name


def _variables(words: Sequence[str]) -> dict[str, str]:
    named = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier():
            raise pytest.UsageError(f"--domsh-var: {word!r} is not NAME=VALUE")
        named[name] = value
    return named
