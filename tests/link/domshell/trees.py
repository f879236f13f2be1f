"""Snapshots for tests: of the recordings, and of trees that a test writes as indented lines."""

from __future__ import annotations

import re

from domsh_repl.link.domshell.replies import read_reply
from domsh_repl.link.domshell.snapshot import Row, Snapshot, zip_rows
from domsh_repl.link.domshell.told import DeepLines, TreeLines
from tests.link.domshell.recordings import recorded

_LINE = re.compile(r'( *)(\[[dx-]\]) (\S+) (\w+)(?: "(.*)")?')


def replies_of(*nodes: str) -> tuple[str, str]:
    """Return what DOMShell's ``tree 99`` and ``read -d 99`` say of nodes.

    A node is ``  [d] name role "value"``, two blanks a level.
    """
    drawn, deep = ["page/"], ["page [RootWebArea]"]
    for node in nodes:
        found = _LINE.fullmatch(node.replace("\n", "\0"))
        assert found is not None, node
        depth, sign, name, role, value = found.groups()
        level = len(depth) // 2
        slash = "/" if sign == "[d]" else ""
        drawn.append(f"{'│   ' * level}├── {sign} {name}{slash}")
        told = "" if value is None else f' "{value}"'.replace("\0", "\n")
        deep.append(f"{'  ' * (level + 1)}{name} [{role}]{told}")
    return "\r\n".join(drawn), "\r\n".join(deep)


def rows_of(drawn: str, deep: str) -> tuple[Row, ...]:
    """Return the rows of two replies."""
    tree, read = read_reply("tree 99", drawn).get(), read_reply("read -d 99", deep).get()
    assert isinstance(tree, TreeLines)
    assert isinstance(read, DeepLines)
    return zip_rows(tree, read)


def planted(*nodes: str) -> Snapshot:
    """Return the snapshot of nodes as ``replies_of`` takes them."""
    return Snapshot.of_rows(rows_of(*replies_of(*nodes)))


def recorded_snapshot(page: str, drawn: str, deep: str) -> Snapshot:
    """Return the snapshot of two recorded replies."""
    tree = recorded(f"ext-1.3.0-{page}", drawn).reading().get()
    read = recorded(f"ext-1.3.0-{page}", deep).reading().get()
    assert isinstance(tree, TreeLines)
    assert isinstance(read, DeepLines)
    return Snapshot.of_rows(zip_rows(tree, read))
