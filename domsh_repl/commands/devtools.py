"""What a browser's developer tools show: ``console requests js screenshot``."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.picturefile import check_target, save_picture
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import UsageError
from domsh_repl.link import asks
from domsh_repl.reports import SavedPicture

_LAST = Flag("-n", "the last N (100 unless told otherwise, 0 for all that are kept)", "N")


@command(
    name="console",
    group=Group.PAGE,
    summary="tell what the pages logged",
    flags=(_LAST,),
    examples=("console", "console -n 5"),
    details=(
        "Messages of all tabs since they were opened, with exceptions that nobody caught\n"
        "and what the browser itself complains of. The last 1000 are kept."
    ),
)
def console(session: Session, call: Call) -> Iterator[Result]:
    """List messages."""
    yield Result(session.ask(asks.console(limit=call.number("-n"))))


@command(
    name="requests",
    group=Group.PAGE,
    summary="tell what the pages asked for",
    flags=(_LAST, Flag("--failed", "only what failed, or was answered with 400 and above")),
    examples=("requests", "requests --failed", "requests -n 5"),
    details="Method, status, type, time and address. The last 1000 of all tabs are kept.",
)
def requests(session: Session, call: Call) -> Iterator[Result]:
    """List requests."""
    yield Result(session.ask(asks.requests(limit=call.number("-n"), failed=call.has("--failed"))))


@command(
    name="js",
    aliases=("eval",),
    group=Group.ACT,
    summary="evaluate JavaScript in the page",
    operands=(Operand("EXPR", OperandKind.TEXT),),
    examples=("js 'document.title'", "js 'await fetch(\"/cart.json\").then(r => r.json())'"),
    details=(
        "One word: quote it. A promise is awaited; an exception is a failure, and what does\n"
        "not end within the deadline is stopped. What JSON cannot hold is described."
    ),
    changes_page=True,
)
def js(session: Session, call: Call) -> Iterator[Result]:
    """Evaluate."""
    value = session.ask(asks.script(call.text(0)))
    if session.state.cwd != "/":
        session.check_cwd()
    yield Result(value)


def _check_screenshot(call: Call) -> None:
    if call.has("--full") and call.operands:
        usage = f"usage: {call.command.usage}"
        raise UsageError("--full is of the page, not of an element", usage, word="--full")
    if call.flags.get("-o") == "":
        raise UsageError("-o needs the name of a file", f"usage: {call.command.usage}", word="-o")


@command(
    name="screenshot",
    group=Group.PAGE,
    summary="show and save a picture of the page or of an element",
    operands=(Operand("PATH", OperandKind.PATH, needed=False),),
    flags=(
        Flag("-o", "into this file (domsh-1.png or the next free number unless told)", "FILE"),
        Flag("--force", "overwrite the file"),
        Flag("--full", "the whole page, not only what its window shows"),
    ),
    examples=("screenshot", "screenshot -o form.png main_1/form_1", "screenshot --full"),
    details=(
        "A PNG, which a terminal with colours shows, too, unless -o says where it belongs.\n"
        "An element is scrolled into view first."
    ),
    check=_check_screenshot,
)
def screenshot(session: Session, call: Call) -> Iterator[Result]:
    """Take a picture and save it."""
    _check_screenshot(call)
    target, force = call.flags.get("-o", ""), call.has("--force")
    check_target(target, force=force)
    if call.operands:
        taken = session.read(call.path(0), asks.screenshot)
    else:
        taken = session.ask(asks.screenshot(None, full=call.has("--full")))
    png = base64.b64decode(taken.png)
    file = save_picture(png, target, force=force)
    shown = b"" if target else png
    yield Result(SavedPicture(file, taken.width, taken.height, taken.path or None, shown))
