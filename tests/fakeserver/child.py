"""The fake server on its standard streams, and the command line that starts it there."""

from __future__ import annotations

import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.fakeserver.script import Script
from tests.fakeserver.server import FakeServer

_ROOT = Path(__file__).parents[2]
_STAYS = 120.0


def serve_stdio(server: FakeServer) -> None:
    """Answer on the standard streams until the input ends."""
    script = server.script
    if script.stays:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _begin(script)
    for line in sys.stdin:
        response = server.answer(json.loads(line))
        if response is None:
            continue
        if script.bad_bytes:
            sys.stdout.buffer.write(b"\xff\xfe\n")
        if script.junk:
            print(script.junk)
        sys.stdout.flush()
        print(json.dumps(response), flush=True)
    if script.stays or "close" in script.hangs_at:
        time.sleep(_STAYS)


def _begin(script: Script) -> None:
    if script.says:
        print(script.says, file=sys.stderr, flush=True)
    if script.environment:
        Path(script.environment).write_text(json.dumps(dict(os.environ)), encoding="utf-8")
    if script.grandchild:
        child = subprocess.Popen(["sleep", "300"])
        Path(script.grandchild).write_text(str(child.pid), encoding="utf-8")
    steps = script.progress or ("",)
    for step in steps:
        if step:
            print(step, file=sys.stderr, flush=True)
        time.sleep(script.start_seconds / len(steps))


def stdio_command(script: Script) -> str:
    """Return the command line that starts the server as a child."""
    data = json.dumps(dataclasses.asdict(script))
    program = [sys.executable, "-m", "tests.fakeserver", data]
    return shlex.join(["env", f"PYTHONPATH={_ROOT}", *program])
