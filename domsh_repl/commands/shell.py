"""The shell itself: ``status reconnect history help raw quit``, and the daemon beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from domsh_repl import __version__
from domsh_repl.commands.arguments import Call
from domsh_repl.commands.helptext import help_for, help_overview
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Background, Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Quit, Result
from domsh_repl.errors import DomshError, Interrupted, ServerRefused, Unsupported
from domsh_repl.link import asks
from domsh_repl.nodes import Message, Output
from domsh_repl.safetext import one_line
from domsh_repl.state import PageState

if TYPE_CHECKING:
    from domsh_repl.link.greeting import About

_SHOWN_LINES = 50


@command(
    name="status",
    group=Group.SHELL,
    summary="tell which server and lane this is and whether it answers",
    examples=("status",),
)
def status(session: Session, call: Call) -> Iterator[Result]:
    """Describe the connection."""
    del call
    failed = 0
    facts: dict[str, object] = {"version": __version__, "server": session.link.server}
    if session.link.is_read_only:
        facts["read_only"] = True
    try:
        where = session.ask(asks.where(), deadline=5)
        facts |= _server_facts(session.link.about)
        facts |= {"connected": True, "lane": session.link.lane, "tab": where.tab, "url": where.url}
    except Interrupted:
        raise
    except DomshError as error:
        facts |= {"connected": False, "reason": error.message}
        failed = error.exit_status
    facts |= {"path": session.state.cwd, "last_status": session.status}
    width = max(map(len, facts))
    text = "\n".join(f"{name:<{width}}  {one_line(_said(fact))}" for name, fact in facts.items())
    yield Result(Message(text, facts), status=failed)


def _server_facts(about: About) -> dict[str, object]:
    if not about.needs_extension:
        return {}
    return {"server_version": about.version, "extension": about.extension}


def _said(fact: object) -> str:
    return {True: "yes", False: "no"}.get(fact, str(fact)) if isinstance(fact, bool) else str(fact)


@command(
    name="reconnect",
    group=Group.SHELL,
    summary="leave the server and connect to it again",
    examples=("reconnect",),
    details=(
        "What was under way is not sent again. A lane on a server that others use outlives the\n"
        "connection; the built-in server's browser does not."
    ),
    changes_page=True,
)
def reconnect(session: Session, call: Call) -> Iterator[Result]:
    """Connect again, and say what that cost."""
    del call
    had = session.link.lane
    told = session.link.reconnect(deadline=session.settings.timeout)
    kept = bool(had) and session.link.lane == had
    if not kept:
        session.state = PageState()
    yield Result(Message(told, {"lane_kept": kept}))


@command(
    name="history",
    group=Group.SHELL,
    summary="list the lines that were run, or the pages of this tab",
    flags=(
        Flag("--pages", "the tab's pages, the current one marked"),
        Flag("-n", "the last N", "N"),
    ),
    examples=("history", "history --pages"),
    details=(
        "A line with a blank in front is kept nowhere, nor is one that wrote a password. One that\n"
        "failed to `fill` or `type` is kept until the shell ends."
    ),
    offline=True,
)
def history(session: Session, call: Call) -> Iterator[Result]:
    """List lines or pages."""
    limit = call.number("-n")
    if call.has("--pages"):
        yield Result(_pages(session, limit))
        return
    lines = session.history() if session.history is not None else list(session.lines)
    shown = lines[-(_SHOWN_LINES if limit is None else limit) :] if limit != 0 else lines
    first = len(lines) - len(shown) + 1
    text = "\n".join(f"{number:>4}  {one_line(line)}" for number, line in enumerate(shown, first))
    yield Result(Message(text, {"lines": shown}))


def _pages(session: Session, limit: int | None) -> Message:
    tab = session.state.tab
    entries = [*tab.past, *tab.forward]
    rows = [
        {
            "url": entry.url,
            "title": entry.title,
            "path": entry.cwd,
            "current": place == len(tab.past) - 1,
        }
        for place, entry in enumerate(entries)
        if entry.url != "about:blank" or len(entries) == 1
    ][-(limit or len(entries)) :]
    text = "\n".join(
        f"{'→' if row['current'] else ' '} {one_line(str(row['url']), 100)}"
        f"  {one_line(str(row['title']), 60)}"
        for row in rows
    )
    return Message(text, {"pages": rows})


@command(
    name="help",
    group=Group.SHELL,
    summary="list the commands, or explain one",
    operands=(Operand("NAME", OperandKind.COMMAND, needed=False),),
    examples=("help", "help click", "help commands", "help paths"),
    check=lambda call: help_for(call.text(0, "paths")),
    offline=True,
)
def help_(session: Session, call: Call) -> Iterator[Result]:
    """Explain."""
    del session
    yield Result(Message(help_for(call.text(0)) if call.operands else help_overview()))


@command(
    name="raw",
    group=Group.SHELL,
    summary="send one line to the server as it is",
    operands=(Operand("LINE", OperandKind.TEXT),),
    examples=("raw ls -l main_1", "raw help"),
    details=(
        "All that follows, up to the end of the line, goes to the server as it is: quotes,\n"
        "; | & $ and options, too. It is DOMShell's own language; the reply is shown as text."
    ),
    changes_page=True,
)
def raw(session: Session, call: Call) -> Iterator[Result]:
    """Send a line untouched."""
    try:
        reply = session.link.raw(call.text(0), deadline=session.settings.timeout)
    except ServerRefused:
        session.follow()
        raise
    session.follow()
    yield Result(Output(reply))


@command(
    name="daemon-start",
    group=Group.SHELL,
    summary="start the daemon, as `domsh daemon start` does",
    examples=("daemon-start",),
    details="It gets the server and the browser that this shell was told to use.",
    offline=True,
)
def daemon_start(session: Session, call: Call) -> Iterator[Result]:
    """Start the daemon."""
    del call
    yield Result(_background(session).start(session.note))


@command(
    name="daemon-stop",
    group=Group.SHELL,
    summary="stop the daemon, as `domsh daemon stop` does",
    examples=("daemon-stop",),
    offline=True,
)
def daemon_stop(session: Session, call: Call) -> Iterator[Result]:
    """Stop the daemon."""
    del call
    yield Result(_background(session).stop())


def _background(session: Session) -> Background:
    if session.daemon is None:
        raise Unsupported("the daemon cannot be reached from here", "`domsh daemon start`, `stop`")
    return session.daemon


@command(
    name="quit",
    aliases=("exit",),
    group=Group.SHELL,
    summary="leave",
    examples=("quit",),
    offline=True,
)
def quit_(session: Session, call: Call) -> Iterator[Result]:
    """Leave."""
    del session, call
    raise Quit
    yield  # makes this a generator, as every command is
