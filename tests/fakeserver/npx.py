"""A fake ``npx``: it starts the fake server where DOMShell's npm server would listen.

What it was called with, and with which environment, is kept in ``told`` beside the program.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
import threading
from pathlib import Path

from tests.fakeserver.script import Script
from tests.fakeserver.web import serving_http

_ROOT = Path(__file__).parents[2]


def fake_npx(folder: Path, script: Script) -> Path:
    """Put an ``npx`` into a folder and return the file in which it tells of its start."""
    data, told = folder / "script.json", folder / "told"
    data.write_text(json.dumps(dataclasses.asdict(script)), encoding="utf-8")
    npx = folder / "npx"
    npx.write_text(
        f"#!/bin/sh\nPYTHONPATH={_ROOT} exec {sys.executable} -m tests.fakeserver.npx {data} {told}"
        ' "$@"\n',
        encoding="utf-8",
    )
    npx.chmod(0o755)
    return told


def _main(data: str, told: str, *arguments: str) -> None:
    script = Script(**json.loads(Path(data).read_text(encoding="utf-8")))
    script.token = os.environ["DOMSHELL_TOKEN"]
    if script.says:
        print(script.says, file=sys.stderr, flush=True)
    kept = {"arguments": arguments, "environment": dict(os.environ), "pid": os.getpid()}
    Path(told).write_text(json.dumps(kept), encoding="utf-8")
    if script.dies_in:
        sys.exit(7)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    port = int(arguments[arguments.index("--mcp-port") + 1])
    with serving_http(script, port):
        ended.wait()


if __name__ == "__main__":
    _main(*sys.argv[1:])
