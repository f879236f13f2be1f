"""What tests that provoke a DOMShell on a live page share."""

from __future__ import annotations

from typing import Any

from domsh_repl.commands.session import Settings
from domsh_repl.link.asks import Ask
from domsh_repl.link.link import Link, Manners
from domsh_repl.link.owner import Deadlines
from domsh_repl.nodes import ScriptValue
from tests.link.domshell.plain import PlainServer
from tests.sessions import Shell

FORM = "/main_area/signup_form"
ODD_TEXT = "two  blanks, 'both' \"kinds\" | pipe --help %here% $x ; é 日本"


def shell_on(server: PlainServer, manners: Manners | None = None) -> Shell:
    """Return a shell on a server."""
    link = Link(server, Deadlines(lane=3.0, close=5.0, grace=0.2), manners or Manners())
    return Shell(link, Settings(timeout=20.0))


def quoted(text: str) -> str:
    """Return a text as a word of a line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"{escaped}"'


def evaluate(expression: str) -> Ask[ScriptValue]:
    """Ask for the value of an expression in the page."""
    return Ask("js", ScriptValue, (expression,), acts=True, on_nodes=False)


def in_page(shell: Shell, expression: str) -> Any:
    """Return what an expression gives in the page."""
    return shell.session.ask(evaluate(expression)).value
