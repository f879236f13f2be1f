"""All checks of ``domsh doctor``, each chain beside the others, within one deadline."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from domsh_repl.checks import Check, Diagnosis, Result
from domsh_repl.doctor import server
from domsh_repl.doctor.chain import Chain, run_chain
from domsh_repl.doctor.machine import check_browser, check_daemon, check_python
from domsh_repl.doctor.npm import check_node, check_npx, check_package
from domsh_repl.engine.options import BrowserOptions
from domsh_repl.errors import Interrupted, NotConnected
from domsh_repl.link.http_server import HttpSource
from domsh_repl.link.npm_server import answers
from domsh_repl.link.servers import ServerSource
from domsh_repl.link.sources import port_of, source_of
from domsh_repl.options import Options
from domsh_repl.protocol import token_in
from domsh_repl.render.renderer import Renderer

__all__ = ["Subject", "examine", "run_doctor"]

_BUILTIN = "builtin"
_DOMSHELL = "domshell"
_DEADLINE = 20.0
_SHARE = 0.6
"""What the checks may use of the deadline: ending what they started may take the rest."""
_SHORTEST_SECRET = 4
"""Characters: what is shorter is no secret, and taking it out would spoil the words around it."""
_TOKEN_WORD = re.compile(r"(?i)token[=\s]+[\"']?([^\s\"']+)")
_OTHER_BROWSER = "is the machine very busy? `--browser PATH` takes another browser"
_START_ONE = "`domsh --server domshell` starts one, with npx if it has to be downloaded"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked at: the ``browser``, the ``server``, and the name of its token's variable.

    ``seconds`` is the deadline of all checks together, where that is less than 20.
    """

    browser: BrowserOptions
    server: str = _BUILTIN
    token_name: str = ""
    seconds: float = _DEADLINE

    @property
    def token(self) -> str:
        """The token for the server, "" for none; raises ``UsageError`` for what can be none."""
        return token_in(os.environ, self.token_name)

    @property
    def share(self) -> float:
        """The seconds of one chain of checks."""
        return _SHARE * min(self.seconds, _DEADLINE)


def run_doctor(options: Options, renderer: Renderer) -> int:
    """Show what all checks found and return the exit status; raises what ``examine`` raises."""
    browser = BrowserOptions.of(options)
    subject = Subject(browser, options.server, options.token_env, options.timeout)
    diagnosis = examine(subject)
    renderer.show(diagnosis)
    return 0 if diagnosis.ok else NotConnected.exit_status


def examine(subject: Subject) -> Diagnosis:
    """Return what all checks found, within 20 seconds.

    Raises ``Interrupted`` on Ctrl-C and SIGTERM, when everything that was started has ended;
    ``UsageError`` where the environment names no port, or what can be no token.
    """
    secrets = _secrets(subject)
    checks = asyncio.run(_until_told(_all_checks(subject)))
    shown = tuple(_without_secrets(check, secrets) for check in checks)
    return Diagnosis(shown, all(check.result is not Result.FAIL for check in shown))


async def _until_told(work: Awaitable[list[Check]]) -> list[Check]:
    """Do the work; the first signal cancels it, and no other one disturbs its clearing up."""
    task = asyncio.ensure_future(work)

    def cancel() -> None:
        if not task.cancelling():
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # Windows
            loop.add_signal_handler(number, cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise Interrupted("interrupted") from None


async def _all_checks(subject: Subject) -> list[Check]:
    port = port_of(os.environ)
    runs = subject.server in (_BUILTIN, _DOMSHELL) and await asyncio.to_thread(answers, port)
    starts_one = subject.server == _DOMSHELL and not runs
    python = Chain("python")
    check_python(python)

    async def browser(chain: Chain) -> None:
        await check_browser(chain, subject.browser)

    async def of_server(chain: Chain) -> None:
        await _check_server(chain, subject, port if runs else None)

    look = partial(run_chain, seconds=subject.share)
    found = await asyncio.gather(
        look(
            Chain("browser", "engine", advice=_OTHER_BROWSER),
            browser,
            is_needed=subject.server == _BUILTIN,
        ),
        look(Chain("node"), check_node, is_needed=starts_one),
        look(Chain("npx"), check_npx, is_needed=starts_one),
        look(Chain("package"), check_package, is_needed=starts_one),
        look(Chain(*server.NAMES), of_server),
        look(Chain("daemon"), check_daemon),
    )
    return [check for checks in (python.ended(), *found) for check in checks]


async def _check_server(chain: Chain, subject: Subject, port: int | None) -> None:
    """Look at the server that was asked for, else at the one at ``port``; starts no DOMShell."""
    asked = subject.server != _BUILTIN
    if subject.server in (_BUILTIN, _DOMSHELL):
        if port is None:
            _tell_none(chain, asked=asked)
            return
        source: ServerSource = HttpSource(f"http://127.0.0.1:{port}/mcp", subject.token)
        advice = "end that server and start it again"
    else:
        source = source_of(subject.server, os.environ, token_name=subject.token_name)
        advice = _advice(source)
    check = server.ServerCheck(source, bool(subject.token), asked, advice)
    await check.run(chain, subject.share)


def _advice(source: ServerSource) -> str:
    if isinstance(source, HttpSource):
        return "is the address right, and the server up? `--server domshell` finds or starts one"
    return "run that command by itself: what does it say?"


def _tell_none(chain: Chain, *, asked: bool) -> None:
    where = f"no DOMShell server runs at 127.0.0.1:{port_of(os.environ)}"
    if asked:
        chain.fail(f"{where}, and nothing is started for a check", _START_ONE)
        return
    chain.skip(f"{where}; the built-in one needs none")


def _without_secrets(check: Check, secrets: Sequence[str]) -> Check:
    """Return the check without the token, which a server's own words may hold."""
    found, hint = check.found, check.hint
    for secret in secrets:
        found, hint = found.replace(secret, "…"), hint.replace(secret, "…")
    return replace(check, found=found, hint=hint)


def _secrets(subject: Subject) -> list[str]:
    """Return the token, and those in the command of a server, the longest first."""
    found = {subject.token, *_TOKEN_WORD.findall(subject.server)}
    return sorted((one for one in found if len(one) >= _SHORTEST_SECRET), key=len, reverse=True)
