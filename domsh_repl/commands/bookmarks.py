"""Places by name: ``bookmark``, and ``@NAME`` in paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domsh_repl.commands.arguments import Call
from domsh_repl.commands.marks import Bookmark
from domsh_repl.commands.registry import command
from domsh_repl.commands.session import Session
from domsh_repl.commands.spec import Group, Operand, OperandKind, Result
from domsh_repl.errors import UsageError
from domsh_repl.link import asks
from domsh_repl.nodes import Message
from domsh_repl.safetext import one_line

_NAME = re.compile(r"[^\W\d][\w.-]*")


def _check_name(call: Call) -> None:
    name = call.text(0)
    if call.operands and not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no bookmark's name", "a letter, then letters and digits", word=name
        )


@command(
    name="bookmark",
    group=Group.TREE,
    summary="save the working directory under a name, or list what was saved",
    operands=(Operand("NAME", OperandKind.WORD, needed=False),),
    examples=("bookmark cart", "bookmark"),
    details=(
        "@NAME stands for the place in paths: cd @cart, click @cart/pay_btn. When the page has\n"
        "changed it is looked for by its role and label."
    ),
    check=_check_name,
)
def bookmark(session: Session, call: Call) -> Iterator[Result]:
    """Save a place, or list them."""
    _check_name(call)
    if not call.operands:
        yield Result(_listed(session))
        return
    name = call.text(0)
    node = session.read(session.cwd, asks.directory)
    mark = Bookmark(node.path, node.role, node.label, session.state.page.url)
    session.bookmarks.save(name, mark)
    yield Result(Message(f"@{name} is {one_line(mark.path)}", _facts(name, mark)))


def _listed(session: Session) -> Message:
    marks = session.bookmarks.all()
    width = max(map(len, marks), default=0)
    text = "\n".join(
        f"@{name:<{width}}  {one_line(mark.path)}  {one_line(mark.url, 100)}"
        for name, mark in marks.items()
    )
    return Message(text, {"bookmarks": [_facts(name, mark) for name, mark in marks.items()]})


def _facts(name: str, mark: Bookmark) -> dict[str, object]:
    return {
        "name": name,
        "path": mark.path,
        "role": mark.role,
        "label": mark.label,
        "url": mark.url,
    }
