"""Shells on a DOMShell that answers from a live page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import LaneRunner
from tests.link.domshell.plain import PlainServer
from tests.link.domshell.provoking import shell_on
from tests.sessions import Shell


@pytest.fixture
def server(lane: LaneRunner) -> PlainServer:
    """Give a DOMShell over one lane of a running engine."""
    return PlainServer(lane)


@pytest.fixture
def shell(server: PlainServer) -> Iterator[Shell]:
    """Give a shell on it, closed in the end."""
    made = shell_on(server)
    yield made
    server.unmute()
    made.session.link.close()


@pytest.fixture
def form(shell: Shell, pages: str) -> Shell:
    """Give a shell that has opened the page with the form."""
    shell.value(f"open {pages}/form.html")
    return shell
