"""What a value is drawn for: a terminal of some width or a pipe, and what its encoding can hold.

Every character of a page comes through ``text``, ``quoted`` or ``block``: there it is made
safe (``safetext``) and there what the encoding lacks becomes a backslash escape, before
anything is measured.
"""

from __future__ import annotations

from dataclasses import dataclass

from domsh_repl import safetext
from domsh_repl.nodes import Node
from domsh_repl.render.ink import Line, Span, cut
from domsh_repl.render.theme import SIGNS, Signs, role_style

__all__ = ["Canvas", "encodable"]


def encodable(text: str, encoding: str) -> str:
    """Return the text with what the encoding cannot hold as backslash escapes."""
    if text.isascii():
        return text
    try:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")


@dataclass(frozen=True, slots=True)
class Canvas:
    """Where a value is drawn; ``width`` is in cells and none where there is no terminal.

    A ``plain`` one is read by a screen reader: an entry a line, words in place of signs, nothing
    aligned and nothing cut.
    """

    width: int | None = None
    signs: Signs = SIGNS
    encoding: str = "utf-8"
    plain: bool = False

    def text(self, raw: str, room: int | None = None) -> str:
        """Return safe text on one line, on a terminal in at most ``room`` cells."""
        safe = encodable(safetext.escape(raw), self.encoding)
        if room is None or self.width is None:
            return safe
        return cut(safe, room, self.signs.ellipsis)

    def quoted(self, raw: str, room: int | None = None) -> str:
        """Return safe text in double quotes, as the language quotes a label."""
        inner = None if room is None else max(room - 2, 1)
        return '"' + self.text(raw.replace('"', '\\"'), inner) + '"'

    def block(self, raw: str) -> list[str]:
        """Return safe text with its own lines."""
        return encodable(safetext.escape_block(raw), self.encoding).split("\n")

    def name(self, node: Node, base: str | None = None) -> Line:
        """Return the name as ``ls`` shows it, with ``/`` after what can be entered.

        With a ``base`` directory the name of a node further below is its path from there.
        """
        slash = (Span("/"),) if node.enterable and not node.path.endswith("/") else ()
        return (Span(self.text(_name_from(node, base)), role_style(node.role)), *slash)


def _name_from(node: Node, base: str | None) -> str:
    if base is None:
        return node.name or node.path
    inside = base if base.endswith("/") else base + "/"
    if node.path.startswith(inside) and node.path != inside:
        return node.path.removeprefix(inside)
    return node.name or node.path
