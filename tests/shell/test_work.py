"""What an accepted line does beside its command: defects, what it may leave behind, progress."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NoReturn

import pytest

from domsh_repl.commands.executor import Executor
from domsh_repl.commands.session import Session
from domsh_repl.errors import CannotWrite
from domsh_repl.language import Line
from domsh_repl.link.link import Link
from domsh_repl.shell.progress import Progress
from domsh_repl.shell.work import Work
from tests.doubles import Double
from tests.sessions import Recorder


class Broken(Executor):
    """An executor with a defect of that kind."""

    defect: BaseException = ZeroDivisionError("by\x1bzero")

    def run(self, line: Line, *, where: str = "") -> NoReturn:
        """Fail."""
        del line, where
        raise self.defect


def work_with(screen: Recorder, *, shows_tracebacks: bool = False) -> Work:
    """Return the work of a shell whose commands are broken."""

    def tell(write: Callable[[], None]) -> None:
        write()

    session = Session(lambda: Link(Double()))
    session.state = session.state.changed_directory("/main_1")
    executor = Broken(session, screen, screen)
    return Work(executor, tell, lambda: None, shows_tracebacks=shows_tracebacks)


def test_a_defect_costs_one_line_and_no_state() -> None:
    screen = Recorder()
    work = work_with(screen)
    work.run("pwd")
    (error,) = screen.errors
    assert error.message == "a defect: ZeroDivisionError: by\\u001bzero"
    assert "--debug" in error.hint
    assert work.session.status == 1
    assert work.session.state.cwd == "/main_1"


def test_debug_shows_where_and_the_shell_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Recorder()
    work_with(screen, shows_tracebacks=True).run("pwd")
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert "\x1b" not in shown
    assert len(screen.errors) == 1


@pytest.mark.parametrize("kind", [CannotWrite, BrokenPipeError])
def test_a_terminal_that_is_gone_ends_the_shell(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    monkeypatch.setattr(Broken, "defect", kind("x"))
    with pytest.raises(kind):
        work_with(Recorder()).run("pwd")


def test_progress_is_told_to_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domsh_repl.shell.progress._PATIENCE", 0.001)
    for terminal in (False, True):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda answer=terminal: answer, raising=False)
        asked: list[str] = []

        def awaited(asked: list[str] = asked) -> str:
            asked.append("x")
            return "ls:"

        with Progress(stream).waiting(awaited):
            while terminal and not asked:
                pass
        assert bool(stream.getvalue()) is terminal
