"""What both ends of a connection to a DOMShell server must agree about (docs/design.md, 7)."""

from __future__ import annotations

__all__ = ["ENVELOPE", "ENVELOPES", "TOKEN_VARIABLE"]

ENVELOPE = 1
"""The version of the envelope."""
ENVELOPES = f"+domsh.{ENVELOPE}"
"""Ends the version of an extension that understands lines with ``--envelope``."""
TOKEN_VARIABLE = "DOMSHELL_TOKEN"  # noqa: S105  (the name of a variable, not its value)
"""The environment variable that holds a server's token unless another one is named."""
