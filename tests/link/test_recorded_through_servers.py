"""Every recorded exchange, sent as a user's own line through both transports, says the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from domsh_repl.errors import Lost, ServerRefused, TimedOut, UsageError
from domsh_repl.link.domshell.refusals import Why
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.link import Link
from domsh_repl.link.owner import Deadlines
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.stdio_server import StdioSource
from domsh_repl.link.wire import split_marker
from tests.fakeserver import DOMSHELL, Script, serving_http, stdio_command
from tests.link.domshell.recordings import Exchange, exchanges

FILES = sorted({exchange.file for exchange in exchanges()})
BOTH = ["ext-1.3.0-lanes", "ext-1.3.5-approx-lanes"]
"""Recordings that are tried through a child, too: what transports do is the same for all."""


def link_to(file: str, transport: str, stack: ExitStack) -> Link:
    """Return a link to a server that answers from a recording."""
    about = {**DOMSHELL, "extension_version": file.split("-")[1]}
    script = Script(about=about, recording=file, new="~/tabs\n\n[lane: 7]")
    source: ServerSource
    if transport == "stdio":
        source = StdioSource(stdio_command(script))
    else:
        source = HttpSource(stack.enter_context(serving_http(script))[0], "")
    link = Link(source, Deadlines(close=2.0, grace=0.1))
    stack.callback(link.close)
    return link


def told(link: Link, exchange: Exchange) -> str:
    """Return the text that a line is answered with, an error's, too."""
    try:
        return link.raw(exchange.command, deadline=0.3 if exchange.reply is None else 10.0)
    except ServerRefused as error:
        return error.message


def usable(file: str) -> Iterator[Exchange]:
    """Yield the exchanges whose line is one that can be sent."""
    for exchange in exchanges():
        if exchange.file == file and exchange.command.strip():
            yield exchange


@pytest.mark.parametrize(
    ("file", "transport"), [*((f, "http") for f in FILES), *((f, "stdio") for f in BOTH)]
)
def test_a_recorded_exchange_comes_through_as_it_was(file: str, transport: str) -> None:
    with ExitStack() as stack:
        link = link_to(file, transport, stack)
        for exchange in usable(file):
            if "\n" in exchange.command:
                with pytest.raises(UsageError):
                    link.raw(exchange.command)
            elif exchange.reply is None:
                with pytest.raises((TimedOut, Lost)):
                    told(link, exchange)
                link = link_to(file, transport, stack)
            else:
                expected = split_marker(exchange.reply)[0].replace("\r\n", "\n")
                assert told(link, exchange) == expected


@pytest.mark.parametrize("file", FILES)
def test_a_line_fails_where_its_recorded_reply_says_no_and_only_there(file: str) -> None:
    with ExitStack() as stack:
        link = link_to(file, "http", stack)
        for exchange in usable(file):
            if "\n" in exchange.command or exchange.reply is None:
                continue
            refusal = exchange.reading().refusal
            failed = False
            try:
                link.raw(exchange.command)
            except ServerRefused:
                failed = True
            assert failed == (refusal is not None and refusal.why is not Why.UNREADABLE), exchange
