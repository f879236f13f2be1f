"""Views of a page as a whole: ``links table outline``."""

from __future__ import annotations

from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Flag, Group, Operand, OperandKind, Result
from domsh_repl.errors import UsageError
from domsh_repl.link import asks
from domsh_repl.nodes import View

_PATH = Operand("PATH", OperandKind.PATH, needed=False)
_FORMATS = ("csv", "md", "json")


@command(
    name="links",
    group=Group.TREE,
    summary="list all links with their addresses",
    operands=(_PATH,),
    flags=(Flag("--check", "ask each address whether it answers"),),
    examples=("links", "links main_1", "links --check"),
    statuses=((1, "a link is broken"),),
    details=(
        "--check asks up to 200 addresses, through the browser's own network but without\n"
        "its cookies, so that no link logs out. A link to a place in the page must lead to\n"
        "one that is there."
    ),
)
def links(session: Session, call: Call) -> Iterator[Result]:
    """List links."""
    if not call.has("--check"):
        yield Result(session.read(call.path(0), asks.links))
        return
    checked = session.read(call.path(0), asks.checked_links)
    broken = any(link.ok is False for link in checked.links)
    yield Result(checked, status=1 if broken else 0)


def _check_format(call: Call) -> None:
    wanted = call.flags.get("--format", _FORMATS[0])
    if wanted not in _FORMATS:
        known = ", ".join(_FORMATS)
        raise UsageError(f"{wanted!r} is no format", f"--format takes {known}", word=wanted)


@command(
    name="table",
    group=Group.TREE,
    summary="show a table as data",
    operands=(Operand("PATH", OperandKind.PATH),),
    flags=(Flag("--format", "csv, md or json", "FORMAT", _FORMATS),),
    examples=("table main_1/prices", 'table "Prices" --format csv', "table main_1 --format md"),
    details=(
        "PATH is the table, or something that holds one table. A cell that spans several\n"
        "stands in each of them. A terminal shows columns, a pipe gets CSV."
    ),
    check=_check_format,
)
def table(session: Session, call: Call) -> Iterator[Result]:
    """Show a table."""
    _check_format(call)
    yield Result(
        session.read(call.path(0), asks.table), View(format=call.flags.get("--format", ""))
    )


_OUTLINED = (
    Flag("--headings", "headings, with their levels"),
    Flag("--landmarks", "landmarks"),
    Flag("--fields", "form fields"),
    Flag("--links", "links"),
)


@command(
    name="outline",
    group=Group.TREE,
    summary="list headings and landmarks as a screen reader does",
    operands=(_PATH,),
    flags=_OUTLINED,
    examples=("outline", "outline --headings", "outline --fields main_1"),
    details=(
        "In the order of the document, indented by level: that of a heading, for the rest\n"
        "one more than the landmarks around. Without a flag: headings and landmarks."
    ),
)
def outline(session: Session, call: Call) -> Iterator[Result]:
    """List the rotor's entries."""
    kinds = [flag.name for flag in _OUTLINED if call.has(flag.name)]
    yield Result(session.read(call.path(0), lambda path: asks.outline(path, kinds)))
