"""Lines that nobody types: ``-c``, files and standard input; and the door for Python programs.

Its names are those of ``domsh_repl.library`` (docs/library.md), which is loaded when one is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "LineRun",
    "Problem",
    "RunOptions",
    "RunResult",
    "Runner",
    "ScriptErrors",
    "Section",
    "Shown",
    "Tally",
    "junit_xml",
    "run_file",
    "run_lines",
    "transcript",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("domsh_repl.library"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
