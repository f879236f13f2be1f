"""How a shell ends on another server, and what Ctrl-C does: one command is cancelled, no more."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fakeserver import FakeServer, Script, serving_http, stdio_command
from tests.program import LONGEST, domsh, family, gone, started
from tests.shell.conftest import need_a_terminal
from tests.shell.terminal import Terminal

ENDS = {
    "a line": ("-c", "pwd"),
    "a failing line": ("-c", "cat nosuch"),
    "quit": ("-c", "pwd; quit; pwd"),
    "a file": ("run", "FILE"),
    "a pipe": (),
}
NOT_FOUND = json.dumps({
    "page": {"url": "http://h/", "tab": 1, "document": "D", "entry": 1},
    "error": {"code": "not_found", "message": "no nosuch in /", "hint": "`ls`", "reached": "/"},
})  # fmt: skip


@pytest.fixture
def terminal() -> Iterator[ExitStack]:
    """Give a stack on which terminals are put; all are closed in the end."""
    need_a_terminal()
    with ExitStack() as stack:
        yield stack


def shell(stack: ExitStack, home: Path, *arguments: str) -> Terminal:
    """Start domsh in a terminal."""
    made = Terminal(home, *arguments)
    stack.callback(made.close)
    return made


def closed_lanes(fake: FakeServer) -> list[str]:
    """Return the lanes that were closed, each as the ``group_id`` of the line that did it."""
    calls = fake.calls()
    return [call["group_id"] for call in calls if call["command"].endswith("close")]


@pytest.mark.parametrize("end", list(ENDS))
def test_however_a_run_ends_its_own_lane_is_closed_once_and_nothing_is_said(
    end: str, tmp_path: Path
) -> None:
    file = tmp_path / "lines.domsh"
    file.write_text("pwd\nexit\npwd\n")
    arguments = [str(file) if one == "FILE" else one for one in ENDS[end]]
    with serving_http(Script(replies={"cat": f"{NOT_FOUND}\n\n[lane: 7]"})) as (url, fake):
        ran = domsh("-q", "--server", url, *arguments, stdin="pwd\n" if end == "a pipe" else None)
    assert ran.status == (1 if end == "a failing line" else 0)
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= (2 if ran.status else 1)
    assert closed_lanes(fake) == ["7"]
    assert fake.sessions == set()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_closes_the_lane_and_says_one_line_at_most(how: signal.Signals) -> None:
    with serving_http(Script(hangs_at=("find",))) as (url, fake):
        with started("--server", url, "-c", "find --type link") as process:
            assert fake.reached.wait(LONGEST)
            process.send_signal(how)
            _, err = process.communicate(timeout=LONGEST)
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        assert len(err.splitlines()) == (how == signal.SIGINT)
        assert closed_lanes(fake) == ["7"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_child_and_none_of_its_children(
    how: signal.Signals, tmp_path: Path
) -> None:
    log, pid = tmp_path / "log", tmp_path / "pid"
    script = Script(hangs_at=("find",), log=str(log), grandchild=str(pid))
    with started("--server", stdio_command(script), "-c", "find --type link") as run:
        _until(lambda: log.exists() and "find" in log.read_text())
        children = family(run)
        assert int(pid.read_text()) in [child.pid for child in children]
        run.send_signal(how)
        _, err = run.communicate(timeout=LONGEST)
        assert run.returncode == -how
        assert err == b""
    assert gone(children)


def test_a_child_ends_with_a_shell_that_was_killed() -> None:
    with started("--server", stdio_command(Script()), stdin=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(b"pwd\n")
        run.stdin.flush()
        assert run.stdout.readline()
        children = family(run)
        run.kill()
        assert run.wait(LONGEST) == -signal.SIGKILL
    assert children
    assert gone(children)


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("transport", "after"),
    [
        *(("stdio", after) for after in (0.0, 0.4, 1.0, 1.8)),
        *(("http", after) for after in (0.2, 1.4)),
    ],
)
def test_ctrl_c_at_any_moment_of_a_run_is_one_line_and_leaves_nothing(
    after: float, transport: str
) -> None:
    script = Script(hangs_at=("find",), start_seconds=0.3)
    with ExitStack() as stack:
        if transport == "http":
            server, _ = stack.enter_context(serving_http(script))
        else:
            server = stdio_command(script)
        process = stack.enter_context(started("--server", server, "-c", "find --type link"))
        _in_python(process)
        time.sleep(after)  # the moment is what is tried here
        children = family(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130
    assert out == b""
    assert err.endswith(b"interrupted\n")
    assert len(err.splitlines()) == 1
    assert gone(children)


def _in_python(process: subprocess.Popen[bytes]) -> None:
    """Wait until the program has begun: before that the signal is the interpreter's own."""
    maps = Path(f"/proc/{process.pid}/maps")
    _until(lambda: b"_queue" in maps.read_bytes())


@pytest.mark.parametrize("presses", [2, 3])
def test_more_presses_while_it_ends_leave_no_trace(presses: int) -> None:
    with serving_http(Script(hangs_at=("find", "group"))) as (url, fake):
        with started("--server", url, "-c", "find --type link") as process:
            assert fake.reached.wait(LONGEST)
            for _ in range(presses):
                process.send_signal(signal.SIGINT)
                time.sleep(0.15)
            _, err = process.communicate(timeout=LONGEST)
        assert process.returncode in (130, -signal.SIGINT)  # both are 130 to a shell
        assert b"Traceback" not in err
        assert len(err.splitlines()) <= 1


def test_ctrl_c_in_a_terminal_cancels_the_command_and_not_the_server(
    terminal: ExitStack, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    script = Script(hangs_at=("find",), log=str(log))
    screen = shell(terminal, tmp_path, "--server", stdio_command(script))
    screen.prompt()
    screen.run("pwd")
    (server,) = [one for one in screen.processes()[1:] if "fakeserver" in str(one.cmdline())]
    screen.type("find --type link", "Enter")
    screen.wait(lambda: "find" in log.read_text(), "line at the server")
    screen.type("", "Ctrl-C")
    screen.prompt()
    assert "interrupted" in screen.screen
    assert server.is_running()
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert [one["method"] for one in messages].count("initialize") == 1
    screen.type("quit", "Enter")
    assert screen.wait_for_end() == 0
    assert gone([server])


def test_a_server_that_dies_leaves_the_prompt_and_reconnecting_goes_on(
    terminal: ExitStack, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    script = Script(dies_in=("click",), log=str(log))
    screen = shell(terminal, tmp_path, "--server", stdio_command(script))
    screen.prompt()
    screen.run("pwd")
    screen.run("click x")
    screen.see("whether `click` was done is not known")
    screen.run("pwd")
    screen.see("the server is gone")
    screen.run("reconnect")
    screen.see("connected again")
    screen.run("pwd")
    lines = [
        json.loads(line)["params"] for line in log.read_text().splitlines() if "execute" in line
    ]
    assert sum(one["arguments"]["command"].startswith("click") for one in lines) == 1


@pytest.mark.parametrize("key", ["Ctrl-D", "quit"])
def test_leaving_a_terminal_closes_the_lane_and_says_nothing_more(
    key: str, terminal: ExitStack, tmp_path: Path
) -> None:
    # there are no news: the prompt asks for them meanwhile
    with serving_http(Script(hangs_at=("wait",))) as (url, fake):
        screen = shell(terminal, tmp_path, "--server", url)
        screen.prompt()
        screen.run("pwd")
        before = screen.screen.splitlines()
        screen.type(*(("", key) if key == "Ctrl-D" else (key, "Enter")))
        assert screen.wait_for_end() == 0
        assert "Traceback" not in screen.screen
        assert len(screen.screen.splitlines()) <= len(before), screen.screen
        assert closed_lanes(fake) == ["7"]


def test_ctrl_c_during_the_start_and_the_end_of_a_terminal_is_quiet(
    terminal: ExitStack, tmp_path: Path
) -> None:
    script = Script(start_seconds=2.0, hangs_at=("group",))
    screen = shell(terminal, tmp_path, "--server", stdio_command(script))
    screen.prompt()
    screen.type("pwd", "Enter")
    screen.see("starting env")
    screen.type("", "Ctrl-C")
    screen.see("interrupted")
    screen.prompt()
    screen.run("pwd")
    screen.type("", "Ctrl-D")
    time.sleep(0.3)
    screen.type("", "Ctrl-C", "Ctrl-C")
    screen.wait_for_end()
    assert "Traceback" not in screen.screen
    assert "Exception" not in screen.screen


def test_another_s_lane_is_a_warning_in_the_prompt(terminal: ExitStack, tmp_path: Path) -> None:
    script = Script(default=Script().default.replace("[lane: 7]", "[lane: shared]"))
    with serving_http(script) as (url, _):
        screen = shell(terminal, tmp_path, "--server", url, "--lane", "shared")
        screen.prompt()
        screen.run("pwd")
        place = screen.line.index("lane shared!")
        row = screen._screen.buffer[screen._screen.cursor.y]
        assert {row[place + step].fg for step in range(11)} == {"red"}


def test_a_long_start_shows_what_the_child_says(terminal: ExitStack, tmp_path: Path) -> None:
    script = Script(start_seconds=4.0, progress=("fetched 1 of 9", "fetched 2 of 9"))
    screen = shell(terminal, tmp_path, "--server", stdio_command(script))
    screen.prompt()
    screen.type("pwd", "Enter")
    screen.see("fetched 1 of 9")
    screen.see("fetched 2 of 9")
    screen.prompt()


def test_the_token_is_on_no_screen_and_in_no_file_and_in_no_command_line(
    terminal: ExitStack, tmp_path: Path
) -> None:
    token = "s3cret-of-the-server"
    with serving_http(Script(token=token)) as (url, _):
        environment = {"T": token}
        screen = Terminal(tmp_path, "--server", url, "--token-env", "T", environment=environment)
        terminal.callback(screen.close)
        screen.prompt()
        for line in ("pwd", "status", "history", "reconnect", "raw pwd"):
            screen.run(line)
        lines = [" ".join(process.cmdline()) for process in screen.processes()]
        screen.type("quit", "Enter")
        screen.wait_for_end()
    assert token.encode() not in screen.raw
    assert token not in str(lines)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files, "the history"
    assert not [file for file in files if token.encode() in file.read_bytes()]
