from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from domsh_repl.ending import in_good_order
from tests.program import LONGEST

PROGRAM = """
import os, signal, sys
from domsh_repl.ending import in_good_order
with in_good_order():
    try:
        os.kill(os.getpid(), int(sys.argv[1]))
        signal.pause()
    finally:
        print("closed")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_what_is_open_and_then_ends_the_process(number: signal.Signals) -> None:
    command = [sys.executable, "-c", PROGRAM, str(int(number))]
    done = subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-number, b"closed\n", b"")


IMPORTER = """
import signal, sys
from domsh_repl.ending import in_good_order
with in_good_order(interruptible=True):
    try:
        import interrupted
        signal.pause()
    except BaseException as error:
        assert sys.modules["interrupted"].is_whole
        print(type(error).__name__)
        raise
"""


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGTERM, b"_Ended"), (signal.SIGINT, b"KeyboardInterrupt")]
)
def test_a_signal_waits_for_the_end_of_an_import(
    number: signal.Signals, name: bytes, tmp_path: Path
) -> None:
    (tmp_path / "interrupted.py").write_text(
        f"import signal\nsignal.raise_signal({int(number)})\nis_whole = True\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    assert (done.returncode, done.stdout) == (-number, name + b"\n")


def test_what_was_ignored_stays_so_and_all_is_given_back() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with in_good_order():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
