"""What both ends of a connection to a DOMShell server must agree about (docs/design.md, 7)."""

from __future__ import annotations

from collections.abc import Mapping

from domsh_repl.errors import UsageError
from domsh_repl.safetext import escape

__all__ = ["ENVELOPE", "ENVELOPES", "OPENING", "TOKEN_VARIABLE", "token_in"]

ENVELOPE = 1
"""The version of the envelope."""
ENVELOPES = f"+domsh.{ENVELOPE}"
"""Ends the version of an extension that understands lines with ``--envelope``."""
TOKEN_VARIABLE = "DOMSHELL_TOKEN"  # noqa: S105  (the name of a variable, not its value)
"""The environment variable that holds a server's token unless another one is named."""
OPENING = frozenset({"navigate", "open", "goto"})
"""Commands whose operand is a URL."""


def token_in(environment: Mapping[str, str], name: str = "") -> str:
    """Return the token of a variable, "" without one.

    Raises ``UsageError``, which does not show it, for what can be none: it is a header's value.
    """
    variable = name or TOKEN_VARIABLE
    token = environment.get(variable, "").strip()
    if not token.isascii() or not token.isprintable():
        raise UsageError(f"{escape(variable)} holds no token but other text")
    return token
