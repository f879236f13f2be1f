"""Starts the browser that options ask for; apart from the engine, whose import takes longer."""

from __future__ import annotations

from domsh_repl.engine.browser import BrowserProcess, start_browser
from domsh_repl.engine.browser_paths import find_browser
from domsh_repl.engine.options import BrowserOptions

__all__ = ["spawn_browser"]


def spawn_browser(options: BrowserOptions) -> BrowserProcess | None:
    """Start the browser process, None where somebody else's is joined.

    Raises ``NotConnected`` where there is none, or it does not start.
    """
    if options.cdp is not None:
        return None
    return start_browser(
        find_browser(options.browser, headed=options.headed),
        headed=options.headed,
        profile=options.profile,
        proxy=options.proxy,
        insecure=options.insecure,
        extra=options.flags,
    )
