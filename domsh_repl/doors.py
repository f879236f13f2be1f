"""Runs the built-in engine for others: ``domsh serve`` and ``domsh bridge``, used by ``cli``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence

from domsh_repl.addresses import is_loopback
from domsh_repl.door_options import DoorOptions, parse_door_options
from domsh_repl.engine.options import BrowserOptions
from domsh_repl.errors import UsageError
from domsh_repl.protocol import token_in
from domsh_repl.safetext import escape

__all__ = ["run_door"]


def run_door(door: str, argv: Sequence[str]) -> int:
    """Run ``serve`` or ``bridge`` until it ends and return the exit status.

    A signal ends it in good order, which is no failure. Raises the errors of the user's tree.
    """
    options = parse_door_options(door, argv, os.environ)
    if options.help_text:
        print(options.help_text)  # noqa: T201  (the answer)
        return 0
    for warning in options.warnings:
        _say(warning)
    if door == "bridge":
        return _until_told(_bridge(options, _token(options, needed=True)))
    if options.http is None:
        return _serve_stdio(options)
    host, port = options.http
    _refuse_others(options, host)
    return _until_told(_serve_http(options, host, port))


def _token(options: DoorOptions, *, needed: bool) -> str:
    token = token_in(os.environ, options.token_variable)
    if needed and not token:
        raise UsageError(
            f"the environment variable {escape(options.token_variable)} holds no token",
            "the DOMShell server prints its token when it starts",
        )
    return token


def _refuse_others(options: DoorOptions, host: str) -> None:
    if not is_loopback(host) and not options.allow_remote:
        raise UsageError(
            f"at {escape(host)!r} other machines could connect",
            "--http 127.0.0.1:3001, or --allow-remote if that is meant",
        )


def _say(text: str) -> None:
    print(f"domsh: {escape(text)}", file=sys.stderr, flush=True)  # noqa: T201


def _serve_stdio(options: DoorOptions) -> int:
    from domsh_repl.engine import serve  # noqa: PLC0415  (asyncio and more)
    from domsh_repl.engine.policy import Policy, domains_of  # noqa: PLC0415

    domains = () if options.domains is None else domains_of(options.domains)
    return serve.main(BrowserOptions.of(options), Policy(options.read_only, domains))


async def _serve_http(options: DoorOptions, host: str, port: int) -> None:
    from domsh_repl.engine.engine import Engine  # noqa: PLC0415
    from domsh_repl.engine.policy import Policy, domains_of  # noqa: PLC0415

    domains = () if options.domains is None else domains_of(options.domains)
    policy = Policy(options.read_only, domains)
    given = _token(options, needed=False)
    token = given or secrets.token_urlsafe(24)

    def ready(url: str) -> None:
        _say(f"serving MCP at {url}")
        if not given:
            _say(f"the token is {token} (Authorization: Bearer TOKEN)")

    async with contextlib.AsyncExitStack() as stack:
        engine = Engine(BrowserOptions.of(options))
        stack.push_async_callback(engine.close)
        engine.spawn()  # before mcp is imported, which takes longer than a browser's start
        from domsh_repl.engine.serve_http import HttpPlace, serve_http  # noqa: PLC0415

        await engine.start()
        await serve_http(engine, HttpPlace(host, port, token), policy, ready)


async def _bridge(options: DoorOptions, token: str) -> None:
    from domsh_repl.engine.bridge import Bridge, Place, Runner  # noqa: PLC0415
    from domsh_repl.engine.engine import Engine  # noqa: PLC0415
    from domsh_repl.engine.plain.shell import PlainShell  # noqa: PLC0415
    from domsh_repl.engine.policy import Policy  # noqa: PLC0415

    engine = Engine(BrowserOptions.of(options))
    try:
        await engine.start()
        place = Place(options.port, token, options.patience)
        runner: Runner = PlainShell(engine) if options.plain else engine
        policy = Policy(options.read_only)
        await Bridge(engine, place, _say, runner=runner, policy=policy).run()
    finally:
        await engine.close()


def _until_told(work: Awaitable[None]) -> int:
    """Run to the end, or until Ctrl-C or SIGTERM, after which everything is closed."""

    async def run() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError, ValueError):  # Windows has none
            loop.add_signal_handler(signal.SIGTERM, _canceller(task))
        await work

    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(run())
    return 0


def _canceller(task: asyncio.Task[None]) -> Callable[[], object]:
    return task.cancel
