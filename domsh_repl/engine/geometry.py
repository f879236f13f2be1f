"""Boxes and points of a page, in CSS pixels; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Point", "Viewport", "points_inside"]

_MOST_QUADS = 4
_SMALLEST_AREA = 1.0
_PLACES = ((0.5, 0.5), (0.1, 0.5), (0.9, 0.5), (0.5, 0.1), (0.5, 0.9))
"""Where in a box the pointer may go: the middle, or near an edge where a control is in the way."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a view, from its upper left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Viewport:
    """What a document's window shows of it: its size, and where in the document it begins."""

    width: float
    height: float
    left: float = 0
    top: float = 0

    @classmethod
    def of(cls, metrics: Mapping[str, Any]) -> Viewport:
        """Return the layout viewport that Page.getLayoutMetrics describes."""
        view, shown = metrics["cssLayoutViewport"], metrics["cssVisualViewport"]
        return cls(
            float(view["clientWidth"]),
            float(view["clientHeight"]),
            float(shown["pageX"]),
            float(shown["pageY"]),
        )

    def holds(self, point: Point) -> bool:
        """Tell whether a point can be seen."""
        return 0 <= point.x < self.width and 0 <= point.y < self.height

    def mapped(self, point: Point, quad: Sequence[float]) -> Point:
        """Return a point of this view where the view is shown as ``quad`` (x1, y1 … x4, y4)."""
        right, down = point.x / max(self.width, 1), point.y / max(self.height, 1)
        return Point(
            quad[0] + right * (quad[2] - quad[0]) + down * (quad[6] - quad[0]),
            quad[1] + right * (quad[3] - quad[1]) + down * (quad[7] - quad[1]),
        )


def points_inside(quads: Sequence[Sequence[float]], view: Viewport) -> tuple[Point, ...]:
    """Return points of the visible parts of quads, best first; none when nothing is visible."""
    boxes = [box for quad in quads if (box := _visible(quad, view)) is not None][:_MOST_QUADS]
    middles = [_point(box, *_PLACES[0]) for box in boxes]
    return (*middles, *_edges(boxes))


def _edges(boxes: Sequence[Sequence[float]]) -> Iterator[Point]:
    for box in boxes:
        for place in _PLACES[1:]:
            yield _point(box, *place)


def _point(quad: Sequence[float], right: float, down: float) -> Point:
    return Point(
        quad[0] + right * (quad[2] - quad[0]) + down * (quad[6] - quad[0]),
        quad[1] + right * (quad[3] - quad[1]) + down * (quad[7] - quad[1]),
    )


def _visible(quad: Sequence[float], view: Viewport) -> list[float] | None:
    """Return the quad with its corners moved into the view; None when too little is left."""
    clipped = [
        min(max(value, 0), view.width if place % 2 == 0 else view.height)
        for place, value in enumerate(quad)
    ]
    return clipped if _area(clipped) >= _SMALLEST_AREA else None


def _area(quad: Sequence[float]) -> float:
    xs, ys = quad[0::2], quad[1::2]
    pairs = zip(range(4), (1, 2, 3, 0), strict=True)
    return abs(sum(xs[i] * ys[j] - xs[j] * ys[i] for i, j in pairs)) / 2
