"""How DOMShell's programs for Node.js are started: with a script of ours in front of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from domsh_repl.protocol import TOKEN_VARIABLE

__all__ = ["environment_of"]

_BEFORE = Path(__file__).parent / "domshell" / "before.cjs"


def environment_of(environment: Mapping[str, str], token: str) -> dict[str, str]:
    """Return an environment in which DOMShell's programs work and know the token."""
    options = [environment.get("NODE_OPTIONS", ""), f'--require "{_BEFORE.as_posix()}"']
    made = {**environment, "NODE_OPTIONS": " ".join(filter(None, options))}
    return {**made, TOKEN_VARIABLE: token} if token else made
