"""Labels in quotes: what Tab writes after ``click "Sig`` is one word that reaches that node.

Where a label does not tell a node from all others, or would be read as a name, the node's path
stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from domsh_repl.language import quote_word
from domsh_repl.link import asks
from domsh_repl.link.asks import Wanted
from domsh_repl.lookup import folded
from domsh_repl.nodes import Node
from domsh_repl.paths import Path
from domsh_repl.safetext import has_unsafe, one_line
from domsh_repl.shell.candidates import Candidate, Tier, is_typed_as_it_is, told
from domsh_repl.shell.cursor import PathBegun
from domsh_repl.shell.lookout import Lookout

__all__ = ["Labels"]

Fits = Callable[[Node], bool]
_MOST = 200
"""Labels that are looked at; where there are more, none is known to be the only one."""
_LONGEST = 100
_SHOWN = 44
_MAY_BE_NAME = re.compile(r"[\w./-]+")


class Labels:
    """Finds labels below a directory."""

    def __init__(self, lookout: Lookout) -> None:
        self._lookout = lookout

    def below(
        self, directory: Path, begun: PathBegun, fits: Fits | None, names: Collection[str] | None
    ) -> Iterator[Candidate]:
        """Yield labels anywhere below, those that fit first.

        ``names`` are those of the directory's entries; None where not all of them are known.
        """
        wanted = Wanted(label=begun.prefix) if begun.prefix else Wanted(name="*")
        matches = self._lookout.look(asks.find(directory, wanted, limit=_MOST))
        if matches is None:
            return
        labelled = [node for node in matches.matches[:_MOST] if folded(node.label)]
        is_all = matches.total <= len(matches.matches)
        alike: dict[str, list[Node]] = {}
        for node in labelled:
            alike.setdefault(folded(node.label), []).append(node)
        meant = [(node, group) for group in alike.values() for node in _meant(group, fits)]
        start = begun.prefix.casefold()
        for node, group in sorted(meant, key=lambda one: fits is not None and not fits(one[0])):
            is_only = is_all and len(_meant(group, fits)) == 1
            word = (_label(node, names) if is_only else "") or _path(node, directory)
            if word:
                yield _candidate(word, node, begun.raw, _tier(node, start, fits))


def _meant(alike: list[Node], fits: Fits | None) -> list[Node]:
    """Return which of the nodes with one label it means: what fits, else the outermost.

    A button and the text in it are called alike, and so are a region and its heading.
    """
    fitting = [node for node in alike if fits(node)] if fits is not None else []
    paths = {node.path for node in alike}
    outermost = [node for node in alike if not paths.intersection(_above(node.path))]
    return fitting or (outermost if fits is None else alike)


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _tier(node: Node, start: str, fits: Fits | None) -> Tier:
    if not node.label.casefold().startswith(start):
        return Tier.HOLDS
    return Tier.BEGINS if fits is None or fits(node) else Tier.REST


def _label(node: Node, names: Collection[str] | None) -> str:
    """Return the label as a word that means it; else the path does."""
    label = node.label
    first = label.partition("/")[0]
    may_be_name = bool(_MAY_BE_NAME.fullmatch(label)) if names is None else first in names
    if may_be_name or first in ("", ".", "..") or len(label) > _LONGEST or has_unsafe(label):
        return ""
    return quote_word(label, force=True)


def _path(node: Node, directory: Path) -> str:
    """Return the path from the directory as a word; "" where no word means it."""
    path = node.path.removeprefix(str(directory).rstrip("/")).lstrip("/")
    return path if path and all(map(is_typed_as_it_is, path.split("/"))) else ""


def _candidate(word: str, node: Node, replaced: str, tier: Tier) -> Candidate:
    shown = quote_word(one_line(node.label, _SHOWN), force=True)
    return Candidate(word, replaced, told(node.role, *node.states, node.path), shown, tier=tier)
