"""Everything that works on one tab, put together: tree, search, resolver, describer."""

from __future__ import annotations

from domsh_repl.engine.changes import Snapshot
from domsh_repl.engine.describe import Describer
from domsh_repl.engine.page import Page
from domsh_repl.engine.resolve import Resolver
from domsh_repl.engine.search import Search
from domsh_repl.engine.tree import Tree

__all__ = ["Desk"]


class Desk:
    """The tools for one page; ``names_computed`` as in ``Search``.

    ``before_action`` is what was known before the last action, for ``diff``.
    """

    def __init__(self, page: Page, *, names_computed: bool) -> None:
        self.page = page
        self.tree = Tree(page)
        self.search = Search(page, self.tree, names_computed=names_computed)
        self.resolver = Resolver(self.tree, self.search)
        self.describer = Describer(page, self.tree)
        self.before_action: Snapshot | None = None
