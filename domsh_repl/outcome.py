"""How a run ends: its exit status and what is told of what went wrong, whatever its streams."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TextIO

from domsh_repl.errors import CannotWrite, DomshError, Interrupted
from domsh_repl.safetext import escape

__all__ = ["answer", "ended"]


def ended(words: Sequence[str], run: Callable[[], int]) -> int:
    """Run and return the exit status; what goes wrong is told as the words ask for it.

    A defect is raised with ``--debug`` among them.
    """
    try:
        return _written(words, run)
    finally:
        _let_go_of_errors()


def _written(words: Sequence[str], run: Callable[[], int]) -> int:
    try:
        _prepare_streams()
        return _written_out(_told(words, run))
    except BrokenPipeError:
        return _drop_output()  # whoever read our output has seen enough
    except CannotWrite as error:
        _drop_output()
        return _complain(f"cannot write: {error}")


def _told(words: Sequence[str], run: Callable[[], int]) -> int:
    """Run, and tell what went wrong; raises ``CannotWrite`` and ``BrokenPipeError``."""
    as_json, is_plain = "--json" in words, "--plain" in words
    try:
        return run()
    except DomshError as error:
        return _tell(error, as_json=as_json, is_plain=is_plain)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: no trace of a second one
        return _tell(Interrupted("interrupted"), as_json=as_json, is_plain=is_plain)
    except (BrokenPipeError, CannotWrite):
        raise
    except Exception as error:
        if "--debug" in words:
            raise
        return _complain(f"a defect: {type(error).__name__}: {error} (--debug shows where)")


def _written_out(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.strerror or type(error).__name__) from error
    return status


def _drop_output() -> int:
    """Let nothing more be written: what is still kept back would fail again at the exit."""
    _discard(sys.stdout)
    return 1


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        descriptor = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _let_go_of_errors() -> None:
    """Flush stderr: the interpreter gives a status of its own for what nobody can be told."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def _complain(text: str) -> int:
    with suppress(OSError):  # there is nobody left to tell
        print(f"domsh: {escape(text)}", file=sys.stderr, flush=True)  # noqa: T201
    return 1


def _prepare_streams() -> None:
    """Make streams that were closed harmless, and no character one that cannot be written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def answer(text: str) -> None:
    """Print text for which nothing that paints is imported; raises ``CannotWrite``."""
    try:
        print(text)  # noqa: T201  (nothing that paints is imported for it)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.strerror or type(error).__name__) from error


def _tell(error: DomshError, *, as_json: bool, is_plain: bool) -> int:
    """Print an error that came before anything could be shown by a renderer."""
    from domsh_repl.language import ScriptErrors  # noqa: PLC0415
    from domsh_repl.render.renderer import Renderer  # noqa: PLC0415

    with suppress(*(() if as_json else (OSError, CannotWrite))):  # nobody is left to tell
        if isinstance(error, ScriptErrors) and not as_json:
            print(error.render(), file=sys.stderr)  # noqa: T201
        else:
            Renderer(sys.stdout, sys.stderr, json=as_json, plain=is_plain).error(error)
    return error.exit_status
