"""Values to and from the JSON shapes of LANGUAGE.md §7.

One walk over the dataclass fields does both directions, so a shape is written down once, in
``nodes``. The built-in server's envelope and ``--json`` use the same shapes.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast

__all__ = ["decode", "encode"]

_Decoder = typing.Callable[[Any], Any]
T = typing.TypeVar("T")


def encode(value: object) -> Any:
    """Return the value as dicts, lists and scalars that ``json`` can write."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    return value


def decode(kind: type[T], data: object) -> T:
    """Return the ``kind`` that ``encode`` turned into ``data``.

    Unknown keys are ignored and missing ones take the field's default, so that a newer server
    can say more. Raises ``TypeError``, ``KeyError`` or ``ValueError`` on data of another shape.
    """
    return cast("T", _decoder(kind)(data))


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


@cache
def _decoder(hint: Any) -> _Decoder:
    origin = typing.get_origin(hint)
    if is_dataclass(hint):
        return _dataclass_decoder(cast("type", hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if origin is tuple:
        item = _decoder(typing.get_args(hint)[0])
        return lambda data: tuple(item(part) for part in data)
    if origin in (typing.Union, types.UnionType):
        return _union_decoder(typing.get_args(hint))
    return lambda data: data


def _union_decoder(options: tuple[Any, ...]) -> _Decoder:
    shaped = [option for option in options if is_dataclass(option)]
    if not shaped:
        return lambda data: data
    decoder = _decoder(shaped[0])
    return lambda data: None if data is None else decoder(data)


def _dataclass_decoder(kind: type) -> _Decoder:
    hints = typing.get_type_hints(kind)
    decoders: dict[str, _Decoder] = {}

    def build(data: Mapping[str, Any]) -> object:
        if not decoders:  # filled on first use: Branch holds Branch
            decoders.update({name: _decoder(hints[name]) for name in _field_names(kind)})
        return kind(
            **{name: decoder(data[name]) for name, decoder in decoders.items() if name in data}
        )

    return build
