"""The signal that a reply does not have the shape that its command gives."""

from __future__ import annotations

__all__ = ["Misread"]


class Misread(Exception):  # noqa: N818  (a signal among the readers; ``replies`` turns it into Lost)
    """A text that does not have the shape that is read."""
