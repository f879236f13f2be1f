"""Secrets taken out of what is shown. Pure."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TypeVar

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.errors import DomshError

__all__ = ["hidden", "hidden_error"]

T = TypeVar("T")


def hidden(value: T, secrets: Collection[str]) -> T:
    """Return the value with a mask in place of each secret, in all its texts."""
    return _hidden(value, secrets) if secrets else value  # type: ignore[return-value]


def hidden_error(error: DomshError, secrets: Collection[str]) -> DomshError:
    """Return the error with a mask in place of each secret."""
    if not secrets:
        return error
    shown = copy.copy(error)
    shown.message = _masked(error.message, secrets)
    shown.hint = _masked(error.hint, secrets)
    shown.args = (shown.message,)
    return shown


def _hidden(value: object, secrets: Collection[str]) -> object:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return _masked(value, secrets)
    if isinstance(value, Mapping):
        return {_hidden(key, secrets): _hidden(one, secrets) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_hidden(one, secrets) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {one.name: _hidden(getattr(value, one.name), secrets) for one in fields(value)}
        return replace(value, **changed)
    return value


def _masked(text: str, secrets: Collection[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, PASSWORD_MASK)
    return text
