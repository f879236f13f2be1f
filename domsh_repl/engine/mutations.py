"""Whether a document changes while something is done with it: its tree is not always told of."""

from __future__ import annotations

from domsh_repl.engine.cdp import CdpError, Pending
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import run_in
from domsh_repl.errors import DomshError

__all__ = ["MutationWatch"]


class MutationWatch:
    """Counts what changes in a tab's document from the beginning of the watch to its end."""

    def __init__(self, page: Page, counter: str) -> None:
        self._page = page
        self._counter = counter

    @classmethod
    async def of(cls, page: Page) -> MutationWatch:
        """Begin to watch; where that is not possible nothing will have been seen."""
        try:
            return cls(page, str((await run_in(page.frames.main, "mutations"))["objectId"]))
        except (CdpError, DomshError, KeyError):
            return cls(page, "")

    async def saw_change(self) -> bool:
        """End the watch and tell whether anything changed, also where nobody has looked yet."""
        if not self._counter or self._page.dialog is not None:
            return False
        try:
            reply = await self._page.unless_left(self._read())
        except (CdpError, DomshError):
            return False  # the document went away: that is told as a navigation
        return reply is not None and bool(reply["result"].get("value"))

    def give_up(self) -> None:
        """End the watch; what it saw is of no interest."""
        if self._counter and self._page.dialog is None:
            self._read()

    def _read(self) -> Pending:
        return self._page.main.call(
            "Runtime.callFunctionOn",
            objectId=self._counter,
            functionDeclaration="function() { return this.read() }",
            returnByValue=True,
        )
