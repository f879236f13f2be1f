"""What live regions said since the last action (WAI-ARIA 1.2, aria-live).

The listener lives in our world of the tab's own document. An action begins to listen and forgets
what was said before; what leads to another document does so there.
"""

from __future__ import annotations

from domsh_repl.engine.cdp import CdpError
from domsh_repl.engine.desk import Desk
from domsh_repl.engine.line import CommandLine
from domsh_repl.engine.page import Page
from domsh_repl.engine.worlds import run_in
from domsh_repl.errors import DomshError
from domsh_repl.paths import Path
from domsh_repl.reports import Announcements

__all__ = ["announced", "listen"]


async def listen(page: Page) -> None:
    """Listen from now on; where that is not possible nothing will have been heard."""
    if page.dialog is not None or page.gone is not None or page.load.leaving:
        return
    try:
        await page.unless_left(run_in(page.frames.main, "live", "begin"))
    except (CdpError, DomshError):
        return


async def announced(desk: Desk, line: CommandLine, path: Path) -> Announcements:
    """Return what was said; nothing where nobody has listened yet, who does from now on."""
    del line, path
    told = await run_in(desk.page.frames.main, "live", "tell", by_value=True)
    said = told.get("value")
    return Announcements(tuple(map(str, said)) if isinstance(said, list) else ())
