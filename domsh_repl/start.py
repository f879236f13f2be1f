"""Where ``domsh`` begins: the thin client for ``--daemon``, the program itself for all else.

Looks at the words before anything is imported, since that is what a thin client saves.
"""

from __future__ import annotations

import sys

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
    forwarded = None
    options = words[: words.index("--")] if "--" in words else words
    if "--daemon" in options and _AT_HOME.isdisjoint(options):
        from domsh_repl.daemon.client import forward  # noqa: PLC0415

        forwarded = forward(words)
        if isinstance(forwarded, int):
            return forwarded
    from domsh_repl.cli import main as run  # noqa: PLC0415

    return run(words, forwarded)
