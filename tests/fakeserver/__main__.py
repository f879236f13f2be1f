"""The server as a child process: its script is JSON in the one argument."""

from __future__ import annotations

import json
import sys

from tests.fakeserver.child import serve_stdio
from tests.fakeserver.script import Script
from tests.fakeserver.server import FakeServer

serve_stdio(FakeServer(Script(**json.loads(sys.argv[1]))))
