"""Values to and from the JSON shapes of docs/language.md §7.

One walk over the dataclass fields does both directions, so a shape is written down once, in
``nodes``. The built-in server's envelope and ``--json`` use the same shapes.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast

__all__ = ["decode", "encode"]

T = typing.TypeVar("T")
_Job = tuple[object, Any, Any]
"""Something that is left to do: what, and the place that waits for it (a container and a key)."""


def encode(value: object) -> Any:
    """Return the value as dicts, lists and scalars that ``json`` can write.

    Nothing here recurses: a tree may be deeper than Python's stack.
    """
    answer: list[Any] = [None]
    jobs: list[_Job] = [(value, answer, 0)]
    while jobs:
        part, holder, key = jobs.pop()
        made, inside = _opened(part)
        holder[key] = made
        jobs += inside
    return answer[0]


def _opened(value: object) -> tuple[Any, list[_Job]]:
    """Return the container of a value with its scalars in it, and what is left to put in."""
    if isinstance(value, Enum):
        return value.value, []
    made: Any
    if isinstance(value, (list, tuple)):
        made = list(value)
        places = list(enumerate(value))
    elif isinstance(value, Mapping):
        made = {str(key): item for key, item in value.items()}
        places = list(made.items())
    elif is_dataclass(value) and not isinstance(value, type):
        made = {name: getattr(value, name) for name in _field_names(type(value))}
        places = list(made.items())
    else:
        return value, []
    return made, [(item, made, key) for key, item in places if type(item) not in _SCALARS]


_SCALARS = frozenset({str, int, float, bool, type(None)})


def decode(kind: type[T], data: object) -> T:
    """Return the ``kind`` that ``encode`` turned into ``data``.

    Unknown keys are ignored and missing ones take the field's default, so that a newer server
    can say more. Raises ``TypeError``, ``KeyError`` or ``ValueError`` on data of another shape.
    """
    answer: list[Any] = [None]
    opened: list[tuple[_Shape, Any, Any, Any]] = []
    jobs: list[tuple[_Shape, Any, Any, Any]] = [(_shape(cast("Any", kind)), data, answer, 0)]
    while jobs:
        shape, part, holder, key = jobs.pop()
        made = shape.opened(part)
        opened.append((shape, made, holder, key))
        jobs += shape.inside(part, made)
    for shape, made, holder, key in reversed(opened):  # what is inside is built before its holder
        holder[key] = shape.built(made)
    return cast("T", answer[0])


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


class _Shape:
    """How data of one type hint is taken apart and built; this one takes it as it is."""

    def opened(self, data: Any) -> Any:
        """Return a container for what will be built of the data, or the data itself."""
        return data

    def inside(self, data: Any, made: Any) -> list[tuple[_Shape, Any, Any, Any]]:
        """Return what must be built first: shape, data, and its place in ``made``."""
        del data, made
        return []

    def built(self, made: Any) -> Any:
        """Return the value, when all that is inside has been built."""
        return made


@dataclass(frozen=True)
class _EnumShape(_Shape):
    kind: type[Enum]

    def built(self, made: Any) -> Any:
        return self.kind(made)


@dataclass(frozen=True)
class _TupleShape(_Shape):
    item: _Shape

    def opened(self, data: Any) -> Any:
        if not isinstance(data, list):
            raise TypeError(f"a list is needed, not {type(data).__name__}")
        return list(data)

    def inside(self, data: Any, made: Any) -> list[tuple[_Shape, Any, Any, Any]]:
        if type(self.item) is _Shape:
            return []
        return [(self.item, part, made, place) for place, part in enumerate(data)]

    def built(self, made: Any) -> Any:
        return tuple(made)


@dataclass(frozen=True)
class _ClassShape(_Shape):
    kind: type
    optional: bool = False

    def opened(self, data: Any) -> Any:
        if data is None and self.optional:
            return None
        if not isinstance(data, Mapping):
            raise TypeError(f"{self.kind.__name__} is made of an object, not {type(data).__name__}")
        return {name: data[name] for name in _field_names(self.kind) if name in data}

    def inside(self, data: Any, made: Any) -> list[tuple[_Shape, Any, Any, Any]]:
        if made is None:
            return []
        shapes = _shaped_fields(self.kind)
        return [(shape, data[name], made, name) for name, shape in shapes if name in made]

    def built(self, made: Any) -> Any:
        return None if made is None else self.kind(**made)


@cache
def _shape(hint: Any) -> _Shape:
    arguments = typing.get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _ClassShape(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _EnumShape(hint)
    if typing.get_origin(hint) is tuple:
        return _TupleShape(_shape(arguments[0]))
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        for option in arguments:
            if isinstance(option, type) and is_dataclass(option):
                return _ClassShape(option, optional=True)
    return _Shape()


@cache
def _shaped_fields(kind: type) -> tuple[tuple[str, _Shape], ...]:
    """Return the fields whose values are more than scalars."""
    hints = typing.get_type_hints(kind)
    shapes = ((name, _shape(hints[name])) for name in _field_names(kind))
    return tuple((name, shape) for name, shape in shapes if type(shape) is not _Shape)
