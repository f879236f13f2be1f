"""The shell's own idea of where it is: tabs, working directories, history and forward stack.

Everything is frozen; a transition returns a new ``PageState``. The state follows the browser:
``PageState.arrived`` takes what a reply says about the page and works out by itself whether a
new document came, the page moved within its document, or the history was walked
(docs/design.md, 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domsh_repl.nodes import PageInfo

__all__ = ["Entry", "PageState", "TabState"]

_LAST_POSITION = 49
"""The browser keeps 50 entries a tab; a push beyond that drops the first and stays at the last."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tab's history: ``id`` and ``position`` are the browser's; ``cwd`` is ours."""

    id: int
    url: str
    title: str = ""
    cwd: str = "/"
    position: int = 0


@dataclass(frozen=True, slots=True)
class TabState:
    """Where a tab is: the entries up to the current one, the forward stack and the document."""

    past: tuple[Entry, ...] = ()
    forward: tuple[Entry, ...] = ()
    document: str = ""
    previous_cwd: str = "/"

    @property
    def current(self) -> Entry | None:
        """The entry that is shown now."""
        return self.past[-1] if self.past else None

    @property
    def cwd(self) -> str:
        """The working directory, absolute."""
        return self.past[-1].cwd if self.past else "/"

    def changed_directory(self, cwd: str) -> TabState:
        """Return the tab in another directory; the old one becomes ``cd -``."""
        entry = self.past[-1] if self.past else Entry(0, "")
        return replace(self, past=(*self.past[:-1], replace(entry, cwd=cwd)), previous_cwd=self.cwd)

    def arrived(self, page: PageInfo) -> TabState:
        """Return the tab as the browser shows it now.

        A known entry means that the history was walked or that nothing moved; an unknown one
        at the place of an old one has replaced it, and one at a new place was pushed. In a full
        history both look alike: it is taken for a push, which is what pages do.
        """
        entries = (*self.past, *self.forward)
        known = next((n for n, entry in enumerate(entries) if entry.id == page.entry), None)
        if known is not None:
            moved = replace(self, past=entries[: known + 1], forward=entries[known + 1 :])
        else:
            moved = self._with_new_entry(page)
        shown = replace(moved.past[-1], url=page.url, title=page.title, position=page.position)
        return replace(moved, past=(*moved.past[:-1], shown), document=page.document)

    def _with_new_entry(self, page: PageInfo) -> TabState:
        same_document = bool(self.document) and page.document == self.document
        entry = Entry(
            page.entry, page.url, page.title, self.cwd if same_document else "/", page.position
        )
        at_same_place = self.current is not None and self.current.position == page.position
        is_full = at_same_place and page.position == _LAST_POSITION
        before = self._moved_up() if is_full else self.past
        past = tuple(old for old in before if old.position < page.position)
        return replace(self, past=(*past, entry), forward=self.forward if at_same_place else ())

    def _moved_up(self) -> tuple[Entry, ...]:
        """Return the entries as a push into a full history leaves them: the first has gone."""
        moved = (replace(old, position=old.position - 1) for old in self.past)
        return tuple(old for old in moved if old.position >= 0)


@dataclass(frozen=True, slots=True)
class PageState:
    """The whole state of a shell: each tab's own, and the page that the last reply described."""

    tabs: Mapping[int, TabState] = field(default_factory=dict)
    page: PageInfo = field(default_factory=PageInfo)

    @property
    def tab(self) -> TabState:
        """The current tab."""
        return self.tabs.get(self.page.tab, TabState())

    @property
    def cwd(self) -> str:
        """The working directory of the current tab, absolute."""
        return self.tab.cwd

    def arrived(self, page: PageInfo) -> PageState:
        """Return the state after a reply that came with ``page``."""
        if not page.tab:
            return replace(self, page=page)
        known = self.tabs.get(page.tab, TabState())
        return PageState({**self.tabs, page.tab: known.arrived(page)}, page)

    def changed_directory(self, cwd: str) -> PageState:
        """Return the state in another directory of the current tab."""
        return replace(self, tabs={**self.tabs, self.page.tab: self.tab.changed_directory(cwd)})

    def closed(self, tab: int) -> PageState:
        """Return the state without a tab."""
        return replace(
            self, tabs={number: kept for number, kept in self.tabs.items() if number != tab}
        )
