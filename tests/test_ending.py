from __future__ import annotations

import signal
import subprocess
import sys

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


def test_what_was_ignored_stays_so_and_all_is_given_back() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with in_good_order():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
