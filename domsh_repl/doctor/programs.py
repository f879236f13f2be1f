"""Runs programs that only say something, such as ``node --version``: never longer than told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path

from domsh_repl.errors import NotConnected
from domsh_repl.safetext import one_line

__all__ = ["said_by"]

_END_SECONDS = 2.0
_LONGEST = 200


async def said_by(
    command: Sequence[str], seconds: float, environment: Mapping[str, str] = os.environ
) -> str:
    """Return what a program writes to its output, on one line, 200 characters at most.

    Raises ``NotConnected`` for one that cannot be run, fails, or takes longer. It and what it
    started are ended in every case.
    """
    name = Path(command[0]).name
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
            env=dict(environment),
            start_new_session=True,
        )
    except OSError as error:
        raise NotConnected(f"{name} does not run: {error.strerror}") from error
    try:
        async with asyncio.timeout(seconds):
            out, _ = await process.communicate()
    except TimeoutError as error:
        raise NotConnected(f"{name} did not answer within {seconds:.0f} s") from error
    finally:
        await _ended(process)
    if process.returncode:
        raise NotConnected(f"{name} failed with status {process.returncode}")
    return one_line(out.decode(errors="replace"), _LONGEST)


async def _ended(process: Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
