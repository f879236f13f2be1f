from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from domsh_repl.daemon.desk import Client, Desk, Job
from domsh_repl.daemon.request import Request
from tests.program import LONGEST

IMPORTER = """
import signal, sys
from domsh_repl.daemon.desk import Client, Desk, Job
from domsh_repl.daemon.request import Request

def work():
    import interrupted
    signal.pause()

desk = Desk()
desk.listen()
print(desk.run(Job(Client(bool), Request("start", [])), work))
print(sys.modules["interrupted"].is_whole, desk.next())
"""


def test_what_was_to_be_stopped_before_it_began_is_not_begun() -> None:
    desk = Desk()
    desk.stop()
    assert desk.run(Job(Client(bool), Request("start", [])), lambda: 0) is None
    assert desk.next() is None


def test_what_is_to_stop_in_an_import_stops_after_it(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGTERM)\nis_whole = True\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("130\nTrue None\n", "")
