"""How the prompt looks and which keys it has. Imports nothing: it is there before all else."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bearing"]


@dataclass(slots=True)
class Bearing:
    """What ``set`` can change of the prompt.

    ``prompt`` is ``full`` or ``short``, ``editing`` is ``emacs`` or ``vi``.
    """

    prompt: str = "full"
    toolbar: bool = True
    editing: str = "emacs"
