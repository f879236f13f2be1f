"""Other shells to measure beside: what starts them, and where those that are borrowed live."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["BARE_PROMPT", "BARE_PYTHON", "ptpython"]

BARE_PYTHON = (sys.executable, "-c", "pass")
BARE_PROMPT = (
    sys.executable,
    "-c",
    "from prompt_toolkit import PromptSession; PromptSession('> ').prompt()",
)
_LONGEST = 120.0


def ptpython() -> tuple[str, ...]:
    """Return what starts ptpython, installed on its first use in an environment of its own.

    That is ``domsh-bench`` in the user's cache folder. Empty where it cannot be had.
    """
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "domsh-bench"
    program = folder / "bin" / "ptpython"
    steps = (
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / "bin" / "pip"), "install", "--quiet", "ptpython"],
    )
    try:
        if not program.exists():
            for step in steps:
                subprocess.run(step, capture_output=True, timeout=_LONGEST, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return (str(program),)
