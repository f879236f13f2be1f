"""Checks of this machine: Python, the browser of the built-in server, and the daemon."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from urllib.parse import urlsplit

from domsh_repl import __version__
from domsh_repl.daemon.control import daemon_status
from domsh_repl.doctor.chain import Chain
from domsh_repl.engine.browser_paths import find_browser
from domsh_repl.engine.engine import Engine
from domsh_repl.engine.options import BrowserOptions
from domsh_repl.errors import Failed
from domsh_repl.safetext import one_line

__all__ = ["OLDEST_PYTHON", "check_browser", "check_daemon", "check_python"]

OLDEST_PYTHON = (3, 11)


def check_python(chain: Chain, version: tuple[int, int, int] = sys.version_info[:3]) -> None:
    """Tell the versions of Python and domsh."""
    found = f"{'.'.join(map(str, version))} at {sys.executable}, domsh {__version__}"
    if version < OLDEST_PYTHON:
        chain.fail(found, f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")
        return
    chain.ok(found)


async def check_browser(chain: Chain, options: BrowserOptions) -> None:
    """Find the browser, then start it as the built-in server does and read a page in it.

    Raises the errors of a browser that is not there or does not start.
    """
    if options.cdp is None:
        found = await asyncio.to_thread(find_browser, options.browser, headed=options.headed)
        chain.ok(found.path)
    else:
        chain.ok(f"the one that runs at {_place_of(options.cdp)}")
    engine = Engine(options)
    chain.ending.push_async_callback(engine.close)
    await engine.start()
    reply = await engine.execute("pwd", "new")
    if reply.failed:
        raise Failed(f"{engine.product} shows no page: {one_line(reply.text)}")
    does = "starts" if options.cdp is None else "answers"
    chain.ok(f"{engine.product} {does} and shows a page")


async def check_daemon(chain: Chain) -> None:
    """Tell whether a daemon runs, and answers; raises ``NotConnected`` for a folder of others."""
    message, _ = await asyncio.to_thread(daemon_status)
    facts = message.facts
    number = f"pid {one_line(str(facts.get('pid', 'unknown')), 20)}"
    if not facts["running"]:
        chain.skip("none runs; `domsh daemon start` starts one")
    elif facts.get("answers") is False:
        chain.fail(f"one runs ({number}) and does not answer", "`domsh daemon stop`")
    else:
        chain.ok(f"one runs ({number}) since {one_line(str(facts.get('since', '')), 40)}")


def _place_of(url: str) -> str:
    """Return the host and port of an address: the rest may be a secret."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.hostname or 'an address'}{port}"
    return "an address"
