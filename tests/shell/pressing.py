"""Tab without a terminal: what is offered at the end of a line, now and when all is known."""

from __future__ import annotations

import asyncio

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from domsh_repl.commands.session import Session
from domsh_repl.shell.completer import LineCompleter
from domsh_repl.shell.lookout import Lookout

_DEADLINE = 20.0


class Pressing:
    """Presses Tab in a session; needs a running event loop."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lookout = Lookout(session, lambda: None)
        self.completer = LineCompleter(session, self.lookout)

    def press_tab(self, line: str) -> list[str]:
        """Return what is offered at once."""
        document = Document(line)
        return [one.text for one in self.completer.get_completions(document, CompleteEvent())]

    async def settle(self) -> None:
        """Wait for what has been asked for."""
        async with asyncio.timeout(_DEADLINE):
            while pending := self.lookout._pending:
                await asyncio.wait([asyncio.wrap_future(one) for one in pending.values()])

    async def until_known(self, line: str) -> list[str]:
        """Press Tab until nothing is still to come; return what is offered then."""
        self.press_tab(line)
        while self.lookout._pending:
            await self.settle()
            self.press_tab(line)
        return self.press_tab(line)
