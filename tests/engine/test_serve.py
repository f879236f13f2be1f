from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
SERVE = [sys.executable, "-m", "domsh_repl.engine.serve"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_the_process_ends_with_its_input_and_its_browser_with_it(tmp_path: Path) -> None:
    with (tmp_path / "errors").open("w") as errors:
        process = subprocess.Popen(
            SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment()
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_initialize())
        process.stdin.flush()
        assert b'"serverInfo"' in process.stdout.readline()
        browser = psutil.Process(process.pid).children(recursive=True)
        assert browser
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stdout.read() == b""
        process.stdout.close()
    _, alive = psutil.wait_procs(browser, 10)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]
    assert (tmp_path / "errors").read_text() == ""


@pytest.mark.parametrize("number", ["SIGTERM", "SIGINT", "SIGKILL"])
def test_a_killed_process_leaves_no_browser(number: str) -> None:
    import signal  # noqa: PLC0415

    process = subprocess.Popen(
        SERVE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(_initialize())
    process.stdin.flush()
    assert process.stdout.readline()
    browser = psutil.Process(process.pid).children(recursive=True)
    assert browser
    process.send_signal(getattr(signal, number))
    assert process.wait(20) == -getattr(signal, number)
    assert process.stderr.read() == b""
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    _, alive = psutil.wait_procs(browser, 10)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def test_a_browser_that_is_not_there_is_one_sentence_and_a_status() -> None:
    nowhere = {**environment(), "PATH": "/nonexistent", "HOME": "/nonexistent"}
    script = (
        "import domsh_repl.engine.serve as s, domsh_repl.engine.engine as e, sys;"
        "s.BrowserOptions = lambda: e.BrowserOptions(browser='/nonexistent/chrome');"
        "sys.exit(s.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL, capture_output=True, env=nowhere, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stdout == b""
    assert b"/nonexistent/chrome" in done.stderr
    assert b"Traceback" not in done.stderr


def _initialize() -> bytes:
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    return json.dumps(request).encode() + b"\n"
