from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from domsh_repl.engine.browser import (
    BrowserProcess,
    flags,
    start_browser,
    start_failure,
)
from domsh_repl.engine.browser_paths import (
    BrowserKind,
    FoundBrowser,
    find_browser,
)
from domsh_repl.engine.cdp import Connection
from domsh_repl.engine.engine import BrowserOptions, Engine
from domsh_repl.errors import NotConnected

DEADLINE = 20.0


def test_features_are_disabled_in_one_flag_also_with_those_of_the_user() -> None:
    made = flags(headed=False, root=False, profile=None, extra=["--disable-features=Mine", "--x"])
    (features,) = [flag for flag in made if flag.startswith("--disable-features=")]
    assert {"BackForwardCache", "Translate", "Mine"} <= set(features.partition("=")[2].split(","))
    assert "--enable-blink-features=ComputedAccessibilityInfo" in made
    assert made[-2:] == ["--x", "about:blank"]


def test_the_sandbox_is_given_up_as_root_only() -> None:
    assert "--no-sandbox" in flags(headed=False, root=True, profile=None)
    assert "--no-sandbox" not in flags(headed=False, root=False, profile=None)


def test_a_window_is_not_headless_and_keeps_the_profile_it_was_told() -> None:
    made = flags(headed=True, root=False, profile="/p")
    assert "--headless" not in made
    assert "--user-data-dir=/p" in made


@pytest.fixture
def shell() -> FoundBrowser:
    return find_browser(None)


@pytest.fixture
def with_profile(shell: FoundBrowser) -> FoundBrowser:
    """Return a browser with a profile: Chromium, or the headless shell in its place."""
    chromium = Path("/usr/bin/chromium")
    path = str(chromium) if chromium.exists() else shell.path
    return FoundBrowser(path, BrowserKind.CHROMIUM)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the directory for temporary files; it must be empty in the end."""
    directory = tmp_path / "t"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield directory
    assert list(directory.iterdir()) == []


def answer(process: BrowserProcess, message: str) -> str:
    """Return the reply to a CDP message, or "" when the pipe ends."""
    os.write(process.write_fd, message.encode() + b"\0")
    return read(process.read_fd)


def read(fd: int) -> str:
    reply, end = b"", time.monotonic() + DEADLINE
    while not reply.endswith(b"\0"):
        ready, _, _ = select.select([fd], [], [], max(0.0, end - time.monotonic()))
        assert ready, "the browser gave no answer in time"
        chunk = os.read(fd, 65_536)
        if not chunk:
            return ""
        reply += chunk
    return reply[:-1].decode()


def session(pid: int) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == pid and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


def assert_gone(pid: int) -> None:
    """Give the kernel the time it needs to end what has been told to."""
    end = time.monotonic() + 10
    while left := session(pid):
        assert time.monotonic() < end, left
        time.sleep(0.01)


VERSION = '{"id":1,"method":"Browser.getVersion"}'


def test_a_started_browser_answers_and_close_leaves_nothing_of_it(
    shell: FoundBrowser, temporary: Path
) -> None:
    descriptors = psutil.Process().num_fds()
    process = start_browser(shell)
    assert "product" in json.loads(answer(process, VERSION))["result"]
    assert process.exit_status is None
    assert session(process.pid)
    assert list(temporary.iterdir()) == []

    async def close_twice() -> None:
        await process.close()
        await process.close()

    asyncio.run(close_twice())
    assert_gone(process.pid)
    assert process.exit_status == 0, "it ended by its closed pipe and was not killed"
    assert process.read_fd == process.write_fd == -1
    assert psutil.Process().num_fds() == descriptors


def test_a_temporary_profile_goes_with_its_browser(
    with_profile: FoundBrowser, temporary: Path
) -> None:
    process = start_browser(with_profile)
    assert answer(process, VERSION)
    assert [str(entry) for entry in temporary.iterdir()] == [process.profile]
    assert any(Path(process.profile).iterdir())
    asyncio.run(process.close())
    assert_gone(process.pid)


def test_a_profile_that_was_named_stays(
    with_profile: FoundBrowser, temporary: Path, tmp_path: Path
) -> None:
    process = start_browser(with_profile, profile=str(tmp_path / "kept"))
    assert answer(process, VERSION)
    assert list(temporary.glob("domsh-*")) == []
    asyncio.run(process.close())
    assert (tmp_path / "kept").is_dir()


@pytest.mark.usefixtures("temporary")
def test_a_browser_that_has_died_is_closed_all_the_same(with_profile: FoundBrowser) -> None:
    process = start_browser(with_profile)
    assert answer(process, VERSION)
    os.killpg(process.pid, signal.SIGKILL)
    assert read(process.read_fd) == ""
    asyncio.run(process.close())
    assert process.exit_status == -signal.SIGKILL
    assert_gone(process.pid)


@pytest.mark.usefixtures("temporary")
def test_a_browser_that_ignores_its_closed_pipe_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domsh_repl.engine.browser._CLOSE_SECONDS", 0.05)
    program = script(tmp_path, "sleep 60 & printf ready >&4; sleep 60")
    process = start_browser(FoundBrowser(program, BrowserKind.CHROMIUM))
    assert os.read(process.read_fd, 5) == b"ready"
    asyncio.run(process.close())
    assert_gone(process.pid)
    assert process.exit_status == -signal.SIGKILL


STARTER = """
import os, signal, sys
from domsh_repl.engine.browser import start_browser
from domsh_repl.engine.browser_paths import BrowserKind, FoundBrowser
process = start_browser(FoundBrowser(sys.argv[1], BrowserKind(sys.argv[2])))
os.write(process.write_fd, b'{"id":1,"method":"Browser.getVersion"}' + bytes(1))
assert os.read(process.read_fd, 65536)
print(process.pid, flush=True)
signal.pause()
"""


def end_of_parent(found: FoundBrowser, temporary: Path) -> None:
    command = [sys.executable, "-c", STARTER, found.path, found.kind.value]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        try:
            ready, _, _ = select.select([parent.stdout], [], [], DEADLINE)
            assert ready, "the browser did not start in time"
            pid = int(parent.stdout.readline())
            assert len(session(pid)) > 1
            assert bool(list(temporary.iterdir())) is found.needs_profile
        finally:
            parent.kill()
    assert_gone(pid)


def test_no_process_outlives_a_killed_parent(shell: FoundBrowser, temporary: Path) -> None:
    end_of_parent(shell, temporary)


def test_no_process_and_no_profile_outlives_a_killed_parent(
    with_profile: FoundBrowser, temporary: Path
) -> None:
    end_of_parent(with_profile, temporary)


STUBBORN = {
    "minds no pipe": "printf ready >&4; exec sleep 60",
    "minds no signal": "trap '' TERM HUP INT; printf ready >&4; sleep 60; sleep 60",
    "is stopped": "printf ready >&4; kill -STOP $$",
    "leaves a child": "printf ready >&4; sleep 60 & exit",
}
"""Programs that hang in the place of a browser, or leave something that does."""


@pytest.mark.parametrize("kind", [BrowserKind.HEADLESS_SHELL, BrowserKind.CHROME])
def test_not_even_a_browser_that_hangs_outlives_a_killed_parent(
    kind: BrowserKind, temporary: Path, tmp_path: Path
) -> None:
    parents = []
    for number, text in enumerate(STUBBORN.values()):
        (tmp_path / str(number)).mkdir()
        program = script(tmp_path / str(number), text)
        command = [sys.executable, "-c", STARTER, program, kind.value]
        parents.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    pids = []
    for parent in parents:
        with parent:
            assert parent.stdout is not None
            pids.append(int(parent.stdout.readline()))
            parent.kill()
    for pid in pids:
        assert_gone(pid)
    assert list(temporary.iterdir()) == []


def test_no_profile_outlives_a_session_that_is_told_to_end(
    with_profile: FoundBrowser, temporary: Path
) -> None:
    process = start_browser(with_profile)
    assert answer(process, VERSION)
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(5)
    assert list(temporary.iterdir()) == []
    asyncio.run(process.close())


def script(directory: Path, text: str) -> str:
    program = directory / "fake-browser"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return str(program)


def failure(found: FoundBrowser) -> NotConnected:
    process = start_browser(found)
    assert read(process.read_fd) == ""
    error = start_failure(process)
    asyncio.run(process.close())
    return error


@pytest.mark.parametrize("kind", [BrowserKind.HEADLESS_SHELL, BrowserKind.CHROME])
@pytest.mark.usefixtures("temporary")
def test_a_program_that_ends_at_once_is_no_browser(kind: BrowserKind) -> None:
    error = failure(FoundBrowser("/bin/false", kind))
    assert error.message == "false ended at once (exit status 1): it gave no reason"
    assert "--browser PATH" in error.hint


@pytest.mark.usefixtures("temporary")
def test_a_program_that_cannot_be_executed_leaves_nothing(tmp_path: Path) -> None:
    descriptors = psutil.Process().num_fds()
    with pytest.raises(NotConnected, match="does not start") as caught:
        start_browser(FoundBrowser(str(tmp_path / "none"), BrowserKind.HEADLESS_SHELL))
    assert "--browser PATH" in caught.value.hint
    assert psutil.Process().num_fds() == descriptors


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused a sandbox")
def test_a_browser_that_refuses_root_is_quoted_without_its_log_prefix(
    shell: FoundBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    error = failure(shell)
    assert ": Running as root without --no-sandbox is not supported" in error.message
    assert error.hint == "run domsh as an ordinary user"


def test_the_fatal_line_tells_more_than_what_follows_and_comes_escaped(tmp_path: Path) -> None:
    program = script(
        tmp_path,
        "printf '[1:1:1130/1.2:FATAL:a.cc(1)] no \\033[31mdisk\\n' >&2\n"
        "echo '[1:1:1130/1.2:ERROR:dbus/bus.cc(406)] Failed to connect' >&2\n"
        "echo 'goodbye' >&2; exit 3",
    )
    error = failure(FoundBrowser(program, BrowserKind.HEADLESS_SHELL))
    assert error.message == r"fake-browser ended at once (exit status 3): no \u001b[31mdisk"


def test_of_what_a_browser_says_only_the_end_is_kept(tmp_path: Path) -> None:
    program = script(tmp_path, "seq 1 8000 >&2; read -r line <&3; echo end >&2")
    process = start_browser(FoundBrowser(program, BrowserKind.HEADLESS_SHELL))
    os.write(process.write_fd, b"\n")
    assert process.wait(DEADLINE)
    asyncio.run(process.close())
    assert process.stderr_tail().endswith("end\n")
    assert len(process.stderr_tail()) == 16_384


def test_the_pipe_arrives_also_where_standard_input_and_output_are_closed(
    shell: FoundBrowser,
) -> None:
    text = STARTER.replace("print(process.pid, flush=True)\nsignal.pause()", "process.kill()")
    command = [sys.executable, "-c", text, shell.path, shell.kind.value]
    result = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&- >&-', "sh", *command],
        stderr=subprocess.PIPE,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_a_browser_that_never_answers_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "chrome"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setattr("domsh_repl.engine.engine.CALL_DEADLINE", 0.5)

    async def started() -> None:
        engine = Engine(BrowserOptions(browser=str(silent)))
        try:
            with pytest.raises(NotConnected, match="did not answer within"):
                await engine.start()
        finally:
            await engine.close()

    asyncio.run(started())


def test_a_browser_ends_also_when_its_closing_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = script(tmp_path, "exec sleep 60")
    monkeypatch.setattr("domsh_repl.engine.browser._CLOSE_SECONDS", 0.05)
    closing = asyncio.Event()

    async def hang(_connection: Connection) -> None:
        closing.set()
        await asyncio.Event().wait()

    async def given_up() -> int:
        engine = Engine(BrowserOptions(browser=program))
        start = asyncio.create_task(engine.start())
        async with asyncio.timeout(DEADLINE):
            while engine._connection is None:  # noqa: ASYNC110  (a few turns of the loop)
                await asyncio.sleep(0)
        start.cancel()
        monkeypatch.setattr(Connection, "close", hang)
        close = asyncio.create_task(engine.close())
        await closing.wait()
        close.cancel()
        await asyncio.wait([start, close])
        monkeypatch.undo()
        await engine._connection.close()
        assert engine._process is not None
        return engine._process.pid

    assert_gone(asyncio.run(given_up()))


def test_a_browser_that_only_started_can_be_killed_without_a_loop(tmp_path: Path) -> None:
    descriptors = psutil.Process().num_fds()
    engine = Engine(BrowserOptions(browser=script(tmp_path, "exec sleep 60")))
    engine.kill()
    engine.spawn()
    assert engine._process is not None
    engine.kill()
    assert_gone(engine._process.pid)
    assert psutil.Process().num_fds() == descriptors
