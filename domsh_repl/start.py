"""Where ``domsh`` begins: the version, the thin client for ``--daemon``, the program for all else.

Looks at the words before anything is imported, since that is what the first two save.
"""

from __future__ import annotations

import os
import sys

from domsh_repl import __version__

TYPE_CHECKING = False  # typing's own would cost its import
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_AT_HOME = frozenset({"serve", "bridge", "daemon", "doctor", "--version", "--help", "-h"})
"""What runs in this process, also beside ``--daemon``: it says that this does not go together."""
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run domsh and return the exit status."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # while something was still being imported
        if sys.stderr is not None:
            sys.stderr.write("domsh: interrupted\n")
        return _INTERRUPTED


def _run(words: list[str]) -> int:
    if words == ["--version"] and _is_written(f"domsh {__version__}\n"):
        return 0
    forwarded = None
    options = words[: words.index("--")] if "--" in words else words
    if "--daemon" in options and _AT_HOME.isdisjoint(options):
        from domsh_repl.daemon.client import forward  # noqa: PLC0415

        forwarded = forward(words)
        if isinstance(forwarded, int):
            return forwarded
    from domsh_repl.cli import main as run  # noqa: PLC0415

    return run(words, forwarded)


def _is_written(text: str) -> bool:
    """Write to standard output; tell whether that worked: if not, the program explains why.

    Nothing is left in the stream's own memory, which could not be written later either.
    """
    try:
        os.write(sys.stdout.fileno(), text.encode())
    except (AttributeError, OSError, ValueError):  # closed, full, or no file
        return False
    return True
