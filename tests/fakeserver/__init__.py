"""An MCP server that says and does what its script says, over stdio or HTTP; no SDK inside.

What it was sent is kept: in ``received``, and as JSON lines in the script's ``log``. As a
program (``python -m tests.fakeserver``) it takes the script as JSON in its one argument.
"""

from __future__ import annotations

from tests.fakeserver.child import serve_stdio, stdio_command
from tests.fakeserver.script import DOMSHELL, GOOD, OURS, PAGE, WHERE, Script
from tests.fakeserver.server import FakeServer
from tests.fakeserver.web import serving_http

__all__ = [
    "DOMSHELL", "GOOD", "OURS", "PAGE", "WHERE", "FakeServer", "Script", "serve_stdio",
    "serving_http", "stdio_command",
]  # fmt: skip
